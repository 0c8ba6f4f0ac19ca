import type { PageQuery, Pagination } from "./shared.ts";

/** Answer of `GET /v1/me`: who asks, as the service knows the key, and what the key may ask. */
export interface MeResponse {
  readonly data: {
    /** Whose the key is. */
    readonly organization: {
      /** `org_` and what tells it from all others. */
      readonly id: string;
      readonly name: string;
    };
    readonly mode: "live" | "test";
    /** The key that asks, but for its secret. */
    readonly key: {
      /** As `groundrule key list` shows it. */
      readonly id: string;
      readonly name: string;
      /** What it may do. */
      readonly scopes: readonly string[];
      readonly created_at: string;
      /** Null never expires. */
      readonly expires_at: string | null;
      /** To the minute or so; null as long as no use is noted. */
      readonly last_used_at: string | null;
    };
    /** Whether the organization is charged: only while it is active. */
    readonly subscription: "active" | "suspended" | "expired";
    /** Units of the mode's current period. */
    readonly quota: {
      readonly limit: number;
      readonly used: number;
      readonly remaining: number;
      readonly period_started_at: string;
      readonly period_ends_at: string;
    };
    /** What a request of the key is held to. */
    readonly limits: {
      /** Requests that the key may make for ever, per process of the service. */
      readonly requests_per_second: number;
      /** Requests that it may make at once. */
      readonly burst: number;
      /** Bytes of a request body, once unpacked. */
      readonly body_bytes: number;
      /** Positions of a geometry. */
      readonly positions: number;
      /** Areas of an answer. */
      readonly result_areas: number;
      /** Bytes of an answer. */
      readonly result_bytes: number;
      readonly distance_m: number;
    };
    /** Patterns of the sources that are available to the organization; `*` stands for any characters. */
    readonly sources: readonly string[];
  };
}

/** Answer of `GET /v1/usage`: what the current period has used of the quota. */
export interface UsageResponse {
  readonly data: {
    readonly mode: "live" | "test";
    readonly limit: number;
    readonly used: number;
    readonly remaining: number;
    readonly period_started_at: string;
    readonly period_ends_at: string;
    readonly by_route: Readonly<Record<string, number>>;
  };
}

/** Query of `GET /v1/decisions`. */
export interface DecisionsQuery extends PageQuery {
  /** Earliest instant, inclusive, ISO 8601 UTC. */
  readonly from?: string | Date | undefined;
  /** Latest instant, exclusive, ISO 8601 UTC. */
  readonly to?: string | Date | undefined;
  readonly reference_id?: string | undefined;
  readonly request_id?: string | undefined;
  /** Decisions of `/v1/evaluate` that came to this. */
  readonly verdict?: "COMPLIANT" | "WARNING" | "NON_COMPLIANT" | undefined;
  /** A name, `name@version`, or a digest of 64 hexadecimal digits. */
  readonly ruleset?: string | undefined;
  /** The id of a decision: those that were charged before it; instead of a page. */
  readonly before?: string | undefined;
}

/** A charge, and what it was for. */
export interface DecisionSummary {
  readonly decision_id: string;
  readonly created_at: string;
  readonly route: string;
  readonly units: number;
  readonly request_id: string;
  readonly reference_id: string | null;
  readonly idempotency_key: string | null;
  readonly media_type: string;
  /** SHA-256 of the request's canonical JSON. */
  readonly request_digest: string;
  /** SHA-256 of the answer as it was sent. */
  readonly response_digest: string;
  /** What the answer depends on: ruleset, editions, input, semantics. */
  readonly digests: DecisionDigests;
}

/** What an answer depends on. Those of questions without a ruleset have the editions and the version. */
export interface DecisionDigests {
  /** Of the verdict; null where it is degraded. */
  readonly verdict?: string | null;
  /** Of the ruleset's sets and checks. */
  readonly ruleset?: string;
  readonly input?: string;
  /** Version of the meaning of verdicts. */
  readonly semantics?: number;
  /** Digest of the edition of each source, by its name. */
  readonly editions?: Readonly<Record<string, string>>;
  readonly engine_version?: string;
  /** What other releases store. */
  readonly [member: string]: unknown;
}

/** Answer of `GET /v1/decisions`, newest first. */
export interface DecisionsResponse {
  readonly data: { readonly items: readonly DecisionSummary[]; readonly pagination: Pagination };
}

/** Answer of `GET /v1/decisions/{id}`. */
export interface DecisionResponse {
  readonly data: DecisionSummary & {
    /** What `groundrule replay` and `report` take; null once erased, the digests stay. */
    readonly record: {
      readonly request: unknown;
      readonly response: unknown;
      /** The groups that a ruleset names, with their members of that day. */
      readonly groups?: Readonly<Record<string, readonly string[]>>;
    } | null;
  };
}
