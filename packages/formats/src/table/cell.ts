/** How a geometry is written in a cell. */
export type Notation = "wkt" | "wkb" | "geojson" | "odk" | "pair";

/** A geometry of a cell, or why it cannot be read. */
export interface CellGeometry {
  readonly geometry: unknown;
  readonly crs?: string;
  /** The worst accuracy that its positions state, metres. */
  readonly accuracyMeters?: number;
  readonly fault?: { readonly code: string; readonly message: string };
}

/** The reading of cells, from the name of their column and its first rows. */
export interface CellContext {
  /** The coordinate that comes first where two stand in a cell. */
  readonly order: "latitude" | "longitude";
  /** The meaning of a list of positions that does not end where it begins. */
  readonly openList: "border" | "way";
}

/** The property that keeps the accuracy that a position states. */
export const ACCURACY_PROPERTY = "gps_accuracy_m";

/** Why a cell holds no geometry. */
export class CellFault extends Error {}

/** A row without a geometry, and why. */
export function createFaultyGeometry(message: string): CellGeometry {
  return { geometry: null, fault: { code: "GEOMETRY_INVALID", message } };
}
