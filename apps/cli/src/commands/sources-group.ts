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
  details: [
    "The group has exactly these members: a source whose own manifest joins it and that is not named stays outside. Members that leave are told. Until it is defined so, a group has every source whose manifest joins it, and keeps those that are removed or leave it; these fail, and verdicts that ask the group are DEGRADED.",
    "All members are fictional or none is, borders apart.",
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
      terminal.note(`${member} left ${name}: rulesets that name the group ask it no more`);
    }
    return EXIT.done;
  },
};
