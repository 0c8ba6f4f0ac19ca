import { createClient } from "@groundrule/client";
import { openEngine, type SourceManifest } from "@groundrule/engine";
import { hostInProcess } from "@groundrule/service";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { afterEach, expect, it } from "vitest";
import { makeTinyRaster, RASTER_MANIFEST, writeRaster } from "../../../../packages/engine/test/rasters.ts";
import { HttpCaller } from "../../test/http.ts";
import { startService, type TestService } from "../../test/service.ts";

const CONTENT = makeTinyRaster();
const NAME = RASTER_MANIFEST.source_name;

let service: TestService;
afterEach(() => service.stop());

function makeRasterBytes(more: Partial<SourceManifest> = {}): ArrayBuffer {
  return joinFileBytes(writeRaster(CONTENT, {}, { ...RASTER_MANIFEST, ...more }));
}

function makeColouredRaster(colour: string): ArrayBuffer {
  const values = Array.from({ length: 20 }, (_, i) => ({ value: i + 1, ...(i === 3 && { color: colour }) }));
  return makeRasterBytes({ cells: { values } });
}

/** The path of the tile at the middle of a cell. */
function buildTilePath(z: number, row: number, column: number): string {
  const { a, b, s, t, n } = CONTENT.grid;
  const [lon, lat] = [(a + (column + 0.5) * s) / n, (b - (row + 0.5) * t) / n];
  const y = 0.5 - Math.atanh(Math.sin((lat * Math.PI) / 180)) / (2 * Math.PI);
  return `${z}/${Math.floor(((lon + 180) / 360) * 2 ** z)}/${Math.floor(y * 2 ** z)}`;
}

const get = (path: string, headers?: Record<string, string>) => new HttpCaller(service).get(path, headers);
const tile = (place: string, headers?: Record<string, string>) =>
  get(`/v1/sources/${NAME}/tiles/${place}`, headers);

it("lists a raster with its grid, the size of its cells and its last day, over HTTP, in its description and to the client", async () => {
  const engine = openEngine([{ bytes: makeRasterBytes({ observed_until: "2025-12-31" }) }]);
  service = await startService(engine);
  const client = createClient({ baseUrl: service.url, apiKey: service.key });
  const [source] = (await client.sources.list()).data.items;
  const { grid, cell_m, observed_until } = source!;
  expect(grid).toEqual({ columns: 700, rows: 500, cell_degrees: [1 / 4000, 1 / 4000] });
  // 1/4000 degree at 18.5 degrees north.
  expect(cell_m!.map(Math.round)).toEqual([26, 28]);
  expect(observed_until).toBe("2025-12-31");
  expect(await (await get("/v1/sources")).json()).toMatchObject({ data: { items: [source] } });
  const { components } = (await (await get("/openapi.json")).json()) as {
    readonly components: { readonly schemas: Readonly<Record<string, object>> };
  };
  const described = Object.values(components.schemas).map((schema) => JSON.stringify(schema));
  expect(
    described.filter((text) =>
      ["grid", "cell_m", "observed_until", "cell_degrees"].every((member) => text.includes(`"${member}":`)),
    ),
  ).toHaveLength(1);
});

it("refuses a tile whose cells are damaged, as described, and draws the others", async () => {
  const bytes = makeRasterBytes();
  // The cells are at the end of the file, and are checked when first read.
  const damaged = new Uint8Array(bytes);
  for (let at = damaged.length - 40; at > damaged.length - 20_000; at -= 97) damaged[at]! ^= 0x55;
  const engine = openEngine([{ bytes }]);
  expect(engine.failures()).toEqual([]);
  service = await startService(engine);
  expect((await tile(buildTilePath(14, 20, 20))).status).toBe(200);
  // Near, medium and far zooms, and near again: a failure is not cached.
  for (const z of [14, 10, 4, 14]) {
    const refused = await tile(buildTilePath(z, 490, 690));
    expect(refused.status, `zoom ${z}`).toBe(503);
    expect(refused.headers.get("Retry-After")).not.toBeNull();
    expect(await refused.json()).toMatchObject({
      code: "SNAPSHOT_CORRUPT",
      detail: expect.stringMatching(/"test:raster" cannot be read: .*tile in row 2, column \d/),
    });
  }
  const { paths } = (await (await get("/openapi.json")).json()) as {
    readonly paths: Readonly<Record<string, { readonly get: { readonly responses: object } }>>;
  };
  const responses = paths["/v1/sources/{name}/tiles/{z}/{x}/{y}"]!.get.responses;
  expect(JSON.stringify(Object.entries(responses).filter(([status]) => status === "503"))).toContain(
    "SNAPSHOT_CORRUPT",
  );
});

it("gives a tile another tag once its colours are others, which are part of no edition", async () => {
  let engine = openEngine([{ bytes: makeColouredRaster("#ff0000") }]);
  service = await startService(hostInProcess(() => engine));
  const place = buildTilePath(14, 100, 200);
  const colourOf = async (response: Response): Promise<unknown> => {
    const { areas } = new VectorTile(new PbfReader(await response.arrayBuffer())).layers;
    const features = Array.from({ length: areas!.length }, (_, i) => areas!.feature(i).properties);
    return features.find(({ index }) => index === 3)!.color;
  };
  const first = await tile(place);
  const tag = first.headers.get("ETag")!;
  expect(await colourOf(first)).toBe("#ff0000");
  const known = { "If-None-Match": tag };
  expect((await tile(place, known)).status).toBe(304);
  const editionOf = () => engine.intersections({ type: "Point", coordinates: [0, 0] }).sources[0]!.edition;
  const edition = editionOf();
  engine = openEngine([{ bytes: makeColouredRaster("#00ff00") }]);
  expect(editionOf()).toBe(edition);
  const second = await tile(place, known);
  expect(second.status).toBe(200);
  expect(await colourOf(second)).toBe("#00ff00");
  engine = openEngine([{ bytes: makeColouredRaster("#ff0000") }]);
  expect((await tile(place, known)).status).toBe(304);
});
