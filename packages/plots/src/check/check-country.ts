import type { Plot } from "@groundrule/engine";
import { createPolygonLayer, exactKernel, type WorkMeter } from "@groundrule/engine/internal";
import { englishFigures } from "@groundrule/words/figures";
import { findStatedCountry } from "../columns/country-column.ts";
import type { PlotFeature } from "../plot-feature.ts";
import { isForeign } from "../rings/to-longitude-latitude.ts";
import { parseOrRepairPlot } from "../taken-plot.ts";
import { checkGeometry } from "./check-geometry.ts";
import type { CheckPlotsOptions } from "./check-options.ts";
import type { Countries } from "./countries.ts";
import type { ExaminedGeometry } from "./examined-geometry.ts";
import { PlotFindings } from "./plot-findings.ts";

/** Square metres outside a country that are no finding: rounding. */
const TOLERATED_SQUARE_METERS = 1;
/** Share of a plot with its axes swapped that has to lie in its country. */
const SWAPPED_SHARE = 0.5;
/** Positions of a plot that are looked for on land, the first among them: its corners lie close to each other. */
const PLACES = 64;

type Layer = ReturnType<typeof createPolygonLayer>;
type Position = readonly [longitude: number, latitude: number];

/**
 * Reports a plot that lies outside the country it declares, or in the sea if it declares none, and whether its axes
 * are swapped.
 */
export function checkCountry(
  properties: Readonly<Record<string, unknown>>,
  geometries: readonly ExaminedGeometry[],
  options: CheckPlotsOptions,
  findings: PlotFindings,
): void {
  const { countries } = options;
  if (countries === undefined) return;
  const declared = findDeclaredCountry(properties, options);
  const layer = declared === undefined ? undefined : buildLandLayer(declared, countries);
  for (const geometry of geometries) {
    if (declared === undefined || layer === undefined)
      checkLiesOnLand(geometry, countries, options, findings);
    else checkAgainstDeclaredCountry(geometry, { code: declared, layer, countries }, options, findings);
  }
}

/**
 * True if longitude and latitude of a plot are swapped, judged by its country: the plot lies outside of it, and inside
 * once they change places; or it lies nowhere on earth, and then on land. Nothing is concluded from a plot in the sea
 * without a country: the borders lack small islands.
 */
export function hasSwappedAxes(plot: PlotFeature, options: CheckPlotsOptions): boolean {
  const { countries } = options;
  const first = findGeometryPosition(plot.geometry);
  if (countries === undefined || first === undefined || isForeign(plot.crs)) return false;
  const declared = findDeclaredCountry(plot.properties, options);
  // Nearly every plot: it lies in its declared country.
  if (isOnEarth(first) && (declared === undefined || countries.countriesAt(...first)?.includes(declared)))
    return false;
  const own = { ...options, crs: plot.crs };
  const geometries = checkGeometry(plot.geometry, "/geometry", own, new PlotFindings(plot));
  const findings = new PlotFindings(plot);
  checkCountry(plot.properties, geometries, options, findings);
  const swapped = findings.conclude().filter(({ code }) => code === "AXES_SWAPPED");
  return geometries.length > 0 && swapped.length === geometries.length;
}

interface Declared {
  readonly code: string;
  readonly layer: Layer;
  readonly countries: Countries;
}

function checkAgainstDeclaredCountry(
  geometry: ExaminedGeometry,
  { code, layer, countries }: Declared,
  { meter }: CheckPlotsOptions,
  findings: PlotFindings,
): void {
  const { plot, pointer } = geometry;
  const position = getFirstPosition(geometry);
  const outside = `outside ${countries.countryName(code)}`;
  const inside = plot === undefined ? undefined : measureShareInside(plot, layer, meter);
  if (inside === undefined || inside.share === 0) {
    const turned = findSwappedPlot(geometry, meter);
    if (turned !== undefined && measureShareInside(turned, layer, meter).share >= SWAPPED_SHARE) {
      reportSwappedAxes(geometry, `in ${countries.countryName(code)}`, outside, countries, findings);
      return;
    }
  }
  if (plot === undefined || inside === undefined) return;
  const { share, outsideSquareMeters } = inside;
  const isPolygon = plot.dimension === "polygon";
  if (isPolygon ? outsideSquareMeters <= TOLERATED_SQUARE_METERS : share === 1) return;
  const what = isPolygon ? `${englishFigures.area(outsideSquareMeters)}, ` : "";
  findings.add(share === 0 ? "OUTSIDE_COUNTRY" : "PARTLY_OUTSIDE_COUNTRY", pointer, {
    found:
      share === 0
        ? `a plot ${describeLand(position, countries)}, ${outside}`
        : `${what}${englishFigures.share(1 - share)} of the plot, ${outside}`,
    expected: `a plot in ${countries.countryName(code)}, whose border is widened by 3.8 to 5 km`,
    position,
    ...(isPolygon && { squareMeters: outsideSquareMeters }),
  });
}

/** Reports a plot without a known country that lies in the sea, or nowhere. */
function checkLiesOnLand(
  geometry: ExaminedGeometry,
  countries: Countries,
  { meter }: CheckPlotsOptions,
  findings: PlotFindings,
): void {
  const { plot, pointer } = geometry;
  const isOnLand = ([x, y]: Position): boolean => countries.countriesAt(x, y) !== undefined;
  if (plot !== undefined && listSamplePositions(plot).some(isOnLand)) return;
  const position = getFirstPosition(geometry);
  const turned = turnedRound(position);
  const couldBeTurned = isOnLand(turned) && findSwappedPlot(geometry, meter) !== undefined;
  if (plot === undefined) {
    if (!couldBeTurned || isOnEarth(position)) return;
    reportSwappedAxes(geometry, describeLand(turned, countries), undefined, countries, findings);
    return;
  }
  const expected = "a plot on land, whose coast is widened by 3.8 to 5 km";
  if (!couldBeTurned) {
    findings.add("IN_SEA", pointer, { found: "a plot in the sea", expected, position, severity: "warning" });
    return;
  }
  const found = countries.countriesAt(...turned)!;
  const code = found.length === 1 ? countries.iso2Of(found[0]!) : undefined;
  const what =
    code === undefined ? "Declare its country" : `Declare its country, or use \`--country ${code}\``;
  findings.add("IN_SEA", pointer, {
    found: "a plot in the sea",
    expected: `${expected}; [${turned.join(", ")}], with longitude and latitude swapped, is ${describeLand(turned, countries)}`,
    position,
    swapped: turned,
    severity: "error",
    mend: `${what}: \`groundrule plots fix\` then swaps longitude and latitude of this plot.`,
  });
}

/** @param whither where the plot lies once its axes are swapped, in words */
function reportSwappedAxes(
  geometry: ExaminedGeometry,
  whither: string,
  outside: string | undefined,
  countries: Countries,
  findings: PlotFindings,
): void {
  const position = getFirstPosition(geometry);
  const where = isOnEarth(position)
    ? describeLand(position, countries)
    : `at [${position.join(", ")}], which is not on earth`;
  findings.add("AXES_SWAPPED", geometry.pointer, {
    found: `a plot ${where}${outside === undefined ? "" : `, ${outside}`}`,
    expected: `a plot ${whither}, where [${turnedRound(position).join(", ")}] is`,
    position: isOnEarth(position) ? position : undefined,
    swapped: turnedRound(position),
  });
}

/** `in the sea`, `in Brazil`, `in Brazil or Peru`. */
function describeLand([x, y]: Position, countries: Countries): string {
  const found = countries.countriesAt(x, y);
  if (found === undefined) return "in the sea";
  if (found.length === 0) return "on land without a country code";
  return `in ${found.map((code) => countries.countryName(code)).join(" or ")}`;
}

/** The first position, which stands for all: a plot is small. */
function getFirstPosition({ read }: ExaminedGeometry): Position {
  const first = read.parts[0]![0]!;
  return [first[0]!, first[1]!];
}

function listSamplePositions({ xy }: Plot): Position[] {
  const step = Math.max(1, Math.floor(xy.length / 2 / PLACES));
  const count = Math.ceil(xy.length / 2 / step);
  return Array.from({ length: count }, (_, i): Position => [xy[2 * i * step]!, xy[2 * i * step + 1]!]);
}

const turnedRound = ([x, y]: Position): Position => [y, x];
const isOnEarth = ([, latitude]: Position): boolean => Math.abs(latitude) <= 90;

/** Share of a plot in a territory, and the square metres outside. */
function measureShareInside(
  plot: Plot,
  layer: Layer,
  meter: WorkMeter | undefined,
): { readonly share: number; readonly outsideSquareMeters: number } {
  const bound = exactKernel.bind(plot, meter);
  let [inside, ratio] = [0, 0];
  for (const hit of bound.intersections(layer)) {
    inside += hit.overlapSquareMeters;
    ratio += hit.overlapRatio;
  }
  if (plot.dimension !== "polygon") return { share: Math.min(1, ratio), outsideSquareMeters: 0 };
  return {
    share: inside <= 0 ? 0 : Math.min(1, inside / bound.areaSquareMeters),
    outsideSquareMeters: Math.max(0, bound.areaSquareMeters - inside),
  };
}

/** The plot with longitude and latitude the other way round, where it is one. */
function findSwappedPlot(
  { geometry, read }: ExaminedGeometry,
  meter: WorkMeter | undefined,
): Plot | undefined {
  if (isForeign(read.crs)) return undefined;
  const { coordinates } = geometry as { readonly coordinates: unknown };
  return parseOrRepairPlot({ ...geometry, coordinates: swapCoordinates(coordinates) }, { meter });
}

/** ISO 3166-1 alpha-3 of the country in a plot's properties, else of the one declared for all. */
export function findDeclaredCountry(
  properties: Readonly<Record<string, unknown>>,
  { countries, country }: CheckPlotsOptions,
): string | undefined {
  if (countries === undefined) return undefined;
  const stated = findStatedCountry(properties, countries.iso3Of, true);
  return stated ?? (country === undefined ? undefined : countries.iso3Of(country));
}

function findGeometryPosition(geometry: unknown): Position | undefined {
  const { coordinates, geometries } = (geometry ?? {}) as { coordinates?: unknown; geometries?: unknown };
  if (Array.isArray(geometries)) return findGeometryPosition(geometries[0]);
  let inner = coordinates;
  while (Array.isArray(inner) && Array.isArray(inner[0])) inner = inner[0];
  if (!Array.isArray(inner)) return undefined;
  const [x, y] = inner as unknown[];
  return typeof x === "number" && typeof y === "number" ? [x, y] : undefined;
}

function swapCoordinates(coordinates: unknown): unknown {
  if (!Array.isArray(coordinates)) return coordinates;
  if (typeof coordinates[0] === "number") return [coordinates[1], coordinates[0]];
  return coordinates.map(swapCoordinates);
}

/** Territories as layers, by country; readied once each, as they do not change. */
const LAYERS = new WeakMap<Countries["territoryOf"], Map<string, Layer | undefined>>();

function buildLandLayer(iso3: string, countries: Countries): Layer | undefined {
  let layers = LAYERS.get(countries.territoryOf);
  if (layers === undefined) {
    layers = new Map();
    LAYERS.set(countries.territoryOf, layers);
  }
  if (!layers.has(iso3)) {
    const territory = countries.territoryOf(iso3);
    layers.set(iso3, territory && createPolygonLayer("territory", territory));
  }
  return layers.get(iso3);
}
