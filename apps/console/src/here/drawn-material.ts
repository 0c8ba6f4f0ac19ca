import { crsTable } from "@groundrule/crs";
import { type Bbox, type Engine, openEngine } from "@groundrule/engine";
import { snapshotOf } from "@groundrule/engine/build";
import { isAreaEvidence, parseRecord } from "@groundrule/engine/records";
import { gatherMaterial, mapFrames, type ReportMaterial } from "@groundrule/report";
import { VectorTile } from "@mapbox/vector-tile";
import type { Position } from "geojson";
import { PbfReader } from "pbf";
import { FINEST_ZOOM } from "../answering/tile-places.ts";
import type { SentTile, WantedTile } from "./protocol.ts";

// The parts that a report adds to a record answered by a service: areas as drawn in the service's map tiles, which are
// free of charge.

/** Maximum tiles per axis of a map: two by two. */
const TILES_MOST = 4;

/** For each map of a record's report, the tiles of the sources in its evidence. */
export function listReportTiles(stored: object): readonly (readonly WantedTile[])[] {
  const record = parseRecord(stored);
  const areas = record.response.data.checks.flatMap(({ evidence }) => evidence.filter(isAreaEvidence));
  const sources = [...new Set(areas.map(({ source_name }) => source_name))];
  return mapFrames(record, crsTable).map((frame) => {
    const places = listCoveringTiles(frame);
    return sources.flatMap((source) => places.map((place) => ({ source, ...place })));
  });
}

/** @param tiles for each map the available ones of {@link listReportTiles}; absent: only the plot is shown */
export function buildReportMaterial(
  record: object,
  tiles?: readonly (readonly SentTile[])[],
): ReportMaterial {
  return gatherMaterial(parseRecord(record), { drawn: tiles?.map(createTilesEngine), crs: crsTable });
}

function createTilesEngine(tiles: readonly SentTile[]): Engine | undefined {
  const bySource = Map.groupBy(tiles, ({ source }) => source);
  const sources = [...bySource].flatMap(([source, its]) => {
    const areas = mergeTileAreas(its);
    if (areas.length === 0) return [];
    // Parts of an area overlap where tiles meet, and are merged.
    return snapshotOf(source, areas, { id: "source_id", name: "name", properties: [], onFault: "leaveOut" });
  });
  return sources.length === 0 ? undefined : openEngine(sources);
}

interface DrawnArea {
  readonly properties: object;
  readonly polygons: Position[][][];
  /** Squares of cells of which only some are in the area: used only if there is nothing else. */
  readonly faint: Position[][][];
}

/** The areas of a source, each merged from its parts in the tiles. */
function mergeTileAreas(tiles: readonly SentTile[]) {
  const areas = new Map<string, DrawnArea>();
  for (const { bytes, z, x, y } of tiles) {
    const layer = new VectorTile(new PbfReader(bytes)).layers.areas;
    for (let i = 0; layer !== undefined && i < layer.length; i++) {
      const { geometry, properties } = layer.feature(i).toGeoJSON(x, y, z);
      const id: unknown = properties?.source_id;
      // Areas too small to be distinguished have no id in the tile.
      if (typeof id !== "string") continue;
      const area = areas.get(id) ?? { properties: properties!, polygons: [], faint: [] };
      areas.set(id, area);
      const polygons = properties?.share === undefined ? area.polygons : area.faint;
      if (geometry.type === "Polygon") polygons.push(geometry.coordinates);
      if (geometry.type === "MultiPolygon") {
        for (const polygon of geometry.coordinates) polygons.push(polygon);
      }
    }
  }
  return [...areas.values()].map(({ properties, polygons, faint }) => ({
    type: "Feature",
    properties,
    geometry: { type: "MultiPolygon", coordinates: polygons.length > 0 ? polygons : faint },
  }));
}

/** The finest zoom at which few tiles cover a frame. A frame across the antimeridian ends there. */
function listCoveringTiles([west, south, east, north]: Bbox): readonly Omit<WantedTile, "source">[] {
  for (let z = FINEST_ZOOM; ; z--) {
    const [left, right] = [toTileColumn(Math.max(west, -180), z), toTileColumn(Math.min(east, 180), z)];
    const [top, bottom] = [toTileRow(north, z), toTileRow(south, z)];
    const [wide, high] = [right - left + 1, bottom - top + 1];
    if (z > 0 && wide * high > TILES_MOST) continue;
    return Array.from({ length: wide * high }, (_, i) => {
      return { z, x: left + (i % wide), y: top + Math.floor(i / wide) };
    });
  }
}

function toTileColumn(longitude: number, z: number): number {
  return toTileIndex(z, (longitude + 180) / 360);
}

/** Web Mercator ends at the latitude of its square's edge. */
function toTileRow(latitude: number, z: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return toTileIndex(z, 0.5 - Math.atanh(Math.max(-0.9999, Math.min(0.9999, sine))) / (2 * Math.PI));
}

/** @param part position from the first tile to the last, 0 to 1 */
function toTileIndex(z: number, part: number): number {
  return Math.max(0, Math.min(2 ** z - 1, Math.floor(part * 2 ** z)));
}
