import { type Replay, type ReplayPart, replayRecord, type VerdictRecord } from "@groundrule/engine/records";
import { DataError, loadKernel } from "@groundrule/node";
import { EditionArchive } from "@groundrule/node/internal";
import type { Command } from "../../command-line/command.ts";
import { EXIT, type ExitCode, pickWorseExitCode } from "../../command-line/exit-code.ts";
import { getDataFolder } from "../../data/data-folder.ts";
import { readRecordLines } from "../../files/record-file.ts";
import { printErrorText } from "../../screening/results/answer-printer.ts";
import { type LineError, toExitCode } from "../../terminal/line-error.ts";
import { type Terminal, toPrintable } from "../../terminal/terminal.ts";
import { figures } from "../../words/figures.ts";

export const replayCommand: Command = {
  summary: "Evaluate recorded requests again on the same editions, and compare",
  examples: ["records.ndjson"],
  operands: "RECORD",
  details: [
    "RECORD is a file that evaluate --record wrote, or a folder that screen --record wrote. Apart from RECORD, only the data folder is read. replay opens the editions that each record names, current or not, and verifies the digest of their content.",
    'Prints one line per record. "identical" means that the digest and the canonical JSON of the verdict are the same. A plot that got no verdict is listed with its error, and counted. Otherwise the line names the part that differs: ruleset, edition, semantics or input; "verdict" if none of those differs; "description" if the decision is the same and only members that describe it differ.',
    "Exits with 1 when a verdict differs, 3 when a line is not a record, 4 when an edition is not archived or is damaged.",
  ],
  async run(args, terminal) {
    const archive = new EditionArchive(getDataFolder(args));
    const text = terminal.human && !args.flag("json");
    const counts = { identical: 0, differs: 0, refused: 0, errors: 0 };
    let exit: ExitCode = EXIT.done;
    for await (const line of readRecordLines(args.operands[0]!)) {
      if ("refusal" in line) {
        counts.refused++;
        await printLineRefusal(line.id, line.refusal, text, terminal);
        continue;
      }
      const outcome = "error" in line ? line : await replayFromArchive(archive, line.record);
      if ("error" in outcome) {
        counts.errors++;
        exit = pickWorseExitCode(
          exit,
          outcome.error.code.startsWith("EDITION_") ? EXIT.unavailable : toExitCode(outcome.error.code),
        );
        if (text) await printErrorText(terminal, `record ${line.id}`, outcome.error);
        else await terminal.printJson({ id: line.id, error: outcome.error });
      } else {
        counts[outcome.replay.result]++;
        if (outcome.replay.result === "differs") exit = pickWorseExitCode(exit, EXIT.failOn);
        if (!text) await terminal.printJson({ id: line.id, ...outcome.replay });
        else for (const said of formatReplay(line.id, outcome.replay, terminal)) await terminal.print(said);
      }
      terminal.progress(() => formatReplaySummary(counts));
    }
    if (terminal.human) terminal.note(formatReplaySummary(counts));
    return exit;
  },
};

/** A plot that was given no verdict has nothing to evaluate again. */
async function printLineRefusal(
  id: string | number,
  error: LineError,
  isText: boolean,
  terminal: Terminal,
): Promise<void> {
  if (!isText) return terminal.printJson({ id, result: "no_verdict", error });
  const why = `${toPrintable(error.message)} (${error.code})`;
  return terminal.print(
    `record ${toPrintable(String(id))}: ${terminal.style("yellow", "no verdict")}, ${why}`,
  );
}

async function replayFromArchive(
  archive: EditionArchive,
  record: VerdictRecord,
): Promise<{ readonly replay: Replay } | { readonly error: LineError }> {
  const { sources, semantics } = record.response.data;
  try {
    const kernel = await loadKernel(semantics === 0 ? "reference" : "default");
    return {
      replay: replayRecord(
        archive.open({ sources, groups: record.groups, live: record.request.live, kernel }),
        record,
      ),
    };
  } catch (error) {
    if (!(error instanceof DataError) || !error.code.startsWith("EDITION_")) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}

const SAID: Readonly<Record<ReplayPart, string>> = {
  ruleset: "the ruleset is not the one that was evaluated",
  edition: "the editions are not the ones that were used",
  semantics: "this release evaluates with another version of the semantics",
  input: "the input is not the one that was evaluated",
  verdict:
    "ruleset, input and editions are the same, but the verdict is different: the record was altered, or one of the engines was wrong",
  description: "the decision is the same; only members that describe it differ",
};

function* formatReplay(id: string | number, replay: Replay, terminal: Terminal): Generator<string> {
  const { result, differs, verdict, digest, changes, error } = replay;
  const head = `record ${toPrintable(String(id))}`;
  if (result === "identical") {
    yield `${head}: ${terminal.style("green", "identical")}, ${verdict.recorded}  ${digest.recorded ?? ""}`.trimEnd();
    return;
  }
  const now =
    verdict.replayed === verdict.recorded
      ? verdict.recorded
      : `${verdict.recorded}, now ${verdict.replayed ?? "none"}`;
  yield `${head}: ${terminal.style("red", "differs")}, ${now}`;
  for (const part of differs) {
    yield `  ${part}: ${SAID[part]}${part === "semantics" ? formatReleases(replay.semantics) : ""}`;
  }
  if (error !== undefined) yield `  ${error.code}: ${toPrintable(error.message)}`;
  for (const { pointer, recorded, replayed } of changes) {
    const [before, after] = [recorded, replayed].map((value) => formatValue(value));
    yield `    ${toPrintable(pointer)}: ${before}, now ${after}`;
  }
}

function formatReleases({ recorded, replayed, agreeing_release }: Replay["semantics"]): string {
  const agrees =
    agreeing_release === undefined
      ? ""
      : `; release ${toPrintable(agreeing_release)}, which wrote it, agrees`;
  return ` (${replayed}) than the record (${recorded})${agrees}`;
}

function formatValue(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = toPrintable(JSON.stringify(value));
  return text.length > 72 ? `${text.slice(0, 71)}…` : text;
}

function formatReplaySummary({
  identical,
  differs,
  refused,
  errors,
}: {
  readonly identical: number;
  readonly differs: number;
  readonly refused: number;
  readonly errors: number;
}): string {
  const parts = [
    [identical, "identical"],
    [differs, "different"],
    [refused, "without a verdict"],
    [errors, "not replayed"],
  ] as const;
  const said = parts.flatMap(([count, word]) =>
    count === 0 ? [] : [`${figures.decimal(count, 0)} ${word}`],
  );
  return said.length === 0 ? "no records" : said.join(", ");
}
