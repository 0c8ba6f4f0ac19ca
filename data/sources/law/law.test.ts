import { createHash } from "node:crypto";
import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hasBorders } from "@groundrule/borders";
import { openEngine } from "@groundrule/engine";
import { openSnapshot, prepareArea } from "@groundrule/engine/build";
import { buildSnapshot, parseSource } from "@groundrule/ingest";
import { iso31661 } from "iso-3166";
import { describe, expect, it } from "vitest";
import { WRITTEN_FILES } from "../index.ts";

const readSource = (name: string) =>
  parseSource(JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8")));
const names = readdirSync(import.meta.dirname).flatMap((file) => /^(.*)\.json$/.exec(file)?.[1] ?? []);
const openPolygons = (path: string) => createReadStream(join(import.meta.dirname, path));

async function build(name: string, content: string) {
  const { manifest, read = {} } = readSource(name);
  const { file } = await buildSnapshot(
    new Blob([content]).stream(),
    { ...manifest, fictional: true },
    // A file of one layer stands for the publisher's, which has several.
    { openPolygons, read: { rename: read.rename } },
  );
  return Buffer.concat([...file.chunks]);
}

/** A fictional area in the middle of Brazil with the columns that a publisher's file was read to have. */
function makeAreaJson(properties: object): string {
  const ring = [
    [-54, -12],
    [-53.9, -12],
    [-53.9, -11.9],
    [-54, -12],
  ];
  return JSON.stringify({ type: "Feature", properties, geometry: { type: "Polygon", coordinates: [ring] } });
}

const cleared = makeAreaJson({
  uuid: "fictional-1",
  state: "MT",
  main_class: "desmatamento",
  class_name: "d2022",
  image_date: "2022-07-19",
  year: 2022,
});
const CAR = "MT-5108501-0123456789ABCDEF0123456789ABCDEF";
const registered = `cod_imovel,status_imovel,condicao,municipio\n${CAR},XX,Fictional,Vera\n`;

/** For each manifest: its group, a file, and the entry that the source must have. */
const CASES: Readonly<Record<string, readonly [group: string, content: string, found: object]>> = {
  ...Object.fromEntries(
    ["amazon", "amazon_non_forest", "atlantic_forest", "caatinga", "cerrado", "pampa", "pantanal"].map(
      (biome) => [`br_prodes_${biome}`, ["prodes", cleared, { detected: "2022-07-19", year: 2022 }]],
    ),
  ),
  br_ibama_embargoes: [
    "embargoes",
    makeAreaJson({ seq_tad: 17, num_tad: "0042", tipo_area: "x" }),
    { seq_tad: "17" },
  ],
  br_icmbio_embargoes: [
    "embargoes",
    makeAreaJson({ numero_emb: "007", nome_uc: "Fictional" }),
    { numero_emb: "007" },
  ],
  br_car_polygons: [
    "car_polygons",
    makeAreaJson({ cod_imovel: CAR, status_imovel: "AT", cod_municipio_ibge: 5108501 }),
    { cod_imovel: CAR, status_imovel: "AT", cod_municipio_ibge: "5108501" },
  ],
  br_fiscal_modules: [
    "fiscal_modules",
    makeAreaJson({ code_muni: 5108501, name: "Vera", fiscal_module_ha: 90 }),
    { code_muni: "5108501", fiscal_module_ha: 90 },
  ],
  br_type_b_forests: [
    "type_b_forests",
    makeAreaJson({ nome: "Fictional", tipo: "TIPO B" }),
    { tipo: "TIPO B" },
  ],
  ...Object.fromEntries(
    ["active", "pending", "suspended", "cancelled"].map((state) => [
      `br_car_${state}`,
      [`car_${state}`, registered, { condicao: "Fictional" }],
    ]),
  ),
  br_mma_prodes_properties: [
    "prodes_properties",
    `cod_imovel;soma_desmat;dentro_criterio\n${CAR.toLowerCase()};12.5;Fictional\n`,
    { soma_desmat: 12.5 },
  ],
};

describe("the manifests of sources that the rulesets on laws need", () => {
  it("each names its publisher's page and its group, and builds from the columns that were read of it", async () => {
    expect(Object.keys(CASES).sort()).toEqual(names.filter((name) => name !== "eu_country_benchmark").sort());
    for (const [name, [group, content, found]] of Object.entries(CASES)) {
      const { manifest, fetch, untested } = readSource(name);
      expect([manifest.groups, untested], name).toEqual([[`preset:${group}`], true]);
      expect([manifest.source_url, manifest.scope, fetch?.url ?? fetch?.origin?.license], name).not.toContain(
        undefined,
      );
      const bytes = await build(name, content);
      const { attributes } = openSnapshot(new Uint8Array(bytes).buffer);
      expect([attributes.rowCount, attributes.properties(0)], name).toMatchObject([1, found]);
      if (manifest.kind !== "subject_register") continue;
      const engine = openEngine([bytes]);
      expect(engine.subjects({ type: "br:car", value: CAR }).matches, name).toHaveLength(1);
    }
  });

  it("that speak of one biome declare it by whole polygons, so that another stays open", async () => {
    const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".geojson"));
    expect(files).toHaveLength(5);
    for (const file of files) {
      const { geometry } = JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8"));
      expect(prepareArea(geometry), file).toMatchObject({ faults: [], repaired: false });
    }
    const biomes = [await build("br_prodes_cerrado", cleared), await build("br_prodes_pampa", cleared)];
    const engine = openEngine(biomes, {
      groups: { "preset:prodes": ["br:prodes_cerrado", "br:prodes_pampa"] },
    });
    const policy = engine.compile({
      sets: { cleared: { sources: ["preset:prodes"], coverage: "declared" } },
      checks: [{ id: "cleared", set: "cleared", outcome: "NON_COMPLIANT" }],
    });
    const statusAt = (lon: number, lat: number) => {
      const coordinates = [
        [
          [lon, lat],
          [lon + 0.01, lat],
          [lon, lat + 0.01],
          [lon, lat],
        ],
      ];
      const [check] = policy.evaluate(
        { geometry: { type: "Polygon", coordinates } },
        { now: "2026-11-27T00:00:00Z" },
      ).checks;
      return check!.status;
    };
    // Brasília, Bagé, Manaus, Porto Velho.
    expect([
      statusAt(-47.9, -15.8),
      statusAt(-54.1, -31.3),
      statusAt(-60, -3),
      statusAt(-63.9, -8.8),
    ]).toEqual(["ok", "ok", "not_covered", "not_covered"]);
  });

  it("the benchmark of countries is the file of its digest, and unknown where no list has it or two countries differ", async () => {
    const write = WRITTEN_FILES.get(join(import.meta.dirname, "eu_country_benchmark.geojsonl"))!;
    const lines = [...(await write())];
    const file = lines.join("");
    const { manifest, fetch } = readSource("eu_country_benchmark");
    expect([fetch?.sha256, fetch?.bytes]).toEqual([
      createHash("sha256").update(file).digest("hex"),
      Buffer.byteLength(file),
    ]);
    expect(manifest.coverage).toEqual(iso31661.map(({ alpha3 }) => alpha3).filter(hasBorders));
    const some = lines.filter((line) => /"countries":"[^"]*(?:BRA|BLR|POL|FRA|HKG|SUR)/.test(line));
    const engine = openEngine([await build("eu_country_benchmark", some.join(""))]);
    const benchmarkAt = (coordinates: readonly [number, number]) =>
      engine
        .intersections({ type: "Point", coordinates })
        .matches.map(({ properties }) => [properties.countries, properties.benchmark]);
    const places = { brasilia: [-47.9, -15.8], minsk: [27.6, 53.9], lyon: [4.8, 45.8] } as const;
    expect(Object.values(places).map((place) => benchmarkAt(place))).toEqual([
      [["BRA", "standard"]],
      [["BLR", "high"]],
      [["FRA", "low"]],
    ]);
    const unknown = { brest: [23.65, 52.1], cayenne: [-52.7, 4.6], hongKong: [114.2, 22.4] } as const;
    expect(Object.values(unknown).map((place) => benchmarkAt(place)[0]?.[1])).toEqual([null, null, null]);
  });
});
