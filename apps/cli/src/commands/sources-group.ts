import { setGroup } from "@groundrule/node";
import { UsageError } from "../arguments.ts";
import type { Command } from "../command.ts";
import { dataFolder } from "../data-folder.ts";
import { EXIT } from "../exit-code.ts";

export const sourcesGroupCommand: Command = {
  path: "sources group",
  summary: "Define a group of sources; a query of the group queries every member",
  operands: "NAME [MEMBER]…",
  operandCount: [1, 1 + 1024],
  options: [{ name: "remove", help: "remove the group instead" }],
  details: ["The group has exactly these members, plus the sources whose own manifest joins it."],
  async run(args) {
    const [name, ...members] = args.operands;
    if (args.flag("remove") !== (members.length === 0)) {
      throw new UsageError(members.length === 0 ? "MEMBER is missing" : "--remove takes no members");
    }
    await setGroup(dataFolder(args), name!, members);
    return EXIT.done;
  },
};
