import { backup, pepperTrouble, restore } from "@groundrule/api/state";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { showValue } from "../show-value.ts";
import {
  PEPPER_OPTION,
  pepperFile,
  READ_STATE_OPTIONS,
  STORE_OPTIONS,
  storeUrl,
  withReadState,
} from "../state.ts";

export const backupCommand: Command = {
  path: "backup",
  summary: "Write the service's state to a new file, while it runs",
  operands: "FILE",
  operandCount: [1, 1],
  options: READ_STATE_OPTIONS,
  details: [
    "The file is a SQLite database, whichever store it is of. Only its owner reads it. Keep the pepper too, apart from it: without it no API key opens.",
  ],
  async run(args, terminal) {
    await withReadState(args, (ports) => backup(ports, args.operands[0]!));
    await showValue({ backup: args.operands[0]! }, args, terminal);
    return EXIT.done;
  },
};

export const restoreCommand: Command = {
  path: "restore",
  summary: "Make the service's state of a backup, where there is none",
  operands: "FILE",
  operandCount: [1, 1],
  options: [...STORE_OPTIONS, PEPPER_OPTION],
  details: ["Checks the file and every invariant of charging before it is used."],
  async run(args, terminal) {
    await restore(args.operands[0]!, storeUrl(args));
    const trouble = await withReadState(args, ({ store }) => pepperTrouble(pepperFile(args), store));
    if (trouble !== undefined) terminal.note(`groundrule: restored, but ${trouble}`);
    await showValue({ restored: args.operands[0]! }, args, terminal);
    return EXIT.done;
  },
};
