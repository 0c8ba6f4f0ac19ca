import { randomBytes } from "node:crypto";
import { mintApiKey } from "../keys/api-key.ts";
import { apiKeyDigest, type Pepper } from "../keys/api-key-digest.ts";
import { KEY_SCOPES, type KeyScope } from "../keys/key-scopes.ts";
import type { KeyMode } from "../ledger/scope.ts";
import type { StoredApiKey } from "../store/port/port.ts";
import { StoreError } from "../store/port/store-error.ts";
import { assertValidName, getOrganization, type ManagePorts, mintPrefixedId } from "./organizations.ts";

/** Fails: `VALUE_INVALID`, `ORGANIZATION_UNKNOWN`, `KEY_LIMIT_REACHED`. */
export async function createKey(
  ports: KeyPorts,
  input: {
    readonly organization: string;
    readonly mode: KeyMode;
    readonly name: string;
    /** Default: all scopes. */
    readonly scopes?: readonly KeyScope[];
    /** Days until the key expires. Default 365; null: never. */
    readonly lifetimeDays?: number | null;
  },
): Promise<IssuedKey> {
  assertValidName(input.name);
  const unknown = input.scopes?.find((scope) => !KEY_SCOPES.includes(scope));
  if (unknown !== undefined || input.scopes?.length === 0) {
    throw new StoreError("VALUE_INVALID", `expected at least one scope out of ${KEY_SCOPES.join(", ")}`, {
      unknown,
    });
  }
  const { id } = await getOrganization(ports, input.organization);
  const minted = mintStoredKey(ports, input.mode, input.lifetimeDays);
  const stored = await ports.store.createApiKey({
    ...minted.stored,
    organization: id,
    mode: input.mode,
    name: input.name,
    scopes: input.scopes ?? KEY_SCOPES,
  });
  return { key: minted.key, stored };
}

/** The ports that creating keys needs. */
export interface KeyPorts extends ManagePorts {
  readonly pepper: Pepper;
}

/** A newly created key: the only time its secret can be read. */
export interface IssuedKey {
  readonly key: string;
  readonly stored: StoredApiKey;
}

/**
 * Creates a key's successor with the same name and scopes; the old key expires after the overlap.
 *
 * Fails: `VALUE_INVALID`, `KEY_UNKNOWN`.
 */
export async function rotateKey(
  ports: KeyPorts,
  input: {
    readonly id: string;
    /** How long the old key stays valid. Default one day; at most 30 days. */
    readonly overlapMs?: number;
    readonly lifetimeDays?: number | null;
  },
): Promise<IssuedKey & { readonly retiring: StoredApiKey }> {
  const { id, overlapMs = DAY_MS } = input;
  if (!(overlapMs >= 0 && overlapMs <= 30 * DAY_MS)) {
    throw new StoreError("VALUE_INVALID", `found an overlap of ${overlapMs} ms, expected 0 to 30 days`, {
      overlapMs,
    });
  }
  const mode = await getKeyMode(ports, id);
  const minted = mintStoredKey(ports, mode, input.lifetimeDays);
  const { retiring, successor } = await ports.store.rotateApiKey({ id, successor: minted.stored, overlapMs });
  return { key: minted.key, stored: successor, retiring };
}

/** Revokes a key, in effect at once on every replica. Fails: `KEY_UNKNOWN`. */
export async function revokeKey({ store }: ManagePorts, id: string): Promise<StoredApiKey> {
  return store.revokeApiKey({ id });
}

/** Fails: `ORGANIZATION_UNKNOWN`. */
export async function listKeys(ports: ManagePorts, organization: string): Promise<readonly StoredApiKey[]> {
  const { id } = await getOrganization(ports, organization);
  return ports.store.listApiKeys({ organization: id });
}

const DAY_MS = 86_400_000;

async function getKeyMode({ store }: ManagePorts, id: string): Promise<KeyMode> {
  for (const { id: organization } of await store.listOrganizations({})) {
    const key = (await store.listApiKeys({ organization })).find((candidate) => candidate.id === id);
    if (key !== undefined) return key.mode;
  }
  throw new StoreError("KEY_UNKNOWN", `no key has the id "${id}"`, { id });
}

function mintStoredKey(
  { pepper, random = randomBytes }: KeyPorts,
  mode: KeyMode,
  lifetimeDays: number | null = 365,
): {
  key: string;
  stored: { id: string; digest: string; pepperVersion: number; hint: string; lifetimeMs: number | null };
} {
  if (lifetimeDays !== null && !(lifetimeDays > 0)) {
    throw new StoreError("VALUE_INVALID", `found a lifetime of ${lifetimeDays} days, expected more than 0`, {
      lifetimeDays,
    });
  }
  const key = mintApiKey(mode, random);
  return {
    key,
    stored: {
      id: mintPrefixedId("key", random),
      digest: apiKeyDigest(key, pepper),
      pepperVersion: pepper.version,
      hint: key.slice(0, "gr_live_".length + 4),
      lifetimeMs: lifetimeDays === null ? null : Math.round(lifetimeDays * DAY_MS),
    },
  };
}
