import type { AttributeValue, SourceKind } from "@groundrule/engine";
import type { CellContent } from "@groundrule/engine/build";

/** An area or record that only one of two editions has. */
export interface FeatureEntry {
  /** Identifier in the edition that has it; in the later one if both have it. */
  readonly id: string;
  /** Null if it has none. */
  readonly name: string | null;
  /** Present for areas. */
  readonly country_iso3?: string | null;
  /** Present for areas. */
  readonly square_meters?: number;
}

/** An area or record that both editions have, and that differs. */
export interface ChangedFeature extends FeatureEntry {
  /** Its identifier in the earlier edition, if that was a different one. */
  readonly id_before?: string;
  /** For areas with another shape: land that only the new one covers. */
  readonly square_meters_gained?: number;
  /** For areas with another shape: land that only the old one covered. */
  readonly square_meters_lost?: number;
  /** Columns with changed values; `name` and `country_iso3` have these names. */
  readonly attributes: Readonly<
    Record<
      string,
      {
        /** Value in the earlier edition. */
        readonly before: AttributeValue;
        /** Value in the later edition. */
        readonly after: AttributeValue;
      }
    >
  >;
  /** For records: identifiers, as `scheme value`, that only one of the editions has. */
  readonly identifiers?: {
    /** Identifiers in the later edition alone. */
    readonly added: readonly string[];
    /** Identifiers in the earlier edition alone. */
    readonly removed: readonly string[];
  };
}

/** Cells with one content in the earlier edition and another in the later one. */
export interface CellsChanged {
  /** Content in the earlier edition. */
  readonly before: CellContent;
  /** Content in the later edition. */
  readonly after: CellContent;
  /** Number of cells. */
  readonly cells: number;
  /** Their total area. */
  readonly square_meters: number;
}

/** A change that people should look at, whatever the guards decide. */
export interface DiffNotice {
  readonly code: "COUNTRY_LOST" | "COVERAGE_CHANGED" | "GRID_CHANGED" | "MOSTLY_REPLACED";
  readonly message: string;
}

/** The differences between two editions of a source. */
export interface EditionDiff {
  readonly source_name: string;
  readonly kind: SourceKind;
  /** Digest of the earlier edition. */
  readonly before: string;
  /** Digest of the later edition. */
  readonly after: string;
  /**
   * How areas or records were matched: by `id`, and the remaining ones by their rings or identifiers; or by `content`
   * first, if the manifest names no column of the identifier: row numbers change with every inserted row.
   */
  readonly matched_by: "id" | "content";
  /** Numbers of areas or records. */
  readonly counts: {
    /** Number in the earlier edition. */
    readonly before: number;
    /** Number in the later edition. */
    readonly after: number;
    /** Number in the later edition alone. */
    readonly added: number;
    /** Number in the earlier edition alone. */
    readonly removed: number;
    /** Number in both, and different. */
    readonly changed: number;
    /** Number in both, and the same. */
    readonly unchanged: number;
  };
  /**
   * For areas, exact on the ellipsoid. Sums over areas, so land shared by two areas of one edition counts twice:
   * `after` is `before` + `gained` − `lost`, except for rounding.
   */
  readonly square_meters?: {
    /** Total of the earlier edition. */
    readonly before: number;
    /** Total of the later edition. */
    readonly after: number;
    /** Land of added areas, and land that changed ones gained. */
    readonly gained: number;
    /** Land of removed areas, and land that changed ones lost. */
    readonly lost: number;
  };
  /** For rasters on one lattice: changes of their cells. Outside of an edition's grid, cells count as no data. */
  readonly cells?: {
    /** Blocks of 256 × 256 cells in either edition. */
    readonly blocks: number;
    /** Blocks with a cell that differs. */
    readonly blocks_changed: number;
    /** Changes, the greatest first. */
    readonly changes: readonly CellsChanged[];
  };
  /** Columns that only the later edition has. */
  readonly columns_added: readonly string[];
  /** Columns that only the earlier edition has. */
  readonly columns_removed: readonly string[];
  /** Changes that people should look at. */
  readonly notices: readonly DiffNotice[];
  /** In the order of the later edition. */
  readonly added: readonly FeatureEntry[];
  /** In the order of the earlier edition. */
  readonly removed: readonly FeatureEntry[];
  /** In the order of the earlier edition. */
  readonly changed: readonly ChangedFeature[];
}

/** A GeoJSON feature that shows a difference. */
export interface DiffFeature {
  readonly type: "Feature";
  /** Id of the area. */
  readonly id: string;
  readonly geometry: {
    readonly type: "MultiPolygon";
    readonly coordinates: number[][][][];
  };
  readonly properties: Readonly<Record<string, unknown>> & {
    /** The meaning of the geometry. */
    readonly change: "added" | "removed" | "gained" | "lost" | "attributes";
  };
}
