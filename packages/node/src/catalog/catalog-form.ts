import type { StoredManifest } from "@groundrule/engine";
import type { SnapshotMeta } from "@groundrule/engine/build";
import type { LiveEntry } from "./live-source.ts";

/** Version of the layout of `catalog.json` that is written; raised when an older reader would misread it. */
export const CATALOG_FORMAT = 4;
/** A named collection of sources. It remembers its members: one leaves only where the group is defined anew. */
export interface CatalogGroup {
  /** The name of the group, which differs from the name of every source. */
  readonly name: string;
  /** Names of sources, ascending; those of sources that were removed are among them. */
  readonly members: readonly string[];
  /** Sources that a definition left out although their manifests join the group, ascending. */
  readonly excluded?: readonly string[] | undefined;
}

/** A source that was removed while groups had it as a member. To them it is a source that failed. */
export interface RemovedSource {
  /** Its last one. */
  readonly manifest: StoredManifest;
  /** Areas or records of its last edition; absent of a live source. */
  readonly feature_count?: number | undefined;
}

/** A source whose current edition was chosen: editions that are built later do not become current. */
export interface Pin {
  readonly source_name: string;
  /** The edition that stays current. */
  readonly edition: string;
  /** The edition that would be current without the pin, where one was built since. */
  readonly next?: string;
}

/**
 * Which edition of each source is current, and what that edition says about itself. So a source whose file
 * does not open still has its name, kind, column types and schemes.
 */
export interface Catalog {
  readonly format: typeof CATALOG_FORMAT;
  /** Ascending by source name. */
  readonly sources: readonly SnapshotMeta[];
  /** Ascending by name. */
  readonly groups: readonly CatalogGroup[];
  /** Ascending by source name. */
  readonly pins: readonly Pin[];
  /** Sources without editions, ascending by source name. */
  readonly live: readonly LiveEntry[];
  /** Ascending by source name. */
  readonly removed: readonly RemovedSource[];
}
