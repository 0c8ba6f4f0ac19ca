import {
  createKey,
  KEY_SCOPES,
  type KeyScope,
  listKeys,
  revokeKey,
  rotateKey,
  type StoredApiKey,
} from "@groundrule/api/state";
import { MODE_OPTION, ORG_OPTION, readMode } from "../../command-line/account-options.ts";
import { UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { parseDurationMs, parseInstantMs } from "../../command-line/durations.ts";
import {
  READ_STATE_OPTIONS,
  STATE_OPTIONS,
  withKeyState,
  withReadState,
  withState,
} from "../../data/state.ts";
import { printValue, printValues } from "../../words/show-value.ts";

const DAY_MS = 86_400_000;

export const keyCreateCommand: Command = {
  summary: "Issue an API key and show it, once",
  examples: ['--org "Cooperativa Sul" --mode test'],
  options: [
    ORG_OPTION,
    MODE_OPTION,
    defineOption("name NAME", "name of the key in lists (default key)"),
    defineOption("scopes SCOPE,…", `comma-separated scopes out of ${KEY_SCOPES.join(", ")} (default all)`),
    defineOption("expires-at ISO", "instant at which the key expires (default: in a year)"),
    defineOption(
      "new-pepper",
      "create a new pepper when the old one is permanently lost; all keys issued so far stop working",
    ),
    ...STATE_OPTIONS,
  ],
  async run(args, terminal) {
    const expiresAt = args.find("expires-at");
    const lifetimeMs =
      expiresAt === undefined ? undefined : parseInstantMs("expires-at", expiresAt) - Date.now();
    if (lifetimeMs !== undefined && lifetimeMs <= 0) {
      throw new UsageError(`found --expires-at "${expiresAt}", expected an instant in the future`);
    }
    const scopes = args.find("scopes")?.split(",") as KeyScope[] | undefined;
    const { key, stored } = await withKeyState(
      args,
      (ports) =>
        createKey(ports, {
          organization: args.get("org"),
          mode: readMode(args),
          name: args.find("name") ?? "key",
          ...(scopes !== undefined && { scopes }),
          ...(lifetimeMs !== undefined && { lifetimeDays: lifetimeMs / DAY_MS }),
        }),
      { isLost: args.flag("new-pepper") },
    );
    return printValue({ key, key_id: stored.id, ...toShownKey(stored) }, args, terminal);
  },
};

/** The members of a stored key that are not secret. */
function toShownKey({ mode, scopes, expiresAtMs }: StoredApiKey): object {
  return { mode, scopes, expires_at: formatOptionalInstant(expiresAtMs) };
}

export const keyListCommand: Command = {
  summary: "List an organization's API keys, without their secrets",
  options: [ORG_OPTION, ...READ_STATE_OPTIONS],
  async run(args, terminal) {
    const keys = (await withReadState(args, (ports) => listKeys(ports, args.get("org")))).map(describeKey);
    const titles = ["key_id", "hint", "mode", "name", "expires_at", "revoked_at", "last_used_at"] as const;
    const columns = titles.map((title) => ({ title }));
    return printValues(keys, args, terminal, columns, (key) => titles.map((title) => key[title] ?? ""));
  },
};

function describeKey(key: StoredApiKey) {
  return {
    key_id: key.id,
    hint: key.hint,
    mode: key.mode,
    name: key.name,
    scopes: key.scopes,
    created_at: formatOptionalInstant(key.createdAtMs),
    expires_at: formatOptionalInstant(key.expiresAtMs),
    revoked_at: formatOptionalInstant(key.revokedAtMs),
    last_used_at: formatOptionalInstant(key.lastUsedAtMs),
    successor_id: key.successorId,
  };
}

function formatOptionalInstant(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(Math.floor(milliseconds)).toISOString();
}

export const keyRotateCommand: Command = {
  summary: "Issue a replacement for a key; the old key expires after an overlap",
  operands: "KEY_ID",
  options: [
    defineOption("overlap DURATION", "how long both keys work, 0s to 30d (default 1d)"),
    ...STATE_OPTIONS,
  ],
  async run(args, terminal) {
    const overlap = args.find("overlap");
    const overlapMs = overlap === undefined ? undefined : parseDurationMs("overlap", overlap);
    const { key, stored, retiring } = await withKeyState(args, (ports) =>
      rotateKey(ports, { id: args.operands[0]!, ...(overlapMs !== undefined && { overlapMs }) }),
    );
    const shown = { key, key_id: stored.id, ...toShownKey(stored) };
    const retired = {
      retiring_key_id: retiring.id,
      retiring_at: formatOptionalInstant(retiring.expiresAtMs),
    };
    return printValue({ ...shown, ...retired }, args, terminal);
  },
};

export const keyRevokeCommand: Command = {
  summary: "Revoke an API key at once",
  operands: "KEY_ID",
  options: STATE_OPTIONS,
  async run(args, terminal) {
    const { id, revokedAtMs } = await withState(args, (ports) => revokeKey(ports, args.operands[0]!));
    if (revokedAtMs === null) throw new Error(`key ${id} is still valid after it was revoked`);
    return printValue({ key_id: id, revoked_at: formatOptionalInstant(revokedAtMs) }, args, terminal);
  },
};
