import { IF_MEANT } from "../check/check-members.ts";
import { FINDINGS, type FindingCode } from "../finding-codes.ts";
import type { PlotFinding } from "../plot-finding.ts";

/** Errors that are gone once their plot is fixed. */
const MENDED: ReadonlySet<FindingCode> = new Set<FindingCode>([
  "LINE_CLOSED",
  "COLLECTION",
  "GEOMETRY_MALFORMED",
  "LONGITUDE_BEYOND_180",
  "LONGITUDE_SPAN",
  "LONGITUDE_JUMP",
  "RING_NOT_CLOSED",
  "RING_SELF_CROSSING",
  "RING_SELF_TOUCH",
  "RING_SELF_OVERLAP",
  "RINGS_CROSS",
  "HOLE_OUTSIDE_SHELL",
  "HOLES_OVERLAP",
  "INTERIOR_DISCONNECTED",
  "PARTS_OVERLAP",
  "REPEATED_POSITION",
  "AXES_SWAPPED",
  "HOLE_UNSUPPORTED",
  "CUT_BREAKS_RING",
  "CUT_REPEATS_POSITION",
  "MEMBER_MISSPELT",
]);

/** Errors of a value that {@link fixPlot} rewrites where it can mean one thing alone. */
const REWRITTEN: ReadonlySet<FindingCode> = new Set<FindingCode>(["AREA_NOT_NUMBER", "COUNTRY_CODE_INVALID"]);

/** True if the finding is one that {@link fixPlot} mends, so that another check of the fixed plot has it no more. */
export function isMendedByFixing({ code, mend }: Pick<PlotFinding, "code" | "mend">): boolean {
  if (mend.endsWith(IF_MEANT)) return false;
  return MENDED.has(code) || (REWRITTEN.has(code) && mend !== FINDINGS[code].mend);
}
