import {
  describeValue,
  exactKernel,
  findSmallPlotProblem,
  sumPolygonAreas,
} from "@groundrule/engine/internal";
import { englishFigures } from "@groundrule/words/figures";
import { type StatedArea, statedArea, toHectares } from "../columns/area-column.ts";
import type { Profile } from "../profiles/profile.ts";
import { computeRingPointer } from "./check-geometry.ts";
import type { CheckPlotsOptions } from "./check-options.ts";
import type { ExaminedGeometry } from "./examined-geometry.ts";
import { type PlotFindings, toPropertyPointer } from "./plot-findings.ts";

/** A declared area is reported if it is off by more than this share of the measured one, and by more than this much. */
const TOLERATED_SHARE = 0.1;
const TOLERATED_SQUARE_METERS = 100;

const POINTER = "/properties/Area";
const M2_PER_HECTARE = 10_000;

/** Reports faults of the area that a plot states, in whatever column, or of a point that states none. */
export function checkStatedArea(
  properties: Readonly<Record<string, unknown>>,
  geometries: readonly ExaminedGeometry[],
  options: CheckPlotsOptions,
  findings: PlotFindings,
): void {
  const isPoint = geometries.some(({ read }) => read.dimension === "point");
  const position = isPoint ? findFirstPosition(geometries) : undefined;
  const stated = statedArea(properties);
  const { profile } = options;
  if (profile === undefined) {
    if (stated?.hectares !== undefined && stated.hectares > 0 && !isPoint) {
      checkAreaAgainstGeometry(stated, geometries, options, findings);
    }
    return;
  }
  if (stated === undefined) {
    if (isPoint) {
      const assumed = `${profile.assumedPointHectares} ha`;
      findings.add("POINT_WITHOUT_AREA", POINTER, {
        found: `no Area, so the system assumes ${assumed}`,
        expected: "hectares",
        position,
      });
    }
    return;
  }
  const { column, value, hectares: area } = stated;
  if (column !== "Area") {
    reportMisspeltAreaColumn(stated, isPoint, findings);
    if (area === undefined) return;
  }
  if (area === undefined || !Number.isFinite(area)) {
    const hectares = typeof value === "string" ? Number(value.trim().replace(",", ".")) : Number.NaN;
    findings.add("AREA_NOT_NUMBER", POINTER, {
      found: describeValue(value),
      expected: "a number of hectares",
      ...(hectares > 0 && { mend: `Write ${hectares}, without quotation marks.` }),
    });
    return;
  }
  if (area < profile.leastHectares) {
    findings.add("AREA_TOO_SMALL", toPropertyPointer(column), {
      found: formatFoundArea(stated),
      expected: `${profile.leastHectares} ha or more`,
    });
    return;
  }
  if (isPoint) checkPointArea(stated, profile, options.commodity, position, findings);
  else checkAreaAgainstGeometry(stated, geometries, options, findings);
}

/** Finds a plot of polygons that is too small to be evaluated, its parts taken together. */
export function checkPlotSize(geometries: readonly ExaminedGeometry[], findings: PlotFindings): void {
  const polygons = geometries.flatMap(({ plot, faults }) =>
    plot?.dimension === "polygon" && faults.length === 0 ? [plot] : [],
  );
  const [first] = polygons;
  if (first === undefined || polygons.length < geometries.length) return;
  let squareMeters = 0;
  for (const { xy, ringStarts, polygonStarts } of polygons) {
    const rings = Array.from(ringStarts.subarray(1), (end, i) => xy.subarray(2 * ringStarts[i]!, 2 * end));
    const parts = Array.from(polygonStarts.subarray(1), (end, i) => rings.slice(polygonStarts[i], end));
    squareMeters += sumPolygonAreas(parts);
  }
  const problem = findSmallPlotProblem(first, squareMeters);
  if (problem === undefined) return;
  const { guess, ...details } = problem;
  const mend = guess.charAt(0).toUpperCase() + guess.slice(1);
  const position: [number, number] = [first.xy[0]!, first.xy[1]!];
  findings.add("PLOT_TOO_SMALL", "/geometry", { ...details, mend: `${mend}.`, position, squareMeters });
}

/**
 * Reports an area column under another name. Without it the system assumes an area for a point, and measures a
 * polygon.
 */
function reportMisspeltAreaColumn(stated: StatedArea, isPoint: boolean, findings: PlotFindings): void {
  const { column, unit, value } = stated;
  const hectares = toHectares(stated);
  findings.add("MEMBER_MISSPELT", toPropertyPointer(column), {
    severity: isPoint ? "error" : "warning",
    found: `the property ${JSON.stringify(column)}, in ${unit.name}`,
    expected: '"Area", in hectares',
    mend:
      hectares === undefined
        ? 'Write it as "Area", a number of hectares.'
        : hectares === value
          ? 'Rename it "Area".'
          : `Write it as "Area": ${hectares}.`,
  });
}

function checkPointArea(
  stated: StatedArea,
  { greatestPointHectares, commoditiesOfAnyPoint }: Profile,
  commodity: string | undefined,
  position: [number, number] | undefined,
  findings: PlotFindings,
): void {
  const area = stated.hectares!;
  if (area <= greatestPointHectares || commoditiesOfAnyPoint.includes(commodity ?? "")) return;
  findings.add("POINT_TOO_LARGE", toPropertyPointer(stated.column), {
    found: `a point of ${formatFoundArea(stated)}`,
    expected: `${greatestPointHectares} ha or less`,
    position,
    squareMeters: area * M2_PER_HECTARE,
  });
}

/** `3 ha`; in another unit or column with both. */
function formatFoundArea({ column, unit, value, hectares }: StatedArea): string {
  if (column === "Area") return `${hectares} ha`;
  return unit.name === "ha"
    ? `${hectares} ha in ${JSON.stringify(column)}`
    : `${value} ${unit.name} in ${JSON.stringify(column)}, which is ${Number(hectares!.toFixed(4))} ha`;
}

/** Nothing is compared where a part of the plot could not be measured. */
function checkAreaAgainstGeometry(
  stated: StatedArea,
  geometries: readonly ExaminedGeometry[],
  { meter }: CheckPlotsOptions,
  findings: PlotFindings,
): void {
  if (geometries.length === 0 || geometries.some(({ plot }) => plot === undefined)) return;
  // At a place where the plot does not lie its area is another.
  if (findings.has("AXES_SWAPPED")) return;
  const area = stated.hectares!;
  let measured = 0;
  for (const { plot } of geometries) measured += exactKernel.bind(plot!, meter).areaSquareMeters;
  const difference = area * M2_PER_HECTARE - measured;
  const tolerated = Math.max(TOLERATED_SHARE * measured, TOLERATED_SQUARE_METERS);
  if (Math.abs(difference) <= tolerated) return;
  findings.add("AREA_DIFFERS", toPropertyPointer(stated.column), {
    found: formatFoundArea(stated),
    expected: `${englishFigures.decimal(measured / M2_PER_HECTARE, 4, [area])} ha, as measured on the ellipsoid`,
    squareMeters: difference,
  });
}

/** Reports holes, which a profile does not accept. */
export function reportHoles({ read }: ExaminedGeometry, findings: PlotFindings): void {
  if (read.dimension !== "polygon") return;
  read.parts.forEach((rings, part) => {
    for (let ring = 1; ring < rings.length; ring++) {
      const xy = rings[ring]!;
      const squareMeters = read.faults.length > 0 ? undefined : sumPolygonAreas([[xy]]);
      findings.add("HOLE_UNSUPPORTED", computeRingPointer(read, part, ring), {
        found: `a hole${squareMeters === undefined ? "" : ` of ${englishFigures.area(squareMeters)}`}`,
        expected:
          "an outer ring only: the system does not support holes (§9.2) or counts them as land (§9.5 no. 15)",
        position: [xy[0]!, xy[1]!],
        ...(squareMeters !== undefined && { squareMeters }),
      });
    }
  });
}

/** A position of the plot; undefined where none could be read. */
export function findFirstPosition(geometries: readonly ExaminedGeometry[]): [number, number] | undefined {
  const xy = geometries[0]?.read.parts[0]?.[0];
  return xy === undefined ? undefined : [xy[0]!, xy[1]!];
}
