import { toPlot } from "@groundrule/testing/shapes";
import type { BoundPlot, Kernel, OverlapHit } from "../src/geometry/kernel/kernel.ts";
import type { Region } from "../src/geometry/overlap/region.ts";
import type { Plot } from "../src/geometry/plot/plot.ts";
import type { AreaLayer } from "../src/geometry/trees/layer.ts";

/** `[west, south, east, north]` in thousandths of a degree. */
export type Box = readonly [west: number, south: number, east: number, north: number];

/** Metres of a degree at the equator, along it and across it. */
const METERS = [111_319.49, 110_574.27] as const;

/**
 * A kernel for plots and areas that are sets of boxes near the equator, on a plane: it cuts the plane
 * along every edge there is and counts cells. Exact of its kind, and nothing it does is shared with
 * the kernels it stands in for.
 */
export const planarKernel: Kernel = {
  name: "default",
  semantics: 1,
  surface: {
    fit(series, centerDegrees) {
      series.centerDegrees = centerDegrees;
      series.degree = 1;
      series.terms[1] = (METERS[0] * METERS[1]) / 2;
    },
    zoneDifference: (from, to) => (to - from) * METERS[0] * METERS[1],
  },
  areaSquareMeters: (layer, area) =>
    measureSquareMeters([listAreaBoxes(layer, area)], ([inside]) => inside === true),
  bind: (plot) => bindPlanarPlot(plot),
};

/** A plot made of boxes that do not overlap. */
export function makePlanarPlot(boxes: readonly Box[]): Plot {
  return toPlot(boxes.map((box) => [makeBoxRing(box)]));
}

/** The closed counter-clockwise ring of a box, in degrees. */
export function makeBoxRing([west, south, east, north]: Box): Float64Array {
  const corners = [west, south, east, south, east, north, west, north, west, south];
  return Float64Array.from(corners, (coordinate) => coordinate / 1000);
}

function bindPlanarPlot(plot: Plot): BoundPlot {
  const own: Box[] = [];
  for (let ring = 0; ring + 1 < plot.ringStarts.length; ring++)
    own.push(readRingBox(plot.xy, plot.ringStarts[ring]!));
  const shared = (layer: AreaLayer, area: number) =>
    measureSquareMeters(
      [own, listAreaBoxes(layer, area)],
      ([inPlot, inArea]) => inPlot === true && inArea === true,
    );
  const distance = (layer: AreaLayer, area: number) => measureBoxDistance(own, listAreaBoxes(layer, area));
  const areaSquareMeters = measureSquareMeters([own], ([inside]) => inside === true);
  return {
    plot,
    areaSquareMeters,
    intersections: (layer, isWanted = () => true) =>
      listAreaIndices(layer)
        .filter(isWanted)
        .filter((area) => distance(layer, area) === 0)
        .map((area): OverlapHit => {
          const overlapSquareMeters = shared(layer, area);
          return { area, overlapSquareMeters, overlapRatio: overlapSquareMeters / areaSquareMeters };
        }),
    relation: (layer, area) => {
      const boxes = listAreaBoxes(layer, area);
      return {
        touches: distance(layer, area) === 0 && shared(layer, area) === 0,
        covers:
          measureSquareMeters([own, boxes], ([inPlot, inArea]) => inPlot === true && inArea === false) === 0,
        coveredBy:
          measureSquareMeters([own, boxes], ([inPlot, inArea]) => inArea === true && inPlot === false) === 0,
      };
    },
    distances: (layer, maxMeters) =>
      listAreaIndices(layer)
        .map((area) => ({ area, distanceMeters: distance(layer, area) }))
        .filter(({ distanceMeters }) => distanceMeters <= maxMeters),
    nearestMeters: (layer, maxMeters, isWanted, to) => {
      const measure = to === "area" ? measureBoxDistance : metersBetweenEdges;
      const wanted = listAreaIndices(layer).filter(isWanted);
      const least = Math.min(Infinity, ...wanted.map((area) => measure(own, listAreaBoxes(layer, area))));
      return least <= maxMeters ? least : Infinity;
    },
    regionSquareMeters: (region) => {
      const shapes = [own];
      const contains = createMembershipTest(region, shapes);
      return measureSquareMeters(shapes, (inside) => inside[0] === true && contains(inside));
    },
    overlapGeometry: () => null,
  };
}

/** Adds a region's areas to the shapes, and tells from a cell's membership in them whether it is inside. */
function createMembershipTest(region: Region, shapes: Box[][]): (inside: readonly boolean[]) => boolean {
  if (region.op === "areas") {
    const places = region.areas.map(({ layer, area }) => shapes.push(listAreaBoxes(layer, area)) - 1);
    return (inside) => places.some((place) => inside[place] === true);
  }
  if (region.op === "plot") return (inside) => inside[0] === true;
  const operands = region.operands.map((operand) => createMembershipTest(operand, shapes));
  const [first, ...others] = operands;
  switch (region.op) {
    case "union":
      return (inside) => operands.some((contains) => contains(inside));
    case "intersection":
      return (inside) => operands.every((contains) => contains(inside));
    case "difference":
      return (inside) => first?.(inside) === true && !others.some((contains) => contains(inside));
  }
}

/** Square metres that boxes cover together. */
export function measureBoxesSquareMeters(boxes: readonly Box[]): number {
  return measureSquareMeters([boxes], ([inside]) => inside === true);
}

function measureSquareMeters(
  shapes: readonly (readonly Box[])[],
  counts: (inside: readonly boolean[]) => boolean,
): number {
  const boxes = shapes.flat();
  const xs = sortDistinct(boxes.flatMap(([west, , east]) => [west, east]));
  const ys = sortDistinct(boxes.flatMap(([, south, , north]) => [south, north]));
  let sum = 0;
  for (let i = 1; i < xs.length; i++) {
    for (let j = 1; j < ys.length; j++) {
      const x = (xs[i - 1]! + xs[i]!) / 2;
      const y = (ys[j - 1]! + ys[j]!) / 2;
      const inside = shapes.map((shape) =>
        shape.some(([west, south, east, north]) => west < x && x < east && south < y && y < north),
      );
      if (counts(inside)) sum += (xs[i]! - xs[i - 1]!) * METERS[0] * (ys[j]! - ys[j - 1]!) * METERS[1];
    }
  }
  return sum / 1e6;
}

function measureBoxDistance(a: readonly Box[], b: readonly Box[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const one of a) {
    for (const other of b) {
      const dx = Math.max(0, other[0] - one[2], one[0] - other[2]) / 1000;
      const dy = Math.max(0, other[1] - one[3], one[1] - other[3]) / 1000;
      least = Math.min(least, Math.hypot(dx * METERS[0], dy * METERS[1]));
    }
  }
  return least;
}

/** Metres between the edges of boxes: where one lies within the other, from side to side. */
function metersBetweenEdges(a: readonly Box[], b: readonly Box[]): number {
  const within = ([west, south, east, north]: Box, outer: Box) => [
    (west - outer[0]) * METERS[0],
    (outer[2] - east) * METERS[0],
    (south - outer[1]) * METERS[1],
    (outer[3] - north) * METERS[1],
  ];
  let least = measureBoxDistance(a, b);
  if (least > 0) return least;
  least = Number.POSITIVE_INFINITY;
  for (const one of a) {
    for (const other of b) {
      const gaps = [within(one, other), within(other, one)].find((found) => found.every((gap) => gap > 0));
      least = Math.min(
        least,
        gaps === undefined ? measureBoxDistance([one], [other]) : Math.min(...gaps) / 1000,
      );
    }
  }
  return least;
}

function listAreaBoxes(layer: AreaLayer, area: number): Box[] {
  const boxes: Box[] = [];
  const [first, end] = [layer.areaRings[area]!, layer.areaRings[area + 1]!];
  for (let ring = first; ring < end; ring++) {
    const [start, next] = [layer.ringStarts[ring]!, layer.ringStarts[ring + 1]!];
    if (next - start !== 5 || layer.ringRoles[ring] === 1) return splitOutlineIntoBoxes(layer, area);
    boxes.push(readRingBox(layer.xy, start));
  }
  return boxes;
}

/** The boxes between the parallels of the corners of rings whose edges run east, north, west or south. */
function splitOutlineIntoBoxes(layer: AreaLayer, area: number): Box[] {
  const uprights: (readonly [x: number, south: number, north: number])[] = [];
  const last = layer.ringStarts[layer.areaRings[area + 1]!]!;
  for (let i = layer.ringStarts[layer.areaRings[area]!]!; i + 1 < last; i++) {
    const [x, y, u, v] = [0, 1, 2, 3].map((k) => roundToMillionths(layer.xy[2 * i + k]! * 1000)) as [
      number,
      number,
      number,
      number,
    ];
    const isEnd = layer.ringStarts.includes(i + 1);
    if (!isEnd && x === u && y !== v) uprights.push([x, Math.min(y, v), Math.max(y, v)]);
  }
  const parallels = sortDistinct(uprights.flatMap(([, south, north]) => [south, north]));
  return parallels.slice(1).flatMap((north, i): Box[] => {
    const south = parallels[i]!;
    const crossed = uprights.filter((one) => one[1] <= south && one[2] >= north).map(([x]) => x);
    crossed.sort((a, b) => a - b);
    return crossed.flatMap((x, k): Box[] => (k % 2 === 0 ? [[x, south, crossed[k + 1]!, north]] : []));
  });
}

function roundToMillionths(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** The box of the five positions from `start`, in whole thousandths as they were given. */
function readRingBox(xy: Float64Array, start: number): Box {
  const [xs, ys] = [0, 1].map((k) =>
    [0, 1, 2, 3].map((i) => roundToMillionths(xy[2 * (start + i) + k]! * 1000)),
  );
  return [Math.min(...xs!), Math.min(...ys!), Math.max(...xs!), Math.max(...ys!)];
}

function listAreaIndices(layer: AreaLayer): number[] {
  return Array.from({ length: layer.areaCount }, (_, area) => area);
}

function sortDistinct(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
