import { createHash } from "node:crypto";
import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openEngine } from "@groundrule/engine";
import { prepareArea } from "@groundrule/engine/build";
import { openLocalFile, openTable } from "@groundrule/formats";
import { buildSnapshot, parseSource } from "@groundrule/ingest";
import { describe, expect, it } from "vitest";

const manifests = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".json"));
const readSource = (file: string) =>
  parseSource(JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8")));
const readManifest = (file: string) => readSource(file).manifest;

describe("the manifests of real sources", () => {
  it.each(manifests)("%s is one that a build takes", (file) => {
    const { source_name, kind, coverage, source_url, collected_at } = readManifest(file);
    // Where its file can be had: the publisher's page, of which day, under which licence, and this very copy.
    expect([source_url, collected_at]).not.toContain(undefined);
    expect(readSource(file).fetch?.origin).toMatchObject({
      license: expect.any(String),
      taken_from: expect.stringMatching(/^https:\/\/\S+ \(commit [0-9a-f]{40}\), /),
    });
    expect(source_name).toMatch(/:/);
    if (kind === "subject_register") return;
    // Samples of fields are complete nowhere, and no policy asks them.
    expect(coverage !== undefined).toBe(source_name !== "fiboa:fields");
    if (typeof coverage !== "object" || !("polygons" in coverage)) return;
    const { geometry } = JSON.parse(readFileSync(join(import.meta.dirname, coverage.polygons), "utf8"));
    expect(prepareArea(geometry)).toMatchObject({ faults: [], repaired: false });
  });
});

const folder = process.env.GROUNDRULE_REAL_DATA;
describe.runIf(folder !== undefined)("on the real files", () => {
  it.each(manifests)(
    "%s names a file of the folder, by its checksum and size, and columns that it has",
    async (file) => {
      const { manifest, fetch } = readSource(file);
      const path = join(folder!, fetch!.file!);
      const content = readFileSync(path);
      expect(createHash("sha256").update(content).digest("hex")).toBe(fetch!.sha256);
      expect(content.length).toBe(fetch!.bytes);
      const { id, name, country, value, scheme_from, scheme_country, columns = {} } = manifest;
      const named = [id, name, country, value, scheme_from, scheme_country, ...Object.keys(columns)];
      const opened = await openLocalFile(path);
      const table = await openTable(opened);
      try {
        const found =
          manifest.kind === "leaf"
            ? (await table.features().next()).value?.properties
            : (await table.rows().next()).value?.cells;
        const missing = named.filter((column) => column !== undefined && !found?.has(column));
        expect(missing).toEqual([]);
      } finally {
        await table.close();
        await opened.close();
      }
    },
  );

  it("find the two Brazilian companies of the SDN list by their CNPJ, whichever way it is written", async () => {
    const name = "reg_ofac_sdn_2023_identifiers";
    const { file } = await buildSnapshot(
      createReadStream(`${folder}/${name}.csv.gz`),
      readManifest(`${name}.json`),
    );
    const engine = openEngine([Buffer.concat([...file.chunks])]);
    const found = (type: string, value: string) =>
      engine.subjects({ type, value }).matches.map(({ source_id }) => source_id);
    expect(found("br:cnpj", "35.116.112/0001-97")).toEqual(["34279"]);
    expect(found("br:cnpj", "31746200000111")).toEqual(["34280"]);
    // Those of other countries, and without one, stay under the list's own name of the type.
    expect(found("ofac:tax_id_no", "35116112000197")).toEqual([]);
    expect(engine.subjects({ type: "ofac:tax_id_no", value: "%0" }, { matchOp: "ilike" }).truncated).toBe(
      true,
    );
    expect(engine.subjects({ type: "br:cnpj", value: "%0%" }, { matchOp: "ilike" }).matches).toHaveLength(2);
  });

  it("of the Amazon do not cover a plot in the south, and cover one at Manaus", async () => {
    const name = "br_icmbio_federal_units_amazon_2019";
    const openPolygons = (path: string) => createReadStream(join(import.meta.dirname, path));
    const { file } = await buildSnapshot(
      createReadStream(`${folder}/${name}.geojson.gz`),
      readManifest(`${name}.json`),
      { openPolygons },
    );
    const engine = openEngine([Buffer.concat([...file.chunks])]);
    const policy = engine.compile({
      sets: { units: { sources: ["br:icmbio"] } },
      checks: [{ id: "unit", set: "units", outcome: "NON_COMPLIANT" }],
    });
    const at = (lon: number, lat: number) => {
      const corners = [
        [0, 0],
        [0.01, 0],
        [0.01, 0.01],
        [0, 0.01],
        [0, 0],
      ] as const;
      const ring = corners.map(([x, y]) => [lon + x, lat + y]);
      const input = { geometry: { type: "Polygon", coordinates: [ring] } };
      const { sources, checks } = policy.evaluate(input, { now: "2026-11-22T00:00:00Z" });
      return [sources[0]?.coverage, checks[0]?.status];
    };
    expect([at(-60.02, -2.9), at(-52, -27)]).toEqual([
      ["full", "ok"],
      ["none", "not_covered"],
    ]);
  });
});
