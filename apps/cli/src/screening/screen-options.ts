import { availableParallelism } from "node:os";
import { LANGUAGES, type Language } from "@groundrule/report";
import { type Arguments, UsageError } from "../command-line/arguments.ts";
import { defineOption, type OptionSpec } from "../command-line/command-line.ts";
import { chooseOutputFormat, JSON_LINES_ENDINGS, requireFileEnding } from "../command-line/output-format.ts";
import { AS_SUBMITTED_OPTION } from "../plots/submitted-plots.ts";
import type { Shard } from "../runs/run.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { FILE_FORMATS, FORMATS_BY_ENDING, RESULT_FORMATS, type ResultFormatName } from "./format-names.ts";
import { EVIDENCE_CHOICES, type EvidenceChoice } from "./results/compact.ts";
import type { ResultStyle } from "./results/result-lines.ts";

const EVIDENCE_OPTION: OptionSpec = defineOption(
  "evidence CHECKS",
  `the checks whose evidence is listed: ${EVIDENCE_CHOICES.join(", ")} (default: all in ndjson, triggered in the others)`,
);

/** Options for the results of a run, and for the plots it screens. */
export const OUTPUT_OPTIONS: readonly OptionSpec[] = [
  defineOption("workers N", "worker threads (default: one per core)"),
  defineOption(
    "format FORMAT",
    `${RESULT_FORMATS.join(", ")} (default: what the ending of --output says, else ndjson; on a terminal, text for people)`,
  ),
  defineOption("language LANG", `the words of a workbook: ${LANGUAGES.join(", ")} (default en)`),
  EVIDENCE_OPTION,
  defineOption(
    "output FILE",
    "write to a file, which appears once it is complete; FILE.run.json describes the run",
  ),
  defineOption("errors FILE", "write error lines to a separate file, with the number of each plot"),
  defineOption("resume", "continue an earlier run with the same --output where it stopped"),
  defineOption(
    "shard I/N",
    "screen only one of N shards: the plots whose number, counted from 0, has the remainder I when divided by N",
  ),
  defineOption("record DIR", "also write each request and its response to a folder, for replay"),
];

/** The command line's options of a run. */
export interface ScreenOptions {
  readonly workers: number;
  readonly format: ResultFormatName;
  /** The language of a workbook's headings and words. */
  readonly language: Language;
  /** The style without the checks, since the ruleset has not been read yet. */
  readonly style: Omit<ResultStyle, "checks">;
  /** Absent: standard output. */
  readonly output: string | undefined;
  readonly errors: string | undefined;
  readonly isResumed: boolean;
  readonly shard: Shard;
  /** Folder of the records. */
  readonly records: string | undefined;
}

/** Fails: {@link UsageError}. */
export function readScreenOptions(args: Arguments, terminal: Terminal): ScreenOptions {
  const output = args.find("output");
  const errors = args.find("errors");
  const named = args.findChoice("format", RESULT_FORMATS, `one of ${RESULT_FORMATS.join(", ")}`);
  const format =
    (output === undefined
      ? named
      : chooseOutputFormat({ option: "output", path: output, named }, FORMATS_BY_ENDING)) ?? "ndjson";
  requireFileEnding("errors", errors, JSON_LINES_ENDINGS);
  const isText = named === undefined && output === undefined && terminal.human && !args.flag("json");
  if (FILE_FORMATS.has(format) && output === undefined) {
    throw new UsageError(`found --format ${format} without --output; name the file to write with --output`);
  }
  const isResumed = args.flag("resume");
  if (isResumed && output === undefined) {
    throw new UsageError("found --resume without --output; name the file to continue with --output");
  }
  const shard = parseShardOption(args.find("shard"));
  if (shard.of > 1 && args.find(AS_SUBMITTED_OPTION.name) !== undefined) {
    throw new UsageError(
      "--shard cannot be combined with --as-submitted, which may split a plot into several; run plots fix first, and screen its output",
    );
  }
  if (shard.of > 1 && format === "xlsx") {
    throw new UsageError(
      `found --shard with ${output}, but workbooks cannot be merged; write shards as .parquet or .csv, or .ndjson for report --portfolio`,
    );
  }
  const language = args.findChoice("language", LANGUAGES, `one of ${LANGUAGES.join(", ")}`);
  if (language !== undefined && format !== "xlsx") {
    throw new UsageError(
      `found --language with the format ${format}, whose words are the same in every language; write a workbook with --output FILE.xlsx, or a report with report --language ${language}`,
    );
  }
  return {
    workers: args.findInteger("workers", 1, 256) ?? availableParallelism(),
    format,
    language: language ?? "en",
    style: {
      format: isText ? "text" : format,
      evidence: readEvidenceOption(args, format === "ndjson" ? "all" : "triggered"),
      areErrorsApart: errors !== undefined,
      hasColours: terminal.hasColours,
      width: terminal.width,
    },
    output,
    errors,
    isResumed,
    shard,
    records: args.find("record"),
  };
}

const MOST_SHARDS = 100_000;

function parseShardOption(text: string | undefined): Shard {
  if (text === undefined) return { index: 0, of: 1 };
  const [, index, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (shard.of >= 1 && shard.of <= MOST_SHARDS && shard.index < shard.of) return shard;
  throw new UsageError(
    `found --shard "${text}", expected I/N with I from 0 to N − 1 and N of at most ${MOST_SHARDS}, e.g. 0/4`,
  );
}

/**
 * Parses the choice of evidence.
 *
 * @param usual the default
 *
 * Fails: `UsageError`.
 */
export function readEvidenceOption(args: Arguments, usual: EvidenceChoice): EvidenceChoice {
  return args.findChoice(EVIDENCE_OPTION.name, EVIDENCE_CHOICES, EVIDENCE_CHOICES.join(", ")) ?? usual;
}

export const STDIO_OPTION: OptionSpec = defineOption(
  "stdio",
  "read plots as an Arrow IPC stream on standard input, and write one batch of results for each to standard output",
);

/** Options that do not apply to a stream of batches: its writer and reader decide. */
const OTHERS = [
  "as-submitted",
  "corner-order",
  "corners-of",
  "decimal",
  "encoding",
  "errors",
  "fail-on",
  "format",
  "id",
  "language",
  "latitude",
  "layer",
  "longitude",
  "mapping",
  "max-accuracy-m",
  "output",
  "parent",
  "record",
  "shard",
  "wkt",
  "workers",
];

const OTHER_FLAGS = ["resume", "swap-axes"];

/**
 * Refuses options that an Arrow stream of plots would have to ignore.
 *
 * @param known those that the caller reads all the same
 *
 * Fails: {@link UsageError}.
 */
export function refuseOtherOptions(args: Arguments, known: readonly string[] = []): void {
  if (args.operands.length > 0) {
    throw new UsageError(
      `the file "${args.operands[0]}" cannot be combined with --stdio, which reads standard input`,
    );
  }
  const other =
    OTHERS.find((name) => !known.includes(name) && args.find(name) !== undefined) ??
    OTHER_FLAGS.find((name) => args.flag(name));
  if (other !== undefined || args.all("column").length > 0) {
    throw new UsageError(
      `--${other ?? "column"} cannot be combined with --stdio, which answers each batch on standard output`,
    );
  }
}
