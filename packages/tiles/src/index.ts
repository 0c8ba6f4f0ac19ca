export { cutCellTile } from "./cut-cell-tile.ts";
export { cutTile } from "./cut-tile.ts";
export type { TileLimits } from "./layer-shapes.ts";
export { isTilePlace, MAX_ZOOM, TILE_MEDIA_TYPE, type TilePlace } from "./tile-place.ts";
