import { type Recovery, recoverCatalog } from "@groundrule/node/internal";
import type { Command } from "../../command-line/command.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { getDataFolder } from "../../data/data-folder.ts";
import { type Terminal, toPrintable } from "../../terminal/terminal.ts";
import { shortenEdition } from "../../words/edition-text.ts";

export const sourcesRecoverCommand: Command = {
  summary: "Make an unreadable catalog anew from the stored editions",
  details: [
    "Does nothing where the catalog can be read. Otherwise every entry that can be read stays as it is, with its current edition. For each other source, the edition that its entry names becomes current, if it can be used; else the stored editions are examined in the order of their builds, and the last one that passed the guards becomes current: one that was allowed against a guard has to be chosen again with sources use.",
    "A member of a group that is not found fails there, so verdicts on the group are DEGRADED. The unreadable file is kept beside the new one. Exits with 1 if something could not be recovered, and prints what.",
  ],
  async run(args, terminal) {
    const dir = getDataFolder(args);
    const recovery = await recoverCatalog(dir);
    if (args.flag("json") || !terminal.human) await terminal.printJson(recovery);
    else await printRecovery(recovery, terminal);
    const isWhole =
      recovery.lost.length === 0 && recovery.recovered.every(({ edition }) => edition !== undefined);
    return isWhole ? EXIT.done : EXIT.failOn;
  },
};

async function printRecovery(
  { fault, kept_as, unchanged, recovered, lost }: Recovery,
  terminal: Terminal,
): Promise<void> {
  if (fault === undefined) return terminal.print("the catalog can be read; nothing was changed");
  await terminal.print(`made a new catalog: ${unchanged.length} sources are as they were`);
  for (const { source_name, edition, passed_over } of recovered) {
    const is = edition === undefined ? "has no edition that can be used" : `uses ${shortenEdition(edition)}`;
    await terminal.print(`${source_name} ${is}`);
    for (const each of passed_over) {
      await terminal.print(`  passed over ${shortenEdition(each.edition)}: ${toPrintable(each.reason)}`);
    }
  }
  for (const each of lost) await terminal.print(`not recovered: ${toPrintable(each)}`);
  if (kept_as !== undefined) await terminal.print(`the unreadable catalog is kept as ${kept_as}`);
}
