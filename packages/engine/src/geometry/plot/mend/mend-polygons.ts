import type { WorkMeter } from "../../../base/work-meter.ts";
import { intersectEvenOdd } from "../../noding/even-odd.ts";
import { isCounterClockwise, reverseRing, withoutRepeats } from "../../noding/mend-rings.ts";
import type { Warning } from "../plot.ts";
import { formatPositionCount } from "../read-geojson.ts";

/** Parts in the form kernels work on, with a warning a kind of mend. */
export interface MendedParts {
  readonly polygons: readonly (readonly Float64Array[])[];
  readonly warnings: readonly Warning[];
}

/**
 * Gives valid polygons the form kernels work on, without changing the region: repeated positions are
 * left out, outer rings wind counter-clockwise and holes clockwise, and edges that two rings share
 * are dissolved. Such an edge (neighbouring parts, a hole that reaches the shore) has the region on
 * both sides or on neither; kept as boundary it would make a plot across it look uncovered.
 *
 * @param parts polygons in which `findFaults` finds no fault, rings closed
 * @param options.sharedStretches as `examineRings` counts them
 * @param options.pointer JSON pointer of the geometry, for the warnings: one a kind, with a count
 *
 * Fails: `GEOMETRY_TOO_COMPLEX` where dissolving takes more work than is left.
 */
export function mendPolygons(
  parts: readonly (readonly Float64Array[])[],
  options: {
    readonly sharedStretches: number;
    readonly pointer: string;
    readonly meter?: WorkMeter | undefined;
  },
): MendedParts {
  const { sharedStretches, pointer, meter } = options;
  let repeats = 0;
  let turned = 0;
  const polygons = parts.map((rings) =>
    rings.map((ring, r) => {
      const distinct = withoutRepeats(ring);
      repeats += (ring.length - distinct.length) / 2;
      if (isCounterClockwise(distinct) === (r === 0)) return distinct;
      turned++;
      return reverseRing(distinct);
    }),
  );
  const warnings = [...buildRepeatWarnings(pointer, repeats), ...buildWindingWarnings(pointer, turned)];
  if (sharedStretches === 0) return { polygons, warnings };
  warnings.push({
    pointer,
    code: "SHARED_EDGE_DISSOLVED",
    message: `${formatCount(sharedStretches, "stretch", "stretches")} of edges that rings share ${sharedStretches === 1 ? "was" : "were"} removed: shared edges bound no area`,
  });
  // Parts have disjoint interiors, so the even-odd region of all rings is their union.
  return {
    polygons: intersectEvenOdd([polygons.flat()], { meter }),
    warnings,
  };
}

/** Leaves repeated positions out of lines. */
export function mendLines(parts: readonly (readonly Float64Array[])[], pointer: string): MendedParts {
  let repeats = 0;
  const polygons = parts.map((lines) =>
    lines.map((line) => {
      const distinct = withoutRepeats(line);
      repeats += (line.length - distinct.length) / 2;
      return distinct;
    }),
  );
  return { polygons, warnings: buildRepeatWarnings(pointer, repeats) };
}

/** Warnings about repeated positions that were left out. */
function buildRepeatWarnings(pointer: string, repeats: number): Warning[] {
  if (repeats === 0) return [];
  const message = `${formatPositionCount(repeats)} that ${repeats === 1 ? "repeats" : "repeat"} the position before ${repeats === 1 ? "was" : "were"} removed`;
  return [{ pointer, code: "REPEATED_POSITION", message }];
}

/** Warnings about rings whose winding was reversed. */
export function buildWindingWarnings(pointer: string, turned: number): Warning[] {
  if (turned === 0) return [];
  const message = `the winding of ${formatCount(turned, "ring")} was reversed: outer rings are counter-clockwise, holes clockwise (RFC 7946)`;
  return [{ pointer, code: "WINDING_REVERSED", message }];
}

/** "1 ring", "7 rings". */
export function formatCount(number: number, one: string, many: string = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
