import { repairPolygons } from "@groundrule/engine/internal";
import { eudr, type FixedPlot, fixPlot } from "@groundrule/plots";
import { createSeededRandom } from "@groundrule/testing/random";
import type { Polygons } from "@groundrule/testing/shapes";
import { type Geos, loadGeos } from "./geos.ts";
import { randomValidPolygons } from "./valid-polygons.ts";

/** The results of fixing random valid polygons. */
export interface FixTally {
  fixed: number;
  /** Polygons of which nothing is left on the grid; they stay unchanged. */
  collapsed: number;
  /** Symmetric difference of what was sent and what became of it, as a share of what the grid allows; the greatest. */
  greatestShare: number;
  /** Violations, one line each. */
  readonly faults: string[];
}

/** Degrees that the cut and the grid may move an edge: a unit to cut, a unit to node, in both directions. */
const REACH_DEGREES = 2 * Math.SQRT2 * 1e-6;

/**
 * Fixes random valid polygons and has GEOS examine what becomes of them. What must not be: a part that GEOS holds
 * invalid, a hole, a coordinate off the grid, a change of what was fixed already, land moved further than the grid allows.
 */
export function fixRandomPolygons(geos: Geos, seed: number, count: number): FixTally {
  const tally: FixTally = { fixed: 0, collapsed: 0, greatestShare: 0, faults: [] };
  for (let i = 0; i < count; i++) {
    const sent = randomValidPolygons(createSeededRandom(seed + i));
    const plot = { number: i + 1, id: i, geometry: toGeometry(sent), properties: {} };
    const fixed = fixPlot(plot, { profile: eudr });
    if (fixed.findings.length > 0) {
      if (fixed.findings[0]!.code === "CUT_COLLAPSES_RING") tally.collapsed++;
      else tally.faults.push(`seed ${seed + i}: ${fixed.findings[0]!.code}`);
      continue;
    }
    tally.fixed++;
    tally.faults.push(...listFixedPlotFaults(fixed, geos).map((fault) => `seed ${seed + i}: ${fault}`));
    if (geos.reasonInvalid(sent) !== undefined) continue; // GEOS cannot measure what it holds invalid
    const after = repairPolygons(fixed.plots.flatMap(({ geometry }) => toRings(geometry)));
    const share = geos.symmetricDifference(sent, after) / (REACH_DEGREES * measureBoundaryDegrees(sent));
    if (share > 1) tally.faults.push(`seed ${seed + i}: land moved ${share} of what the grid allows`);
    tally.greatestShare = Math.max(tally.greatestShare, share);
  }
  return tally;
}

function listFixedPlotFaults(fixed: FixedPlot, geos: Geos): string[] {
  const faults: string[] = [];
  for (const plot of fixed.plots) {
    const polygons = toRings(plot.geometry);
    const reason = geos.reasonInvalid(polygons);
    if (reason !== undefined) faults.push(`invalid in GEOS: ${reason}`);
    if (polygons.some((rings) => rings.length > 1)) faults.push("a hole is left");
    const isOff = (value: number): boolean => Math.round(value * 1e6) / 1e6 !== value;
    if (polygons.flat().some((ring) => ring.some(isOff))) faults.push("a coordinate is off the grid");
    const again = fixPlot(plot, { profile: eudr });
    if (again.plots[0] !== plot) faults.push(`fixed again by ${again.changes[0]?.code}`);
  }
  return faults;
}

/** Degrees along all rings, and a little for each position, which moves by itself. */
function measureBoundaryDegrees(polygons: Polygons): number {
  let sum = 0;
  for (const ring of polygons.flat()) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      sum += Math.hypot(ring[i + 2]! - ring[i]!, ring[i + 3]! - ring[i + 1]!) + REACH_DEGREES;
    }
  }
  return sum;
}

function toGeometry(polygons: Polygons): object {
  const coordinates = polygons.map((rings) =>
    rings.map((ring) => Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!])),
  );
  return { type: "MultiPolygon", coordinates };
}

function toRings(geometry: unknown): Float64Array[][] {
  const { type, coordinates } = geometry as { type: string; coordinates: unknown };
  const polygons = (type === "Polygon" ? [coordinates] : coordinates) as number[][][][];
  return polygons.map((rings) => rings.map((ring) => Float64Array.from(ring.flat())));
}

if (import.meta.main) {
  const count = Number(process.argv[2] ?? 100_000);
  const geos = await loadGeos();
  if (geos === undefined) throw new Error("geos-wasm is not installed: npm run setup");
  const { fixed, collapsed, greatestShare, faults } = fixRandomPolygons(geos, 1, count);
  console.log(
    `${count} random valid polygons: ${fixed} fixed, ${collapsed} collapse on the grid, ${faults.length} faults; ` +
      `land moved at most ${greatestShare.toFixed(3)} of length × ${REACH_DEGREES.toExponential(2)}°`,
  );
  for (const fault of faults.slice(0, 20)) console.log(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
