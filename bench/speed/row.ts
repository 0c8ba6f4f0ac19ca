import { basename } from "node:path";
import { formatMarkdownTable } from "../measure.ts";

/** One line of the speed table: a figure and its goal. */
export interface SpeedRow {
  /** The measured quantity, with its baseline. */
  readonly figure: string;
  /** The value with its unit. */
  readonly measured: string;
  /** The goal. */
  readonly goal: string;
  readonly met: boolean;
}

/** A figure that cannot be measured here, and the missing requirement. */
export interface SpeedMissing {
  readonly missing: string;
}

export type SpeedResult = readonly (SpeedRow | SpeedMissing)[];

/** A figure with a minimum, such as a factor over a peer. */
export function buildMinimumRow(figure: string, value: number, goal: number, unit: string): SpeedRow {
  return {
    figure,
    measured: formatFigure(value, unit),
    goal: `≥ ${formatFigure(goal, unit)}`,
    met: value >= goal,
  };
}

/** A figure with a maximum, such as a time. */
export function buildMaximumRow(figure: string, value: number, goal: number, unit: string): SpeedRow {
  return {
    figure,
    measured: formatFigure(value, unit),
    goal: `≤ ${formatFigure(goal, unit)}`,
    met: value <= goal,
  };
}

/** A figure without a goal. */
export function buildRowWithoutGoal(figure: string, value: number, unit: string): SpeedRow {
  return { figure, measured: formatFigure(value, unit), goal: "–", met: true };
}

function formatFigure(value: number, unit: string): string {
  const digits = Number(value.toPrecision(3));
  const number = digits >= 100 ? digits.toLocaleString("en-US") : String(digits);
  return /^[×%]/.test(unit) ? `${number}${unit}` : `${number} ${unit}`;
}

/**
 * Measures and prints, where a module of this folder is run by itself: as a table, or as JSON for the table of all
 * with `--json`.
 */
export async function runMeasurementAlone(
  module: ImportMeta,
  measure: () => Promise<SpeedResult>,
): Promise<void> {
  if (!module.main) return;
  const result = await measure();
  if (process.argv.includes("--json")) console.log(`\n${JSON.stringify(result)}`);
  else console.log(formatSpeedTable([[`node bench/speed/${basename(module.filename)}`, result]]));
}

/**
 * The rows as a table of Markdown, with what is missing below.
 *
 * @param parts the command that takes them alone, and rows
 */
export function formatSpeedTable(parts: readonly (readonly [command: string, SpeedResult])[]): string {
  const cells = parts.flatMap(([command, result]) =>
    result
      .filter((row) => "figure" in row)
      .map(({ figure, measured, goal, met }, i) => {
        return [figure, measured, goal, met ? "yes" : "**no**", i === 0 ? `\`${command}\`` : ""];
      }),
  );
  const missing = parts.flatMap(([, result]) =>
    result.flatMap((row) => ("missing" in row ? row.missing : [])),
  );
  return [
    formatMarkdownTable([["figure", "measured", "goal", "met", "command"], ...cells]),
    ...[...new Set(missing)].map((each) => `Not measured: ${each}`),
  ].join("\n\n");
}
