/** The finest zoom for which reference tiles are cut; the map enlarges these beyond it. */
export const FINEST_ZOOM = 14;

/** Side of a tile, CSS pixels. */
export const TILE_SIZE = 512;

/** A tile to request, and the square of it that a finer tile shows. */
export interface ParentTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  /** How many times finer the tile is: 1, 2, 4, … */
  readonly scale: number;
  /** Its place in the parent, in tiles. */
  readonly column: number;
  readonly row: number;
}

/** The tile of {@link FINEST_ZOOM} or above in which a tile lies. */
export function toParentTile(z: number, x: number, y: number): ParentTile {
  const levels = Math.max(0, z - FINEST_ZOOM);
  const scale = 2 ** levels;
  const [parentX, parentY] = [Math.floor(x / scale), Math.floor(y / scale)];
  return {
    z: z - levels,
    x: parentX,
    y: parentY,
    scale,
    column: x - parentX * scale,
    row: y - parentY * scale,
  };
}
