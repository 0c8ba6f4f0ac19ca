import { disconnectLiveSource } from "@groundrule/node";
import type { Command } from "../command.ts";
import { dataFolder } from "../data-folder.ts";
import { EXIT } from "../exit-code.ts";
import { InputFileError } from "../input-file.ts";

export const sourcesDisconnectCommand: Command = {
  path: "sources disconnect",
  summary: "Take a live source out of the data folder",
  operands: "NAME",
  operandCount: [1, 1],
  options: [],
  details: ["Records of verdicts over the source can still be replayed: they hold what it answered."],
  async run(args, terminal) {
    const [name] = args.operands;
    if (!(await disconnectLiveSource(dataFolder(args), name!))) {
      throw new InputFileError(`the data folder has no live source "${name}"`);
    }
    await terminal.print(`disconnected ${name}`);
    return EXIT.done;
  },
};
