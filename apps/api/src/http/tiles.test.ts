import { createSmallWorld } from "@groundrule/testing/small-world";
import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HttpCaller } from "../../test/http.ts";
import { createTestOrganization, startService, type TestService } from "../../test/service.ts";

let service: TestService;
let scoped: string;

beforeAll(async () => {
  service = await startService(world);
  ({ key: scoped } = await createTestOrganization(service.store, { sources: ["demo:lands"] }));
});
afterAll(() => service.stop());

const world = createSmallWorld();

const get = (
  path: string,
  { key = service.key, ...headers }: Record<string, string> = {},
): Promise<Response> => new HttpCaller({ ...service, key }).get(`/v1/sources/${path}`, headers);

describe("tiles of a source", () => {
  it("have its areas, packed, and are not charged", async () => {
    const response = await get("demo:parks/tiles/8/128/127");
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "application/vnd.mapbox-vector-tile",
    ]);
    expect(response.headers.get("cache-control")).toBe("private, no-cache");
    const { areas } = new VectorTile(new PbfReader(await response.arrayBuffer())).layers;
    const ids = Array.from({ length: areas!.length }, (_, i) => areas!.feature(i).properties.source_id);
    expect(ids).toEqual(["p1", "p2"]);
    expect(await new HttpCaller(service).used()).toBe(0);
  });

  it("are sent once: a request with the tile of the edition is answered 304", async () => {
    const etag = (await get("demo:parks/tiles/8/128/127")).headers.get("etag")!;
    expect((await get("demo:parks/tiles/8/128/127", { "if-none-match": etag })).status).toBe(304);
    expect((await get("demo:parks/tiles/8/128/128", { "if-none-match": etag })).status).toBe(200);
  });

  it("are empty answers where there is nothing", async () => {
    expect((await get("demo:parks/tiles/8/0/0")).status).toBe(204);
  });

  it.each([
    ["demo:nothing/tiles/0/0/0", 422, "SOURCE_UNKNOWN", "is not a source"],
    ["demo:sanctions/tiles/0/0/0", 422, "SOURCE_UNKNOWN", "is a register"],
    ["demo:parks/tiles/15/0/0", 404, "NOT_FOUND", "no tile"],
    ["demo:parks/tiles/2/4/0", 404, "NOT_FOUND", "no tile"],
    ["demo:parks/tiles/02/0/0", 404, "NOT_FOUND", "no tile"],
    ["demo:parks/tiles/1e0/0/0", 404, "NOT_FOUND", "no tile"],
    ["demo:parks/tiles/-0/0/0", 404, "NOT_FOUND", "no tile"],
    ["demo:parks/tiles/99999999999999999999/0/0", 404, "NOT_FOUND", "no tile"],
    ["demo:parks/tiles/0/0/0?token=1", 422, "VALIDATION_FAILED", ""],
  ])("are refused: %s", async (path, status, code, words) => {
    const response = await get(path);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code, detail: expect.stringContaining(words) });
  });

  it("of a source that is not available to the caller do not exist, kept ones and known ones neither", async () => {
    const etag = (await get("demo:parks/tiles/8/128/127")).headers.get("etag")!;
    for (const headers of [{}, { "if-none-match": etag }]) {
      const refused = await get("demo:parks/tiles/8/128/127", { key: scoped, ...headers });
      expect(refused.status).toBe(422);
      expect(await refused.json()).toMatchObject({ code: "SOURCE_UNKNOWN" });
    }
  });
});
