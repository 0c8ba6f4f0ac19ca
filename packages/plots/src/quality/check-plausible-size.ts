import { exactKernel } from "@groundrule/engine/internal";
import { englishFigures } from "@groundrule/words/figures";
import { findFirstPosition } from "../check/check-area.ts";
import { findDeclaredCountry } from "../check/check-country.ts";
import type { CheckPlotsOptions } from "../check/check-options.ts";
import type { ExaminedGeometry } from "../check/examined-geometry.ts";
import { type PlotFindings, toPropertyPointer } from "../check/plot-findings.ts";
import { columnNamed, toPlainName } from "../columns/plain-name.ts";
import { PLAUSIBLE_SIZES, type PlausibleSize } from "./plausible-sizes.ts";

const M2_PER_HECTARE = 10_000;

/**
 * Reports a polygon that is larger than plots of its commodity in its country can be expected to be. The commodity is
 * that of the options, else of the property `commodity`. Nothing is reported where either is unknown, or no row of the
 * table has both.
 */
export function checkPlausibleSize(
  properties: Readonly<Record<string, unknown>>,
  geometries: readonly ExaminedGeometry[],
  options: CheckPlotsOptions,
  findings: PlotFindings,
): void {
  const { column, commodity } = findPlotCommodity(properties, options);
  const country = commodity === undefined ? undefined : findDeclaredCountry(properties, options);
  if (commodity === undefined || country === undefined) return;
  const size = findPlausibleSize(commodity, country);
  // At a place where the plot does not lie its area is another.
  if (size === undefined || findings.has("AXES_SWAPPED")) return;
  let squareMeters = 0;
  for (const { plot } of geometries) {
    if (plot === undefined) return;
    if (plot.dimension === "polygon") squareMeters += exactKernel.bind(plot, options.meter).areaSquareMeters;
  }
  const { mostHectares } = size;
  const hectares = squareMeters / M2_PER_HECTARE;
  if (hectares <= mostHectares) return;
  const name = options.countries!.countryName(country);
  findings.add("SIZE_IMPLAUSIBLE", column === undefined ? "/geometry" : toPropertyPointer(column), {
    found: `${englishFigures.decimal(hectares, 2, [mostHectares])} ha of ${commodity} in ${name}`,
    expected: `${mostHectares} ha or less`,
    position: findFirstPosition(geometries),
    squareMeters,
    measure: { value: hectares, bound: mostHectares, unit: "hectares" },
  });
}

function findPlotCommodity(
  properties: Readonly<Record<string, unknown>>,
  { commodity }: CheckPlotsOptions,
): { readonly column?: string; readonly commodity?: string } {
  if (commodity !== undefined) return { commodity };
  const column = columnNamed(Object.keys(properties), "commodity");
  const own = column === undefined ? undefined : properties[column];
  return typeof own === "string" && own.trim() !== "" ? { column: column!, commodity: own.trim() } : {};
}

/** The bound of a commodity in a country, ISO 3166-1 alpha-3. */
function findPlausibleSize(commodity: string, country: string): PlausibleSize | undefined {
  const plain = toPlainName(commodity);
  return PLAUSIBLE_SIZES.find(({ names, countries }) => names.includes(plain) && countries.includes(country));
}
