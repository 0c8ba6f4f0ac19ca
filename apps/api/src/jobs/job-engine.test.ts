import type { BodyResult, BodyTask } from "@groundrule/service";
import { expect, it } from "vitest";
import { JobEngine } from "./job-engine.ts";

const TERMS = { options: null, editions: { parks: "a" }, failed: [], groups: null, live: {} };
const TASK = { route: "/v1/evaluate", body: "" } as unknown as BodyTask;
const refused: BodyResult = {
  kind: "refused",
  refusal: { code: "RULESET_INVALID", message: "the ruleset is not valid", details: {} },
};

it("takes a ruleset that compiles no more, not even on its own editions, for no fault of the plot", async () => {
  const host = { answer: async () => refused };
  const archived = new JobEngine(TERMS, host, () => ({ ...host, close: async () => {} }));
  expect(await archived.answer(TASK)).toBe("missing");
  expect(await new JobEngine(TERMS, host).answer(TASK)).toBe("missing");
});
