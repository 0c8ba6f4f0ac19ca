import type { Plot } from "@groundrule/engine";
import { type AreaSnapshot, createAreaWriter, exactKernel, type WorkMeter } from "@groundrule/engine/build";
import { FIGURES } from "@groundrule/engine/figures";
import { statedCountry } from "../columns/country-column.ts";
import { openedSnapshot } from "../opened-snapshot.ts";
import { takenPlot } from "../taken-plot.ts";
import type { ExaminedGeometry } from "./check-geometry.ts";
import type { CheckPlotsOptions } from "./check-options.ts";
import type { Countries } from "./countries.ts";
import type { PlotFindings } from "./plot-findings.ts";

/** Square metres outside a country that are no finding: rounding. */
const TOLERATED_SQUARE_METERS = 1;
/** Share of a plot with its axes swapped that has to lie in its country. */
const SWAPPED_SHARE = 0.5;

type Layer = AreaSnapshot["layer"];

/** Tells of a plot that lies outside the country it declares. */
export function checkCountry(
  properties: Readonly<Record<string, unknown>>,
  geometries: readonly ExaminedGeometry[],
  options: CheckPlotsOptions,
  findings: PlotFindings,
): void {
  const { countries, country } = options;
  if (countries === undefined || geometries.length === 0) return;
  const declared =
    statedCountry(properties, countries.iso3Of, true) ??
    (country === undefined ? undefined : countries.iso3Of(country));
  const layer = declared === undefined ? undefined : layerOf(declared, countries);
  if (declared === undefined || layer === undefined) return;
  for (const geometry of geometries) compare(geometry, declared, layer, options, findings);
}

function compare(
  geometry: ExaminedGeometry,
  country: string,
  layer: Layer,
  { meter }: CheckPlotsOptions,
  findings: PlotFindings,
): void {
  const { read, plot, pointer } = geometry;
  const first = read.parts[0]![0]!;
  const position: [number, number] = [first[0]!, first[1]!];
  const inside = plot === undefined ? undefined : insideOf(plot, layer, meter);
  if ((inside === undefined || inside.share === 0) && isInsideSwapped(geometry, layer, meter)) {
    findings.add("AXES_SWAPPED", pointer, {
      found: `[${position[0]}, ${position[1]}], outside ${country}`,
      expected: `[${position[1]}, ${position[0]}], which is inside`,
      position,
    });
    return;
  }
  if (plot === undefined || inside === undefined) return;
  const { share, outside } = inside;
  const isPolygon = plot.dimension === "polygon";
  if (isPolygon ? outside <= TOLERATED_SQUARE_METERS : share === 1) return;
  const what = isPolygon ? `${FIGURES.en.area(outside)}, ` : "";
  findings.add(share === 0 ? "OUTSIDE_COUNTRY" : "PARTLY_OUTSIDE_COUNTRY", pointer, {
    found:
      share === 0
        ? `a plot outside ${country}`
        : `${what}${FIGURES.en.share(1 - share)} of the plot, outside ${country}`,
    expected: `a plot in ${country}, its border widened by 3.8 to 5 km`,
    position,
    ...(isPolygon && { squareMeters: outside }),
  });
}

/** Share of a plot in a territory, and the square metres outside. */
function insideOf(
  plot: Plot,
  layer: Layer,
  meter: WorkMeter | undefined,
): { readonly share: number; readonly outside: number } {
  const bound = exactKernel.bind(plot, meter);
  let [inside, ratio] = [0, 0];
  for (const hit of bound.intersections(layer)) {
    inside += hit.overlapSquareMeters;
    ratio += hit.overlapRatio;
  }
  if (plot.dimension !== "polygon") return { share: Math.min(1, ratio), outside: 0 };
  const outside = Math.max(0, bound.areaSquareMeters - inside);
  return { share: inside <= 0 ? 0 : Math.min(1, inside / bound.areaSquareMeters), outside };
}

function isInsideSwapped(
  { geometry, read }: ExaminedGeometry,
  layer: Layer,
  meter: WorkMeter | undefined,
): boolean {
  if (read.crs !== undefined) return false;
  const { coordinates } = geometry as { readonly coordinates: unknown };
  const plot = takenPlot({ ...geometry, coordinates: swapped(coordinates) }, { meter });
  return plot !== undefined && insideOf(plot, layer, meter).share >= SWAPPED_SHARE;
}

function swapped(coordinates: unknown): unknown {
  if (!Array.isArray(coordinates)) return coordinates;
  if (typeof coordinates[0] === "number") return [coordinates[1], coordinates[0]];
  return coordinates.map(swapped);
}

/** Territories as layers, by country; readied once each, as they do not change. */
const LAYERS = new WeakMap<Countries, Map<string, Layer | undefined>>();

function layerOf(iso3: string, countries: Countries): Layer | undefined {
  let layers = LAYERS.get(countries);
  if (layers === undefined) {
    layers = new Map();
    LAYERS.set(countries, layers);
  }
  if (!layers.has(iso3)) {
    const territory = countries.territoryOf(iso3);
    layers.set(iso3, territory === undefined ? undefined : territoryLayer(territory));
  }
  return layers.get(iso3);
}

function territoryLayer(areas: NonNullable<ReturnType<Countries["territoryOf"]>>): Layer {
  const writer = createAreaWriter({ source_name: "territory", kind: "leaf", columns: {} });
  areas.forEach((polygons, i) => {
    writer.add({ id: `${i}`, name: null, countryIso3: null, polygons, properties: {} });
  });
  return openedSnapshot(writer.finish()).layer;
}
