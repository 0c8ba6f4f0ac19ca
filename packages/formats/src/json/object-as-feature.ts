import type { ReadOptions } from "../format-reader.ts";

/** A geometry in a member, with the CRS next to it, or its fault. */
export interface ReadCell {
  readonly geometry: unknown;
  readonly crs?: string | undefined;
  /** The fault of the object, in words. */
  readonly fault?: { readonly code: string; readonly message: string } | undefined;
}

/** An object that is no Feature of GeoJSON, read as one. */
export interface ObjectAsFeature extends ReadCell {
  /** The id of the row, where it has one. */
  readonly id?: string | number | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
  /** True if it is a feature as Esri writes it. */
  readonly isEsri?: boolean;
}

/** Options that name where a row has its geometry. */
export type RowOptions = Pick<ReadOptions, "wkt" | "longitude" | "latitude">;
