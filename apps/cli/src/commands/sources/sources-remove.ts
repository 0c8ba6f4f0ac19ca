import { removeEdition, removeSource } from "@groundrule/node";
import { readCatalog, resolveEdition } from "@groundrule/node/internal";
import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { option } from "../../command-line/command-line.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import { dataFolder } from "../../data/data-folder.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { noteGroups } from "../../words/change-lines.ts";
import { shortEdition } from "../../words/edition-text.ts";

export const sourcesRemoveCommand: Command = {
  summary: "Remove a source, or one of its editions that is not current",
  operands: "NAME [EDITION] | --fictional",
  operandCount: [0, 2],
  options: [
    option("keep-editions", "for a source: keep its files, so that records can still be replayed"),
    option("leave-groups", "for a source: also take it out of its groups, which then no longer query it"),
    option("fictional", "remove every fictional source, such as those of the demo, also from their groups"),
  ],
  details: [
    "Without EDITION, the source leaves the catalog and its editions are deleted. A record that was made with a deleted edition can no longer be replayed: sources prune deletes only what nothing needs.",
    "A group keeps a source that is removed: the source fails there, and verdicts that use the group are DEGRADED, until the source is built again or sources group defines the group again.",
    "A process that has an edition open can use it until it closes it.",
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
    if (args.flag("fictional")) return removeFictional(dir, args, terminal);
    if (name === undefined) throw new UsageError("NAME is missing");
    if (named !== undefined) {
      const edition = resolveEdition(dir, name, named);
      await removeEdition(dir, name, edition);
      if (isPlain) await terminal.print(`removed edition ${shortEdition(edition)} of ${name}`);
      else await terminal.printJson({ source_name: name, removed: [edition] });
      return EXIT.done;
    }
    const { removed, groups } = await removeSource(dir, name, { keepEditions, leaveGroups });
    if (isPlain) await terminal.print(`removed ${name} and ${removed.length} editions of it`);
    else await terminal.printJson({ source_name: name, removed, groups });
    noteGroups(name, groups, leaveGroups, terminal);
    return EXIT.done;
  },
};

async function removeFictional(dir: string, args: Arguments, terminal: Terminal): Promise<ExitCode> {
  if (args.operands.length > 0 || args.flag("leave-groups")) {
    throw new UsageError(
      "--fictional removes all fictional sources, also from their groups: expected no NAME",
    );
  }
  const keepEditions = args.flag("keep-editions");
  for (const { manifest } of readCatalog(dir).sources) {
    if (manifest.fictional !== true) continue;
    const { source_name } = manifest;
    const { removed, groups } = await removeSource(dir, source_name, { keepEditions, leaveGroups: true });
    if (terminal.human && !args.flag("json")) await terminal.print(`removed ${source_name}`);
    else await terminal.printJson({ source_name, removed, groups });
    noteGroups(source_name, groups, true, terminal);
  }
  return EXIT.done;
}
