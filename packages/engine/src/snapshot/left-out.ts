import type { Bbox } from "../geometry/earth/bbox.ts";
import type { AreaLayer } from "../geometry/trees/layer.ts";
import { layerOfPolygons } from "../geometry/trees/layer-of.ts";
import { array, number, type Shape } from "../shape/shape.ts";
import { MAX_ABSOLUTE_LATITUDE, MAX_ABSOLUTE_LONGITUDE } from "./format.ts";

/**
 * A box in which features lie that the build left out, and their number: degrees, longitudes within ±540 and at most
 * 360 apart.
 */
export type LeftOutBox = readonly [west: number, south: number, east: number, north: number, areas: number];

/** Most boxes of an edition: those of more features are joined. */
export const MAX_LEFT_OUT_BOXES = 1024;

/** Degrees by which a box is wider than its positions: those of a feature that collapsed were rounded. */
const MARGIN_DEGREES = 1e-5;

/** Where features lie that the build of an edition left out. */
export interface LeftOutLand {
  /** One area a box. */
  readonly layer: AreaLayer;
  /** Features in each. */
  readonly areas: readonly number[];
}

/** The box of one feature that was left out. */
export function leftOutBox([west, south, east, north]: Bbox): LeftOutBox {
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
export function joinedBoxes(boxes: readonly LeftOutBox[]): readonly LeftOutBox[] {
  if (boxes.length <= MAX_LEFT_OUT_BOXES) return boxes;
  const ordered = boxes
    .map((box, i) => ({ box, i, key: curveKey(box) }))
    .sort((a, b) => a.key - b.key || a.i - b.i)
    .map(({ box }) => box);
  const count = Math.ceil(ordered.length / MAX_LEFT_OUT_BOXES);
  const groups = Array.from({ length: Math.ceil(ordered.length / count) }, (_, i) =>
    ordered.slice(i * count, (i + 1) * count),
  );
  return groups.map((group) => group.reduce(joined));
}

function joined(a: LeftOutBox, b: LeftOutBox): LeftOutBox {
  const [west, east] = [Math.min(a[0], b[0]), Math.max(a[2], b[2])];
  const [from, to] = east - west > 360 ? [-180, 180] : [west, east];
  return [from, Math.min(a[1], b[1]), to, Math.max(a[3], b[3]), a[4] + b[4]];
}

/** Place of a box's middle on a curve in Z-order of 2¹² by 2¹² cells. */
function curveKey([west, south, east, north]: LeftOutBox): number {
  const x = Math.floor((((west + east) / 2 + 540) / 1080) * 4095);
  const y = Math.floor((((south + north) / 2 + 90) / 180) * 4095);
  let key = 0;
  for (let bit = 11; bit >= 0; bit--) key = key * 4 + ((x >> bit) & 1) * 2 + ((y >> bit) & 1);
  return key;
}

/** The boxes as areas. */
export function leftOutLand(sourceName: string, boxes: readonly LeftOutBox[]): LeftOutLand {
  return {
    layer: layerOfPolygons(
      sourceName,
      boxes.map((box) => [[ringOf(box)]]),
    ),
    areas: boxes.map((box) => box[4]),
  };
}

/** Edges are short enough that none has two readings. */
function ringOf([west, south, east, north]: LeftOutBox): Float64Array {
  const steps = [0, 1 / 4, 1 / 2, 3 / 4, 1].map((share) => west + (east - west) * share);
  const northward = steps.map((longitude) => [longitude, north] as const).reverse();
  const positions = [...steps.map((longitude) => [longitude, south] as const), ...northward];
  return Float64Array.from([...positions, positions[0]!].flat());
}

/** Of each box, what its five numbers have to be. */
export const leftOutShape: Shape<readonly LeftOutBox[]> = array(
  array(number(), { min: 5, max: 5 }) as object as Shape<LeftOutBox>,
  { min: 1, max: MAX_LEFT_OUT_BOXES },
);

/** Whether five numbers are a box and a number of features. */
export function isLeftOutBox([west, south, east, north, areas]: LeftOutBox): boolean {
  return (
    Math.abs(west) <= MAX_ABSOLUTE_LONGITUDE &&
    Math.abs(east) <= MAX_ABSOLUTE_LONGITUDE &&
    Math.abs(south) <= MAX_ABSOLUTE_LATITUDE &&
    Math.abs(north) <= MAX_ABSOLUTE_LATITUDE &&
    west < east &&
    east - west <= 360 &&
    south < north &&
    Number.isSafeInteger(areas) &&
    areas > 0
  );
}
