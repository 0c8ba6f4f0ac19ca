import { findPolygonFaults, type ReadGeometry } from "@groundrule/engine/internal";
import { cutDecimals } from "../cut/cut-decimals.ts";
import type { Profile } from "../profiles/profile.ts";
import { closeRing } from "../rings/clean-rings.ts";
import { computeRingPointer, forEachRepeat, isStraight } from "./check-geometry.ts";
import type { CheckPlotsOptions } from "./check-options.ts";
import type { ExaminedGeometry } from "./examined-geometry.ts";
import type { PlotFindings } from "./plot-findings.ts";

/**
 * Reports faults that a geometry has once its coordinates are cut to the decimals of a profile, and did not have
 * before. For rings that had faults before, only new repetitions are reported.
 */
export function checkDecimalCutFaults(
  { read, faults }: ExaminedGeometry,
  profile: Profile,
  { meter }: CheckPlotsOptions,
  findings: PlotFindings,
): void {
  if (read.faults.length > 0) return;
  const { decimals } = profile;
  meter?.add(CUT_STEPS * read.parts.flat().reduce((sum, ring) => sum + ring.length, 0));
  const parts = read.parts.map((rings) =>
    rings.map((ring) => ring.map((value) => cutDecimals(value, decimals))),
  );
  if (parts.every((rings, part) => rings.every((ring, r) => isSame(ring, read.parts[part]![r]!)))) return;
  const where = `after the cut to ${decimals} decimals`;
  reportNewRepeats(read, parts, where, findings);
  if (read.dimension !== "polygon") return;
  const broken = new Set(faults.map(({ polygon, ring }) => `${polygon}/${ring}`));
  const collapsed = new Set<string>();
  for (const fault of findPolygonFaults(
    parts.map((rings) => rings.map(closeRing)),
    { meter },
  )) {
    const { polygon, ring, position, code, message, coordinate } = fault;
    const key = `${polygon}/${ring}`;
    if (broken.has(key) || collapsed.has(key)) continue;
    if (code === "RING_TOO_SHORT" || (code === "RING_SELF_OVERLAP" && isStraight(parts[polygon]![ring]!))) {
      collapsed.add(key);
      findings.add("CUT_COLLAPSES_RING", computeRingPointer(read, polygon, ring), {
        found: `a ring that encloses nothing ${where}`,
        expected: "a ring that encloses land",
        position: coordinate,
      });
    } else {
      findings.add("CUT_BREAKS_RING", read.pointerOf(polygon, ring, position), {
        found: `${where}, ${message}`,
        expected: "rings that stay valid",
        position: coordinate,
      });
    }
  }
}

/** Units of work of cutting a number. */
const CUT_STEPS = 150;

function reportNewRepeats(
  read: ReadGeometry,
  parts: readonly (readonly Float64Array[])[],
  where: string,
  findings: PlotFindings,
): void {
  const before = new Set<string>();
  forEachRepeat(read, (part, ring, i) => before.add(`${part}/${ring}/${i}`));
  forEachRepeat({ dimension: read.dimension, parts }, (part, ring, i, [x, y]) => {
    if (before.has(`${part}/${ring}/${i}`)) return;
    findings.add("CUT_REPEATS_POSITION", read.pointerOf(part, ring, i), {
      found: `[${x}, ${y}] twice ${where}`,
      expected: "positions that differ",
      position: [x, y],
    });
  });
}

function isSame(one: Float64Array, other: Float64Array): boolean {
  return one.every((value, i) => value === other[i]);
}
