import { type SubscriptionStatus, setSubscription } from "@groundrule/api/state";
import type { Command } from "../../command-line/command.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { STATE_OPTIONS, withState } from "../../state.ts";
import { showValue } from "../../words/show-value.ts";

export const subscriptionSuspendCommand: Command = subscriptionCommand(
  "suspended",
  "Suspend an organization's subscription",
);
export const subscriptionResumeCommand: Command = subscriptionCommand(
  "active",
  "Resume an organization's subscription",
);
export const subscriptionExpireCommand: Command = subscriptionCommand(
  "expired",
  "End an organization's subscription",
);

function subscriptionCommand(status: SubscriptionStatus, summary: string): Command {
  return {
    summary,
    options: [
      { name: "org", value: "ORG", required: true, help: "id or name of the organization" },
      ...STATE_OPTIONS,
    ],
    details: [
      "Applies to both modes at once. Without an active subscription billable requests are refused; answers that were already charged can still be replayed.",
    ],
    async run(args, terminal) {
      const changed = await withState(args, (ports) => setSubscription(ports, args.get("org"), status));
      await showValue({ org_id: changed.id, subscription: changed.subscription }, args, terminal);
      return EXIT.done;
    },
  };
}
