import type { SourceManifest } from "@groundrule/engine";
import type { Feature } from "geojson";
import { countryFeatures } from "./countries.ts";
import { Random } from "./random.ts";
import { cnpj, type RegisterRow, registerRows } from "./register.ts";
import { fieldOutline, fractalOutline, type Ring, riverCourse } from "./shapes.ts";

/** The demo's own data: fictional areas and companies on real ground, the same for the same seed. */
export interface DemoData {
  readonly sources: readonly DemoSource[];
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Plots to ask about, with owners; some clean, some not. */
  readonly plots: readonly Feature[];
}

export interface DemoSource {
  readonly manifest: SourceManifest;
  /** The source file as a publisher would offer it: GeoJSON or CSV. */
  readonly text: string;
}

/** Windows of real ground, well inside one country each, in which the fictional areas lie. */
const WINDOWS = [
  { iso3: "BRA", west: -62, south: -12, east: -53, north: -5, share: 0.6 },
  { iso3: "CIV", west: -7.2, south: 6, east: -4, north: 8.8, share: 0.15 },
  { iso3: "IDN", west: 111.5, south: -2.8, east: 115, north: 0, share: 0.25 },
] as const;
type Window = (typeof WINDOWS)[number];
type Place = readonly [lon: number, lat: number];

const COLLECTED_AT = "2026-10-01T00:00:00Z";
const COMMON = { license_spdx: "CC0-1.0", collected_at: COLLECTED_AT } as const;

export function generateDemo(seed = 20_261_001): DemoData {
  const random = new Random(seed);
  const parks = areas(random, 110, (window) => ({
    id: "park",
    name: `${random.pick(["Parque", "Reserva", "Refúgio"])} ${placeName(random)}`,
    category: random.pick(["II", "Ia", "IV"]),
    created: day(random, 1975, 2018),
    radiusKm: random.logBetween(2, 45),
    window,
  }));
  const indigenous = areas(random, 80, (window) => ({
    id: "land",
    name: `Terra ${placeName(random)}`,
    phase: random.pick(["declared", "homologated", "regularised", "regularised"]),
    created: day(random, 1980, 2022),
    radiusKm: random.logBetween(3, 60),
    window,
  }));
  const clearings = clearingFeatures(random, 2400, [...parks, ...indigenous]);
  const rivers = Array.from({ length: 14 }, (_, i): Feature => {
    const window = random.pick(WINDOWS);
    const ring = riverCourse(random, anywhere(random, window), random.between(80, 300), 1500);
    return area(ring, { id: `river-${i + 1}`, name: `Rio ${placeName(random)}`, iso3: window.iso3 });
  });
  const listed = registerRows(random, 240, placeName);
  return {
    sources: [
      spatial("demo:parks", "Fictional protected areas", "protected area", parks),
      spatial("demo:indigenous", "Fictional indigenous lands", "indigenous land", indigenous),
      spatial("demo:clearing", "Fictional clearings", "deforestation", clearings),
      spatial("demo:rivers", "Fictional rivers", "water body", rivers),
      {
        manifest: {
          ...COMMON,
          source_name: "demo:countries",
          source_dataset: "Country borders 1:50m (Natural Earth)",
          source_url: "https://www.naturalearthdata.com/",
          category: "administrative border",
          kind: "leaf",
          id: "id",
          name: "name",
          country: "iso3",
        },
        text: collection(countryFeatures()),
      },
      {
        manifest: {
          ...COMMON,
          source_name: "demo:sanctions",
          source_dataset: "Fictional sanctions register",
          kind: "subject_register",
          id: "record",
          name: "name",
          value: "id_value",
          scheme_from: "id_type",
          schemes: { CNPJ: "br:cnpj", LEI: "iso:lei" },
          date_formats: { listed_on: "dd/MM/yyyy" },
        },
        text: csv(listed),
      },
    ],
    groups: { "demo:protected": ["demo:parks", "demo:indigenous"] },
    plots: plotFeatures(random, [...parks, ...indigenous], clearings, listed),
  };
}

function spatial(name: string, title: string, category: string, features: readonly Feature[]): DemoSource {
  return {
    manifest: {
      ...COMMON,
      source_name: name,
      source_dataset: title,
      category,
      kind: "leaf",
      id: "id",
      name: "name",
      country: "iso3",
    },
    text: collection(features),
  };
}

/** Areas spread over the windows, large ones with more detail, a tenth with an island beside them. */
function areas(
  random: Random,
  count: number,
  describe: (window: Window) => { id: string; radiusKm: number; window: Window } & Record<string, unknown>,
): Feature[] {
  return Array.from({ length: count }, (_, i): Feature => {
    const { id, radiusKm, window, ...properties } = describe(pickWindow(random));
    const levels = Math.min(11, Math.max(5, Math.round(Math.log2(radiusKm * 20))));
    const center = anywhere(random, window);
    const ring = fractalOutline(random, center, radiusKm, levels, random.between(0.6, 1));
    const common = { id: `${id}-${i + 1}`, ...properties, iso3: window.iso3 };
    if (random.next() > 0.1) return area(ring, common);
    const beside: Place = [center[0] + radiusKm / 40, center[1] + radiusKm / 60];
    const island = fractalOutline(random, beside, radiusKm / 6, 5, 0.8);
    return {
      type: "Feature",
      properties: common,
      geometry: { type: "MultiPolygon", coordinates: [[ring], [island]] },
    };
  });
}

/** Clearings, two thirds of them gnawing at the edge of a protected area. */
function clearingFeatures(random: Random, count: number, near: readonly Feature[]): Feature[] {
  return Array.from({ length: count }, (_, i) => {
    const neighbour = random.next() < 0.66 ? random.pick(near) : undefined;
    const window = pickWindow(random);
    const center = neighbour === undefined ? anywhere(random, window) : nearEdge(random, neighbour, 3);
    const hectares = random.logBetween(0.5, 400);
    const ring =
      random.next() < 0.4
        ? fieldOutline(random, center, hectares)
        : fractalOutline(random, center, Math.sqrt(hectares / 314), random.integer(2, 4), 0.9);
    return area(ring, {
      id: `clearing-${i + 1}`,
      name: null,
      detected: day(random, 2008, 2025),
      class: random.pick(["clear-cut", "degradation", "mining", "fire scar"]),
      // A few detections come without a confidence, as real ones do.
      confidence: random.next() < 0.03 ? null : Math.round(random.between(0.5, 1) * 100) / 100,
      iso3: neighbour?.properties?.iso3 ?? window.iso3,
    });
  });
}

/** Farms: near protected edges, near clearings, or anywhere; every fourth with a listed owner. */
function plotFeatures(
  random: Random,
  near: readonly Feature[],
  clearings: readonly Feature[],
  listed: readonly RegisterRow[],
): Feature[] {
  return Array.from({ length: 60 }, (_, i) => {
    const center =
      i % 3 === 0
        ? nearEdge(random, random.pick(near), 1)
        : i % 3 === 1
          ? nearEdge(random, random.pick(clearings), 0.3)
          : anywhere(random, pickWindow(random));
    const owner =
      i % 4 === 0 ? random.pick(listed.filter((row) => row.id_type === "CNPJ")).id_value : cnpj(random);
    const plot = area(fieldOutline(random, center, random.logBetween(20, 2000)), {
      name: `Fazenda ${placeName(random)} (fictional)`,
      scheme: { type: "br:cnpj", value: owner, role: "owner" },
    });
    return { ...plot, id: `plot-${i + 1}` };
  });
}

function area(ring: Ring, properties: Record<string, unknown>): Feature {
  return { type: "Feature", properties, geometry: { type: "Polygon", coordinates: [ring] } };
}

function pickWindow(random: Random): Window {
  let rest = random.next();
  for (const window of WINDOWS) {
    rest -= window.share;
    if (rest < 0) return window;
  }
  return WINDOWS[0];
}

function anywhere(random: Random, window: Window): Place {
  return [random.between(window.west, window.east), random.between(window.south, window.north)];
}

/** A place within so many kilometres of some vertex of an area. */
function nearEdge(random: Random, { geometry }: Feature, km: number): Place {
  const ring =
    geometry.type === "Polygon"
      ? geometry.coordinates[0]
      : geometry.type === "MultiPolygon"
        ? geometry.coordinates[0]?.[0]
        : undefined;
  const [lon = 0, lat = 0] = random.pick(ring ?? [[0, 0]]);
  return [lon + random.between(-km, km) / 111, lat + random.between(-km, km) / 111];
}

const SYLLABLES = [
  "ta",
  "ru",
  "ma",
  "xi",
  "no",
  "ka",
  "pi",
  "jua",
  "ri",
  "ba",
  "te",
  "ure",
  "go",
  "ara",
  "mi",
];

function placeName(random: Random): string {
  const name = Array.from({ length: random.integer(2, 4) }, () => random.pick(SYLLABLES)).join("");
  return name[0]!.toUpperCase() + name.slice(1);
}

function day(random: Random, fromYear: number, toYear: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${random.integer(fromYear, toYear)}-${two(random.integer(1, 12))}-${two(random.integer(1, 28))}`;
}

/** One feature a line, so that diffs and streams are readable. */
function collection(features: readonly Feature[]): string {
  const lines = features.map((feature) => JSON.stringify(feature));
  return `{"type":"FeatureCollection","features":[\n${lines.join(",\n")}\n]}\n`;
}

function csv(rows: readonly RegisterRow[]): string {
  const columns = ["record", "name", "id_type", "id_value", "program", "listed_on"] as const;
  const lines = rows.map((row) =>
    columns.map((column) => `"${row[column].replaceAll('"', '""')}"`).join(","),
  );
  return `${columns.join(",")}\n${lines.join("\n")}\n`;
}
