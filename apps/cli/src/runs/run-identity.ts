import type { ResultFormatName } from "../screening/format-names.ts";

/** The input of a run, as far as it is told from others without reading it. */
export interface InputIdentity {
  /** Its file's name without folders; `-` for standard input. */
  readonly name: string;
  /** Its size; absent of standard input. */
  readonly bytes?: number;
  /** When it was changed last, ISO 8601 UTC; absent of standard input. */
  readonly modified?: string;
}

/** The shard of a run: the plots whose number leaves this remainder. */
export interface Shard {
  /** 0 to `of` − 1. */
  readonly index: number;
  readonly of: number;
}

/** An edition that a run's answers rest on. */
export interface RunEdition {
  readonly source_name: string;
  /** Its digest; null where the source has none: it is live, or failed. */
  readonly edition: string | null;
}

/** What settles every byte of a run's output. A run goes on, and shards are merged, only where it is the same. */
export interface RunIdentity {
  readonly format: ResultFormatName;
  /** Of which checks there is evidence. */
  readonly evidence: "none" | "triggered" | "all";
  readonly ruleset: {
    readonly name: string | null;
    readonly digest: string;
    /** Ids of its checks, in its order: each has a column. */
    readonly checks: readonly string[];
  };
  readonly semantics: number;
  readonly engine_version: string;
  /** ISO 8601 UTC: the instant as of which plots are answered. */
  readonly now: string;
  readonly editions: readonly RunEdition[];
  /** Options of the command that change results, by name: the CRS, strict coverage, a point's area, how the input is read. */
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly input: InputIdentity;
  readonly shard: Shard;
}
