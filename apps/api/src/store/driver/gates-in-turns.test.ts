import { expect, it } from "vitest";
import type { Driver } from "./driver.ts";
import { createBatchedOpenGate } from "./gates-in-turns.ts";

it("reads the gates of a turn by one statement a scope, 64 keys at most", async () => {
  const bound: number[] = [];
  const read: Driver["read"] = async (operation) => {
    const step = operation().next();
    if (step.done === true || typeof step.value === "symbol") throw new Error("expected a statement");
    bound.push(step.value.values.length);
    throw new Error("nothing is there");
  };
  const open = createBatchedOpenGate(read);
  const keys = [...Array.from({ length: 100 }, (_, i) => `key-${i}`), null];
  const questions = ["a", "b"].flatMap((organization) =>
    keys.map((key) => ({ scope: { organization, mode: "live" as const }, key })),
  );
  const opened = await Promise.allSettled(questions.map(open));
  expect(opened.every(({ status }) => status === "rejected")).toBe(true);
  // Organization and mode are bound three times in each statement.
  expect(bound).toEqual([64 + 6, 64 + 6, 64 + 6, 64 + 6]);
});
