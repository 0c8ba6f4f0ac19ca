import { sumPolygonAreas } from "@groundrule/engine/internal";
import { englishFigures } from "@groundrule/words/figures";
import type { ExaminedGeometry } from "../check/examined-geometry.ts";
import type { PlotFindings } from "../check/plot-findings.ts";
import { QUALITY } from "../quality-bounds.ts";
import { computeOffsetMeters } from "./on-the-ground.ts";

const M2_PER_HECTARE = 10_000;
const DEGREES_PER_RADIAN = 180 / Math.PI;

/**
 * Reports spikes, very short segments, and few vertices for the size: in one walk round each ring. Of a geometry whose
 * positions could not all be read nothing is reported.
 */
export function checkRingShapes(geometries: readonly ExaminedGeometry[], findings: PlotFindings): void {
  const short: ShortSegments = { count: 0, meters: QUALITY.segmentMeters, pointer: "", position: [0, 0] };
  for (const { read, faults } of geometries) {
    if (read.dimension !== "polygon" || read.faults.length > 0) continue;
    read.parts.forEach((rings, part) => {
      rings.forEach((ring, i) => {
        const vertices = listDistinctVertices(ring);
        if (vertices.length < 3) return;
        const at = (vertex: number): Place => ({
          pointer: read.pointerOf(part, i, vertex),
          position: [ring[2 * vertex]!, ring[2 * vertex + 1]!],
        });
        // A ring that runs back over itself has an error in the same place.
        const isFolded = faults.some(
          (fault) => fault.code === "RING_SELF_OVERLAP" && fault.polygon === part && fault.ring === i,
        );
        checkRingSegments(ring, vertices, at, isFolded, short, findings);
        if (i === 0) checkVertexCount(ring, vertices.length, at(vertices[0]!), findings);
      });
    });
  }
  if (short.count === 0) return;
  const { segmentMeters } = QUALITY;
  const length = `${englishFigures.decimal(1000 * short.meters, 1, [1000 * segmentMeters])} mm`;
  findings.add("SEGMENT_SHORT", short.pointer, {
    found:
      short.count === 1
        ? `a segment of ${length}`
        : `${short.count} segments, the shortest from here, of ${length}`,
    expected: `segments of ${1000 * segmentMeters} mm or more`,
    position: short.position,
    measure: { value: short.meters, bound: segmentMeters, unit: "meters" },
  });
}

interface Place {
  readonly pointer: string;
  readonly position: [number, number];
}

/** The short segments of a plot, and the first of the shortest. */
interface ShortSegments {
  count: number;
  meters: number;
  pointer: string;
  position: [number, number];
}

/** The indices of vertices that do not repeat the one before: such a repetition has a finding of its own. */
function listDistinctVertices(ring: Float64Array): number[] {
  const vertices: number[] = [];
  let count = ring.length / 2;
  const repeats = (i: number, other: number): boolean =>
    ring[2 * i] === ring[2 * other] && ring[2 * i + 1] === ring[2 * other + 1];
  // Where the ring ends is where it starts.
  while (count > 1 && repeats(count - 1, 0)) count--;
  for (let i = 0; i < count; i++) if (i === 0 || !repeats(i, i - 1)) vertices.push(i);
  return vertices;
}

function checkRingSegments(
  ring: Float64Array,
  vertices: readonly number[],
  at: (vertex: number) => Place,
  isFolded: boolean,
  short: ShortSegments,
  findings: PlotFindings,
): void {
  const count = vertices.length;
  const way = (from: number, to: number): [number, number] =>
    computeOffsetMeters(ring[2 * from]!, ring[2 * from + 1]!, ring[2 * to]!, ring[2 * to + 1]!);
  let [east, north] = way(vertices[count - 1]!, vertices[0]!);
  let before = Math.hypot(east, north);
  for (let i = 0; i < count; i++) {
    const vertex = vertices[i]!;
    const [nextEast, nextNorth] = way(vertex, vertices[(i + 1) % count]!);
    const after = Math.hypot(nextEast, nextNorth);
    const leg = Math.min(before, after);
    if (leg >= QUALITY.spike.leastMeters && !isFolded) {
      // Between the way back to the vertex before and the way on to the next.
      const cross = Math.abs(east * nextNorth - north * nextEast);
      const degrees = Math.atan2(cross, -(east * nextEast + north * nextNorth)) * DEGREES_PER_RADIAN;
      const width = cross / Math.max(before, after);
      if (degrees < QUALITY.spike.degrees && width < QUALITY.spike.widthMeters)
        reportSpike(at(vertex), degrees, width, leg, findings);
    }
    if (after < QUALITY.segmentMeters) {
      if (short.count === 0 || after < short.meters) Object.assign(short, at(vertex), { meters: after });
      short.count++;
    }
    [east, north, before] = [nextEast, nextNorth, after];
  }
}

function reportSpike(
  { pointer, position }: Place,
  degrees: number,
  width: number,
  leg: number,
  findings: PlotFindings,
): void {
  const { degrees: bound, leastMeters, widthMeters } = QUALITY.spike;
  findings.add("SPIKE", pointer, {
    found: `an angle of ${englishFigures.decimal(degrees, 2, [bound])}°, the edges ${englishFigures.decimal(width, 2, [widthMeters])} m apart after ${englishFigures.decimal(leg, 1, [leastMeters])} m`,
    expected: `${bound}° or more, or ${widthMeters} m apart or more at the end of the shorter edge`,
    position,
    measure: { value: degrees, bound, unit: "degrees" },
  });
}

function checkVertexCount(
  ring: Float64Array,
  count: number,
  { pointer, position }: Place,
  findings: PlotFindings,
): void {
  const bound = QUALITY.vertices.find(({ most }) => count <= most);
  if (bound === undefined) return;
  const squareMeters = sumPolygonAreas([[ring]]);
  if (squareMeters <= bound.hectares * M2_PER_HECTARE) return;
  findings.add("FEW_VERTICES", pointer.slice(0, pointer.lastIndexOf("/")), {
    found: `${count} vertices around ${englishFigures.decimal(squareMeters / M2_PER_HECTARE, 2, [bound.hectares])} ha`,
    expected: `more than ${bound.most} vertices above ${englishFigures.decimal(bound.hectares, 0)} ha`,
    position,
    squareMeters,
    measure: { value: squareMeters / M2_PER_HECTARE, bound: bound.hectares, unit: "hectares" },
  });
}
