import { type DistanceMatch, MAX_DISTANCE_METERS } from "@groundrule/engine";
import { UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { option } from "../../command-line/command-line.ts";
import { openAskedData, REPEATABLE_OPTIONS } from "../../data/asked-data.ts";
import { SPATIAL_OPTIONS, spatialOptions } from "../../plots/spatial-options.ts";
import { answerPlots } from "../../screening/answer-plots.ts";
import { AnswerPrinter } from "../../screening/results/answer-printer.ts";
import { renderTable } from "../../terminal/table.ts";
import { figures } from "../../words/figures.ts";

export const distanceCommand: Command = {
  summary: "List the reference areas near each plot, nearest first",
  operands: "[FILE]",
  options: [
    option("max-distance-m N", "greatest distance in metres, inclusive", { required: true }),
    option("min-distance-m N", "least distance in metres, inclusive (default 0)"),
    ...SPATIAL_OPTIONS,
    ...REPEATABLE_OPTIONS,
  ],
  details: [
    'Prints one line per plot: {"id": …, "matches": […]}, or {"id": …, "error": {"code": …}}. The id is the feature\'s id, else its id property, else the line number.',
  ],
  async run(args, terminal) {
    const maxDistanceMeters = args.findNumber("max-distance-m", 0, MAX_DISTANCE_METERS)!;
    const minDistanceMeters = args.findNumber("min-distance-m", 0, MAX_DISTANCE_METERS) ?? 0;
    if (minDistanceMeters > maxDistanceMeters) {
      throw new UsageError(
        `found --min-distance-m ${minDistanceMeters}, expected at most --max-distance-m, which is ${maxDistanceMeters}`,
      );
    }
    const options = { ...spatialOptions(args), maxDistanceMeters, minDistanceMeters };
    const asked = openAskedData(args, terminal);
    const printer = new AnswerPrinter<DistanceMatch>(
      args,
      terminal,
      { asked: "plot", member: "matches" },
      (matches) => {
        const bounds = [maxDistanceMeters, ...(minDistanceMeters === undefined ? [] : [minDistanceMeters])];
        const rows = matches.map((match) => row(match, bounds));
        return renderTable(COLUMNS, rows, terminal.columns);
      },
    );
    return answerPlots(args, terminal, printer, asked, options, (geometry, how) =>
      asked.data.distance(geometry, how),
    );
  },
};

const COLUMNS = [
  { title: "source" },
  { title: "id" },
  { title: "name" },
  { title: "in" },
  { title: "distance", align: "right" },
] as const;

function row(match: DistanceMatch, bounds: readonly number[]): string[] {
  return [
    match.source_name,
    match.source_id,
    match.name ?? "",
    match.country_iso3 ?? "",
    figures.distance(match.distance_m, ...bounds),
  ];
}
