import type { ColumnType, Crc32, CrsTable, SourceManifest } from "@groundrule/engine";
import type { Sha256, Spill } from "@groundrule/engine/build";
import type { OpenTable } from "@groundrule/formats";
import type { OpenPolygons } from "./coverage.ts";

/** Input that one kind of source makes from its table. */
export interface BuildInput {
  readonly table: OpenTable;
  /** True if positions are read with their axes swapped. */
  readonly isSwapped: boolean;
  readonly manifest: SourceManifest;
  /** The same, its date formats only those of columns that the source must have. */
  readonly declared: SourceManifest;
  /** The types of columns, those among them that the source may lack. */
  readonly types: Readonly<Record<string, ColumnType>>;
  readonly writerOptions: {
    readonly columnTypes?: Readonly<Record<string, ColumnType>>;
    readonly sha256?: () => Sha256;
    readonly crc32?: Crc32;
    readonly spill?: Spill;
  };
  readonly crs: CrsTable | undefined;
  readonly openPolygons: OpenPolygons | undefined;
  /** To be called after each feature or row. */
  readonly featureDone: () => void;
}
