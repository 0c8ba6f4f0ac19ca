import { releaseLedger } from "@groundrule/api/state";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { MODE_OPTION, modeOf } from "../modes.ts";
import { showValue } from "../show-value.ts";
import { STATE_OPTIONS, withState } from "../state.ts";

export const ledgerReleaseCommand: Command = {
  path: "ledger release",
  summary: "Let a ledger charge again that was frozen because it did not add up",
  operands: "",
  operandCount: [0, 0],
  options: [
    { name: "org", value: "ORG", required: true, help: "id or name of the organization" },
    MODE_OPTION,
    ...STATE_OPTIONS,
  ],
  details: ["Once somebody has understood why; groundrule doctor says what is wrong."],
  async run(args, terminal) {
    const mode = modeOf(args);
    const organization = args.get("org");
    await withState(args, (ports) => releaseLedger(ports, { organization, mode }));
    await showValue({ released: organization, mode }, args, terminal);
    return EXIT.done;
  },
};
