import type { Reporter, TestModule } from "vitest/node";

/** Ends a run of tests with a short summary: what ran, how long it took, what was not run and why. */
export class TestSummary implements Reporter {
  readonly #began = performance.now();

  onTestRunEnd(modules: readonly TestModule[]): void {
    console.log(summaryOf(modules, performance.now() - this.#began, process.env.GROUNDRULE_REAL_DATA));
  }
}

export function summaryOf(
  modules: readonly Pick<TestModule, "children" | "ok">[],
  milliseconds: number,
  realData: string | undefined,
): string {
  const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
  const reasons = new Map<string, number>();
  for (const { children } of modules) {
    for (const test of children.allTests()) {
      const result = test.result();
      counts[result.state]++;
      if (result.state !== "skipped") continue;
      const reason = result.note ?? "skipped in the source";
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
  }
  // A file that cannot be loaded fails without a failed test.
  const broken = modules.filter((module) => !module.ok()).length;
  const ran = `${counted(counts.passed, "test")} passed, ${counts.failed} failed`;
  const files = `${counted(modules.length, "file")}${broken === 0 ? "" : ` (${broken} with failures)`}`;
  const lines = [`${ran}, in ${files}; ${minutes(milliseconds)}.`];
  for (const [reason, count] of reasons) lines.push(`${counted(count, "test")} not run: ${reason}.`);
  if (!realData) lines.push("Not run on real data: GROUNDRULE_REAL_DATA is not set.");
  return lines.join("\n");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function minutes(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
