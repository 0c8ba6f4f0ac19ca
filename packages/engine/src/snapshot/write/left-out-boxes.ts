import type { Bbox } from "../../geometry/earth/bbox.ts";
import { MAX_ABSOLUTE_LATITUDE, MAX_ABSOLUTE_LONGITUDE } from "../format.ts";
import { type LeftOutBox, MAX_LEFT_OUT_BOXES } from "../left-out.ts";

/** Degrees by which a box is wider than its positions: those of a feature that collapsed were rounded. */
const MARGIN_DEGREES = 1e-5;

/** The box of one feature that was left out. */
export function createLeftOutBox([west, south, east, north]: Bbox): LeftOutBox {
  const isRound = east - west + 2 * MARGIN_DEGREES >= 360;
  return [
    isRound ? -180 : Math.max(west - MARGIN_DEGREES, -MAX_ABSOLUTE_LONGITUDE),
    Math.max(south - MARGIN_DEGREES, -MAX_ABSOLUTE_LATITUDE),
    isRound ? 180 : Math.min(east + MARGIN_DEGREES, MAX_ABSOLUTE_LONGITUDE),
    Math.min(north + MARGIN_DEGREES, MAX_ABSOLUTE_LATITUDE),
    1,
  ];
}

/** The whole earth: of a feature whose place is not known. */
export const ANYWHERE: LeftOutBox = [-180, -90, 180, 90, 1];

/**
 * At most {@link MAX_LEFT_OUT_BOXES} boxes that cover these. More of them are put in the order of a space-filling curve,
 * and neighbours are joined.
 */
export function joinLeftOutBoxes(boxes: readonly LeftOutBox[]): readonly LeftOutBox[] {
  if (boxes.length <= MAX_LEFT_OUT_BOXES) return boxes;
  const ordered = boxes
    .map((box, i) => ({ box, i, key: computeCurveKey(box) }))
    .sort((a, b) => a.key - b.key || a.i - b.i)
    .map(({ box }) => box);
  const count = Math.ceil(ordered.length / MAX_LEFT_OUT_BOXES);
  const groups = Array.from({ length: Math.ceil(ordered.length / count) }, (_, i) =>
    ordered.slice(i * count, (i + 1) * count),
  );
  return groups.map((group) => group.reduce(joinTwoBoxes));
}

function joinTwoBoxes(a: LeftOutBox, b: LeftOutBox): LeftOutBox {
  const [west, east] = [Math.min(a[0], b[0]), Math.max(a[2], b[2])];
  const [from, to] = east - west > 360 ? [-180, 180] : [west, east];
  return [from, Math.min(a[1], b[1]), to, Math.max(a[3], b[3]), a[4] + b[4]];
}

/** Place of a box's middle on a curve in Z-order of 2¹² by 2¹² cells. */
function computeCurveKey([west, south, east, north]: LeftOutBox): number {
  const x = Math.floor((((west + east) / 2 + 540) / 1080) * 4095);
  const y = Math.floor((((south + north) / 2 + 90) / 180) * 4095);
  let key = 0;
  for (let bit = 11; bit >= 0; bit--) key = key * 4 + ((x >> bit) & 1) * 2 + ((y >> bit) & 1);
  return key;
}
