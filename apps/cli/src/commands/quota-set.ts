import { setQuota } from "@groundrule/api/state";
import { UsageError } from "../arguments.ts";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { MODE_OPTION, modeOf } from "../modes.ts";
import { showValue } from "../show-value.ts";
import { STATE_OPTIONS, withState } from "../state.ts";

export const quotaSetCommand: Command = {
  path: "quota set",
  summary: "Set how many billable requests an organization may make a period",
  operands: "N",
  operandCount: [1, 1],
  options: [
    { name: "org", value: "ORG", required: true, help: "id or name of the organization" },
    MODE_OPTION,
    ...STATE_OPTIONS,
  ],
  details: ["In effect at once; in the current period never below what it has used."],
  async run(args, terminal) {
    const text = args.operands[0]!;
    if (!/^\d{1,15}$/.test(text)) throw new UsageError(`the quota is "${text}", expected a whole number`);
    const mode = modeOf(args);
    const period = await withState(args, (ports) =>
      setQuota(ports, { organization: args.get("org"), mode, quota: Number(text) }),
    );
    await showValue({ mode, limit: period.quota, used: period.used }, args, terminal);
    return EXIT.done;
  },
};
