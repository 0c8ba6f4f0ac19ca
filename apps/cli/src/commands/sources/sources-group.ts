import { setGroup } from "@groundrule/node";
import { UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { option } from "../../command-line/command-line.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { dataFolder } from "../../data/data-folder.ts";

export const sourcesGroupCommand: Command = {
  summary: "Define a group of sources; a query of the group queries every member",
  operands: "NAME [MEMBER]…",
  operandCount: [1, 1 + 1024],
  options: [option("remove", "remove the group instead")],
  details: [
    "The group gets exactly these members: a source that is not named here stays outside, even if its own manifest names the group. Members that leave are reported. Until this command defines it, a group has every source whose manifest names it, and keeps sources that are removed or leave it; these fail, and verdicts that use the group are DEGRADED.",
    "Either all members are fictional or none is; borders may be in both kinds of group.",
  ],
  async run(args, terminal) {
    const [name, ...members] = args.operands;
    if (args.flag("remove") !== (members.length === 0)) {
      throw new UsageError(members.length === 0 ? "MEMBER is missing" : "--remove takes no members");
    }
    const change = await setGroup(dataFolder(args), name!, members);
    if (args.flag("json") || !terminal.human) await terminal.printJson({ group: name, ...change });
    else if (change.members.length === 0) await terminal.print(`removed ${name}`);
    else await terminal.print(`${name} has ${change.members.join(", ")}`);
    for (const member of change.left) {
      terminal.note(`${member} left ${name}: rulesets that name the group no longer query it`);
    }
    return EXIT.done;
  },
};
