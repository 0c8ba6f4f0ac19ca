import { EngineError } from "@groundrule/engine";
import {
  findPolygonFaults,
  prepareRings,
  repairPolygons,
  sumPolygonAreas,
  WorkMeter,
} from "@groundrule/engine/internal";
import { englishFigures } from "@groundrule/words/figures";
import { cutDecimals } from "../cut/cut-decimals.ts";
import type { FindingCode } from "../finding-codes.ts";
import { closeRing, isStraight, removeRepeatedPositions } from "../rings/clean-rings.ts";
import type { Polygons } from "../rings/grid.ts";
import { settleOnGrid, splitIntoPartsWithoutHoles } from "../rings/settle-on-grid.ts";
import type { ChangeCode } from "./change-codes.ts";

/** A change of polygons, in the terms of the input. */
export interface Step extends Places {
  readonly code: ChangeCode;
  /** Square metres of the whole before and after. */
  readonly before: number;
  readonly after: number;
}

/** How often something was found, and where first. */
export interface Places {
  readonly count: number;
  readonly first: Place;
}

/** A position of polygons, by its place in the input. */
export interface Place {
  readonly polygon: number;
  readonly ring: number;
  readonly position: number;
}

/** Why polygons stay as they are. */
export interface Unfixed {
  readonly code: FindingCode;
  readonly first: Place;
  readonly found: string;
}

/** Polygons that can be sent. */
export interface FixedPolygons {
  /**
   * Square metres of what the polygons were and are not, and of what they are and were not; of rings that were no
   * region, or were split at the antimeridian, the difference of areas.
   */
  readonly moved: number;
  /** Each can be one MultiPolygon, all together cannot: parts without holes share edges. */
  readonly groups: readonly Polygons[];
  readonly steps: readonly Step[];
}

/**
 * Polygons cut to six decimals and valid: closed, without repeated positions, right-handed, within ±180, and without
 * holes where none are taken.
 *
 * Where the cut leaves them valid, positions are those of the cut. Else the region that they mean is taken on the grid
 * (`settleOnGrid`).
 *
 * @param polygons rings of each, outer first; flat `[lon, lat, …]` in degrees, longitudes within ±540, latitudes
 *   within ±90, every polygon with a ring, every ring with a position
 */
export function fixPolygons(polygons: Polygons, takesHoles: boolean): FixedPolygons | Unfixed {
  const log = new StepLog(polygons);
  const whole = log.forEachRing("RING_CLOSED", polygons, (ring, note) => {
    const ended = closeRing(ring);
    if (ended !== ring) note(ring.length / 2 - 1);
    return ended;
  });
  const cut = log.forEachRing("COORDINATES_CUT", whole, cutRingDecimals);
  const single = log.forEachRing("POSITION_DROPPED", cut, removeRepeatedPositions);
  const kept = log.keep("RING_DROPPED", single, (ring) => !isStraight(ring));
  if (kept.length === 0) return log.nothingLeft();

  const crossing = kept.flat().filter(passesHalfTurn);
  const fault = findFirstFault(kept);
  if (fault === "GEOMETRY_TOO_COMPLEX") return log.unfixed(fault);
  if (fault === undefined && crossing.length === 0) {
    const prepared = prepareRings(kept);
    const turned = prepared.polygons.flatMap((rings, p) => rings.filter((ring, r) => ring !== kept[p]?.[r]));
    const isDissolved = prepared.mended.some(({ code }) => code === "SHARED_EDGE_DISSOLVED");
    const first = log.placeOf(kept[0]![0]!);
    if (isDissolved) log.add("EDGE_DISSOLVED", { count: 1, first }, prepared.polygons);
    else if (turned.length > 0) log.add("WINDING_TURNED", { count: turned.length, first }, prepared.polygons);
    return finish(prepared.polygons);
  }

  const settled = settleOnGrid(kept);
  if (typeof settled === "string") return log.unfixed(settled);
  if (settled.length === 0) return log.nothingLeft();
  if (fault !== undefined) {
    const first = { ...log.placeOf(kept[fault.polygon]![fault.ring]!), position: fault.position };
    const wasValid = findFirstFault(whole) === undefined;
    log.add(wasValid ? "CUT_REPAIRED" : "REGION_REPAIRED", { count: 1, first }, settled);
  }
  if (crossing.length > 0) {
    log.add("ANTIMERIDIAN_SPLIT", { count: crossing.length, first: log.placeOf(crossing[0]!) }, settled);
  }
  return finish(settled);

  function finish(valid: Polygons): FixedPolygons | Unfixed {
    const holed = valid.filter((rings) => rings.length > 1);
    if (takesHoles || holed.length === 0)
      return { groups: [valid], steps: log.steps, moved: log.moved(whole, valid) };
    const groups = splitIntoPartsWithoutHoles(valid);
    if (groups === undefined) return log.unfixed("HOLE_UNSUPPORTED");
    const count = holed.reduce((sum, rings) => sum + rings.length - 1, 0);
    const first = log.placeOf(kept.find((rings) => rings.length > 1)?.[1] ?? kept[0]![0]!);
    log.add("HOLES_SPLIT", { count, first }, groups.flat());
    return { groups, steps: log.steps, moved: log.moved(whole, groups.flat()) };
  }
}

function cutRingDecimals(ring: Float64Array, note: (position: number) => void): Float64Array {
  return ring.map((degrees, i) => {
    const shorter = cutDecimals(degrees, DECIMALS);
    // A position counts once, by whichever of its numbers is cut first.
    if (shorter !== degrees && (i % 2 === 0 || cutDecimals(ring[i - 1]!, DECIMALS) === ring[i - 1]))
      note(i >> 1);
    return shorter;
  });
}

/** Steps that move no border. */
const KEEPS_LAND: ReadonlySet<ChangeCode> = new Set<ChangeCode>([
  "RING_CLOSED",
  "POSITION_DROPPED",
  "WINDING_TURNED",
  "EDGE_DISSOLVED",
]);

/** Decimals of the grid that polygons are settled on. */
const DECIMALS = 6;

/** One fault shows that the grid is needed. Anything that is too much work for an answer is too much here. */
function findFirstFault(
  polygons: Polygons,
): ReturnType<typeof findPolygonFaults>[number] | "GEOMETRY_TOO_COMPLEX" | undefined {
  try {
    return findPolygonFaults(polygons, { limit: 1, meter: new WorkMeter() })[0];
  } catch (error) {
    if (error instanceof EngineError && error.code === "GEOMETRY_TOO_COMPLEX") return error.code;
    throw error;
  }
}

/** True if a ring passes ±180, by its longitudes or by an edge that jumps there. */
function passesHalfTurn(ring: Float64Array): boolean {
  return ring.some(
    (degrees, i) =>
      i % 2 === 0 && (Math.abs(degrees) > 180 || Math.abs(degrees - (ring[i + 2] ?? degrees)) > 180),
  );
}

/** Steps done on polygons, with their area before and after each. */
class StepLog {
  readonly steps: Step[] = [];
  /** Place in the input of each present ring. */
  readonly #places = new Map<Float64Array, Place>();
  readonly #sent: number;
  #area: number;

  constructor(polygons: Polygons) {
    polygons.forEach((rings, polygon) => {
      for (const [ring, xy] of rings.entries()) this.#places.set(xy, { polygon, ring, position: 0 });
    });
    this.#sent = this.#area = sumPolygonAreas(polygons.map((rings) => rings.map(closeRing)));
  }

  placeOf(ring: Float64Array): Place {
    return this.#places.get(ring) ?? { polygon: 0, ring: 0, position: 0 };
  }

  /** Puts down a step; `polygons` are what it left. */
  add(code: ChangeCode, places: Places, polygons: Polygons): void {
    const before = this.#area;
    this.#area = sumPolygonAreas(polygons);
    this.steps.push({ code, ...places, before, after: this.#area });
  }

  /** Changes each ring, and puts down one step where there was anything to note. */
  forEachRing(
    code: ChangeCode,
    polygons: Polygons,
    change: (ring: Float64Array, note: (position: number) => void) => Float64Array,
  ): Float64Array[][] {
    let count = 0;
    let first: Place | undefined;
    const changed = polygons.map((rings) =>
      rings.map((ring) => {
        const place = this.placeOf(ring);
        const made = change(ring, (position) => {
          count++;
          first ??= { ...place, position };
        });
        this.#places.set(made, place);
        return made;
      }),
    );
    if (first !== undefined)
      this.add(
        code,
        { count, first },
        changed.map((rings) => rings.map(closeRing)),
      );
    return changed;
  }

  /** Leaves rings out, a whole polygon where it is its outer one. */
  keep(code: ChangeCode, polygons: Polygons, isKept: (ring: Float64Array) => boolean): Polygons {
    const dropped = polygons.flatMap((rings) => {
      const isWhole = isKept(rings[0]!);
      return isWhole ? rings.filter((ring) => !isKept(ring)) : rings;
    });
    if (dropped.length === 0) return polygons;
    const kept = polygons.filter((rings) => isKept(rings[0]!)).map((rings) => rings.filter(isKept));
    if (kept.length > 0) this.add(code, { count: dropped.length, first: this.placeOf(dropped[0]!) }, kept);
    return kept;
  }

  /** Square metres that two regions do not share. */
  moved(before: Polygons, after: Polygons): number {
    if (this.steps.every(({ code }) => KEEPS_LAND.has(code))) return 0;
    // Rings that were no region, or lie on the other side of the antimeridian, have nothing to be compared with.
    const isComparable = !this.steps.some(
      ({ code }) => code === "ANTIMERIDIAN_SPLIT" || code === "REGION_REPAIRED",
    );
    if (!isComparable) return Math.abs(this.#area - this.#sent);
    const both = sumPolygonAreas(repairPolygons([...before, ...after]));
    return Math.max(0, 2 * both - sumPolygonAreas(before) - sumPolygonAreas(after));
  }

  nothingLeft(): Unfixed {
    return this.unfixed(this.#sent > 0 ? "CUT_COLLAPSES_RING" : "RING_STRAIGHT");
  }

  unfixed(code: FindingCode): Unfixed {
    return {
      code,
      first: { polygon: 0, ring: 0, position: 0 },
      found: `${englishFigures.area(this.#sent)} as it came`,
    };
  }
}
