import { removeEdition, removeSource, resolveEdition } from "@groundrule/node";
import { UsageError } from "../arguments.ts";
import type { Command } from "../command.ts";
import { dataFolder } from "../data-folder.ts";
import { shortEdition } from "../edition-text.ts";
import { EXIT } from "../exit-code.ts";

export const sourcesRemoveCommand: Command = {
  path: "sources remove",
  summary: "Remove a source, or one of its editions that is not current",
  operands: "NAME [EDITION]",
  operandCount: [1, 2],
  options: [
    { name: "keep-editions", help: "of a source: leave its files, so that records can still be replayed" },
    { name: "leave-groups", help: "of a source: also take it out of the groups that sources group defined" },
  ],
  details: [
    "Without EDITION, the source leaves the catalog and its editions are deleted. A record that was made with a deleted edition can no longer be replayed: sources prune deletes only what nothing needs.",
    "Whoever has an edition open keeps it until it is closed.",
  ],
  async run(args, terminal) {
    const dir = dataFolder(args);
    const [name, named] = args.operands;
    const keepEditions = args.flag("keep-editions");
    const leaveGroups = args.flag("leave-groups");
    if (named !== undefined && (keepEditions || leaveGroups)) {
      throw new UsageError("--keep-editions and --leave-groups are for a whole source, expected no EDITION");
    }
    const isPlain = terminal.human && !args.flag("json");
    if (named !== undefined) {
      const edition = resolveEdition(dir, name!, named);
      await removeEdition(dir, name!, edition);
      if (isPlain) await terminal.print(`removed edition ${shortEdition(edition)} of ${name}`);
      else await terminal.printJson({ source_name: name, removed: [edition] });
      return EXIT.done;
    }
    const { removed } = await removeSource(dir, name!, { keepEditions, leaveGroups });
    if (isPlain) await terminal.print(`removed ${name} and ${removed.length} editions of it`);
    else await terminal.printJson({ source_name: name, removed });
    return EXIT.done;
  },
};
