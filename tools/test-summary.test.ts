import { describe, expect, it } from "vitest";
import { formatTestSummary } from "./test-summary.ts";

type Modules = Parameters<typeof formatTestSummary>[0];

const test = (fullName: string, state: "passed" | "failed", message?: string) => ({
  fullName,
  result: () => ({ state, errors: message === undefined ? undefined : [{ message }] }),
});

const file = (
  relativeModuleId: string,
  tests: readonly object[],
  errors: readonly { message: string }[] = [],
) => ({
  relativeModuleId,
  children: { allTests: () => tests },
  errors: () => errors,
  ok: () =>
    errors.length === 0 &&
    tests.every((each) => (each as { result(): { state: string } }).result().state === "passed"),
});

const summary = (files: readonly object[], unhandled: readonly { message: string }[] = []): string =>
  formatTestSummary(files as unknown as Modules, unhandled, 61_000, "somewhere");

describe("the summary of a run", () => {
  it("is one line where everything passed", () => {
    expect(summary([file("a.test.ts", [test("a", "passed")])])).toBe(
      "1 test passed, 0 failed, in 1 file; 1 min 1 s.",
    );
  });

  it("ends with every failure: of a test, of a file that cannot be loaded, and outside of any test", () => {
    const files = [
      file("a.test.ts", [test("a > holds", "failed", "expected 1 to be 2\nand more"), test("b", "passed")]),
      file("b.test.ts", [], [{ message: "no such module" }]),
    ];
    expect(summary(files, [{ message: "socket hang up" }]).split("\n")).toEqual([
      "1 test passed, 1 failed, in 2 files (2 with failures); 1 min 1 s.",
      "FAILED: error outside of any test",
      "    socket hang up",
      "FAILED: a.test.ts > a > holds",
      "    expected 1 to be 2",
      "FAILED: b.test.ts",
      "    no such module",
    ]);
  });

  it("reports at most twenty failures, and how many more there are", () => {
    const many = Array.from({ length: 25 }, (_, i) => test(`t${i}`, "failed", "no"));
    expect(
      summary([file("a.test.ts", many)])
        .split("\n")
        .at(-1),
    ).toBe("… and 5 more failures");
  });
});
