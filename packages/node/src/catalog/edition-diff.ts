import type { AttributeValue, SourceKind } from "@groundrule/engine";
import type { CellContent } from "@groundrule/engine/build";

/** An area or record that only one of two editions has. */
export interface FeatureEntry {
  /** Identifier in the edition that has it; in the later one where both have. */
  readonly id: string;
  /** Null where there is none. */
  readonly name: string | null;
  /** Of areas. */
  readonly country_iso3?: string | null;
  /** Of areas. */
  readonly square_meters?: number;
}

/** An area or record that both editions have, and that differs. */
export interface ChangedFeature extends FeatureEntry {
  /** Its identifier in the earlier edition, where that was another one. */
  readonly id_before?: string;
  /** Of areas with another shape: what the new one covers and the old one did not. */
  readonly square_meters_gained?: number;
  /** Of areas with another shape: what the old one covered and the new one does not. */
  readonly square_meters_lost?: number;
  /** Columns with other values; `name` and `country_iso3` stand under these names. */
  readonly attributes: Readonly<
    Record<
      string,
      {
        /** In the earlier edition. */
        readonly before: AttributeValue;
        /** In the later edition. */
        readonly after: AttributeValue;
      }
    >
  >;
  /** Of records: identifiers, as `scheme value`, that only one of the editions has. */
  readonly identifiers?: {
    /** In the later edition alone. */
    readonly added: readonly string[];
    /** In the earlier edition alone. */
    readonly removed: readonly string[];
  };
}

/** Cells that held one thing in the earlier edition and hold another in the later one. */
export interface CellsChanged {
  /** In the earlier edition. */
  readonly before: CellContent;
  /** In the later edition. */
  readonly after: CellContent;
  /** How many. */
  readonly cells: number;
  /** What they take together. */
  readonly square_meters: number;
}

/** Something that people should look at, whatever the guards say. */
export interface DiffNotice {
  readonly code: "COUNTRY_LOST" | "COVERAGE_CHANGED" | "GRID_CHANGED" | "MOSTLY_REPLACED";
  readonly message: string;
}

/** What distinguishes two editions of a source. */
export interface EditionDiff {
  readonly source_name: string;
  readonly kind: SourceKind;
  /** The earlier edition. */
  readonly before: string;
  /** The later edition. */
  readonly after: string;
  /**
   * How areas or records were matched: by `id`, and those left over by their rings or identifiers; or by `content`
   * first, where the manifest names no column of the identifier: numbers of rows move with every row inserted.
   */
  readonly matched_by: "id" | "content";
  /** Areas or records. */
  readonly counts: {
    /** In the earlier edition. */
    readonly before: number;
    /** In the later edition. */
    readonly after: number;
    /** In the later edition alone. */
    readonly added: number;
    /** In the earlier edition alone. */
    readonly removed: number;
    /** In both, and different. */
    readonly changed: number;
    /** In both, and the same. */
    readonly unchanged: number;
  };
  /**
   * Of areas, exact on the ellipsoid. Sums over areas, so what two areas of one edition share counts twice:
   * `after` is `before` + `gained` − `lost`, but for rounding.
   */
  readonly square_meters?: {
    /** Of the earlier edition. */
    readonly before: number;
    /** Of the later edition. */
    readonly after: number;
    /** Of added areas, and what changed ones gained. */
    readonly gained: number;
    /** Of removed areas, and what changed ones lost. */
    readonly lost: number;
  };
  /** Of rasters on one lattice: what their cells held and hold. Off the grid of an edition they hold no data in it. */
  readonly cells?: {
    /** Blocks of 256 × 256 cells that either edition has. */
    readonly blocks: number;
    /** Those of them with a cell that differs. */
    readonly blocks_changed: number;
    /** The greatest first. */
    readonly changes: readonly CellsChanged[];
  };
  /** Columns that only the later edition has. */
  readonly columns_added: readonly string[];
  /** Columns that only the earlier edition has. */
  readonly columns_removed: readonly string[];
  /** What people should look at. */
  readonly notices: readonly DiffNotice[];
  /** In the order of the later edition. */
  readonly added: readonly FeatureEntry[];
  /** In the order of the earlier edition. */
  readonly removed: readonly FeatureEntry[];
  /** In the order of the earlier edition. */
  readonly changed: readonly ChangedFeature[];
}

/** A feature of GeoJSON that shows a difference. */
export interface DiffFeature {
  readonly type: "Feature";
  /** Of the area. */
  readonly id: string;
  readonly geometry: {
    readonly type: "MultiPolygon";
    readonly coordinates: number[][][][];
  };
  readonly properties: Readonly<Record<string, unknown>> & {
    /** What the geometry shows. */
    readonly change: "added" | "removed" | "gained" | "lost" | "attributes";
  };
}
