import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { beforeAll, describe, expect, it } from "vitest";
import { encodeTiff } from "../../../../../packages/formats/test/write-tiff.ts";
import { runInProcess } from "../../../test/in-process.ts";

const { at, write } = createSharedFolder();
const data = at("data");
const run = (...args: string[]) => runInProcess(["sources", "sync", ...args, "--data", data]);

beforeAll(() => {
  mkdirSync(join(data, "manifests"), { recursive: true });
  mkdirSync(at("other"));
  writeAreas(4);
  declareSource("manifests", "parks", { fetch: { file: "parks.geojson" } });
});

function writeAreas(count: number): void {
  const features = Array.from({ length: count }, (_, i) => {
    return { type: "Feature", geometry: createSquarePolygon(i, 0, 1), properties: {} };
  });
  write("other/parks.geojson", { type: "FeatureCollection", features });
}

function declareSource(folder: string, name: string, members: object): string {
  const path = folder === "manifests" ? join(data, folder, `${name}.json`) : at(folder, `${name}.json`);
  writeFileSync(
    path,
    JSON.stringify({ source_name: `t:${name}`, kind: "leaf", coverage: "global", ...members }),
  );
  return path;
}

describe("sources sync", () => {
  it("takes the manifests of the data folder, and files from the folder of --from", async () => {
    const first = await run("--from", at("other"));
    expect([first.code, first.lines[0]?.outcome, first.lines[0]?.areas]).toEqual([0, "installed", 4]);
    const second = await run("t:parks", "--from", at("other"));
    expect([second.code, second.lines[0]?.outcome]).toEqual([0, "unchanged"]);
  });

  it("exits with 1 where guards refuse an edition, until it is allowed", async () => {
    writeAreas(1);
    const from = ["--from", at("other")];
    const refused = await run(...from);
    expect([refused.code, refused.lines[0]?.outcome]).toEqual([1, "refused"]);
    const allowed = await run(...from, "--allow", "shrunk");
    expect([allowed.code, allowed.lines[0]?.outcome, allowed.lines[0]?.areas]).toEqual([0, "installed", 1]);
  });

  it("leaves out what has no place where that is allowed, which the edition keeps and its manifest need not", async () => {
    write("other/pointed.geojson", {
      type: "FeatureCollection",
      features: [createSquarePolygon(0, 0, 1), null].map((geometry) => ({
        type: "Feature",
        geometry,
        properties: {},
      })),
    });
    const manifest = declareSource("other", "pointed", { fetch: { file: "pointed.geojson" } });
    const stopped = await run("--manifests", manifest);
    expect([stopped.code, stopped.lines[0]?.reasons]).toMatchObject([1, [{ code: "PLACE_UNKNOWN" }]]);
    const allowed = await run("--manifests", manifest, "--allow", "left_out");
    expect(allowed.lines).toMatchObject([{ outcome: "installed", areas: 1, left_out: 1 }]);
    expect((await run("--manifests", manifest)).lines).toMatchObject([{ outcome: "unchanged" }]);
  });

  it("exits with 1 where a source fails, 3 where a manifest cannot be read, and 4 where nothing is reached", async () => {
    const missing = declareSource("other", "missing", { fetch: { file: "missing.geojson" } });
    const away = declareSource("other", "away", { fetch: { url: "http://127.0.0.1:9/a", retries: 0 } });
    const broken = at("other/broken.json");
    writeFileSync(broken, "{");
    expect((await run("--manifests", missing)).code).toBe(1);
    expect((await run("--manifests", missing, "--manifests", broken)).code).toBe(3);
    expect((await run("--manifests", away)).code).toBe(4);
    expect((await run("--manifests", away, "--manifests", missing)).code).toBe(1);
  });

  it("exits with 2 for options that do not go together, and with 3 for what is not there", async () => {
    expect((await run("--at-most", "1h")).code).toBe(2);
    expect((await run("--allow", "everything")).code).toBe(2);
    expect((await run("t:unknown")).code).toBe(3);
    const shipped = await run("br:funai");
    expect([shipped.code, shipped.lines[0]?.reasons]).toMatchObject([1, [{ code: "FILE_MISSING" }]]);
    expect((await run("--manifests", at("nowhere"))).code).toBe(3);
  });

  it("reports how much of a raster in many files it fetches, and keeps the named land", async () => {
    const values = Float64Array.from({ length: 400 }, (_, i) => i % 2);
    for (const [name, west] of [
      ["loss_10N_010W.tif", -10],
      ["loss_10N_000E.tif", 0],
    ] as const) {
      const tiff = encodeTiff({ columns: 20, rows: 20, values, corner: [west, 10], step: [0.5, 0.5] });
      writeFileSync(at("other", name), tiff);
    }
    const loss = declareSource("other", "loss", {
      coverage: undefined,
      cells: { values: [{ value: 1 }], background: [{ value: 0 }] },
      fetch: {
        file: "loss_{lat:2}{ns}_{lon:3}{ew}.tif",
        granules: { degrees: 10, bounds: [-180, -60, 180, 80] },
      },
    });
    const nowhere = await run("--manifests", loss);
    expect([nowhere.code, nowhere.lines[0]?.reasons]).toMatchObject([1, [{ code: "EXTENT_MISSING" }]]);
    const { code, lines, err } = await run("--manifests", loss, "--bounds=-5,1,5,9");
    expect([code, lines[0]?.outcome]).toEqual([0, "installed"]);
    expect(err).toContain("t:loss: nothing to fetch; 2 files here already");
    // Part of Togo lies north of 10° N, for which there is no file.
    expect((await run("--manifests", loss, "--countries", "TGO")).lines[0]?.reasons).toMatchObject([
      { code: "FILE_MISSING" },
    ]);
    expect((await run("--manifests", loss, "--countries", "Togo")).code).toBe(2);
  });
});
