import { usageOf } from "@groundrule/api/state";
import type { Command } from "../../command-line/command.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { MODE_OPTION, modeOf } from "../../command-line/modes.ts";
import { READ_STATE_OPTIONS, withReadState } from "../../state.ts";
import { showValue } from "../../words/show-value.ts";

export const usageCommand: Command = {
  summary: "Show how much of its quota an organization has used",
  options: [
    { name: "org", value: "ORG", required: true, help: "id or name of the organization" },
    MODE_OPTION,
    ...READ_STATE_OPTIONS,
  ],
  async run(args, terminal) {
    const usage = await withReadState(args, (ports) =>
      usageOf(ports, { organization: args.get("org"), mode: modeOf(args) }),
    );
    await showValue(usage, args, terminal);
    return EXIT.done;
  },
};
