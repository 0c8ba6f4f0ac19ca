/** Media type of Mapbox Vector Tiles, registered with IANA. */
export const TILE_MEDIA_TYPE = "application/vnd.mapbox-vector-tile";

/** The greatest zoom that tiles are cut for; maps enlarge these beyond it. A unit is then 0.6 m at the equator. */
export const MAX_ZOOM = 14;

/** Units along the side of a tile. */
export const EXTENT = 4096;
/** Units beyond each side that are drawn too, so that outlines join across tiles. */
export const BUFFER = 64;

/** A pixel of a tile that is shown 512 pixels wide, in units. */
export const PIXEL: number = EXTENT / 512;

/** A tile of the Web Mercator pyramid. */
export interface TilePlace {
  /** Zoom, from 0 to {@link MAX_ZOOM}. */
  readonly z: number;
  /** Column, from the west. */
  readonly x: number;
  /** Row, from the north. */
  readonly y: number;
}

/** True if the tile exists: whole numbers, a zoom up to {@link MAX_ZOOM}, column and row within it. */
export function isTilePlace({ z, x, y }: TilePlace): boolean {
  if (![z, x, y].every(Number.isInteger) || z < 0 || z > MAX_ZOOM) return false;
  const side = 2 ** z;
  return x >= 0 && x < side && y >= 0 && y < side;
}

/** The way from degrees to the units of one tile. */
export interface TileProjection {
  /** Units of a degree of longitude. */
  readonly unitsPerDegree: number;
  /** Box of the tile with its buffer, `[west, south, east, north]` in degrees. */
  readonly bbox: readonly [west: number, south: number, east: number, north: number];
  /** @param longitude degrees */
  toX(longitude: number): number;
  /** @param latitude degrees; beyond ±85.05 it stands on the edge of the world's square */
  toY(latitude: number): number;
  /** The longitude at units from the left, degrees. */
  toLongitude(x: number): number;
  /** The latitude at units from the top, degrees. */
  toLatitude(y: number): number;
}

/** The latitude at which the world in Web Mercator is a square, degrees. */
const EDGE_LATITUDE = (Math.atan(Math.sinh(Math.PI)) * 180) / Math.PI;

/**
 * The projection of a tile: spherical Mercator on the longitudes and latitudes of WGS 84, as web maps have it.
 *
 * Source: OGC 17-083r4, Two Dimensional Tile Matrix Set, annex D.2 (WebMercatorQuad).
 */
export function createTileProjection({ z, x, y }: TilePlace): TileProjection {
  const side = 2 ** z;
  const units = side * EXTENT;
  const buffer = BUFFER / EXTENT;
  const longitude = (column: number): number => (column / side) * 360 - 180;
  const latitude = (row: number): number => {
    if (row <= 0) return 90;
    if (row >= side) return -90;
    return (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / side))) * 180) / Math.PI;
  };
  return {
    unitsPerDegree: units / 360,
    toLongitude: (at) => longitude(x + at / EXTENT),
    toLatitude: (at) => latitude(y + at / EXTENT),
    bbox: [longitude(x - buffer), latitude(y + 1 + buffer), longitude(x + 1 + buffer), latitude(y - buffer)],
    toX: (degrees) => ((degrees + 180) / 360) * units - x * EXTENT,
    toY: (degrees) => {
      const clamped = Math.max(-EDGE_LATITUDE, Math.min(EDGE_LATITUDE, degrees));
      const sine = Math.sin((clamped * Math.PI) / 180);
      return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * units - y * EXTENT;
    },
  };
}
