import type { JobPausedReason } from "@groundrule/contract";
import type { JobStanding } from "../store/port/jobs.ts";
import type { Store, StoredApiKey } from "../store/port/port.ts";

type ObstacleStore = Pick<Store, "listApiKeys" | "openGate">;

/**
 * Finds what prevents a job from being charged now; undefined if nothing does. For a rotated key its successors are
 * checked.
 *
 * Fails: as the store does.
 */
export async function obstacleOf(
  store: ObstacleStore,
  job: Pick<JobStanding, "scope" | "apiKeyId">,
): Promise<JobPausedReason | undefined> {
  const ofKey = await keyObstacleOf(store, job);
  if (ofKey !== undefined) return ofKey;
  const gate = await store.openGate({ scope: job.scope, key: null });
  if (gate === undefined || gate.subscription !== "active") return "subscription_inactive";
  return gate.period.used >= gate.period.quota ? "quota_exceeded" : undefined;
}

/** The part of {@link obstacleOf} that charging itself does not check. */
export async function keyObstacleOf(
  store: Pick<Store, "listApiKeys">,
  { scope, apiKeyId }: Pick<JobStanding, "scope" | "apiKeyId">,
): Promise<"key_revoked" | "key_expired" | undefined> {
  const keys = await store.listApiKeys({ organization: scope.organization });
  const byId = new Map(keys.map((key) => [key.id, key]));
  // A chain of successors is at most as long as there are keys.
  let key: StoredApiKey | undefined = byId.get(apiKeyId);
  for (let left = keys.length; left > 0 && key !== undefined; left--) {
    if (key.revokedAtMs !== null) return "key_revoked";
    if (key.expiresAtMs === null || key.nowMs < key.expiresAtMs) return undefined;
    if (key.successorId === null) return "key_expired";
    key = byId.get(key.successorId);
  }
  return "key_revoked";
}
