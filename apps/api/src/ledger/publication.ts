import type { CreateRulesetResponse, RulesetSummary } from "@groundrule/contract";
import type { Warning } from "@groundrule/engine";
import type { LintFinding } from "@groundrule/engine/rulesets";
import { keyStateAt, type StoredKey } from "./key-state.ts";

/** A request to publish under an idempotency key. */
export interface KeyedRequest {
  readonly key: string;
  readonly fingerprint: string;
}

/** How long, and how often, a publication's answer is replayed; the same limits as in {@link ChargingSettings}. */
export interface ReplayTerms {
  readonly retentionMs: number;
  readonly acknowledgementMs: number;
  readonly replayLimit: number;
}

/** An earlier publication under a key. */
export interface StoredPublication
  extends Pick<StoredKey, "key" | "fingerprint" | "expiresAtMs" | "acknowledgeUntilMs" | "replays"> {
  readonly name: string;
  readonly version: number;
  readonly response: string;
  readonly publishedAtMs: number;
}

/** The state of a request's key when it arrives. */
export type MetPublication =
  /** Nothing prevents the request: it may publish. */
  | { readonly kind: "free" }
  | { readonly kind: "replayed" | "conflict"; readonly publication: StoredPublication }
  /** `expired`: the caller receives that report, until `acknowledgeUntilMs`. */
  | {
      readonly kind: "expired" | "exhausted";
      readonly publication: StoredPublication;
      readonly nowMs: number;
    };

/**
 * Decides how a request to publish is answered, from the stored state of its key. The key states are those of charges;
 * nothing is executed, so no attempts are counted and no request waits for another.
 */
export function meetPublication(
  { fingerprint }: KeyedRequest,
  stored: StoredPublication | undefined,
  { acknowledgementMs, replayLimit }: ReplayTerms,
  nowMs: number,
): MetPublication {
  switch (keyStateAt(stored, nowMs)) {
    case "FREE":
    case "REUSABLE":
      return { kind: "free" };
    case "EXPIRED":
      return {
        kind: "expired",
        publication: { ...stored!, acknowledgeUntilMs: nowMs + acknowledgementMs },
        nowMs,
      };
    case "ACKNOWLEDGED":
      return { kind: "expired", publication: stored!, nowMs };
    case "SETTLED":
      if (stored!.fingerprint !== fingerprint) return { kind: "conflict", publication: stored! };
      if (stored!.replays >= replayLimit) return { kind: "exhausted", publication: stored!, nowMs };
      return { kind: "replayed", publication: { ...stored!, replays: stored!.replays + 1 } };
  }
}

/** A published version of a ruleset. */
export interface PublishedRuleset {
  readonly name: string;
  readonly version: number;
  /** JSON of {description?, sets, checks}. */
  readonly body: string;
  readonly createdAtMs: number;
}

/**
 * The answer to a publication, as it is sent and as it is stored for replays.
 *
 * @param warnings certain mistakes in the ruleset
 * @param lint likely mistakes in it, if the request has `lint`
 */
export function formatPublicationAnswer(
  ruleset: PublishedRuleset,
  warnings: readonly Warning[],
  lint: readonly LintFinding[] | undefined,
): string {
  const response: CreateRulesetResponse = {
    data: {
      ...toRulesetSummary(ruleset),
      body: JSON.parse(ruleset.body),
      ...(lint !== undefined && { lint }),
    },
    meta: { warnings },
  };
  return JSON.stringify(response);
}

export function toRulesetSummary({
  name,
  version,
  createdAtMs,
}: Omit<PublishedRuleset, "body">): RulesetSummary {
  return { ruleset: name, version, created_at: new Date(createdAtMs).toISOString() };
}
