import { tableOf } from "../measure.ts";

/** One line of the table of speed: a figure, what it is to be, and the command that takes it alone. */
export interface SpeedRow {
  /** What is measured, and against what. */
  readonly figure: string;
  /** The value with its unit. */
  readonly measured: string;
  /** The value that it is held to. */
  readonly goal: string;
  readonly met: boolean;
  readonly command: string;
  /** How far the goal is reached: 1 where just, 2 where twice as good, 0.5 where half. */
  readonly reached?: number;
}

/** What cannot be measured here, and what would have to be there. */
export interface SpeedMissing {
  readonly missing: string;
}

export type SpeedResult = readonly (SpeedRow | SpeedMissing)[];

/** A figure that is to be large, as a factor over a peer is. */
export function atLeast(
  figure: string,
  value: number,
  goal: number,
  unit: string,
  command: string,
): SpeedRow {
  return {
    figure,
    measured: said(value, unit),
    goal: `≥ ${said(goal, unit)}`,
    met: value >= goal,
    command,
    reached: value / goal,
  };
}

/** A figure that is to be small, as a time is. */
export function atMost(figure: string, value: number, goal: number, unit: string, command: string): SpeedRow {
  return {
    figure,
    measured: said(value, unit),
    goal: `≤ ${said(goal, unit)}`,
    met: value <= goal,
    command,
    reached: goal / value,
  };
}

/** A figure without a goal. */
export function told(figure: string, value: number, unit: string, command: string): SpeedRow {
  return { figure, measured: said(value, unit), goal: "–", met: true, command };
}

function said(value: number, unit: string): string {
  const digits = Number(value.toPrecision(3));
  const number = digits >= 100 ? digits.toLocaleString("en-US") : String(digits);
  return /^[×%]/.test(unit) ? `${number}${unit}` : `${number} ${unit}`;
}

/**
 * Measures and prints, where a module of this folder is run by itself: as a table, or as JSON for the table of all
 * with `--json`.
 */
export async function runAlone(module: ImportMeta, measure: () => Promise<SpeedResult>): Promise<void> {
  if (!module.main) return;
  const result = await measure();
  if (process.argv.includes("--json")) console.log(`\n${JSON.stringify(result)}`);
  else console.log(speedTable(result));
}

/** The rows as a table of Markdown, with what is missing below. A command stands in the first of the rows that it takes. */
export function speedTable(result: SpeedResult): string {
  const rows = result.filter((row): row is SpeedRow => "figure" in row);
  const cells = [
    ["figure", "measured", "goal", "met", "command"],
    ...rows.map((row, i) => [
      row.figure,
      row.measured,
      row.goal,
      row.met ? "yes" : "**no**",
      row.command === rows[i - 1]?.command ? "" : `\`${row.command}\``,
    ]),
  ];
  const missing = new Set(result.flatMap((row) => ("missing" in row ? [row.missing] : [])));
  return [tableOf(cells), ...[...missing].map((each) => `Not measured: ${each}`)].join("\n\n");
}
