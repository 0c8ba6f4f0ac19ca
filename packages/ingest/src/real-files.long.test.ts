import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { crsTable } from "@groundrule/crs";
import type { SourceManifest } from "@groundrule/engine";
import { type AreaSnapshot, areaCoordinates, openSnapshot } from "@groundrule/engine/build";
import { openLocalFile, type ReadOptions } from "@groundrule/formats";
import { describe, expect, it } from "vitest";
import { buildSnapshot } from "./build.ts";

const folder = process.env.GROUNDRULE_REAL_DATA;

interface Case {
  /** Below `GROUNDRULE_REAL_DATA`. */
  readonly file: string;
  readonly read?: ReadOptions;
  readonly manifest?: Partial<SourceManifest>;
  readonly crs: string | undefined;
  /** The GeoJSON file that holds what is expected, and which of its features. */
  readonly twin: string;
  readonly of?: readonly [property: string, value: string];
  /** How far a vertex may be off, in metres; absent: the geometries are the same. */
  readonly meters?: number;
  /** To so many decimals, as far as GDAL kept them in the GeoJSON; absent: to the bit. */
  readonly decimals?: number;
}

const CENTIMETER = 0.01;
/** Precision lost where GDAL writes 15 digits of a coordinate. */
const GDAL_DIGITS = 1e-7;
/** Difference that the choice of a datum transformation makes. */
const DATUM = 5;

const field = (file: string, dataset: string, crs: string, meters?: number, layer?: string): Case => ({
  file: `original/fields/${file}`,
  crs,
  twin: "plots_fields_world",
  of: ["dataset", dataset],
  ...(meters !== undefined && { meters }),
  ...(layer !== undefined && { read: { layer } }),
});

const UACA = [
  "ti_uaca",
  "flota_ap",
  "municipios_norte_ap",
  "ecoregions",
  "br156_points_buffers",
  "br156_split_buffers",
];

const CASES: readonly Case[] = [
  {
    file: "original/UCs_AmzLegal.zip",
    crs: "EPSG:4674",
    twin: "br_icmbio_federal_units_amazon_2019",
    meters: GDAL_DIGITS,
  },
  {
    file: "original/br_funai_indigenous_lands_axis_swapped.geojson.gz",
    read: { swapAxes: true },
    manifest: { coverage: ["BRA"] },
    crs: undefined,
    twin: "br_funai_indigenous_lands_2023",
  },
  {
    file: "derived/br_cnuc_conservation_units_2024.fgb",
    crs: "EPSG:4326",
    twin: "br_cnuc_conservation_units_2024",
  },
  ...UACA.map(
    (layer): Case => ({
      file: "original/uaca_estrada.gpkg",
      read: { layer },
      crs: "EPSG:31976",
      twin: "br_uaca_layers",
      of: ["layer", layer],
      meters: CENTIMETER,
    }),
  ),
  { ...field("br_ba_lem_epsg4326_shp.zip", "br_ba_lem", "EPSG:4326"), decimals: 9 },
  field("at_inspire_schlaege_2025_epsg31287_gpkg.zip", "at", "EPSG:31287", DATUM),
  field("ch_lwb_nutzungsflaechen_epsg2056.gpkg", "ch", "EPSG:2056", CENTIMETER),
  field("de_sh_fb_2024_epsg4647_gpkg.zip", "de_sh", "EPSG:4647", CENTIMETER),
  field("dk_Marker_2026_epsg25832_shp.zip", "dk", "EPSG:25832", CENTIMETER),
  field("fi_GSAA_epsg3067.gpkg", "fi", "EPSG:3067", CENTIMETER),
  field("kh_ai4sf_epsg32648.gpkg", "ai4sf_kh", "EPSG:32648", CENTIMETER),
  field("nl_brpgewaspercelen_2023_epsg28992.gpkg", "nl", "EPSG:28992", DATUM),
  field("nz_irrigated_land_2020_epsg2193_shp.zip", "nz", "EPSG:2193", CENTIMETER),
  field("pt_Continente_epsg3763.gpkg", "pt", "EPSG:3763", CENTIMETER, "Culturas_Aveiro"),
  field("pt_Continente_epsg3763.gpkg", "pt_osa", "EPSG:3763", CENTIMETER, "OcupacoesSolo_Aveiro"),
  field("sk_HU2024_epsg5514_shp.zip", "sk", "EPSG:5514", DATUM),
];

const REFUSED = [
  ["original/fields/ie_GSAA_2024_epsg4258_gml.zip", "FORMAT_UNSUPPORTED", "GML"],
  ["original/fields/us_ca_scm_epsg4269_gdb.zip", "FORMAT_UNSUPPORTED", "FileGDB"],
  ["original/uaca_estrada.gpkg", "LAYER_AMBIGUOUS", "flota_ap"],
] as const;

/** The polygons of every area. */
type Areas = readonly (readonly (readonly (readonly number[])[])[])[];

async function build(
  input: Parameters<typeof buildSnapshot>[0],
  { read, manifest }: Pick<Case, "read" | "manifest"> = {},
) {
  const { file, report } = await buildSnapshot(
    input,
    { source_name: "test:real", kind: "leaf", ...manifest },
    { crs: crsTable, read },
  );
  const snapshot = openSnapshot(new Uint8Array(Buffer.concat([...file.chunks])).buffer) as AreaSnapshot;
  const areas: Areas = Array.from({ length: report.stored }, (_, i) =>
    areaCoordinates(snapshot.layer, i).map((rings) => rings.map((ring) => ring.flat())),
  );
  return { report, areas };
}

async function buildFile(path: string, of: Pick<Case, "read" | "manifest"> = {}) {
  const file = await openLocalFile(join(folder!, path));
  try {
    return await build(file, of);
  } finally {
    await file.close();
  }
}

async function readTwin({ twin, of }: Case) {
  const text = gunzipSync(readFileSync(join(folder!, `${twin}.geojson.gz`))).toString();
  const collection = JSON.parse(text) as { features: { properties: Record<string, unknown> }[] };
  const features = collection.features.filter(
    ({ properties }) => of === undefined || properties[of[0]] === of[1],
  );
  const stream = new Blob([JSON.stringify({ ...collection, features })]).stream();
  return build(stream as unknown as AsyncIterable<Uint8Array>);
}

/** Every ring from its least position on, all in one order, so that equal areas give equal texts. */
function formatCanonicalRings(areas: Areas, decimals?: number): string[] {
  const text = (position: readonly number[]) =>
    position.map((value) => (decimals === undefined ? value : Number(value.toFixed(decimals)))).join();
  return areas
    .flat(2)
    .map((ring) => {
      const positions = toPairs(ring).slice(1).map(text);
      const least = positions.indexOf(positions.reduce((a, b) => (b < a ? b : a)));
      return [...positions.slice(least), ...positions.slice(0, least)].join(" ");
    })
    .sort();
}

function toPairs(ring: readonly number[]): (readonly [number, number])[] {
  return Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!] as const);
}

/** The greatest distance, in metres, from a vertex of some areas to the nearest of others. */
function measureFarthest(from: Areas, to: Areas, most: number): number {
  const cell = Math.max(most, 1) / 50_000;
  const column = (value: number) => Math.floor(value / cell);
  const key = (i: number, j: number) => `${i} ${j}`;
  const cells = Map.groupBy(to.flat(2).flatMap(toPairs), ([x, y]) => key(column(x), column(y)));
  let worst = 0;
  for (const [x, y] of from.flat(2).flatMap(toPairs)) {
    let nearest = Number.POSITIVE_INFINITY;
    for (const i of [-1, 0, 1]) {
      for (const j of [-1, 0, 1]) {
        for (const [u, v] of cells.get(key(column(x) + i, column(y) + j)) ?? []) {
          const east = (u - x) * Math.cos((y * Math.PI) / 180);
          nearest = Math.min(nearest, Math.hypot(east, v - y) * 111_320);
        }
      }
    }
    worst = Math.max(worst, nearest);
  }
  return worst;
}

describe.skipIf(folder === undefined)("files as their publishers have them", () => {
  it.each(CASES)("$file $of is imported as its GeoJSON is", async (one) => {
    const { report, areas } = await buildFile(one.file, one);
    const twin = await readTwin(one);
    expect(report.crs).toBe(one.crs);
    expect(report.left_out).toEqual([]);
    expect(report.stored).toBe(twin.report.stored);
    if (one.meters === undefined) {
      const expected = formatCanonicalRings(twin.areas, one.decimals);
      expect(formatCanonicalRings(areas, one.decimals)).toEqual(expected);
    } else expect(measureFarthest(twin.areas, areas, one.meters)).toBeLessThan(one.meters);
  });

  it.each(REFUSED)("%s is refused: %s, for %s", async (path, code, said) => {
    const reported = { code, message: expect.stringContaining(said) };
    await expect(buildFile(path)).rejects.toMatchObject(reported);
  });

  it("is refused with its axes swapped, where it says what it covers", async () => {
    const { file: path } = CASES[1]!;
    for (const manifest of [{ coverage: ["BRA"] }, { country_iso3: "BRA" }]) {
      const reported = { code: "AXES_SWAPPED", message: expect.stringContaining("--swap-axes") };
      await expect(buildFile(path, { manifest })).rejects.toMatchObject(reported);
    }
  });

  it("leaves out none of them", () => {
    const known = new Set([...CASES.map(({ file }) => file), ...REFUSED.map(([file]) => file)]);
    const found = ["original", "derived", "original/fields"].flatMap((name) =>
      readdirSync(join(folder!, name), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `${name}/${entry.name}`),
    );
    expect(found.filter((name) => !known.has(name))).toEqual([]);
  });
});
