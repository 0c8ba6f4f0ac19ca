import { releaseLedger } from "@groundrule/api/state";
import type { Command } from "../../command-line/command.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { MODE_OPTION, modeOf } from "../../command-line/modes.ts";
import { STATE_OPTIONS, withState } from "../../state.ts";
import { showValue } from "../../words/show-value.ts";

export const ledgerReleaseCommand: Command = {
  summary: "Release a frozen ledger, so that it charges again",
  options: [
    { name: "org", value: "ORG", required: true, help: "id or name of the organization" },
    MODE_OPTION,
    ...STATE_OPTIONS,
  ],
  details: [
    "A ledger is frozen when it does not add up. groundrule doctor says what is wrong; release the ledger once you understand the cause.",
  ],
  async run(args, terminal) {
    const mode = modeOf(args);
    const organization = args.get("org");
    await withState(args, (ports) => releaseLedger(ports, { organization, mode }));
    await showValue({ released: organization, mode }, args, terminal);
    return EXIT.done;
  },
};
