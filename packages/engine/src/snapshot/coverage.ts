import type { RasterLayer } from "../geometry/raster/raster-layer.ts";
import type { AreaLayer } from "../geometry/trees/layer.ts";

/**
 * Coverage of a source: the territory in which it lists every area it knows of. Outside of it, the absence of areas
 * proves nothing.
 */
export type Coverage =
  | {
      /** Nothing is known: neither the manifest nor the areas name a territory. */
      readonly extent: "undeclared";
    }
  | {
      /** The whole earth. */
      readonly extent: "global";
      /** The manifest declares it. */
      readonly known: "declared";
    }
  | {
      /** The territory of countries, widened as the borders are. */
      readonly extent: "countries";
      /** `declared`: by the manifest; `derived`: from the countries that the areas name. */
      readonly known: "declared" | "derived";
      /** ISO 3166-1 alpha-3, ascending. */
      readonly countries: readonly string[];
      readonly pieces: CoveragePieces;
    }
  | {
      /** Polygons of its own. */
      readonly extent: "polygons";
      /** The manifest declares them. */
      readonly known: "declared";
      readonly pieces: CoveragePieces;
    }
  | CellCoverage;

/** The cells of a raster that are not nodata. */
export interface CellCoverage {
  readonly extent: "cells";
  /** `grid`: by the cells alone; `declared`: the manifest also declares a territory. */
  readonly known: "declared" | "grid";
  readonly layer: RasterLayer;
  /** The territory that the cells have to lie in; undefined where it is the whole earth. */
  readonly territory: Extract<Coverage, { readonly pieces: CoveragePieces }> | undefined;
}

/** The coverage of a raster whose manifest declares this one. */
export function createCellCoverage(
  layer: RasterLayer,
  declared: Exclude<Coverage, CellCoverage>,
): CellCoverage {
  const territory = "pieces" in declared && declared.known === "declared" ? declared : undefined;
  const known = declared.extent === "undeclared" || declared.known === "derived" ? "grid" : "declared";
  return { extent: "cells", known, layer, territory };
}

/** The territory of a coverage, and the land of others around it. */
export interface CoveragePieces {
  /** One area a piece. Pieces of countries share edges bit for bit and never overlap. */
  readonly layer: AreaLayer;
  /**
   * For each piece, the countries whose widened territory holds it, ascending: the coverage holds the pieces
   * that tell one of its countries; the others, up to 1,000 km away, are land of others. Of polygons, each
   * list is empty, and the coverage holds every piece.
   */
  readonly countries: readonly (readonly string[])[];
}

/** A coverage as passed to the writer of areas. */
export type CoverageInput =
  | Extract<Coverage, { readonly extent: "global" }>
  | {
      readonly extent: "countries";
      /** `declared`: by the manifest; `derived`: from the countries that the areas name. */
      readonly known: "declared" | "derived";
      /** ISO 3166-1 alpha-3, ascending, each the country of some piece. */
      readonly countries: readonly string[];
      /** The territory of the countries and the land of others around it. */
      readonly pieces: readonly CoveragePieceInput[];
    }
  | {
      readonly extent: "polygons";
      readonly known: "declared";
      /** At least one; their countries are empty. */
      readonly pieces: readonly CoveragePieceInput[];
    };

/** A piece of a coverage as passed to the writer: valid, oriented, rings closed. */
export interface CoveragePieceInput {
  /** Polygons of the piece; each a list of rings, outer first, flat closed `[lon, lat, …]`. */
  readonly polygons: readonly (readonly Float64Array[])[];
  /** The countries whose widened territory holds it, ascending. */
  readonly countries: readonly string[];
}
