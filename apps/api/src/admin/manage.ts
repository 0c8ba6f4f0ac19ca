import { randomBytes } from "node:crypto";
import { freezeBroken } from "../charging/reconcile.ts";
import { mintApiKey } from "../keys/api-key.ts";
import { apiKeyDigest, type Pepper } from "../keys/api-key-digest.ts";
import { KEY_SCOPES, type KeyScope } from "../keys/key-scopes.ts";
import type { PeriodUsage } from "../ledger/arbitrate.ts";
import type { KeyMode, Scope } from "../ledger/scope.ts";
import { type UsageReport, usageReport } from "../ledger/usage.ts";
import { openStore, sqlitePathOf } from "../store/open-store.ts";
import type { Organization, Store, StoredApiKey, SubscriptionStatus, Violation } from "../store/port/port.ts";
import { StoreError } from "../store/port/store-error.ts";
import { restoreBackup } from "../store/sqlite/backup.ts";
import { pepperTrouble } from "./open-pepper.ts";

/** What management needs besides the store. */
export interface ManagePorts {
  readonly store: Store;
  /** What API keys are stored under. */
  readonly pepper?: Pepper;
  /** Cryptographically secure bytes. Default the operating system's. */
  readonly random?: (length: number) => Uint8Array;
}

/** What making keys needs. */
export interface KeyPorts extends ManagePorts {
  readonly pepper: Pepper;
}

const DAY_MS = 86_400_000;
const NAME = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/;

/**
 * Creates an organization with an active subscription that begins today.
 *
 * Fails: `VALUE_INVALID`, `ORGANIZATION_EXISTS`.
 */
export async function createOrganization(
  { store, random = randomBytes }: ManagePorts,
  input: {
    readonly name: string;
    readonly liveQuota: number;
    /** Default 10,000. */
    readonly testQuota?: number;
    /** The day the billing periods count from. Default today. */
    readonly anchorMs?: number;
    /** Patterns of the sources that are available to it, `*` for any characters. Default all. */
    readonly sources?: readonly string[];
  },
): Promise<Organization> {
  checkName(input.name);
  for (const pattern of input.sources ?? []) checkPattern(pattern);
  const quota = { live: checkQuota(input.liveQuota), test: checkQuota(input.testQuota ?? 10_000) };
  return store.createOrganization({
    id: mintId("org", random),
    name: input.name,
    quota,
    ...(input.anchorMs !== undefined && { anchorMs: input.anchorMs }),
    ...(input.sources !== undefined && { sources: input.sources }),
  });
}

/** The organization of that name or id. Fails: `ORGANIZATION_UNKNOWN`. */
export async function getOrganization({ store }: ManagePorts, nameOrId: string): Promise<Organization> {
  const all = await store.listOrganizations({});
  const found = all.find(({ id, name }) => id === nameOrId || name === nameOrId);
  if (found !== undefined) return found;
  throw new StoreError("ORGANIZATION_UNKNOWN", `no organization is named "${nameOrId}"`, {
    organization: nameOrId,
  });
}

/** A key as it was made: the one time its secret can be read. */
export interface IssuedKey {
  readonly key: string;
  readonly stored: StoredApiKey;
}

/** Fails: `VALUE_INVALID`, `ORGANIZATION_UNKNOWN`, `KEY_LIMIT_REACHED`. */
export async function createKey(
  ports: KeyPorts,
  input: {
    readonly organization: string;
    readonly mode: KeyMode;
    readonly name: string;
    /** Default all. */
    readonly scopes?: readonly KeyScope[];
    /** Days until it expires. Default 365; null never. */
    readonly lifetimeDays?: number | null;
  },
): Promise<IssuedKey> {
  checkName(input.name);
  const unknown = input.scopes?.find((scope) => !KEY_SCOPES.includes(scope));
  if (unknown !== undefined || input.scopes?.length === 0) {
    throw new StoreError("VALUE_INVALID", `expected at least one scope out of ${KEY_SCOPES.join(", ")}`, {
      unknown,
    });
  }
  const { id } = await getOrganization(ports, input.organization);
  const minted = mint(ports, input.mode, input.lifetimeDays);
  const stored = await ports.store.createApiKey({
    ...minted.stored,
    organization: id,
    mode: input.mode,
    name: input.name,
    scopes: input.scopes ?? KEY_SCOPES,
  });
  return { key: minted.key, stored };
}

/**
 * Makes a key's successor, which takes over its name and scopes; the old key ends after the overlap.
 *
 * Fails: `VALUE_INVALID`, `KEY_UNKNOWN`.
 */
export async function rotateKey(
  ports: KeyPorts,
  input: {
    readonly id: string;
    /** Default one day; at most 30 days. */
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
  const mode = await modeOfKey(ports, id);
  const minted = mint(ports, mode, input.lifetimeDays);
  const { retiring, successor } = await ports.store.rotateApiKey({ id, successor: minted.stored, overlapMs });
  return { key: minted.key, stored: successor, retiring };
}

/** In effect at once, everywhere. Fails: `KEY_UNKNOWN`. */
export async function revokeKey({ store }: ManagePorts, id: string): Promise<StoredApiKey> {
  return store.revokeApiKey({ id });
}

/** Fails: `ORGANIZATION_UNKNOWN`. */
export async function listKeys(ports: ManagePorts, organization: string): Promise<readonly StoredApiKey[]> {
  const { id } = await getOrganization(ports, organization);
  return ports.store.listApiKeys({ organization: id });
}

/** Suspends, expires or resumes (`active`) a subscription, for both modes. Fails: `ORGANIZATION_UNKNOWN`. */
export async function setSubscription(
  ports: ManagePorts,
  organization: string,
  status: SubscriptionStatus,
): Promise<Organization> {
  const { id } = await getOrganization(ports, organization);
  return ports.store.setSubscription({ organization: id, status });
}

/** Fails: `VALUE_INVALID`, `ORGANIZATION_UNKNOWN`. */
export async function setQuota(
  ports: ManagePorts,
  input: { readonly organization: string; readonly mode: KeyMode; readonly quota: number },
): Promise<PeriodUsage> {
  const scope = await scopeOf(ports, input);
  return ports.store.setQuota({ scope, quota: checkQuota(input.quota) });
}

/** Fails: `ORGANIZATION_UNKNOWN`. */
export async function usageOf(
  ports: ManagePorts,
  input: { readonly organization: string; readonly mode: KeyMode },
): Promise<UsageReport> {
  const scope = await scopeOf(ports, input);
  const usage = await ports.store.usage({ scope });
  if (usage === undefined) throw new Error(`organization ${scope.organization} has no ledger`);
  return usageReport(scope.mode, usage);
}

/** Erases requests and answers of decisions before an instant; charges and digests stay. */
export async function eraseDecisions(
  ports: ManagePorts,
  input: { readonly organization: string; readonly beforeMs: number },
): Promise<{ readonly erased: number }> {
  const { id } = await getOrganization(ports, input.organization);
  return ports.store.eraseDecisions({ organization: id, beforeMs: input.beforeMs });
}

/** Writes the state of this instant to a new file, while the service runs. Fails: `STORE_NOT_EMPTY`. */
export async function backup({ store }: ManagePorts, path: string): Promise<void> {
  await store.backup(path);
}

/**
 * Makes a store of a backup, in an empty database of either kind.
 *
 * Fails: `BACKUP_INVALID`, `STORE_NOT_EMPTY`.
 */
export async function restore(backupPath: string, storeUrl: string): Promise<void> {
  const openTarget = () => openStore(storeUrl, { absent: "make", trustClock: true });
  const store = await restoreBackup(backupPath, openTarget, sqlitePathOf(storeUrl));
  await store.close();
}

export interface DoctorReport {
  readonly store: Store["kind"];
  readonly trouble: string | undefined;
  /** What is wrong with the pepper file. */
  readonly pepper: string | undefined;
  /** Ledgers with one are frozen: they charge nothing until {@link releaseLedger}. */
  readonly violations: readonly Violation[];
}

/**
 * Examines everything that is stored, down to the digests of every answer. It only reads, unless a ledger is
 * to be frozen.
 *
 * @param open opens the store; it is closed again
 * @param pepperFile compared with the store where it is given
 */
export async function doctor(
  open: (role: "read" | "manage") => Promise<Store>,
  pepperFile?: string,
): Promise<DoctorReport> {
  const store = await open("read");
  try {
    const trouble = await store.trouble();
    const pepper =
      pepperFile === undefined || trouble !== undefined ? undefined : await pepperTrouble(pepperFile, store);
    const violations = trouble === undefined ? await store.findViolations({ extent: "all" }) : [];
    if (violations.length > 0) await freezeIn(await open("manage"), violations);
    return { store: store.kind, trouble, pepper, violations };
  } finally {
    await store.close();
  }
}

async function freezeIn(store: Store, violations: readonly Violation[]): Promise<void> {
  try {
    await freezeBroken(store, violations);
  } finally {
    await store.close();
  }
}

/** Lets a ledger charge again that was frozen, once somebody has understood why. */
export async function releaseLedger(
  ports: ManagePorts,
  input: { readonly organization: string; readonly mode: KeyMode },
): Promise<void> {
  await ports.store.freeze({ scope: await scopeOf(ports, input), reason: null });
}

async function scopeOf(
  ports: ManagePorts,
  { organization, mode }: { readonly organization: string; readonly mode: KeyMode },
): Promise<Scope> {
  return { organization: (await getOrganization(ports, organization)).id, mode };
}

async function modeOfKey({ store }: ManagePorts, id: string): Promise<KeyMode> {
  for (const { id: organization } of await store.listOrganizations({})) {
    const key = (await store.listApiKeys({ organization })).find((candidate) => candidate.id === id);
    if (key !== undefined) return key.mode;
  }
  throw new StoreError("KEY_UNKNOWN", `no key has the id "${id}"`, { id });
}

function mint(
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
      id: mintId("key", random),
      digest: apiKeyDigest(key, pepper),
      pepperVersion: pepper.version,
      hint: key.slice(0, "gr_live_".length + 4),
      lifetimeMs: lifetimeDays === null ? null : Math.round(lifetimeDays * DAY_MS),
    },
  };
}

function mintId(kind: string, random: (length: number) => Uint8Array): string {
  return `${kind}_${Buffer.from(random(12)).toString("hex")}`;
}

function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw new StoreError(
    "VALUE_INVALID",
    `found the name "${name}", expected 1 to 64 letters, digits, spaces, dots, dashes or underscores`,
    { name },
  );
}

function checkPattern(pattern: string): void {
  if (/^[a-z0-9_:*]{1,64}$/.test(pattern)) return;
  throw new StoreError(
    "VALUE_INVALID",
    `found the source pattern "${pattern}", expected a source name in which * stands for any characters`,
    { pattern },
  );
}

function checkQuota(quota: number): number {
  if (Number.isSafeInteger(quota) && quota >= 0) return quota;
  throw new StoreError("VALUE_INVALID", `found the quota ${quota}, expected a whole number, 0 or more`, {
    quota,
  });
}
