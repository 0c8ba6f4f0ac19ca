import { OPERATIONS } from "../src/http/operations/operations.ts";
import type { Operation } from "../src/http/operations/record/operation.ts";

/** An address of an operation, with the samples of its parameters. */
export function buildSamplePath({ path, parameters }: Pick<Operation, "path" | "parameters">): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => parameters[name]!.sample);
}

/** A body that the demo takes; undefined where the operation has none. */
export function findSampleBody({ request }: Operation): object | undefined {
  return request === undefined ? undefined : Object.values(request.examples)[0]!.value;
}

/** Every operation that is read without a parameter of its path. */
export const PLAIN_READS: readonly Operation[] = OPERATIONS.filter(
  ({ method, parameters }) => method === "GET" && Object.keys(parameters).length === 0,
);

/** The path, with the longest page that a list has. */
export function buildLongestPath({ path, query }: Operation): string {
  const isPaged = typeof query !== "string" && query.safeParse({ page_size: "200" }).success;
  return isPaged ? `${path}?page_size=200` : path;
}
