import { writeFileSync } from "node:fs";
import { crsTable } from "@groundrule/crs";
import type { Engine } from "@groundrule/engine";
import type { VerdictRecord } from "@groundrule/engine/records";
import { DataError, EditionArchive, loadKernel } from "@groundrule/node";
import { gatherMaterial, renderReport } from "@groundrule/report";
import { UsageError } from "../arguments.ts";
import type { Command } from "../command.ts";
import { dataFolder } from "../data-folder.ts";
import { EXIT } from "../exit-code.ts";
import { InputFileError } from "../input-file.ts";
import { readRecords } from "../record-file.ts";
import { printable } from "../terminal.ts";

export const reportCommand: Command = {
  path: "report",
  summary: "Turn a recorded verdict into an HTML page to read, print and file",
  operands: "RECORD",
  operandCount: [1, 1],
  options: [
    { name: "id", value: "ID", help: "id of the plot, when RECORD contains several" },
    { name: "out", value: "FILE", help: "file to write the page to (default: standard output)" },
  ],
  details: [
    "Writes one self-contained HTML page that prints on A4: a map, each check with what it compared, the evidence, the sources with their editions and licences, and the steps that reproduce the verdict.",
    "First evaluates the request again on the archived editions; the page says whether the verdict is the same. When an edition is not archived, the page shows the record alone and says so. Exits with 1 when the record is not confirmed.",
  ],
  async run(args, terminal) {
    const path = args.operands[0]!;
    const record = await findRecord(path, args.find("id"));
    const { engine, lack } = await openArchive(dataFolder(args), record);
    const material = gatherMaterial(record, { engine, lack, crs: crsTable });
    const page = renderReport(record, material);
    const out = args.find("out");
    if (out === undefined) await terminal.print(page.trimEnd());
    else writeFileSync(out, page);
    if (lack !== undefined) terminal.note(`${printable(lack)} The page shows the record alone.`);
    const differs = material.replay?.differs ?? [];
    if (!differs.some((part) => part !== "description")) return EXIT.done;
    terminal.note(
      `the record is not confirmed, its ${differs.join(", ")} differs; run groundrule replay for details`,
    );
    return EXIT.failOn;
  },
};

/** The record of a plot; the only one where no plot is named. */
async function findRecord(path: string, id: string | undefined): Promise<VerdictRecord> {
  let found: VerdictRecord | undefined;
  for await (const line of readRecords(path)) {
    if (id !== undefined && String(line.id) !== id) continue;
    if ("error" in line) throw new InputFileError(`${path}: ${line.error.message}`);
    if (found !== undefined) {
      throw new UsageError(
        `${path} contains several records${id === undefined ? "; choose one with --id" : ` of "${id}"`}`,
      );
    }
    found = line.record;
    if (id !== undefined) break;
  }
  if (found !== undefined) return found;
  throw new InputFileError(`${path} contains no record${id === undefined ? "" : ` of "${id}"`}`);
}

async function openArchive(
  dir: string,
  { request, response, groups }: VerdictRecord,
): Promise<{ readonly engine: Engine | undefined; readonly lack?: string }> {
  const { sources, semantics } = response.data;
  try {
    const kernel = await loadKernel(semantics === 0 ? "reference" : "default");
    return { engine: new EditionArchive(dir).open({ sources, groups, live: request.live, kernel }) };
  } catch (error) {
    if (!(error instanceof DataError) || !error.code.startsWith("EDITION_")) throw error;
    return { engine: undefined, lack: `${error.message}.` };
  }
}
