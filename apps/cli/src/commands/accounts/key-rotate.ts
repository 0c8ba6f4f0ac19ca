import { rotateKey } from "@groundrule/api/state";
import type { Command } from "../../command-line/command.ts";
import { durationMs } from "../../command-line/durations.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { STATE_OPTIONS, withKeyState } from "../../state.ts";
import { showValue } from "../../words/show-value.ts";
import { shownKey } from "./key-create.ts";

export const keyRotateCommand: Command = {
  summary: "Issue a replacement for a key; the old key expires after an overlap",
  operands: "KEY_ID",
  options: [
    { name: "overlap", value: "DURATION", help: "how long both keys work, 0s to 30d (default 1d)" },
    ...STATE_OPTIONS,
  ],
  async run(args, terminal) {
    const overlap = args.find("overlap");
    const overlapMs = overlap === undefined ? undefined : durationMs("overlap", overlap);
    const { key, stored, retiring } = await withKeyState(args, (ports) =>
      rotateKey(ports, { id: args.operands[0]!, ...(overlapMs !== undefined && { overlapMs }) }),
    );
    const { expiresAtMs } = retiring;
    await showValue(
      {
        key,
        key_id: stored.id,
        ...shownKey(stored),
        retiring_key_id: retiring.id,
        retiring_at: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
      },
      args,
      terminal,
    );
    return EXIT.done;
  },
};
