import { createOrganization } from "@groundrule/api/state";
import type { Command } from "../../command-line/command.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { STATE_OPTIONS, withMadeState } from "../../state.ts";
import { showValue } from "../../words/show-value.ts";

export const orgCreateCommand: Command = {
  summary: "Create an organization with an active subscription",
  operands: "NAME",
  options: [
    { name: "quota", value: "N", required: true, help: "billable requests per period in live mode" },
    { name: "test-quota", value: "N", help: "billable requests per period in test mode (default 10000)" },
    {
      name: "anchor-day",
      value: "D",
      help: "day of the month on which each billing period begins (default: today's)",
    },
    {
      name: "sources",
      value: "GLOB,…",
      help: "sources that the organization may use, e.g. 'demo:*,wdpa' (default all)",
    },
    ...STATE_OPTIONS,
  ],
  details: [
    "Prints the organization's id. Creates the store and its pepper if they do not exist. A billing period begins at 00:00 UTC on the anchor day, or on the last day of a shorter month.",
  ],
  async run(args, terminal) {
    const quota = args.findInteger("quota", 0, Number.MAX_SAFE_INTEGER) ?? 0;
    const testQuota = args.findInteger("test-quota", 0, Number.MAX_SAFE_INTEGER);
    const anchorDay = args.findInteger("anchor-day", 1, 31);
    const sources = args.find("sources")?.split(",");
    const { id } = await withMadeState(args, terminal, (ports) =>
      createOrganization(ports, {
        name: args.operands[0]!,
        liveQuota: quota,
        ...(testQuota !== undefined && { testQuota }),
        ...(anchorDay !== undefined && { anchorMs: anchorOf(anchorDay, new Date()) }),
        ...(sources !== undefined && { sources }),
      }),
    );
    await showValue({ org_id: id }, args, terminal);
    return EXIT.done;
  },
};

/** The latest such day that has begun: of a month that has it, for later ones are counted from it. */
function anchorOf(day: number, now: Date): number {
  for (let months = 0; ; months++) {
    const anchor = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, day));
    if (anchor.getUTCDate() === day && anchor <= now) return anchor.getTime();
  }
}
