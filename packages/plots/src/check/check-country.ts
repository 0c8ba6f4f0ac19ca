import { EngineError, type Plot, parsePlot } from "@groundrule/engine";
import { type AreaSnapshot, createAreaWriter, exactKernel } from "@groundrule/engine/build";
import { openedSnapshot } from "../opened-snapshot.ts";
import type { ExaminedGeometry } from "./check-geometry.ts";
import type { CheckPlotsOptions } from "./check-options.ts";
import type { Countries } from "./countries.ts";
import type { PlotFindings } from "./plot-findings.ts";

/** Properties in which files tell the country of a plot, the profile's own first. */
const COUNTRY_PROPERTIES = ["ProducerCountry", "country_iso3", "iso3", "country"] as const;

/** Square metres outside a country that are no finding: rounding. */
const TOLERATED_SQUARE_METERS = 1;
/** Share of a plot with its axes swapped that has to lie in its country. */
const SWAPPED_SHARE = 0.5;

/** Compares plots with the territory of the countries they declare, which is readied once each. */
export class CountryCheck {
  readonly #options: CheckPlotsOptions;
  readonly #layers = new Map<string, AreaSnapshot["layer"] | undefined>();

  constructor(options: CheckPlotsOptions) {
    this.#options = options;
  }

  /** Tells of a plot that lies outside the country it declares. */
  check(
    properties: Readonly<Record<string, unknown>>,
    geometries: readonly ExaminedGeometry[],
    findings: PlotFindings,
  ): void {
    const { countries, country } = this.#options;
    if (countries === undefined || geometries.length === 0) return;
    const declared =
      declaredCountry(properties, countries) ??
      (country === undefined ? undefined : countries.iso3Of(country));
    const layer = declared === undefined ? undefined : this.#layerOf(declared, countries);
    if (declared === undefined || layer === undefined) return;
    for (const geometry of geometries) this.#compare(geometry, declared, layer, findings);
  }

  #compare(
    geometry: ExaminedGeometry,
    country: string,
    layer: AreaSnapshot["layer"],
    findings: PlotFindings,
  ): void {
    const { read, plot, pointer } = geometry;
    const first = read.parts[0]![0]!;
    const position: [number, number] = [first[0]!, first[1]!];
    const share = plot === undefined ? 0 : this.#insideOf(plot, layer).share;
    if (share === 0 && this.#isInsideSwapped(geometry, layer)) {
      findings.add("AXES_SWAPPED", pointer, {
        found: `[${position[0]}, ${position[1]}], outside ${country}`,
        expected: `[${position[1]}, ${position[0]}], which is inside`,
        position,
      });
      return;
    }
    if (plot === undefined) return;
    const { outside } = this.#insideOf(plot, layer);
    if (plot.dimension === "polygon" ? outside <= TOLERATED_SQUARE_METERS : share === 1) return;
    const land = plot.dimension === "polygon" ? `${outside.toFixed(0)} m²` : "points";
    findings.add(share === 0 ? "OUTSIDE_COUNTRY" : "PARTLY_OUTSIDE_COUNTRY", pointer, {
      found:
        share === 0
          ? `a plot outside ${country}`
          : `${land} of ${((1 - share) * 100).toFixed(1)} % outside ${country}`,
      expected: `a plot in ${country}, its border widened by 3.8 to 5 km`,
      position,
      ...(plot.dimension === "polygon" && { squareMeters: outside }),
    });
  }

  /** Share of a plot in a territory, and the square metres outside. */
  #insideOf(plot: Plot, layer: AreaSnapshot["layer"]): { readonly share: number; readonly outside: number } {
    const bound = exactKernel.bind(plot, this.#options.meter);
    let [inside, ratio] = [0, 0];
    for (const hit of bound.intersections(layer)) {
      inside += hit.overlapSquareMeters;
      ratio += hit.overlapRatio;
    }
    const outside = Math.max(0, bound.areaSquareMeters - inside);
    if (plot.dimension !== "polygon") return { share: Math.min(1, ratio), outside: 0 };
    return { share: inside <= 0 ? 0 : Math.min(1, inside / bound.areaSquareMeters), outside };
  }

  #isInsideSwapped({ geometry, read }: ExaminedGeometry, layer: AreaSnapshot["layer"]): boolean {
    if (read.crs !== undefined) return false;
    const { meter } = this.#options;
    try {
      const { plot } = parsePlot(
        { ...geometry, coordinates: swapped((geometry as { coordinates: unknown }).coordinates) },
        { meter },
      );
      return this.#insideOf(plot, layer).share >= SWAPPED_SHARE;
    } catch (error) {
      if (!(error instanceof EngineError) || (meter !== undefined && meter.left < 0)) throw error;
      const { repaired } = error.details;
      return (
        repaired !== undefined &&
        this.#insideOf(parsePlot(repaired, { meter }).plot, layer).share >= SWAPPED_SHARE
      );
    }
  }

  #layerOf(iso3: string, countries: Countries): AreaSnapshot["layer"] | undefined {
    if (!this.#layers.has(iso3)) {
      const territory = countries.territoryOf(iso3);
      this.#layers.set(iso3, territory === undefined ? undefined : layerOf(territory));
    }
    return this.#layers.get(iso3);
  }
}

function declaredCountry(
  properties: Readonly<Record<string, unknown>>,
  countries: Countries,
): string | undefined {
  for (const name of COUNTRY_PROPERTIES) {
    const value = properties[name];
    const iso3 = typeof value === "string" ? countries.iso3Of(value) : undefined;
    if (iso3 !== undefined) return iso3;
  }
  return undefined;
}

function swapped(coordinates: unknown): unknown {
  if (!Array.isArray(coordinates)) return coordinates;
  if (typeof coordinates[0] === "number") return [coordinates[1], coordinates[0]];
  return coordinates.map(swapped);
}

function layerOf(areas: NonNullable<ReturnType<Countries["territoryOf"]>>): AreaSnapshot["layer"] {
  const writer = createAreaWriter({ source_name: "territory", kind: "leaf", columns: {} });
  areas.forEach((polygons, i) => {
    writer.add({ id: `${i}`, name: null, countryIso3: null, polygons, properties: {} });
  });
  return openedSnapshot(writer.finish()).layer;
}
