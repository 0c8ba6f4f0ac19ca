import { access } from "node:fs/promises";
import { backup, pepperTrouble, restore } from "@groundrule/api/state";
import type { Command } from "../../command-line/command.ts";
import {
  getPepperFile,
  PEPPER_OPTION,
  READ_STATE_OPTIONS,
  readStoreUrl,
  STORE_OPTIONS,
  withReadState,
} from "../../data/state.ts";
import { toReadError } from "../../files/input-file.ts";
import { printValue } from "../../words/show-value.ts";

export const backupCommand: Command = {
  summary: "Back up the service's state to a new file, even while it runs",
  operands: "FILE",
  options: READ_STATE_OPTIONS,
  details: [
    "The file is a SQLite database, even if the store is PostgreSQL; only its owner can read it. Back up the pepper too, in another place: without it no API key works.",
  ],
  async run(args, terminal) {
    await withReadState(args, (ports) => backup(ports, args.operands[0]!));
    return printValue({ backup: args.operands[0]! }, args, terminal);
  },
};

export const restoreCommand: Command = {
  summary: "Restore the service's state from a backup, into a new store",
  operands: "FILE",
  options: [...STORE_OPTIONS, PEPPER_OPTION],
  details: ["Checks the file and every charging invariant before it uses them."],
  async run(args, terminal) {
    const file = args.operands[0]!;
    await access(file).catch((error: unknown) => Promise.reject(toReadError(error, file)));
    await restore(file, readStoreUrl(args));
    const trouble = await withReadState(args, ({ store }) => pepperTrouble(getPepperFile(args), store));
    if (trouble !== undefined) terminal.note(`groundrule: the state is restored, but ${trouble}`);
    return printValue({ restored: args.operands[0]! }, args, terminal);
  },
};
