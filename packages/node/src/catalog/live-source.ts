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

/** How to query a live source: the member `provider` of its manifest file. */
export interface ProviderConfig {
  /** The program that queries it. */
  readonly kind: "postgis";
  /** `env:NAME`, an environment variable with the address, or the address itself: `postgresql://…`. A secret. */
  readonly connection: string;
  /** Table or view, with or without its schema. */
  readonly table: string;
  /** Its column of geometries. */
  readonly geometry: string;
  /** Deadline of an answer, milliseconds. Default 2,000. */
  readonly deadline_ms?: number | undefined;
  /** Maximum connections. Default 4. */
  readonly pool_size?: number | undefined;
  /** Maximum areas of one answer; a question that needs more is refused. Default and maximum 10,000. */
  readonly max_candidates?: number | undefined;
}

/** A live source in the catalog of a data folder. */
export interface LiveEntry {
  /** The manifest, with all columns in `columns`. */
  readonly manifest: StoredManifest;
  /** How to query it. */
  readonly provider: ProviderConfig;
  /** Digest of its edition without areas, which contains the territory of its coverage; absent if that needs none. */
  readonly blank?: string | undefined;
}

/** The reason why a source returned no areas, for programs. */
export type ProviderFault =
  | "PROVIDER_INVALID"
  | "PROVIDER_UNAVAILABLE"
  | "PROVIDER_TIMEOUT"
  | "PROVIDER_TOO_SLOW"
  | "PROVIDER_CANCELLED";

/** The message for callers about a source that returned no areas. */
export const PROVIDER_FAULTS: Readonly<Record<ProviderFault, string>> = {
  PROVIDER_INVALID: "the source is not set up as its database expects",
  PROVIDER_UNAVAILABLE: "the source cannot be reached",
  PROVIDER_TIMEOUT: "the source did not answer in time",
  PROVIDER_TOO_SLOW: "the source did not answer this question in time, and answers others",
  PROVIDER_CANCELLED: "nobody waited for the answer",
};

/** The areas, or the reason why there are none. */
export type ProvidedCandidates =
  | {
      /** Every area that the question needs, in any order. */
      readonly candidates: readonly CandidateArea[];
    }
  | {
      /** Message for the operator: it may name users, hosts and tables. Answers do not repeat it. */
      readonly failed: string;
      /** Code for callers. Absent: `PROVIDER_UNAVAILABLE`. */
      readonly code?: ProviderFault;
    }
  | {
      /** The question needs more areas than the source returns for one, and is refused. */
      readonly excess: LiveExcess;
    };

/** Queries one live source. */
export interface LiveProvider {
  /**
   * Returns every area that a question needs. Resolves within the provider's deadline, whatever the other side does.
   *
   * @param options.signal aborted when the client has disconnected and the answer is useless
   *
   * Fails: never; a fault of the source is an answer.
   */
  candidates(need: LiveNeed, options: { readonly signal?: AbortSignal }): Promise<ProvidedCandidates>;
  /** State of the circuit breaker: an `open` one answers at once that the source fails. Absent: there is none. */
  readonly breaker?: "closed" | "open" | "half-open";
  /** Closes its connections. */
  close(): Promise<void>;
}

/**
 * Creates the provider of a live source. It connects at the first query.
 *
 * Fails: if the configuration cannot be used, for example because an environment variable is not set.
 */
export type OpenProvider = (config: ProviderConfig, manifest: StoredManifest) => LiveProvider;

/** Default of `pool_size`. */
export const DEFAULT_POOL_SIZE = 4;

/**
 * True if a value is a connection: the name of an environment variable with the address of a database, or the address.
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

/** The member `provider` of a manifest. Unknown members are rejected. */
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
