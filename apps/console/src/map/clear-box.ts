/** A box in CSS pixels from the upper left. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * The part of a map that nothing covers: each covering element cuts off a strip, on the side that leaves most.
 *
 * @param map the whole map
 * @param things boxes of elements that cover the map
 */
export function computeUncoveredBox(map: Box, things: readonly Box[]): Box {
  let clear = map;
  for (const { left, top, right, bottom } of things) {
    const isOver = left < clear.right && right > clear.left && top < clear.bottom && bottom > clear.top;
    if (!isOver) continue;
    const cuts = [
      { ...clear, left: right },
      { ...clear, right: left },
      { ...clear, top: bottom },
      { ...clear, bottom: top },
    ];
    clear = cuts.reduce((best, cut) => (computeBoxArea(cut) > computeBoxArea(best) ? cut : best));
  }
  return clear;
}

function computeBoxArea({ left, top, right, bottom }: Box): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top);
}
