import { type Prunable, pruneEditions } from "@groundrule/node";
import { findPrunableItems } from "@groundrule/node/internal";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { getDataFolder } from "../../data/data-folder.ts";
import { collectNeededEditions } from "../../data/needed-editions.ts";
import { READ_STATE_OPTIONS } from "../../data/state.ts";
import { printTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { shortenEdition } from "../../words/edition-text.ts";
import { figures } from "../../words/figures.ts";

const KEPT = 2;

export const sourcesPruneCommand: Command = {
  summary: "List the stored editions that nothing needs; with --yes, delete them",
  options: [
    defineOption("yes", "delete; without it, nothing is deleted"),
    defineOption("keep N", `number of newest editions of each source to keep (default ${KEPT})`),
    defineOption(
      "records PATH",
      "file or folder of records whose editions to keep, so that the records can be replayed",
      { multiple: true },
    ),
    ...READ_STATE_OPTIONS,
  ],
  details: [
    "It keeps current editions, pinned editions, the newest of each source, and every edition that a record names, or a decision or an unfinished job in the service's state. If the state or a record cannot be read, nothing is deleted. Files that a crash left behind, and editions of sources that are gone, are deleted too.",
    "The command knows only the records that --records names: name every folder that you keep.",
    "A process that has an edition open can use it until it closes it.",
  ],
  async run(args, terminal) {
    const dir = getDataFolder(args);
    const keep = args.findInteger("keep", 1, 1_000_000) ?? KEPT;
    const yes = args.flag("yes");
    const needed = await collectNeededEditions(args, terminal);
    const options = { keep, isNeeded: (edition: string) => needed.has(edition) };
    const found = yes ? await pruneEditions(dir, options) : findPrunableItems(dir, options);
    if (args.flag("json") || !terminal.human) {
      for (const each of found) await terminal.printJson({ ...each, deleted: yes });
      return EXIT.done;
    }
    await printPrunableEditions(found, terminal);
    const bytes = found.reduce((sum, each) => sum + each.bytes, 0);
    const megabytes = `${figures.decimal(bytes / 1e6, 1)} MB`;
    await terminal.print(
      yes
        ? `deleted ${found.length}, ${megabytes}`
        : `would delete ${found.length}, ${megabytes}${found.length > 0 ? "; --yes deletes" : ""}`,
    );
    return EXIT.done;
  },
};

async function printPrunableEditions(found: readonly Prunable[], terminal: Terminal): Promise<void> {
  if (found.length === 0) return;
  const rows = found.map((each) => {
    const size = figures.decimal(each.bytes / 1e6, 1);
    return each.what === "edition"
      ? [each.source_name, shortenEdition(each.edition), each.built_at.slice(0, 10), size]
      : ["left by a crash", each.path, "", size];
  });
  const columns = [
    { title: "source" },
    { title: "edition", cutLast: true },
    { title: "built" },
    { title: "MB", align: "right" },
  ] as const;
  await printTable(columns, rows, terminal);
}
