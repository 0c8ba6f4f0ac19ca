import { EngineError } from "./base/errors.ts";

import type { Engine } from "./engine.ts";
import { getEngineParts } from "./engine-parts.ts";
import type { RasterLayer } from "./geometry/raster/raster-layer.ts";
import { CELL_DEGREES } from "./geometry/trees/cells.ts";
import type { AreaLayer } from "./geometry/trees/layer.ts";
import { createRingList, searchRingsUnsorted } from "./geometry/trees/ring-index.ts";
import type { CellsManifest } from "./snapshot/cells-manifest.ts";
import { type Attributes, isRaster, type LeafSnapshot } from "./snapshot/snapshot.ts";
import type { SourceTable } from "./sources/source-table.ts";
import { textDigest } from "./verdict/digest.ts";

/** A source of areas as it lies in its edition, to be drawn. */
export interface SourceAreas {
  /** Digest of the edition, 64 hex digits. */
  readonly edition: string;
  /** The geometries: rings as flat `[lon, lat, …]` in degrees, closed. */
  readonly layer: AreaLayer;
  /** Ids, names and columns, by the index of the area. */
  readonly attributes: Attributes;
  /** Coverage of the source: undeclared, global, or a territory. */
  readonly coverage: { readonly extent: "undeclared" } | { readonly extent: "global" } | SourceTerritory;
}

/** A territory, one area a piece; equal territories of sources are one object. */
export interface SourceTerritory {
  readonly extent: "bounded";
  /** Its pieces, and land of others around them. */
  readonly layer: AreaLayer;
  /**
   * True if the territory includes a piece.
   *
   * @param piece index of an area of the layer
   */
  holds(piece: number): boolean;
}

/** A source of cells as it lies in its edition, to be drawn. */
export interface SourceCells {
  /** Digest of the edition, 64 hex digits. */
  readonly edition: string;
  /** Identity of drawings of it: the edition, and the colours of the manifest, which belong to no edition. */
  readonly drawing: string;
  /** Grid and cells; reading them fails with a `DamagedTile`. */
  readonly layer: RasterLayer;
  /** Ids, names and columns, by the index of the area. */
  readonly attributes: Attributes;
  /** The colour that the manifest has for an area, `#rrggbb`; undefined where it has none. */
  color(area: number): string | undefined;
  /** The territory in which cells that are not nodata are examined; undefined: everywhere. */
  readonly territory: SourceTerritory | undefined;
}

/**
 * The areas of a source, for drawing. Nothing is copied: the result reads the snapshot in place.
 *
 * Fails: `SOURCE_UNKNOWN` for a name that is none of this engine's, and for a group, a register, a raster and a live
 * source, which have no rings to draw; `SNAPSHOT_CORRUPT` for a source that failed to open; a `TypeError` for an engine
 * that this package did not open.
 */
export function readSourceAreas(engine: Engine, sourceName: string): SourceAreas {
  const { table } = getEngineParts(engine);
  const snapshot = getLeafSnapshot(table, sourceName);
  const { coverage, attributes, meta } = snapshot;
  if (isRaster(snapshot) || coverage.extent === "cells") {
    return throwSourceUnknown(
      sourceName,
      "is a raster, whose areas have no rings",
      "get its tiles, or the overlap of a plot",
    );
  }
  return {
    edition: meta.edition,
    layer: snapshot.layer,
    attributes,
    coverage:
      "pieces" in coverage
        ? createSourceTerritory(table.territories.of(coverage))
        : { extent: coverage.extent },
  };
}

/**
 * The cells of a source, for drawing; undefined for a source of areas with rings.
 *
 * Fails: as {@link readSourceAreas}, but for rasters.
 */
export function readSourceCells(engine: Engine, sourceName: string): SourceCells | undefined {
  const { table } = getEngineParts(engine);
  const snapshot = getLeafSnapshot(table, sourceName);
  if (!isRaster(snapshot)) return undefined;
  const { coverage, layer, attributes, meta } = snapshot;
  const territory = coverage.extent === "cells" ? coverage.territory : undefined;
  return {
    edition: meta.edition,
    drawing: `${meta.edition} ${computeColorsDigest(meta.manifest.cells)}`,
    layer,
    attributes,
    color: (area) => meta.manifest.cells?.values[area]?.color,
    territory: territory && createSourceTerritory(table.territories.of(territory)),
  };
}

/** Digest of the colours of areas, in their order. */
function computeColorsDigest(cells: CellsManifest | undefined): string {
  if (cells === undefined) return "";
  const colors = cells.values.map(({ color = "" }) => color).join();
  return textDigest(colors);
}

function getLeafSnapshot(table: SourceTable, sourceName: string): LeafSnapshot {
  const source = table.find(sourceName);
  if (source === undefined) {
    return table.expand(sourceName) === undefined
      ? throwSourceUnknown(sourceName, "is not a source of this service", "GET /v1/sources lists them")
      : throwSourceUnknown(
          sourceName,
          "is a group and contains no areas itself",
          "request each of its members",
        );
  }
  if ("live" in source) {
    return throwSourceUnknown(
      sourceName,
      "is a live source, so its areas are not stored here",
      "send a plot, and the areas near it are queried",
    );
  }
  if (!("snapshot" in source)) {
    throw new EngineError(
      "SNAPSHOT_CORRUPT",
      `"${sourceName}" cannot be read: ${"failed" in source ? source.failed : "it is left out"}`,
      {
        source_name: sourceName,
      },
    );
  }
  const { snapshot } = source;
  if (snapshot.kind === "leaf") return snapshot;
  return throwSourceUnknown(sourceName, "is a register and has no areas", "name a source of areas");
}

function throwSourceUnknown(sourceName: string, found: string, mend: string): never {
  throw new EngineError("SOURCE_UNKNOWN", `"${sourceName}" ${found}; ${mend}`, { source_name: sourceName });
}

function createSourceTerritory(territory: Omit<SourceTerritory, "extent">): SourceTerritory {
  return { extent: "bounded", layer: territory.layer, holds: (piece) => territory.holds(piece) };
}

/** A ring of a layer and its envelope, in degrees, rounded outward by 0.1 m at most. */
export interface RingEnvelope {
  /** Index of the ring. */
  readonly ring: number;
  /** Least longitude. */
  readonly west: number;
  /** Least latitude. */
  readonly south: number;
  /** Greatest longitude. */
  readonly east: number;
  /** Greatest latitude. */
  readonly north: number;
}

/**
 * The rings of a layer whose envelopes meet a box, in ascending order, found by the layer's index.
 *
 * @param bbox `[west, south, east, north]` in degrees, longitudes in the layer's own range
 */
export function listRingsInBox(
  layer: AreaLayer,
  bbox: readonly [west: number, south: number, east: number, north: number],
): readonly RingEnvelope[] {
  if (layer.index === undefined) return [];
  const found = createRingList();
  searchRingsUnsorted(layer.index, ...bbox, found);
  const rings = found.rings.subarray(0, found.count).sort();
  const { chainStarts, chainBoxes } = layer;
  const envelopes: RingEnvelope[] = [];
  for (const ring of rings) {
    // The root of a ring's chain tree holds its envelope.
    const at = 4 * (chainStarts[ring + 1]! - 1);
    envelopes.push({
      ring,
      west: chainBoxes[at]! * CELL_DEGREES,
      south: chainBoxes[at + 1]! * CELL_DEGREES,
      east: chainBoxes[at + 2]! * CELL_DEGREES,
      north: chainBoxes[at + 3]! * CELL_DEGREES,
    });
  }
  return envelopes;
}
