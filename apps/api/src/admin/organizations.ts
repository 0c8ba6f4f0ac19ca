import { randomBytes } from "node:crypto";
import type { Pepper } from "../keys/api-key-digest.ts";
import type { SubscriptionStatus } from "../ledger/subscription.ts";
import type { Organization, Store } from "../store/port/port.ts";
import { StoreError } from "../store/port/store-error.ts";

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
    /** The day from which billing periods are counted. Default today. */
    readonly anchorMs?: number;
    /** Patterns of the sources that are available to it, `*` for any characters. Default all. */
    readonly sources?: readonly string[];
  },
): Promise<Organization> {
  assertValidName(input.name);
  for (const pattern of input.sources ?? []) assertSourcePattern(pattern);
  const quota = {
    live: requireValidQuota(input.liveQuota),
    test: requireValidQuota(input.testQuota ?? 10_000),
  };
  return store.createOrganization({
    id: mintPrefixedId("org", random),
    name: input.name,
    quota,
    ...(input.anchorMs !== undefined && { anchorMs: input.anchorMs }),
    ...(input.sources !== undefined && { sources: input.sources }),
  });
}

/** Returns the organization with that name or id. Fails: `ORGANIZATION_UNKNOWN`. */
export async function getOrganization({ store }: ManagePorts, nameOrId: string): Promise<Organization> {
  const all = await store.listOrganizations({});
  const found = all.find(({ id, name }) => id === nameOrId || name === nameOrId);
  if (found !== undefined) return found;
  throw new StoreError("ORGANIZATION_UNKNOWN", `no organization is named "${nameOrId}"`, {
    organization: nameOrId,
  });
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

/** The ports that management needs. */
export interface ManagePorts {
  readonly store: Store;
  /** The pepper that API keys are stored under. */
  readonly pepper?: Pepper;
  /** Returns cryptographically secure bytes. Default: the operating system's source. */
  readonly random?: (length: number) => Uint8Array;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/;

export function mintPrefixedId(kind: string, random: (length: number) => Uint8Array): string {
  return `${kind}_${Buffer.from(random(12)).toString("hex")}`;
}

export function assertValidName(name: string): void {
  if (NAME.test(name)) return;
  throw new StoreError(
    "VALUE_INVALID",
    `found the name "${name}", expected 1 to 64 letters, digits, spaces, dots, dashes or underscores`,
    { name },
  );
}

function assertSourcePattern(pattern: string): void {
  if (/^[a-z0-9_:*]{1,64}$/.test(pattern)) return;
  throw new StoreError(
    "VALUE_INVALID",
    `found the source pattern "${pattern}", expected a source name in which * stands for any characters`,
    { pattern },
  );
}

export function requireValidQuota(quota: number): number {
  if (Number.isSafeInteger(quota) && quota >= 0) return quota;
  throw new StoreError("VALUE_INVALID", `found the quota ${quota}, expected a whole number, 0 or more`, {
    quota,
  });
}
