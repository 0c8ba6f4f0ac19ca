import type { Command } from "../../command-line/command.ts";
import { REPEATABLE_OPTIONS, STRICT_COVERAGE_OPTION, WITHOUT_OPTION } from "../../data/command-data.ts";
import { RULESET_OPTION } from "../../files/ruleset-file.ts";
import { POINT_AREA_DETAIL, POINT_AREA_OPTION } from "../../plots/judged-plots.ts";
import { PLOT_READ_OPTIONS, READ_DETAIL } from "../../plots/read-options.ts";
import { CRS_OPTION } from "../../plots/spatial-options.ts";
import { AS_SUBMITTED_OPTION } from "../../plots/submitted-plots.ts";
import { FAIL_ON_OPTION } from "../../screening/results/conclusion.ts";
import { runScreening } from "../../screening/run-screen.ts";
import { OUTPUT_OPTIONS, STDIO_OPTION } from "../../screening/screen-options.ts";

export const screenCommand: Command = {
  summary: "Evaluate a stream of plots on all cores, in input order",
  examples: [
    "--ruleset preset.eudr plots.gpkg --output verdicts.ndjson",
    "--ruleset policy.json plots.csv --output verdicts.xlsx",
  ],
  operands: "[FILE]",
  options: [
    RULESET_OPTION,
    ...OUTPUT_OPTIONS,
    FAIL_ON_OPTION,
    CRS_OPTION,
    ...PLOT_READ_OPTIONS,
    POINT_AREA_OPTION,
    AS_SUBMITTED_OPTION,
    STRICT_COVERAGE_OPTION,
    WITHOUT_OPTION,
    ...REPEATABLE_OPTIONS,
    STDIO_OPTION,
  ],
  details: [
    "Prints what evaluate prints, in constant memory for a stream of any length. A plot that cannot be evaluated gives an error line, and the next plot is evaluated.",
    "csv, parquet and compact (one JSON line per plot) have a column check:ID for each check, beside id, verdict, at_least, digest and evidence; geojson, gpkg and geoparquet add these columns to the unchanged plots and their own attributes; xlsx is a workbook for people, with headings and outcomes in the words of --language. The bytes are the same for any number of workers; merge puts the output of shards together.",
    READ_DETAIL,
    POINT_AREA_DETAIL,
  ],
  async run(args, terminal) {
    if (!args.flag(STDIO_OPTION.name)) return runScreening(args, terminal);
    // Arrow is loaded where it is spoken.
    const { screenArrowStream: screenStdio } = await import("../../screening/stdio/screen-stdio.ts");
    return screenStdio(args, terminal);
  },
};
