import type { CreateRulesetResponse, RulesetSummary } from "@groundrule/contract";
import type { Warning } from "@groundrule/engine";
import type { LintFinding } from "@groundrule/engine/rulesets";
import { keyStateAt, type StoredKey } from "./key-state.ts";

/** A request to publish under an idempotency key. */
export interface KeyedRequest {
  readonly key: string;
  readonly fingerprint: string;
}

/** How long a publication's answer is replayed, and how often, as {@link ChargingSettings} says of charges. */
export interface ReplayTerms {
  readonly retentionMs: number;
  readonly acknowledgementMs: number;
  readonly replayLimit: number;
}

/** What was published under a key. */
export interface StoredPublication
  extends Pick<StoredKey, "key" | "fingerprint" | "expiresAtMs" | "acknowledgeUntilMs" | "replays"> {
  readonly name: string;
  readonly version: number;
  readonly response: string;
  readonly publishedAtMs: number;
}

/** What a request meets under its key. */
export type MetPublication =
  /** Nothing that stands in its way: it may publish. */
  | { readonly kind: "free" }
  | { readonly kind: "replayed" | "conflict"; readonly publication: StoredPublication }
  /** `expired`: to be told so, until `acknowledgeUntilMs`. */
  | {
      readonly kind: "expired" | "exhausted";
      readonly publication: StoredPublication;
      readonly nowMs: number;
    };

/**
 * What a request meets, from what is stored under its key. The key states are those of charges; there
 * is nothing to execute, so there are no attempts to count and none to wait for.
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

/** A version of a ruleset, as it was published. */
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
 * @param warnings certain mistakes in it
 * @param lint likely mistakes in it, if the request has `lint`
 */
export function publicationAnswer(
  ruleset: PublishedRuleset,
  warnings: readonly Warning[],
  lint: readonly LintFinding[] | undefined,
): string {
  const response: CreateRulesetResponse = {
    data: {
      ...summaryOf(ruleset),
      body: JSON.parse(ruleset.body),
      ...(lint !== undefined && { lint }),
    },
    meta: { warnings },
  };
  return JSON.stringify(response);
}

export function summaryOf({ name, version, createdAtMs }: Omit<PublishedRuleset, "body">): RulesetSummary {
  return { ruleset: name, version, created_at: new Date(createdAtMs).toISOString() };
}
