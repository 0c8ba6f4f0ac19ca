import { EngineError } from "../../../base/errors.ts";
import type { WorkMeter } from "../../../base/work-meter.ts";
import { sumPolygonAreas } from "../../earth/authalic.ts";
import { toPositions } from "../../earth/to-positions.ts";
import { closeRing } from "../../noding/mend-rings.ts";
import {
  halveJumpingEdges,
  reachBeyondOneTurn,
  takeShortWay,
  takeShortWayOfLines,
  turnPolygonsTogether,
} from "../longitude-jumps.ts";
import { polygonGeometry } from "../plot.ts";
import type { ReadGeometry } from "../read-geojson.ts";
import { examineRings } from "../validity/validity.ts";
import { mendPolygons } from "./mend-polygons.ts";
import { repairPolygons } from "./repair.ts";

type Polygons = readonly (readonly Float64Array[])[];

/** The geometry with its jumps taken the short way, repaired where that leaves faults. */
export function proposeShortWay(read: ReadGeometry, meter: WorkMeter): Readonly<Record<string, unknown>> {
  if (read.dimension === "line") {
    const lines = halveJumpingEdges(takeShortWayOfLines(read.parts)).flat().map(toPositions);
    return {
      repaired:
        lines.length === 1
          ? { type: "LineString", coordinates: lines[0]! }
          : { type: "MultiLineString", coordinates: lines },
      area_change_m2: 0,
    };
  }
  const asSent = read.parts.map((rings) => rings.map(closeRing));
  return proposeWithinWork(() => {
    const taken = takeShortWay(asSent, { meter });
    if (taken === undefined) return {};
    if (examineRings(taken, { meter }).faults.length > 0) {
      return proposeRepair(meter, taken, asSent);
    }
    const wound = mendPolygons(taken, { sharedStretches: 0, pointer: "" }).polygons;
    return buildRepairProposal(wound, asSent);
  });
}

/** The repaired geometry with its change of area, or nothing where there is none within the limits. */
export function proposeRepair(
  meter: WorkMeter,
  polygons: Polygons,
  asSent: Polygons = polygons,
): Readonly<Record<string, unknown>> {
  return proposeWithinWork(() =>
    buildRepairProposal(repairPolygons(turnPolygonsTogether(polygons), { meter }), asSent),
  );
}

function proposeWithinWork(
  propose: () => Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  try {
    return propose();
  } catch (error) {
    if (error instanceof EngineError && error.code === "GEOMETRY_TOO_COMPLEX") return {};
    throw error;
  }
}

function buildRepairProposal(repaired: Polygons, asSent: Polygons): Readonly<Record<string, unknown>> {
  // A ring that runs on round the earth cannot be proposed: no plot may reach so far.
  if (repaired.length === 0 || reachBeyondOneTurn(repaired)) return {};
  return {
    repaired: polygonGeometry(halveJumpingEdges(repaired).map((rings) => rings.map(toPositions))),
    area_change_m2: sumPolygonAreas(repaired) - sumPolygonAreas(asSent),
  };
}
