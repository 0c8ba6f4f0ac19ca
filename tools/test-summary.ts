import type { Reporter, TestModule } from "vitest/node";

/** Ends a run of tests with a short summary: what ran, how long it took, what was not run and why, and what failed. */
export class TestSummary implements Reporter {
  readonly #began = performance.now();

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Failure[]): void {
    const milliseconds = performance.now() - this.#began;
    console.log(formatTestSummary(modules, unhandled, milliseconds, process.env.GROUNDRULE_REAL_DATA));
  }
}

interface Failure {
  readonly message: string;
}

/** Failures that are told in full. */
const SHOWN = 20;

export function formatTestSummary(
  modules: readonly Pick<TestModule, "children" | "errors" | "ok" | "relativeModuleId">[],
  unhandled: readonly Failure[],
  milliseconds: number,
  realData: string | undefined,
): string {
  const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
  const reasons = new Map<string, number>();
  // They fail a run in which every test passed.
  const failures = unhandled.map((error) => formatFailure("error outside of any test", error));
  for (const module of modules) {
    for (const error of module.errors()) failures.push(formatFailure(module.relativeModuleId, error));
    for (const test of module.children.allTests()) {
      const result = test.result();
      counts[result.state]++;
      if (result.state === "failed") {
        failures.push(formatFailure(`${module.relativeModuleId} > ${test.fullName}`, result.errors[0]));
      }
      if (result.state !== "skipped") continue;
      const reason = result.note ?? "skipped in the source";
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
  }
  // A file that cannot be loaded fails without a failed test.
  const broken = modules.filter((module) => !module.ok()).length;
  const ran = `${formatCount(counts.passed, "test")} passed, ${counts.failed} failed`;
  const files = `${formatCount(modules.length, "file")}${broken === 0 ? "" : ` (${broken} with failures)`}`;
  const lines = [`${ran}, in ${files}; ${formatMinutes(milliseconds)}.`];
  for (const [reason, count] of reasons) lines.push(`${formatCount(count, "test")} not run: ${reason}.`);
  if (!realData) lines.push("Not run on real data: GROUNDRULE_REAL_DATA is not set.");
  // Last, because a log that is cut keeps its end.
  for (const failure of failures.slice(0, SHOWN)) lines.push(failure);
  if (failures.length > SHOWN) lines.push(`… and ${failures.length - SHOWN} more failures`);
  return lines.join("\n");
}

function formatFailure(name: string, error: Failure | undefined): string {
  return `FAILED: ${name}\n    ${error?.message.split("\n", 1)[0] ?? "no reason told"}`;
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function formatMinutes(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
