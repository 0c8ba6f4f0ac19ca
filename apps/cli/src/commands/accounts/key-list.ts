import { listKeys, type StoredApiKey } from "@groundrule/api/state";
import type { Command } from "../../command-line/command.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { READ_STATE_OPTIONS, withReadState } from "../../state.ts";
import { renderTable } from "../../terminal/table.ts";

export const keyListCommand: Command = {
  summary: "List an organization's API keys, without their secrets",
  options: [
    { name: "org", value: "ORG", required: true, help: "id or name of the organization" },
    ...READ_STATE_OPTIONS,
  ],
  async run(args, terminal) {
    const keys = (await withReadState(args, (ports) => listKeys(ports, args.get("org")))).map(described);
    if (args.flag("json") || !terminal.human) {
      for (const key of keys) await terminal.printJson(key);
      return EXIT.done;
    }
    const titles = ["key_id", "hint", "mode", "name", "expires_at", "revoked_at", "last_used_at"] as const;
    const rows = keys.map((key) => titles.map((title) => key[title] ?? ""));
    const [head, ...lines] = renderTable(
      titles.map((title) => ({ title })),
      rows,
      terminal.columns,
    );
    await terminal.print(terminal.style("bold", head!));
    for (const line of lines) await terminal.print(line);
    return EXIT.done;
  },
};

function described(key: StoredApiKey) {
  return {
    key_id: key.id,
    hint: key.hint,
    mode: key.mode,
    name: key.name,
    scopes: key.scopes,
    created_at: instant(key.createdAtMs),
    expires_at: instant(key.expiresAtMs),
    revoked_at: instant(key.revokedAtMs),
    last_used_at: instant(key.lastUsedAtMs),
    successor_id: key.successorId,
  };
}

function instant(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
