import { buildRaster } from "@groundrule/ingest";
import { openData } from "@groundrule/node";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toLocalFile } from "../../formats/test/local-bytes.ts";
import { encodeTiff } from "../../formats/test/write-tiff.ts";
import type { GranulesPlanned } from "../src/index.ts";
import { serveFile, startTestServer, type TestServer } from "./servers.ts";
import { World } from "./worlds.ts";

/** Cells of half a degree, so that a granule of ten degrees is a small file. */
const STEP = 0.5;
const SIDE = 20;
/** Losses of 2021 and 2022 in stripes. */
const valueAt = (lon: number, lat: number): number =>
  Math.floor(lon * 2 + lat * 6) % 3 === 0 ? 21 : lon > 0 ? 22 : 0;
const CELLS = {
  values: [
    { value: 21, properties: { from: "2021-01-01", to: "2021-12-31" } },
    { value: 22, properties: { from: "2022-01-01", to: "2022-12-31" } },
  ],
  background: [{ value: 0 }],
};
const MASKED = { ...CELLS, mask: { nodata: [0] } };

let world: World;
let server: TestServer;
let published: Map<string, Uint8Array>;

function createGranule(west: number, north: number, at = valueAt): Uint8Array {
  const values = new Float64Array(SIDE * SIDE);
  for (let r = 0; r < SIDE; r++) {
    for (let c = 0; c < SIDE; c++)
      values[r * SIDE + c] = at(west + (c + 0.5) * STEP, north - (r + 0.5) * STEP);
  }
  return encodeTiff({ columns: SIDE, rows: SIDE, values, corner: [west, north], step: [STEP, STEP] });
}

beforeEach(async () => {
  world = new World();
  server = await startTestServer();
  published = new Map([
    ["/loss_10N_010W.tif", createGranule(-10, 10)],
    ["/loss_10N_000E.tif", createGranule(0, 10)],
    ["/loss_00N_010W.tif", createGranule(-10, 0)],
    ["/loss_00N_000E.tif", createGranule(0, 0)],
    ["/loss_20N_010W.tif", createGranule(-10, 20)],
  ]);
  server.answer = (request, response) => {
    const bytes = published.get(request.url ?? "");
    if (bytes === undefined) return void response.writeHead(404).end();
    serveFile(request, response, { bytes, etag: `"${bytes.length}"` });
  };
});

afterEach(async () => {
  await server.close();
  world.remove();
});

const declare = (granules: object = {}, cells: object = CELLS): void =>
  world.manifest("loss", {
    coverage: undefined,
    cells,
    fetch: {
      url: `${server.url}/loss_{lat:2}{ns}_{lon:3}{ew}.tif`,
      retries: 2,
      granules: { degrees: 10, bounds: [-180, -60, 180, 80], ...granules },
    },
  });
const requestsWith = (method: string) =>
  server.requests.filter((each) => each.method === method).map(({ path }) => path);

describe("a sync of a raster in many files", () => {
  it("states what it will fetch, and fetches only the granules that meet a box", async () => {
    declare();
    const plans: [string, GranulesPlanned, number][] = [];
    const keep = { bounds: [-4, -2, 3, 10] as const };
    const onGranules = (name: string, planned: GranulesPlanned) =>
      void plans.push([name, planned, requestsWith("GET").length]);
    expect(await world.sync({ keep, onGranules })).toMatchObject([{ outcome: "installed", areas: 2 }]);
    const met = ["/loss_10N_010W.tif", "/loss_10N_000E.tif", "/loss_00N_010W.tif", "/loss_00N_000E.tif"];
    expect(requestsWith("GET")).toEqual(met);
    const bytes = met.reduce((sum, path) => sum + published.get(path)!.length, 0);
    expect(plans).toEqual([["t:loss", { granules: 4, absent: 0, bytes, unsized: 0, here: 0 }, 0]]);
    const files = met.map((path) => toLocalFile(published.get(path)!, path));
    const manifest = { source_name: "t:loss", kind: "leaf", cells: CELLS } as const;
    const { file } = await buildRaster(files, manifest, { keep });
    expect(world.current("loss")?.edition).toBe(file.meta.edition);
  });

  it("fetches those that meet a country, and nothing of what it has", async () => {
    declare({ absent: "nodata" });
    const keep = { countries: ["GHA"] };
    expect(await world.sync({ keep })).toMatchObject([{ outcome: "installed" }]);
    // Ghana lies from 3.3° W to 1.2° E and from 4.7° N to 11.2° N, and is widened a little.
    const met = ["10N_000E", "10N_010W", "20N_010W"].map((name) => `/loss_${name}.tif`);
    expect(requestsWith("GET").toSorted()).toEqual(met);
    const plans: GranulesPlanned[] = [];
    const onGranules = (_: string, planned: GranulesPlanned) => void plans.push(planned);
    expect(await world.sync({ keep, onGranules })).toMatchObject([{ outcome: "unchanged", bytes: 0 }]);
    expect(plans).toEqual([{ granules: 0, absent: 1, bytes: 0, unsized: 0, here: 3 }]);
  });

  it("refuses a granule that lies elsewhere than its name states, by more than a cell", async () => {
    declare();
    const keep = { bounds: [1, 2, 3, 8] as const };
    published.set("/loss_10N_000E.tif", createGranule(20, 10));
    const [result] = await world.sync({ keep });
    expect(result?.reasons?.[0]).toMatchObject({
      code: "GRID_MISMATCH",
      message: expect.stringContaining(
        "found cells from 20, 0 to 30, 10, expected them within 0, 0 to 10, 10",
      ),
    });
    // A longer file, which the test's server gives another ETag.
    published.set("/loss_10N_000E.tif", Buffer.concat([createGranule(-STEP, 10 + STEP), Buffer.alloc(2)]));
    expect(await world.sync({ keep })).toMatchObject([{ outcome: "installed" }]);
  });

  it("goes on with the granule that broke off, and keeps those that came before", async () => {
    declare();
    const keep = { bounds: [-4, 2, 3, 8] as const };
    const whole = published.get("/loss_10N_000E.tif")!;
    let isCut = true;
    const { answer } = server;
    server.answer = (request, response, count) => {
      if (request.method !== "GET" || request.url !== "/loss_10N_000E.tif" || !isCut) {
        return answer(request, response, count);
      }
      isCut = false;
      const arrived = () => world.arrived("loss.granules/10N_000E");
      serveFile(request, response, { bytes: whole, etag: `"${whole.length}"`, cut: { at: 100, arrived } });
    };
    expect(await world.sync({ keep })).toMatchObject([{ outcome: "installed" }]);
    expect(requestsWith("GET")).toEqual(["/loss_10N_010W.tif", "/loss_10N_000E.tif", "/loss_10N_000E.tif"]);
    expect(server.requests.at(-1)?.headers.range).toBe("bytes=100-");
  });

  it("takes what its mask hides, and granules that nobody publishes, as not examined", async () => {
    declare({ mask: `${server.url}/mask_{lat:2}{ns}_{lon:3}{ew}.tif`, absent: "nodata" }, MASKED);
    published.set(
      "/mask_10N_010W.tif",
      createGranule(-10, 10, (_, lat) => (lat > 5 ? 1 : 0)),
    );
    const keep = { bounds: [-20, 0, 0, 10] as const };
    expect(await world.sync({ keep })).toMatchObject([{ outcome: "installed" }]);
    const policy = openData(world.data).engine.compile({
      sets: { loss: { sources: ["t:loss"] } },
      checks: [{ id: "loss", set: "loss", measure: "overlap_area_m2", outcome: "NON_COMPLIANT" }],
    });
    const coverageAt = (lon: number, lat: number) => {
      const geometry = createSquarePolygon(lon, lat, 0.1);
      return policy.evaluate({ geometry }, { now: "2026-11-22T00:00:00Z" }).sources[0]?.coverage;
    };
    expect([coverageAt(-5, 7), coverageAt(-5, 2), coverageAt(-15, 7)]).toEqual(["full", "none", "none"]);
  });

  it("fails where no option names the land, where a file is missing, and where all are", async () => {
    declare();
    const failure = async (options: object) => (await world.sync(options))[0]?.reasons?.[0]?.code;
    expect(await failure({})).toBe("EXTENT_MISSING");
    expect(server.requests).toEqual([]);
    expect(await failure({ keep: { bounds: [-20, 2, 3, 8] } })).toBe("FETCH_REFUSED");
    declare({ absent: "nodata" });
    expect(await failure({ keep: { bounds: [60, 2, 65, 8] } })).toBe("FETCH_REFUSED");
    expect(world.current("loss")).toBeUndefined();
  });
});
