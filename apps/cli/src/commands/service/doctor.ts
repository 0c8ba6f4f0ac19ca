import { doctor, findLaxModes, findSqlitePath, openStore } from "@groundrule/api/state";
import type { SourceFailure } from "@groundrule/engine";
import { DataError, openData } from "@groundrule/node";
import type { Command } from "../../command-line/command.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { getDataFolder } from "../../data/data-folder.ts";
import { getPepperFile, readStoreUrl, STATE_OPTIONS } from "../../data/state.ts";
import { formatFictionalNote } from "../../words/fictional-note.ts";
import { printValue } from "../../words/show-value.ts";

export const doctorCommand: Command = {
  summary: "Examine the state and the sources, and report what is wrong",
  options: STATE_OPTIONS,
  details: [
    "Recomputes every sum and digest of what was charged, compares the pepper with the store, checks who else can read the state's files, and opens every source. Freezes a ledger that does not add up: it charges nothing until ledger release. Writes nothing else. Exits with 4 when anything is wrong.",
  ],
  async run(args, terminal) {
    const url = readStoreUrl(args);
    const trustClock = args.flag("trust-clock");
    const { store, violations, ...found } = await doctor(
      (role) => openStore(url, { role, trustClock }),
      getPepperFile(args),
    );
    const { trouble = null, pepper = null } = found;
    const files = findLaxModes(findSqlitePath(url), getPepperFile(args));
    const { failures: failed_sources, note } = lookAtSources(getDataFolder(args));
    if (note !== undefined) terminal.note(note);
    const isSound = trouble === null && pepper === null;
    const ok = isSound && [violations, files, failed_sources].every(({ length }) => length === 0);
    await printValue({ ok, store, trouble, pepper, files, violations, failed_sources }, args, terminal);
    return ok ? EXIT.done : EXIT.unavailable;
  },
};

/**
 * The sources that do not open, including those recorded only in groups, and doubts about the others; empty if the data
 * folder has nothing yet.
 */
function lookAtSources(dir: string): {
  readonly failures: readonly SourceFailure[];
  readonly note?: string | undefined;
} {
  try {
    const { engine } = openData(dir);
    return { failures: engine.failures(), note: formatFictionalNote(engine.sources(), dir) };
  } catch (error) {
    if (error instanceof DataError && error.code === "DATA_FOLDER_MISSING") return { failures: [] };
    throw error;
  }
}
