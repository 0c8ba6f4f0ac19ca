import type { CandidateArea, LiveExcess, LiveNeed, StoredManifest } from "@groundrule/engine";
import {
  choice,
  fitting,
  number,
  object,
  optional,
  type Shape,
  storedManifestShape,
  text,
} from "@groundrule/engine/internal";

/** How a live source is asked: the member `provider` of its manifest file. */
export interface ProviderConfig {
  /** Which program asks. */
  readonly kind: "postgis";
  /** `env:NAME`, an environment variable with the address, or the address itself: `postgresql://…`. A secret. */
  readonly connection: string;
  /** Table or view, with or without its schema. */
  readonly table: string;
  /** Its column of geometries. */
  readonly geometry: string;
  /** Milliseconds until an answer must be there. Default 2,000. */
  readonly deadline_ms?: number | undefined;
  /** Connections at once. Default 4. */
  readonly pool_size?: number | undefined;
  /** Most areas of one answer; a question that needs more is refused. Default and most 10,000. */
  readonly max_candidates?: number | undefined;
}

/** A live source, as the catalog of a data folder lists it. */
export interface LiveEntry {
  /** Its `columns` are complete. */
  readonly manifest: StoredManifest;
  /** How it is asked. */
  readonly provider: ProviderConfig;
  /** Digest of its edition without areas, which holds the territory of its coverage; absent where that needs none. */
  readonly blank?: string | undefined;
}

/** Why a source gave no areas, for programs. */
export type ProviderFault =
  | "PROVIDER_INVALID"
  | "PROVIDER_UNAVAILABLE"
  | "PROVIDER_TIMEOUT"
  | "PROVIDER_TOO_SLOW"
  | "PROVIDER_CANCELLED";

/** What a caller learns of a source that gave no areas. */
export const PROVIDER_FAULTS: Readonly<Record<ProviderFault, string>> = {
  PROVIDER_INVALID: "the source is not set up as its database expects",
  PROVIDER_UNAVAILABLE: "the source cannot be reached",
  PROVIDER_TIMEOUT: "the source did not answer in time",
  PROVIDER_TOO_SLOW: "the source did not answer this question in time, and answers others",
  PROVIDER_CANCELLED: "nobody waited for the answer",
};

/** Areas, or why there are none. */
export type ProvidedCandidates =
  | {
      /** Every area that the question needs, in any order. */
      readonly candidates: readonly CandidateArea[];
    }
  | {
      /** For the operator: it may name users, hosts and tables. Answers do not repeat it. */
      readonly failed: string;
      /** For callers. Absent: `PROVIDER_UNAVAILABLE`. */
      readonly code?: ProviderFault;
    }
  | {
      /** The question wants more than the source gives for one, and is refused. */
      readonly excess: LiveExcess;
    };

/** Asks one live source. */
export interface LiveProvider {
  /**
   * Every area that a question needs. Resolves within the provider's deadline, whatever the other side does.
   *
   * @param options.signal whoever asked is gone: the answer matters to nobody
   *
   * Fails: never; a fault of the source is an answer.
   */
  candidates(need: LiveNeed, options: { readonly signal?: AbortSignal }): Promise<ProvidedCandidates>;
  /** Whether it asks at all: an `open` breaker answers at once that the source fails. Absent: it has none. */
  readonly breaker?: "closed" | "open" | "half-open";
  /** Ends its connections. */
  close(): Promise<void>;
}

/**
 * Makes what asks a live source. Connects when it is first asked.
 *
 * Fails: where the configuration cannot be used, such as an environment variable that is not set.
 */
export type OpenProvider = (config: ProviderConfig, manifest: StoredManifest) => LiveProvider;

/** Connections at once, where a configuration does not say. */
export const DEFAULT_POOL_SIZE = 4;

/**
 * Whether a connection is one: the name of an environment variable that holds the address of a database, or the
 * address.
 *
 * @param value of any kind
 */
export function isConnection(value: unknown): value is string {
  return (
    typeof value === "string" &&
    (/^env:[A-Za-z_][A-Za-z0-9_]*$/.test(value) || /^postgres(?:ql)?:\/\//.test(value))
  );
}

const identifier = text({ min: 1, max: 256 });

/** The member `provider` of a manifest. Unknown members are refused. */
export const providerShape: Shape<ProviderConfig> = object<ProviderConfig>({
  kind: choice("postgis"),
  connection: fitting<string>(isConnection, '"env:NAME" or an address that begins with postgresql://'),
  table: identifier,
  geometry: identifier,
  deadline_ms: optional(number({ whole: true, min: 1, max: 60_000 })),
  pool_size: optional(number({ whole: true, min: 1, max: 100 })),
  max_candidates: optional(number({ whole: true, min: 1, max: 10_000 })),
});

/** A live source in a catalog. */
export const liveSourceShape: Shape<LiveEntry> = object<LiveEntry>({
  manifest: storedManifestShape,
  provider: providerShape,
  blank: optional(text({ pattern: /^[0-9a-f]{64}$/, words: "the digest of an edition" })),
});
