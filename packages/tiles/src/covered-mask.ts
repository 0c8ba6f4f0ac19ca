import type { SourceTerritory } from "@groundrule/engine/build";
import { NOTHING } from "./cell-code.ts";
import type { CellView } from "./cell-mesh.ts";
import { layerShapes } from "./layer-shapes.ts";
import type { TileProjection } from "./tile-place.ts";
import type { TileRing } from "./tile-ring.ts";

/**
 * Which places of a mesh are examined: those whose cells are, and whose middle lies in the territory.
 *
 * @returns 0 for those, else {@link NOTHING}
 */
export function coveredMask(
  { xs, ys, covered }: CellView["mesh"],
  territory: SourceTerritory | undefined,
  projection: TileProjection,
): Int32Array {
  const mask = Int32Array.from(covered, (is) => (is === 1 ? 0 : NOTHING));
  if (territory === undefined) return mask;
  const holds = (piece: number): boolean => territory.holds(piece);
  const { areas, specks } = layerShapes(territory.layer, projection, { holds });
  const rings = [...areas.flatMap((area) => area.rings), ...specks];
  const width = xs.length - 1;
  for (let row = 0; row < ys.length - 1; row++) {
    const crossings = crossingsOf(rings, (ys[row]! + ys[row + 1]!) / 2);
    let [next, winding] = [0, 0];
    for (let column = 0; column < width; column++) {
      const middle = (xs[column]! + xs[column + 1]!) / 2;
      while (next < crossings.length && crossings[next]!.x <= middle) winding += crossings[next++]!.turn;
      if (winding === 0) mask[row * width + column] = NOTHING;
    }
  }
  return mask;
}

/** Where edges of rings cross a row, from the left: 1 for those that go down, -1 for those that go up. */
function crossingsOf(rings: readonly TileRing[], y: number): { readonly x: number; readonly turn: number }[] {
  const crossings: { x: number; turn: number }[] = [];
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
      const [y0, y1] = [ring[j + 1]!, ring[i + 1]!];
      if (y0 <= y === y1 <= y) continue;
      const x = ring[j]! + ((y - y0) / (y1 - y0)) * (ring[i]! - ring[j]!);
      crossings.push({ x, turn: y0 <= y ? 1 : -1 });
    }
  }
  return crossings.sort((one, other) => one.x - other.x);
}
