import { cutDecimals } from "../cut/cut-decimals.ts";
import type { Profile } from "../profiles/profile.ts";
import type { ExaminedGeometry } from "./examined-geometry.ts";
import type { PlotFindings } from "./plot-findings.ts";

/** Reports a plot none of whose coordinates has as many decimals as a profile needs. */
export function checkCoordinateDecimals(
  geometries: readonly ExaminedGeometry[],
  { decimals }: Profile,
  findings: PlotFindings,
): void {
  const rings = geometries.flatMap(({ read }) => read.parts.flat());
  if (rings.length === 0 || geometries.some(({ read }) => read.crs !== undefined)) return;
  if (rings.some((ring) => ring.some((value) => cutDecimals(value, decimals - 1) !== value))) return;
  let most = decimals - 1;
  while (most > 0 && rings.every((ring) => ring.every((value) => cutDecimals(value, most - 1) === value)))
    most--;
  findings.add("FEW_DECIMALS", geometries[0]!.pointer, {
    found:
      most === 0
        ? "whole degrees"
        : `at most ${most} ${most === 1 ? "decimal" : "decimals"} in every position`,
    expected: `${decimals} decimals`,
    position: [rings[0]![0]!, rings[0]![1]!],
  });
}
