import { disconnectLiveSource } from "@groundrule/node";
import { noteGroups } from "../change-lines.ts";
import type { Command } from "../command.ts";
import { dataFolder } from "../data-folder.ts";
import { EXIT } from "../exit-code.ts";
import { InputFileError } from "../input-file.ts";

export const sourcesDisconnectCommand: Command = {
  path: "sources disconnect",
  summary: "Take a live source out of the data folder",
  operands: "NAME",
  operandCount: [1, 1],
  options: [{ name: "leave-groups", help: "also take it out of its groups, which then ask it no more" }],
  details: [
    "A group keeps a source that is disconnected: it fails there, and verdicts that ask the group are DEGRADED, until it is connected again or sources group defines the group anew.",
    "Records of verdicts over the source can still be replayed: they hold what it answered.",
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
