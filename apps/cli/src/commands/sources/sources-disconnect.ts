import { disconnectLiveSource } from "@groundrule/node";
import type { Command } from "../../command-line/command.ts";
import { option } from "../../command-line/command-line.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { dataFolder } from "../../data/data-folder.ts";
import { InputFileError } from "../../files/input-file.ts";
import { noteGroups } from "../../words/change-lines.ts";

export const sourcesDisconnectCommand: Command = {
  summary: "Take a live source out of the data folder",
  operands: "NAME",
  options: [option("leave-groups", "also take it out of its groups, which then no longer query it")],
  details: [
    "A group keeps a source that is disconnected: the source fails there, and verdicts that use the group are DEGRADED, until the source is connected again or sources group defines the group again.",
    "Records of verdicts that used the source can still be replayed: they contain the areas that it returned.",
  ],
  async run(args, terminal) {
    const [name] = args.operands;
    const leaveGroups = args.flag("leave-groups");
    const groups = await disconnectLiveSource(dataFolder(args), name!, { leaveGroups });
    if (groups === undefined) throw new InputFileError(`the data folder has no live source "${name}"`);
    await terminal.print(`disconnected ${name}`);
    noteGroups(name!, groups, leaveGroups, terminal);
    return EXIT.done;
  },
};
