import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { granulesToFetch, parseSource, type Source } from "@groundrule/ingest";
import { openData } from "@groundrule/node";
import { type GranulesPlanned, readSourceFiles, syncSources } from "@groundrule/sync";
import { describe, expect, it } from "vitest";

const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".json"));
const readJson = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8"));
const addresses = async ({ fetch }: Source, countries: readonly string[]) => {
  const { url = "", granules } = fetch!;
  return (await granulesToFetch({ url, granules: granules! }, { countries })).map(({ address }) => address);
};

describe("the manifests of rasters", () => {
  it.each(files)(
    "%s tells until when its data speak, under which terms, and that nobody has tried it",
    (file) => {
      const { manifest, fetch, untested } = parseSource(readJson(file));
      const { observed_until, source_url, source_dataset } = manifest;
      expect([observed_until, source_url, source_dataset]).not.toContain(undefined);
      expect(fetch?.origin).toMatchObject({
        license: expect.any(String),
        taken_from: expect.stringMatching(/^https:/),
      });
      expect(untested).toBe(true);
    },
  );

  it("state that the Joint Research Centre's map is not binding, and the makers of Global Forest Change", () => {
    const { scope } = parseSource(readJson("jrc_gfc2020_v4.json")).manifest;
    expect(scope).toMatch(/^non-mandatory, non-exclusive and not legally binding/);
    for (const file of files.filter((name) => name.startsWith("gfc_"))) {
      expect(parseSource(readJson(file)).manifest.source_dataset).toContain("Hansen/UMD/Google/USGS/NASA");
    }
  });

  it("name granules as their publishers do", async () => {
    // Both names are of files that programs of others fetch.
    const loss = await addresses(parseSource(readJson("gfc_loss_year_2025.json")), ["BRA"]);
    expect(loss.map((address) => address.slice(-12)).sort()).toEqual(
      expect.arrayContaining(["00N_070W.tif", "10N_070W.tif", "10S_060W.tif", "20S_060W.tif"]),
    );
    expect(loss.length).toBeLessThan(25);
    const forest = await addresses(parseSource(readJson("jrc_gfc2020_v4.json")), ["BRA"]);
    expect(forest.some((address) => address.endsWith("/tiles/JRC_GFC2020_V4_N0_W70.tif"))).toBe(true);
  });

  it("have a column of dates for each year of loss", () => {
    const { cells } = parseSource(readJson("gfc_loss_year_2025.json")).manifest;
    expect(cells?.values).toHaveLength(25);
    for (const { value, properties } of cells!.values) {
      expect(properties).toEqual({ from: `${2000 + value}-01-01`, to: `${2000 + value}-12-31` });
    }
  });
});

const folder = process.env.GROUNDRULE_REAL_DATA;

describe.runIf(folder !== undefined)("on crops of Global Forest Change", () => {
  it("fetch, build, and answer how much tree cover was lost, with its cells as evidence", async () => {
    const dir = mkdtempSync(join(tmpdir(), "groundrule-raster-manifests-"));
    const served = new Map([
      ["lossyear", "hansen_2023_v1_11_lossyear_crop.tif"],
      ["treecover2000", "hansen_2023_v1_11_treecover2000_crop.tif"],
    ]);
    const requested: string[] = [];
    const server = createServer((request, response) => {
      requested.push(`${request.method} ${request.url}`);
      const product = /_(lossyear|treecover2000)_20N_080W\.tif$/.exec(request.url ?? "")?.[1];
      const file = served.get(product ?? "");
      if (file === undefined) return void response.writeHead(404).end();
      const bytes = readFileSync(join(folder!, "rasters", file));
      response.writeHead(200, { "content-length": bytes.length, etag: `"${file}"` }).end(bytes);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      for (const name of ["gfc_loss_year_2025.json", "gfc_tree_cover_2000.json"]) {
        const json = readJson(name);
        // There is no crop of the mask.
        json.fetch.url = json.fetch.url.replace("https://storage.googleapis.com", origin);
        delete json.fetch.granules.mask;
        delete json.cells.mask;
        writeFileSync(join(dir, name), JSON.stringify(json));
      }
      const plans: GranulesPlanned[] = [];
      const outcomes = await syncSources(readSourceFiles([dir]), {
        dir: join(dir, "data"),
        keep: { bounds: [-71.74, 18.63, -71.69, 18.69] },
        onGranules: (_, planned) => void plans.push(planned),
      });
      expect(outcomes).toMatchObject([
        { outcome: "installed", areas: 25 },
        { outcome: "installed", areas: 4 },
      ]);
      expect(plans).toMatchObject([{ granules: 1 }, { granules: 1 }]);
      expect(requested.every((each) => each.endsWith("_20N_080W.tif"))).toBe(true);
      const { engine } = openData(join(dir, "data"));
      const policy = engine.compile({
        sets: {
          trees: { sources: ["gfc:tree_cover_2000"], where: "value >= 30" },
          lost: { sources: ["gfc:loss_year"], where: "from > DATE('2020-12-31')" },
          both: { intersection: ["trees", "lost"] },
        },
        checks: ["trees", "lost", "both"].map((set) => ({
          id: set,
          set,
          measure: "overlap_area_m2",
          outcome: "NOTICE",
        })),
      });
      const [west, south, east, north] = [-71.735, 18.64, -71.7, 18.68];
      const ring = [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ];
      const verdict = policy.evaluate(
        { geometry: { type: "Polygon", coordinates: [ring] } },
        { now: "2026-11-27T00:00:00Z" },
      );
      const [trees, lost, both] = verdict.checks.map(({ comparisons }) => comparisons[0]!.value as number);
      expect(verdict.sources.map(({ coverage }) => coverage)).toEqual(["full", "full"]);
      expect(both).toBeGreaterThan(0);
      expect(both).toBeLessThanOrEqual(Math.min(trees!, lost!));
      expect(verdict.checks[2]?.evidence.every((each) => "cells" in each)).toBe(true);
    } finally {
      server.close();
      rmSync(dir, { recursive: true });
    }
  });
});
