import { DEFAULT_LIMITS, PROBLEM_MEDIA_TYPE } from "@groundrule/contract";
import { expect, it } from "vitest";
import { provokeAllProblems, UNPROVOKED } from "../../../test/provoke-problems.ts";
import { openApiDocument } from "./document.ts";
import { PROBLEM_EXAMPLES } from "./problem-examples.ts";

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}
interface Content {
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

it("is what the service answers, for every operation and code but those that nothing provokes", async () => {
  const provoked = await provokeAllProblems();
  expect(PROBLEM_EXAMPLES, "npm run tool -- write-openapi-examples writes them").toEqual(provoked);

  const { paths } = openApiDocument(DEFAULT_LIMITS) as unknown as Described;
  const examples = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, responses }) =>
      Object.values(responses).flatMap(({ content }) =>
        Object.entries(content?.[PROBLEM_MEDIA_TYPE]?.examples ?? {}).map(([code, { value }]) => ({
          operation: operationId,
          code,
          value,
        })),
      ),
    );
  expect(examples.length).toBeGreaterThan(400);
  const madeUp = new Set<string>();
  for (const { operation, code, value } of examples) {
    const answered = provoked[code]?.find(({ operations }) => operations.includes(operation));
    if (answered === undefined) madeUp.add(code);
    else expect(value, `${operation} ${code}`).toEqual(answered.problem);
  }
  expect(madeUp).toEqual(new Set(Object.keys(UNPROVOKED)));
});
