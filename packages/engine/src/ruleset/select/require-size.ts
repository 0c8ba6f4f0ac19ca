import { EngineError } from "../../base/errors.ts";
import type { PlotOnLayers } from "../../geometry/kernel/plot-on-layers.ts";
import type { Plot } from "../../geometry/plot/plot.ts";
import { roundSquareMeters } from "../../verdict/rounding.ts";

/** Least printed area of a plot that is evaluated, m²: that of the least disc, too. */
const LEAST_SQUARE_METERS = 1;

/**
 * Refuses a plot whose printed area, of all its parts together, is below 1 m²: nobody owns one, so the coordinates
 * are not what the sender means.
 *
 * Fails: `GEOMETRY_INVALID` with `PLOT_TOO_SMALL` and a guess at the cause.
 */
export function requirePlotSize({
  plot,
  areaSquareMeters,
}: Pick<PlotOnLayers, "plot" | "areaSquareMeters">): void {
  const problem = findSmallPlotProblem(plot, areaSquareMeters);
  if (problem === undefined) return;
  const { found, expected, guess } = problem;
  const message = `found ${found}, expected ${expected}: ${guess}`;
  const faults = [{ pointer: "/geometry", code: "PLOT_TOO_SMALL", message }];
  throw new EngineError("GEOMETRY_INVALID", message, {
    faults,
    area_m2: roundSquareMeters(areaSquareMeters),
  });
}

/** The problem of a plot that is too small to be evaluated; undefined of any other. */
export function findSmallPlotProblem(
  plot: Pick<Plot, "xy" | "bbox">,
  squareMeters: number,
): { readonly found: string; readonly expected: string; readonly guess: string } | undefined {
  if (roundSquareMeters(squareMeters) >= LEAST_SQUARE_METERS) return undefined;
  const [west, south, east, north] = plot.bbox;
  const degrees = (extent: number): string => String(Number(extent.toPrecision(3)));
  return {
    found: `a plot of ${roundSquareMeters(squareMeters)} m², ${degrees(east - west)}° wide and ${degrees(north - south)}° high`,
    expected: `at least ${LEAST_SQUARE_METERS} m²`,
    guess: guessSmallPlotCause(plot),
  };
}

/** Around longitude and latitude 0, where there is no land: offsets and scaled coordinates lie there. */
const NEAR_NULL_DEGREES = 0.01;
/** Coordinates of more decimals than this are not rounded to steps of metres. */
const ROUNDED_DECIMALS = 5;
/** Metres of a degree of latitude. */
const METERS_A_DEGREE = 111_000;

function guessSmallPlotCause({ xy, bbox }: Pick<Plot, "xy" | "bbox">): string {
  if (bbox.every((edge) => edge > -NEAR_NULL_DEGREES && edge < NEAR_NULL_DEGREES))
    return 'it lies at 0, 0; are its coordinates offsets, or those of a projected CRS, scaled? Send longitude and latitude, or name the CRS as "crs"';
  let decimals = 0;
  for (const coordinate of xy) {
    while (decimals <= ROUNDED_DECIMALS && Number(coordinate.toFixed(decimals)) !== coordinate) decimals++;
  }
  if (decimals <= ROUNDED_DECIMALS) {
    const step = Number((METERS_A_DEGREE / Number(`1e${decimals}`)).toPrecision(2));
    return `its coordinates have at most ${decimals} decimals, steps of ${step} m; were they rounded? Send at least six decimals`;
  }
  return 'are its lengths metres, written as degrees, or its coordinates those of a projected CRS, scaled? Name the CRS that they are in as "crs"';
}
