import type { SourceManifest } from "@groundrule/engine";
import type { Feature } from "geojson";
import { readCountryFeatures } from "./countries.ts";
import { Random } from "./random.ts";
import { type DemoRaster, makeDemoRasters } from "./rasters.ts";
import { type RegisterRow, randomCnpj, randomRegisterRows, toBranchCnpj } from "./register.ts";
import { fieldOutline, fractalOutline, type Ring, riverCourse } from "./shapes.ts";
import { type DemoSourceName, TITLES } from "./titles.ts";

/** The demo's own data: fictional areas and companies on real ground, the same for the same seed. */
export interface DemoData {
  readonly sources: readonly DemoSource[];
  readonly rasters: readonly DemoRaster[];
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Plots to evaluate, with owners; some clean, some not. */
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
/** The countries of the windows: in these, an area that the demo does not list does not exist. */
const COVERED = WINDOWS.map(({ iso3 }) => iso3);
const COMMON = { license_spdx: "CC0-1.0", collected_at: COLLECTED_AT } as const;

export function generateDemo(seed = 20_261_001): DemoData {
  const random = new Random(seed);
  const parks = randomAreas(random, 110, (window) => ({
    id: "park",
    name: `${random.pick(["Parque", "Reserva", "Refúgio"])} ${randomPlaceName(random)}`,
    category: random.pick(["II", "Ia", "IV"]),
    created: randomDay(random, 1975, 2018),
    radiusKm: random.logBetween(2, 45),
    window,
  }));
  const indigenous = randomAreas(random, 80, (window) => ({
    id: "land",
    name: `Terra ${randomPlaceName(random)}`,
    phase: random.pick(["declared", "homologated", "regularised", "regularised"]),
    created: randomDay(random, 1980, 2022),
    radiusKm: random.logBetween(3, 60),
    window,
  }));
  const clearings = randomClearings(random, 2400, [...parks, ...indigenous]);
  const rivers = Array.from({ length: 14 }, (_, i): Feature => {
    const window = random.pick(WINDOWS);
    const ring = riverCourse(random, randomPlace(random, window), random.between(80, 300), 1500);
    return makeArea(ring, {
      id: `river-${i + 1}`,
      name: `Rio ${randomPlaceName(random)}`,
      iso3: window.iso3,
    });
  });
  const listed = randomRegisterRows(random, 240, randomPlaceName);
  const plots = randomPlots(random, [...parks, ...indigenous], clearings, listed);
  // A stream of its own: what came before it stays as it was.
  const later = new Random(seed + 1);
  for (const each of randomBranchPlots(later, listed, plots.length)) plots.push(each);
  for (const each of makeGardenClearings(later, plots, clearings.length)) clearings.push(each);
  const quilombola = randomNeighbours(later, 40, plots, 1.5, (_, i) => ({
    id: `territory-${i + 1}`,
    name: `Quilombo ${randomPlaceName(later)}`,
    phase: later.pick(["delimited", "recognised", "titled"]),
    families: later.integer(8, 400),
    radiusKm: later.logBetween(0.6, 8),
  }));
  quilombola.push(makeAreaAcrossFence(plots[33]!, "territory-41", `Quilombo ${randomPlaceName(later)}`));
  const embargoes = randomNeighbours(later, 70, plots, 1, (_, i) => ({
    id: `embargo-${i + 1}`,
    name: null,
    issued: randomDay(later, 2012, 2025),
    infraction: later.pick(["clearing", "burning", "obstructed regrowth"]),
    radiusKm: later.logBetween(0.1, 1.2),
  }));
  const mining = randomNeighbours(later, 160, [...plots, ...indigenous], 2, (_, i) => ({
    id: `scar-${i + 1}`,
    name: null,
    detected: randomDay(later, 2017, 2025),
    radiusKm: later.logBetween(0.08, 1),
  }));
  return {
    sources: [
      createSpatialSource("demo:parks", "protected area", parks, "conservation_units"),
      createSpatialSource("demo:indigenous", "indigenous land", indigenous, "indigenous_lands"),
      createSpatialSource("demo:clearing", "deforestation", clearings, "forest_loss", "prodes"),
      createSpatialSource("demo:quilombola", "quilombola territory", quilombola, "quilombola_territories"),
      createSpatialSource("demo:embargoes", "embargo", embargoes, "embargoes"),
      createSpatialSource("demo:mining", "mining", mining, "mining"),
      createSpatialSource("demo:biomes", "biome", randomBiomes(later), "biomes"),
      createSpatialSource("demo:benchmark", "country benchmark", makeBenchmarks(), "country_benchmark"),
      createSpatialSource("demo:rivers", "water body", rivers),
      {
        manifest: {
          ...COMMON,
          source_name: "demo:countries",
          ...TITLES["demo:countries"],
          source_url: "https://www.naturalearthdata.com/",
          category: "administrative border",
          kind: "leaf",
          id: "id",
          name: "name",
          country: "iso3",
          coverage: "global",
        },
        text: formatFeatureCollection(readCountryFeatures()),
      },
      makeRegisterSource("demo:sanctions", listed, "sanctions"),
      makeRegisterSource("demo:forced_labour", randomEmployers(later, plots), "forced_labour"),
    ],
    rasters: makeDemoRasters(
      new Random(seed + 2),
      { clearings, rivers, frontier: getOuterRing(plots[0]!)[0] as [number, number] },
      COMMON,
    ),
    groups: { "demo:protected": ["demo:parks", "demo:indigenous"] },
    plots,
  };
}

/** @param preset the group that preset rulesets know such sources by */
function makeRegisterSource(name: DemoSourceName, rows: readonly RegisterRow[], preset: string): DemoSource {
  return {
    manifest: {
      ...COMMON,
      source_name: name,
      ...TITLES[name],
      fictional: true,
      kind: "subject_register",
      id: "record",
      name: "name",
      value: "id_value",
      scheme_from: "id_type",
      schemes: { CNPJ: "br:cnpj", LEI: "iso:lei" },
      date_formats: { listed_on: "dd/MM/yyyy" },
      groups: [`preset:${preset}`],
    },
    text: formatCsv(rows),
  };
}

function createSpatialSource(
  name: DemoSourceName,
  category: string,
  features: readonly Feature[],
  ...presets: readonly string[]
): DemoSource {
  return {
    manifest: {
      ...COMMON,
      source_name: name,
      ...TITLES[name],
      fictional: true,
      category,
      kind: "leaf",
      id: "id",
      name: "name",
      country: "iso3",
      coverage: COVERED,
      ...(presets.length > 0 && { groups: presets.map((preset) => `preset:${preset}`) }),
    },
    text: formatFeatureCollection(features),
  };
}

/** Areas spread over the windows, large ones with more detail, a tenth with an island nearby. */
function randomAreas(
  random: Random,
  count: number,
  describe: (window: Window) => { id: string; radiusKm: number; window: Window } & Record<string, unknown>,
): Feature[] {
  return Array.from({ length: count }, (_, i): Feature => {
    const { id, radiusKm, window, ...properties } = describe(pickWindow(random));
    const levels = Math.min(11, Math.max(5, Math.round(Math.log2(radiusKm * 20))));
    const center = randomPlace(random, window);
    const ring = fractalOutline(random, center, radiusKm, levels, random.between(0.6, 1));
    const common = { id: `${id}-${i + 1}`, ...properties, iso3: window.iso3 };
    if (random.next() > 0.1) return makeArea(ring, common);
    const nearby: Place = [center[0] + radiusKm / 40, center[1] + radiusKm / 60];
    const island = fractalOutline(random, nearby, radiusKm / 6, 5, 0.8);
    return {
      type: "Feature",
      properties: common,
      geometry: { type: "MultiPolygon", coordinates: [[ring], [island]] },
    };
  });
}

/** Clearings, two thirds of them gnawing at the edge of a protected area. */
function randomClearings(random: Random, count: number, near: readonly Feature[]): Feature[] {
  return Array.from({ length: count }, (_, i) => {
    const neighbour = random.next() < 0.66 ? random.pick(near) : undefined;
    const window = pickWindow(random);
    const center =
      neighbour === undefined ? randomPlace(random, window) : randomPlaceNearEdge(random, neighbour, 3);
    const hectares = random.logBetween(0.5, 400);
    const ring =
      random.next() < 0.4
        ? fieldOutline(random, center, hectares)
        : fractalOutline(random, center, Math.sqrt(hectares / 314), random.integer(2, 4), 0.9);
    return makeArea(ring, {
      id: `clearing-${i + 1}`,
      name: null,
      detected: randomDay(random, 2008, 2025),
      class: random.pick(["clear-cut", "degradation", "mining", "fire scar"]),
      // A few detections come without a confidence, as real ones do.
      confidence: random.next() < 0.03 ? null : Math.round(random.between(0.5, 1) * 100) / 100,
      iso3: neighbour?.properties?.iso3 ?? window.iso3,
    });
  });
}

/** Farms: near protected edges, near clearings, or anywhere; every fourth with a listed owner. */
function randomPlots(
  random: Random,
  near: readonly Feature[],
  clearings: readonly Feature[],
  listed: readonly RegisterRow[],
): Feature[] {
  return Array.from({ length: 60 }, (_, i) => {
    const center =
      i % 3 === 0
        ? randomPlaceNearEdge(random, random.pick(near), 1)
        : i % 3 === 1
          ? randomPlaceNearEdge(random, random.pick(clearings), 0.3)
          : randomPlace(random, pickWindow(random));
    const owner =
      i % 4 === 0 ? random.pick(listed.filter((row) => row.id_type === "CNPJ")).id_value : randomCnpj(random);
    const plot = makeArea(fieldOutline(random, center, random.logBetween(20, 2000)), {
      name: `Fazenda ${randomPlaceName(random)} (fictional)`,
      scheme: { type: "br:cnpj", value: owner, role: "owner" },
    });
    return { ...plot, id: `plot-${i + 1}` };
  });
}

/** Farms of second establishments, whose companies' first ones are listed. */
function randomBranchPlots(random: Random, listed: readonly RegisterRow[], before: number): Feature[] {
  const companies = listed.filter((row) => row.id_type === "CNPJ");
  return Array.from({ length: 4 }, (_, i) => {
    const center = randomPlace(random, pickWindow(random));
    const plot = makeArea(fieldOutline(random, center, random.logBetween(20, 2000)), {
      name: `Fazenda ${randomPlaceName(random)} (fictional)`,
      scheme: { type: "br:cnpj", value: toBranchCnpj(random.pick(companies).id_value), role: "owner" },
    });
    return { ...plot, id: `plot-${before + i + 1}` };
  });
}

/** Clearings of a quarter of a hectare in the middle of some plots. */
function makeGardenClearings(random: Random, plots: readonly Feature[], before: number): Feature[] {
  return plots
    .filter((_, i) => i % 6 === 5)
    .map((plot, i) => {
      const [a = [0, 0], , c = [0, 0]] = getOuterRing(plot);
      const middle: Place = [(a[0]! + c[0]!) / 2, (a[1]! + c[1]!) / 2];
      return makeArea(fieldOutline(random, middle, 0.25), {
        id: `clearing-${before + i + 1}`,
        name: null,
        detected: i === 0 ? null : randomDay(random, 2021, 2025),
        class: "clear-cut",
        confidence: 0.7,
        iso3: findCountryAt(middle),
      });
    });
}

/** An area that shares a plot's first edge, and lies on its other side. */
function makeAreaAcrossFence(plot: Feature, id: string, name: string): Feature {
  const [a, b, c] = getOuterRing(plot) as [number[], number[], number[]];
  const beyond = ([x, y]: number[]): [number, number] => [
    roundCoordinate(x! - (c[0]! - b[0]!)),
    roundCoordinate(y! - (c[1]! - b[1]!)),
  ];
  const [from, to] = [a, b] as Ring;
  return makeArea([from!, beyond(a), beyond(b), to!, from!], {
    id,
    name,
    phase: "titled",
    families: 21,
    iso3: null,
  });
}

function getOuterRing({ geometry }: Feature): number[][] {
  if (geometry.type === "Polygon") return geometry.coordinates[0] ?? [];
  return geometry.type === "MultiPolygon" ? (geometry.coordinates[0]?.[0] ?? []) : [];
}

/** Areas next to others: half of them near a vertex of one, the others anywhere. */
function randomNeighbours(
  random: Random,
  count: number,
  near: readonly Feature[],
  km: number,
  describe: (window: Window, i: number) => { radiusKm: number } & Record<string, unknown>,
): Feature[] {
  return Array.from({ length: count }, (_, i) => {
    const neighbour = i % 2 === 0 ? random.pick(near) : undefined;
    const window = pickWindow(random);
    const center =
      neighbour === undefined ? randomPlace(random, window) : randomPlaceNearEdge(random, neighbour, km);
    const iso3 = findCountryAt(center);
    const { radiusKm, ...properties } = describe(window, i);
    return makeArea(fractalOutline(random, center, radiusKm, 5, 0.8), { ...properties, iso3 });
  });
}

/** Each window in one piece, but for a ragged border through the Brazilian one. */
function randomBiomes(random: Random): Feature[] {
  const [{ west, south, east, north }, ...others] = WINDOWS;
  const border = Array.from(
    { length: 200 },
    (_, i): Place => [
      roundCoordinate(west - 2 + ((east - west + 4) * i) / 199),
      roundCoordinate((south + north) / 2 + random.between(-0.25, 0.25)),
    ],
  );
  const half = (name: string, beyond: number) => {
    const ring = [...border, [east + 2, beyond], [west - 2, beyond], border[0]!] as Ring;
    return makeArea(ring, { id: name, name, iso3: "BRA" });
  };
  return [
    half("Amazônia", north + 2),
    half("Cerrado", south - 2),
    ...others.map(({ iso3, west, south, east, north }) => {
      const corners = [west - 2, south - 2, east + 2, north + 2] as const;
      return makeArea(buildBoxRing(...corners), {
        id: `biome-${iso3}`,
        name: `Lowland forest of ${iso3}`,
        iso3,
      });
    }),
  ];
}

/** Benchmarks for the windows; they are made up. */
function makeBenchmarks(): Feature[] {
  const benchmarks = ["standard", "high", "low"];
  return WINDOWS.flatMap(({ iso3, west, south, east, north }, i) => {
    const middle = (west + east) / 2;
    const part = (benchmark: string | null | undefined, from: number, to: number) =>
      makeArea(buildBoxRing(from, south - 2, to, north + 2), {
        id: `benchmark-${iso3}-${benchmark}`,
        name: iso3,
        benchmark,
        iso3,
      });
    // In the country of low risk, the half in the west has no benchmark.
    return benchmarks[i] === "low"
      ? [part(null, west - 2, middle), part("low", middle, east + 2)]
      : [part(benchmarks[i], west - 2, east + 2)];
  });
}

function buildBoxRing(west: number, south: number, east: number, north: number): Ring {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

function roundCoordinate(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

/** Companies on the register of forced labour; every fifth plot belongs to one. */
function randomEmployers(random: Random, plots: readonly Feature[]): RegisterRow[] {
  return randomRegisterRows(random, 60, randomPlaceName).map((row, i) => {
    const owner = plots[i * 5 + 2]?.properties?.scheme as { readonly value: string } | undefined;
    const id_value = row.id_type === "CNPJ" ? (owner?.value ?? row.id_value) : row.id_value;
    return { ...row, id_value, record: row.record.replace("DEMO", "DEMO-L"), program: "LABOUR" };
  });
}

function makeArea(ring: Ring, properties: Record<string, unknown>): Feature {
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

/** The country whose window contains a place, or is nearest to it. */
function findCountryAt([lon]: Place): string | null {
  return WINDOWS.find(({ west, east }) => lon > west - 1 && lon < east + 1)?.iso3 ?? null;
}

function randomPlace(random: Random, window: Window): Place {
  return [random.between(window.west, window.east), random.between(window.south, window.north)];
}

/** A place within so many kilometres of some vertex of an area. */
function randomPlaceNearEdge(random: Random, neighbour: Feature, km: number): Place {
  const [lon = 0, lat = 0] = random.pick(getOuterRing(neighbour));
  return [lon + random.between(-km, km) / 111, lat + random.between(-km, km) / 111];
}

const SYLLABLES = "ta ru ma xi no ka pi jua ri ba te ure go ara mi".split(" ");

function randomPlaceName(random: Random): string {
  const name = Array.from({ length: random.integer(2, 4) }, () => random.pick(SYLLABLES)).join("");
  return name[0]!.toUpperCase() + name.slice(1);
}

function randomDay(random: Random, fromYear: number, toYear: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${random.integer(fromYear, toYear)}-${two(random.integer(1, 12))}-${two(random.integer(1, 28))}`;
}

/** One feature a line, so that diffs and streams are readable. */
function formatFeatureCollection(features: readonly Feature[]): string {
  const lines = features.map((feature) => JSON.stringify(feature));
  return `{"type":"FeatureCollection","features":[\n${lines.join(",\n")}\n]}\n`;
}

function formatCsv(rows: readonly RegisterRow[]): string {
  const columns = ["record", "name", "id_type", "id_value", "program", "listed_on"] as const;
  const lines = rows.map((row) =>
    columns.map((column) => `"${row[column].replaceAll('"', '""')}"`).join(","),
  );
  return `${columns.join(",")}\n${lines.join("\n")}\n`;
}
