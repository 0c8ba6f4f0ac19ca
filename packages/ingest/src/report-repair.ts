import type { PreparedArea } from "@groundrule/engine/build";
import { describeRepairLoss } from "@groundrule/engine/internal";
import type { RepairedArea, Where } from "./report.ts";

/** Number of faults of a repaired area in the report; it counts them all. */
const FAULTS_SHOWN = 3;

/** The entry of a report for an area that was repaired. */
export function buildRepairedArea(
  area: PreparedArea,
  where: Where,
  id: string,
  name: string | null,
): RepairedArea {
  const { faults, squareMetersBefore, squareMetersAfter, loss } = area;
  if (squareMetersBefore === undefined || squareMetersAfter === undefined) {
    throw new Error("a repair without its change of area");
  }
  return {
    ...where,
    id,
    name,
    fault_count: faults.length,
    faults: faults.slice(0, FAULTS_SHOWN).map(({ code, message, polygon, ring, position, coordinate }) => {
      return { code, message, polygon, ring, position, coordinate };
    }),
    area_before_m2: squareMetersBefore,
    area_after_m2: squareMetersAfter,
    ...(loss !== undefined && { loss: describeRepairLoss(loss, area) }),
  };
}
