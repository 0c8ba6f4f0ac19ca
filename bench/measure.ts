import { cpus, loadavg } from "node:os";
import { join } from "node:path";

export const COMMAND: string = join(import.meta.dirname, "../apps/cli/src/main.ts");

/** The conditions of a measurement apart from the code. */
export function describeMachine(): string {
  return `Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}`;
}

/** CPU microseconds of all threads of this process. */
export function measureCpuMicros(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

export function computeMedian(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which this share of values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** CPU microseconds that one measurement takes at least, so that it is long against the clock's grain. */
const LEAST_MICROS = 30_000;

/** CPU microseconds that a question takes for a plot, over passes long enough to be measured. */
export function measureMicrosPerPlot<P>(plots: readonly P[], ask: (plot: P) => unknown): number {
  let [used, passes] = [0, 0];
  for (; used < LEAST_MICROS; passes++) {
    used += measureCpuMicros(() => {
      for (const plot of plots) ask(plot);
    });
  }
  return used / (passes * plots.length);
}

/** Runs a measurement for a while, so that the host has compiled what it measures. */
export function warmUp(measure: () => unknown, seconds = 0.5): void {
  for (let used = 0; used < seconds * 1e6; ) used += measureCpuMicros(measure);
}

/** Runs measurements in turns, after a warm-up of each; gives the median of each. */
export async function measureInTurns<Name extends string>(
  rounds: number,
  measures: Readonly<Record<Name, () => number | Promise<number>>>,
): Promise<Record<Name, number>> {
  const named = Object.entries(measures) as [Name, () => number | Promise<number>][];
  const taken = named.map(([name]) => [name, [] as number[]] as const);
  for (let round = 0; round <= rounds; round++) {
    for (const [i, [, measure]] of named.entries()) {
      const value = await measure();
      if (round > 0) taken[i]![1].push(value);
    }
  }
  return Object.fromEntries(taken.map(([name, values]) => [name, computeMedian(values)])) as Record<
    Name,
    number
  >;
}

/** Microseconds as a cell of a table; NaN for a missing measurement. */
export function formatMicros(micros: number): string {
  return Number.isNaN(micros) ? "–" : `${micros.toFixed(1)} µs`;
}

/** A table of Markdown, its header first. */
export function formatMarkdownTable(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => row.map(String));
  // The last column may be long, and has nothing beside it.
  const widths = cells[0]!.map((head, i) =>
    i === cells[0]!.length - 1 ? head.length : Math.max(...cells.map((row) => row[i]!.length)),
  );
  const printed = cells.map((row) => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`);
  printed.splice(1, 0, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`);
  return printed.join("\n");
}
