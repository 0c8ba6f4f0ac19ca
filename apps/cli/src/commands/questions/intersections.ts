import type { IntersectionMatch } from "@groundrule/engine";
import type { Command } from "../../command-line/command.ts";
import { openAskedData, REPEATABLE_OPTIONS } from "../../data/asked-data.ts";
import { SPATIAL_OPTIONS, spatialOptions } from "../../plots/spatial-options.ts";
import { answerPlots } from "../../screening/answer-plots.ts";
import { AnswerPrinter } from "../../screening/results/answer-printer.ts";
import { renderTable } from "../../terminal/table.ts";
import { figures } from "../../words/figures.ts";

export const intersectionsCommand: Command = {
  summary: "List the reference areas that share a point with each plot",
  operands: "[FILE]",
  options: [...SPATIAL_OPTIONS, ...REPEATABLE_OPTIONS],
  details: [
    'Prints one line per plot: {"id": …, "intersections": […]}, or {"id": …, "error": {"code": …}}. The id is the feature\'s id, else its id property, else the line number.',
  ],
  async run(args, terminal) {
    const options = spatialOptions(args);
    const asked = openAskedData(args, terminal);
    const printer = new AnswerPrinter<IntersectionMatch>(
      args,
      terminal,
      { asked: "plot", member: "intersections" },
      (matches) => renderTable(COLUMNS, matches.map(row), terminal.columns),
    );
    return answerPlots(args, terminal, printer, asked, options, (geometry, how) =>
      asked.data.intersections(geometry, how),
    );
  },
};

const COLUMNS = [
  { title: "source" },
  { title: "id" },
  { title: "name" },
  { title: "in" },
  { title: "overlap", align: "right" },
  { title: "of plot", align: "right" },
  { title: "of area", align: "right" },
] as const;

function row(match: IntersectionMatch): string[] {
  return [
    match.source_name,
    match.source_id,
    match.name ?? "",
    match.country_iso3 ?? "",
    figures.area(match.overlap_area_m2),
    figures.share(match.overlap_ratio),
    match.area_overlap_ratio === null ? "" : figures.share(match.area_overlap_ratio),
  ];
}
