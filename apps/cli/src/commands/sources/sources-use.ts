import { releasePin, useEdition } from "@groundrule/node";
import { readCatalog, resolveEdition } from "@groundrule/node/internal";
import type { Command } from "../../command-line/command.ts";
import { option } from "../../command-line/command-line.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { dataFolder } from "../../data/data-folder.ts";
import { noteChanges } from "../../words/change-lines.ts";
import { shortEdition } from "../../words/edition-text.ts";

export const sourcesUseCommand: Command = {
  summary: "Make a stored edition current, and pin the source to it",
  operands: "NAME EDITION",
  options: [
    option(
      "no-pin",
      "do not pin: the next edition that is built becomes current; also removes an earlier pin",
    ),
  ],
  details: [
    'EDITION is a digest, at least 6 first digits that no other edition of the source has, "current", or "previous", which is the edition built before the current one. The command checks the content of the edition against its digest.',
    "A pinned source stays on this edition, even when new ones are built, until sources release. A running server switches within a second, without a failed request.",
  ],
  async run(args, terminal) {
    const dir = dataFolder(args);
    const [name, named] = args.operands;
    const edition = resolveEdition(dir, name!, named!);
    const pin = !args.flag("no-pin");
    const changes = await useEdition(dir, name!, edition, { pin });
    if (args.flag("json") || !terminal.human) {
      await terminal.printJson({ source_name: name, edition, is_pinned: pin, changes });
    } else {
      const pinned = pin ? `, pinned until groundrule sources release ${name}` : "";
      await terminal.print(`${name} now uses ${shortEdition(edition)}${pinned}`);
    }
    noteChanges(name!, changes, terminal);
    return EXIT.done;
  },
};

export const sourcesReleaseCommand: Command = {
  summary: "Remove the pin of a source, and switch to the edition that is waiting",
  operands: "NAME",
  details: [
    "The waiting edition is the one that was current before the pin, or one that was built since then and passed the guards.",
  ],
  async run(args, terminal) {
    const dir = dataFolder(args);
    const name = args.operands[0]!;
    const before = readCatalog(dir).sources.find(({ manifest }) => manifest.source_name === name)?.edition;
    const { released, edition, changes } = await releasePin(dir, name);
    if (args.flag("json") || !terminal.human) {
      await terminal.printJson({ source_name: name, edition, released, changes });
    } else if (!released) await terminal.print(`${name} is not pinned; it uses ${shortEdition(edition)}`);
    else {
      const went = edition === before ? "still uses" : "now uses";
      await terminal.print(`${name} is released and ${went} ${shortEdition(edition)}`);
    }
    noteChanges(name, changes, terminal);
    return EXIT.done;
  },
};
