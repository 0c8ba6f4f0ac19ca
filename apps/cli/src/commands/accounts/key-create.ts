import { createKey, KEY_SCOPES, type KeyScope } from "@groundrule/api/state";
import { UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { instantMs } from "../../command-line/durations.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { MODE_OPTION, modeOf } from "../../command-line/modes.ts";
import { STATE_OPTIONS, withKeyState } from "../../state.ts";
import { showValue } from "../../words/show-value.ts";

const DAY_MS = 86_400_000;

export const keyCreateCommand: Command = {
  summary: "Issue an API key and show it, once",
  options: [
    { name: "org", value: "ORG", required: true, help: "id or name of the organization" },
    MODE_OPTION,
    { name: "name", value: "NAME", help: "name of the key in lists (default key)" },
    {
      name: "scopes",
      value: "SCOPE,…",
      help: `comma-separated scopes out of ${KEY_SCOPES.join(", ")} (default all)`,
    },
    { name: "expires-at", value: "ISO", help: "instant at which the key expires (default: in a year)" },
    {
      name: "new-pepper",
      help: "create a new pepper when the old one is permanently lost; all keys issued so far stop working",
    },
    ...STATE_OPTIONS,
  ],
  async run(args, terminal) {
    const expiresAt = args.find("expires-at");
    const lifetimeMs = expiresAt === undefined ? undefined : instantMs("expires-at", expiresAt) - Date.now();
    if (lifetimeMs !== undefined && lifetimeMs <= 0) {
      throw new UsageError(`found --expires-at "${expiresAt}", expected an instant in the future`);
    }
    const scopes = args.find("scopes")?.split(",") as KeyScope[] | undefined;
    const { key, stored } = await withKeyState(
      args,
      (ports) =>
        createKey(ports, {
          organization: args.get("org"),
          mode: modeOf(args),
          name: args.find("name") ?? "key",
          ...(scopes !== undefined && { scopes }),
          ...(lifetimeMs !== undefined && { lifetimeDays: lifetimeMs / DAY_MS }),
        }),
      { isLost: args.flag("new-pepper") },
    );
    await showValue({ key, key_id: stored.id, ...shownKey(stored) }, args, terminal);
    return EXIT.done;
  },
};

/** What may be shown of a stored key, at any time. */
export function shownKey(stored: {
  readonly mode: string;
  readonly scopes: readonly string[];
  readonly expiresAtMs: number | null;
}): object {
  const { mode, scopes, expiresAtMs } = stored;
  return {
    mode,
    scopes,
    expires_at: expiresAtMs === null ? null : new Date(Math.floor(expiresAtMs)).toISOString(),
  };
}
