import { areaSquareMetersOf, exactKernel } from "@groundrule/engine/build";
import { FIGURES } from "@groundrule/engine/figures";
import { describeValue } from "@groundrule/engine/shapes";
import type { Profile } from "../profiles/profile.ts";
import { type ExaminedGeometry, ringPointer } from "./check-geometry.ts";
import type { CheckPlotsOptions } from "./check-options.ts";
import type { PlotFindings } from "./plot-findings.ts";

/** A declared area is told of where it is off by more than this share of the measured one, and by more than this much. */
const TOLERATED_SHARE = 0.1;
const TOLERATED_SQUARE_METERS = 100;

const POINTER = "/properties/Area";
const PER_HECTARE = 10_000;

/** Tells what is wrong with the area that a plot declares, or with a point that declares none. */
export function checkArea(
  area: unknown,
  geometries: readonly ExaminedGeometry[],
  profile: Profile,
  options: CheckPlotsOptions,
  findings: PlotFindings,
): void {
  const isPoint = geometries.some(({ read }) => read.dimension === "point");
  const position = isPoint ? firstPosition(geometries) : undefined;
  if (area === undefined || area === null) {
    if (isPoint) {
      const assumed = `${profile.assumedPointHectares} ha`;
      findings.add("POINT_WITHOUT_AREA", POINTER, {
        found: `no Area, so ${assumed} are assumed`,
        expected: "hectares",
        position,
      });
    }
    return;
  }
  if (typeof area !== "number" || !Number.isFinite(area)) {
    const hectares = typeof area === "string" ? Number(area.trim().replace(",", ".")) : Number.NaN;
    findings.add("AREA_NOT_NUMBER", POINTER, {
      found: describeValue(area),
      expected: "a number of hectares",
      ...(hectares > 0 && { mend: `Write ${hectares}, without quotation marks.` }),
    });
    return;
  }
  if (area < profile.leastHectares) {
    findings.add("AREA_TOO_SMALL", POINTER, {
      found: `${area} ha`,
      expected: `${profile.leastHectares} ha or more`,
    });
    return;
  }
  if (isPoint) checkPoint(area, profile, options.commodity, position, findings);
  else compareAreas(area, geometries, options, findings);
}

function checkPoint(
  area: number,
  { greatestPointHectares, commoditiesOfAnyPoint }: Profile,
  commodity: string | undefined,
  position: [number, number] | undefined,
  findings: PlotFindings,
): void {
  if (area <= greatestPointHectares || commoditiesOfAnyPoint.includes(commodity ?? "")) return;
  findings.add("POINT_TOO_LARGE", POINTER, {
    found: `a point of ${area} ha`,
    expected: `${greatestPointHectares} ha or less`,
    position,
    squareMeters: area * PER_HECTARE,
  });
}

/** Nothing is compared where a part of the plot could not be measured. */
function compareAreas(
  area: number,
  geometries: readonly ExaminedGeometry[],
  { meter }: CheckPlotsOptions,
  findings: PlotFindings,
): void {
  if (geometries.length === 0 || geometries.some(({ plot }) => plot === undefined)) return;
  let measured = 0;
  for (const { plot } of geometries) measured += exactKernel.bind(plot!, meter).areaSquareMeters;
  const difference = area * PER_HECTARE - measured;
  const tolerated = Math.max(TOLERATED_SHARE * measured, TOLERATED_SQUARE_METERS);
  if (Math.abs(difference) <= tolerated) return;
  findings.add("AREA_DIFFERS", POINTER, {
    found: `${area} ha`,
    expected: `${FIGURES.en.decimal(measured / PER_HECTARE, 4, [area])} ha, as measured on the ellipsoid`,
    squareMeters: difference,
  });
}

/** Tells of holes, which a profile does not take. */
export function checkHoles({ read }: ExaminedGeometry, findings: PlotFindings): void {
  if (read.dimension !== "polygon") return;
  read.parts.forEach((rings, part) => {
    for (let ring = 1; ring < rings.length; ring++) {
      const xy = rings[ring]!;
      const squareMeters = read.faults.length > 0 ? undefined : areaSquareMetersOf([[xy]]);
      findings.add("HOLE_UNSUPPORTED", ringPointer(read, part, ring), {
        found: `a hole${squareMeters === undefined ? "" : ` of ${FIGURES.en.area(squareMeters)}`}`,
        expected: "an outer ring only: holes are unsupported (§9.2), or count as land (§9.5 no. 15)",
        position: [xy[0]!, xy[1]!],
        ...(squareMeters !== undefined && { squareMeters }),
      });
    }
  });
}

function firstPosition(geometries: readonly ExaminedGeometry[]): [number, number] | undefined {
  const xy = geometries[0]?.read.parts[0]?.[0];
  return xy === undefined ? undefined : [xy[0]!, xy[1]!];
}
