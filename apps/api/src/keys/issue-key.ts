import { randomBytes } from "node:crypto";
import { type KeyMode, mintApiKey } from "../api-key.ts";
import { KEY_SCOPES } from "../gates/key-scope.ts";
import type { NewApiKey, Store, StoredApiKey } from "../store/port.ts";
import type { Pepper } from "./pepper.ts";

/** A key at the only moment it is known: the store keeps its digest. */
export interface IssuedKey {
  readonly key: string;
  readonly stored: StoredApiKey;
}

/** Fails: as `createApiKey` of the store does. */
export async function issueKey(
  store: Pick<Store, "createApiKey">,
  pepper: Pepper,
  order: {
    readonly organization: string;
    readonly mode: KeyMode;
    readonly name?: string;
    /** Default all. */
    readonly scopes?: readonly string[];
    /** Default it never expires. */
    readonly lifetimeMs?: number;
  },
): Promise<IssuedKey> {
  const { organization, mode, name = "", scopes = KEY_SCOPES, lifetimeMs = null } = order;
  const { key, secrets } = mint(mode, pepper);
  const stored = await store.createApiKey({ ...secrets, organization, mode, name, scopes, lifetimeMs });
  return { key, stored };
}

/** A successor of a key, which itself ends after the overlap. Fails: as `rotateApiKey` of the store does. */
export async function rotateKey(
  store: Pick<Store, "rotateApiKey">,
  pepper: Pepper,
  order: { readonly id: string; readonly mode: KeyMode; readonly overlapMs: number },
): Promise<IssuedKey & { readonly retiring: StoredApiKey }> {
  const { key, secrets } = mint(order.mode, pepper);
  const { successor, retiring } = await store.rotateApiKey({
    id: order.id,
    successor: { ...secrets, lifetimeMs: null },
    overlapMs: order.overlapMs,
  });
  return { key, stored: successor, retiring };
}

/** `gr_live_` and four characters of the secret: enough to tell keys apart, nothing to guess from. */
const HINT_LENGTH = 12;

function mint(
  mode: KeyMode,
  pepper: Pepper,
): {
  key: string;
  secrets: Pick<NewApiKey, "id" | "digest" | "pepperVersion" | "hint">;
} {
  const key = mintApiKey(mode, randomBytes);
  return {
    key,
    secrets: {
      id: `key_${mode}_${randomBytes(12).toString("hex")}`,
      digest: pepper.digestOf(key),
      pepperVersion: pepper.version,
      hint: key.slice(0, HINT_LENGTH),
    },
  };
}
