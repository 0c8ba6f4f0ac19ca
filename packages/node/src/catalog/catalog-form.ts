import type { StoredManifest } from "@groundrule/engine";
import type { SnapshotMeta } from "@groundrule/engine/build";
import type { LiveEntry } from "./live-source.ts";

/** Version of the layout of `catalog.json`; increased when an older reader would misread it. */
export const CATALOG_FORMAT = 4;
/** A named collection of sources. It keeps its members: one leaves only when the group is defined anew. */
export interface CatalogGroup {
  /** The name of the group, which differs from the name of every source. */
  readonly name: string;
  /** Names of sources, ascending; including removed ones. */
  readonly members: readonly string[];
  /** Sources that a definition left out although their manifests name the group, ascending. */
  readonly excluded?: readonly string[] | undefined;
}

/** A removed source that is still a member of groups. To them it is a failed source. */
export interface RemovedSource {
  /** Its last manifest. */
  readonly manifest: StoredManifest;
  /** Number of areas or records in its last edition; absent for a live source. */
  readonly feature_count?: number | undefined;
}

/** A source with a chosen current edition: editions built later do not become current. */
export interface Pin {
  readonly source_name: string;
  /** The edition that stays current. */
  readonly edition: string;
  /** The edition that would be current without the pin, if one was built since. */
  readonly next?: string;
}

/**
 * The current edition of each source with its metadata. So a source whose file does not open still has its name, kind,
 * column types and schemes.
 */
export interface Catalog {
  readonly format: typeof CATALOG_FORMAT;
  /** Metadata of current editions, ascending by source name. */
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
