import { revokeKey } from "@groundrule/api/state";
import type { Command } from "../../command-line/command.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { STATE_OPTIONS, withState } from "../../state.ts";
import { showValue } from "../../words/show-value.ts";

export const keyRevokeCommand: Command = {
  summary: "Revoke an API key at once",
  operands: "KEY_ID",
  options: STATE_OPTIONS,
  async run(args, terminal) {
    const { id, revokedAtMs } = await withState(args, (ports) => revokeKey(ports, args.operands[0]!));
    if (revokedAtMs === null) throw new Error(`key ${id} is still valid after it was revoked`);
    await showValue({ key_id: id, revoked_at: new Date(revokedAtMs).toISOString() }, args, terminal);
    return EXIT.done;
  },
};
