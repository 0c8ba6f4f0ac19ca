import { eraseDecisions } from "@groundrule/api/state";
import type { Command } from "../../command-line/command.ts";
import { instantMs } from "../../command-line/durations.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { STATE_OPTIONS, withState } from "../../state.ts";
import { showValue } from "../../words/show-value.ts";

export const decisionsEraseCommand: Command = {
  summary: "Erase an organization's recorded requests and answers from before an instant",
  options: [
    { name: "org", value: "ORG", required: true, help: "id or name of the organization" },
    { name: "before", value: "ISO", required: true, help: "erase decisions made before this instant" },
    ...STATE_OPTIONS,
  ],
  details: [
    "Erases decisions of both modes. The charges and the digests stay. This cannot be undone.",
    "Jobs that were created before the instant lose their uploads and error lines; those that are unfinished are cancelled.",
  ],
  async run(args, terminal) {
    const beforeMs = instantMs("before", args.get("before"));
    const erased = await withState(args, (ports) =>
      eraseDecisions(ports, { organization: args.get("org"), beforeMs }),
    );
    await showValue(erased, args, terminal);
    return EXIT.done;
  },
};
