import { setQuota } from "@groundrule/api/state";
import { UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { MODE_OPTION, modeOf } from "../../command-line/modes.ts";
import { STATE_OPTIONS, withState } from "../../state.ts";
import { showValue } from "../../words/show-value.ts";

export const quotaSetCommand: Command = {
  summary: "Set an organization's quota of billable requests per period",
  operands: "N",
  options: [
    { name: "org", value: "ORG", required: true, help: "id or name of the organization" },
    MODE_OPTION,
    ...STATE_OPTIONS,
  ],
  details: ["Takes effect at once. In the current period the quota never falls below what is already used."],
  async run(args, terminal) {
    const text = args.operands[0]!;
    if (!/^\d{1,15}$/.test(text)) throw new UsageError(`found the quota "${text}", expected a whole number`);
    const mode = modeOf(args);
    const period = await withState(args, (ports) =>
      setQuota(ports, { organization: args.get("org"), mode, quota: Number(text) }),
    );
    await showValue({ mode, limit: period.quota, used: period.used }, args, terminal);
    return EXIT.done;
  },
};
