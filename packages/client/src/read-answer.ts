import type { Received } from "./exchange.ts";
import type { Problem } from "./wire/problem.ts";

/** An answer of status 200 in a form that the service never sends. */
export class Unreadable extends Error {
  readonly reason: "cut" | "not_the_service";

  constructor(reason: "cut" | "not_the_service", message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Parses the problem in an answer; undefined if something other than the service wrote it. */
export function findProblem(received: Received): Problem | undefined {
  if (readMediaType(received.headers) !== "application/problem+json") return undefined;
  let body: unknown;
  try {
    body = JSON.parse(decodeReceivedText(received));
  } catch {
    return undefined;
  }
  if (!isObject(body) || typeof body.code !== "string" || typeof body.detail !== "string") return undefined;
  const { instance, errors } = body;
  return {
    ...body,
    instance: typeof instance === "string" ? instance : "",
    errors: Array.isArray(errors) ? errors : [],
  } as unknown as Problem;
}

/** Parses a JSON body with an object in the named member. Fails: Unreadable. */
export function readJsonAnswer<Body>(received: Received, member: "data" | "meta"): Body {
  expectMediaType(received, ["application/json", "application/geo+json"]);
  const text = decodeReceivedText(received);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Unreadable("cut", `the answer of ${text.length} characters ends in the middle of its JSON`);
  }
  if (isObject(body) && isObject(body[member])) return body as Body;
  throw new Unreadable("not_the_service", `the answer is JSON without the member ${member}`);
}

/** Parses lines of JSON, with the number from which to continue. Fails: Unreadable, also if lines are missing. */
export function readJsonLines<Line>(
  received: Received,
  from: number,
): { readonly lines: Line[]; readonly nextFrom: number } {
  expectMediaType(received, ["application/x-ndjson"]);
  const nextFrom = Number(received.headers.get("X-Next-From") ?? Number.NaN);
  let lines: Line[];
  try {
    lines = decodeReceivedText(received)
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  } catch {
    throw new Unreadable("cut", "the answer ends in the middle of a line");
  }
  // A connection that is cut between two lines leaves no other trace.
  if (from + lines.length === nextFrom) return { lines, nextFrom };
  throw new Unreadable("cut", `the answer has ${lines.length} lines, and says to go on from ${nextFrom}`);
}

/** The bytes of a tile; undefined if it is empty. Fails: Unreadable. */
export function readTile(received: Received): Uint8Array<ArrayBuffer> | undefined {
  if (received.status === 204) return undefined;
  expectMediaType(received, ["application/vnd.mapbox-vector-tile"]);
  return received.bytes.byteLength === 0 ? undefined : received.bytes;
}

function expectMediaType({ headers, bytes }: Received, expected: readonly string[]): void {
  const found = readMediaType(headers);
  if (expected.includes(found)) return;
  throw new Unreadable(
    "not_the_service",
    `expected ${expected[0]}, found ${bytes.byteLength} bytes of ${found === "" ? "no media type" : "another media type"}`,
  );
}

function readMediaType(headers: Headers): string {
  return (headers.get("Content-Type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

function decodeReceivedText({ bytes }: Received): string {
  return new TextDecoder().decode(bytes);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
