import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AreaProvider, selectNeededAreas } from "@groundrule/testing/area-provider";
import { startPostgresServer } from "@groundrule/testing/postgres-server";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runInProcess, splitCommandWords } from "../../../test/in-process.ts";
import {
  AREAS,
  LiveFolders,
  MANIFEST,
  omitEditionsAndDigests,
  PLOTS,
  PROVIDER,
} from "../../../test/live-folders.ts";
import { formatNdjson } from "../../../test/plot-texts.ts";

const NOW = ["--now", "2026-11-01T00:00:00Z"];
const folders = new LiveFolders();
// A coverage with borders: its territory goes beside the manifest.
beforeAll(() => folders.fill(["BRA"]), 120_000);
beforeEach(() => {
  folders.provider = new AreaProvider(AREAS);
});
afterAll(() => folders.remove());

describe("groundrule screen over a live source", () => {
  const rules = () => ["--workers", "2", "--ruleset", folders.at("rules.json"), ...NOW];

  it("answers as over its snapshot, and its records replay without the database", async () => {
    const expected = await folders.stored("screen", ...rules());
    const found = await folders.live("screen", ...rules(), "--record", folders.at("records"));
    expect(found.err).toBe(expected.err);
    expect(found.lines).toHaveLength(PLOTS.length);
    expect(omitEditionsAndDigests(found.lines)).toEqual(omitEditionsAndDigests(expected.lines));
    expect(folders.provider.queries).toHaveLength(PLOTS.length);
    expect(folders.provider.isClosed).toBe(true);
    const { code, lines } = await folders.live("replay", folders.at("records"));
    expect(lines.map(({ result }) => result)).toEqual(PLOTS.map(() => "identical"));
    expect(code).toBe(0);
    expect(folders.provider.queries).toHaveLength(PLOTS.length);
  }, 60_000);

  it("screens in input order however late single answers come, with no more queries at once than connections", async () => {
    let running = 0;
    let most = 0;
    const needed = folders.provider.queries;
    folders.provider.fault = async () => {
      most = Math.max(most, ++running);
      const need = needed.at(-1)!;
      await sleep((needed.length * 7) % 23);
      running--;
      return { candidates: selectNeededAreas(AREAS, need) };
    };
    const { lines } = await folders.live(
      ...splitCommandWords`screen --workers 1 --ruleset ${folders.at("rules.json")} ${NOW}`,
    );
    expect(lines.map(({ id }) => id)).toEqual(PLOTS.map(({ id }) => id));
    expect(most).toBe(4);
  });
});

const server = await startPostgresServer("postgis");
if (server === undefined) {
  console.warn("Not run: PostGIS as a server of the system's (apt-get install -y postgresql-15-postgis-3).");
}

describe.skipIf(server === undefined)("the commands over a table of PostGIS", () => {
  const run = (...args: string[]) =>
    runInProcess([...args, "--data", folders.at("postgis")], {
      input: formatNdjson(...PLOTS),
    });
  const name = "GROUNDRULE_TEST_PARKS";
  beforeAll(async () => {
    process.env[name] = server!.url;
    const text = (value: string | null) => (value === null ? "NULL" : `'${value}'`);
    const rows = AREAS.map(({ geometry, properties: { code, category, since }, country_iso3 }) => {
      const cells = [code, category, since, country_iso3].map(text).join(", ");
      return `(${cells}, ST_GeomFromGeoJSON('${JSON.stringify(geometry)}'))`;
    });
    const sql = `CREATE EXTENSION postgis;
      CREATE TABLE parks (code text PRIMARY KEY, category text, since date, iso text, geom geometry(Polygon, 4326));
      INSERT INTO parks SELECT c, k, d::date, i, g FROM (VALUES ${rows.join(",")}) AS r (c, k, d, i, g);
      CREATE INDEX ON parks USING gist (geom);
      ANALYZE parks;`;
    execFileSync(join(server!.bin, "psql"), ["-q", "-v", "ON_ERROR_STOP=1", server!.url], { input: sql });
    const provider = { ...PROVIDER, connection: `env:${name}` };
    folders.write("postgis.json", { ...MANIFEST, coverage: ["BRA"], country: "iso", provider });
  }, 120_000);
  afterAll(async () => {
    delete process.env[name];
    await server!.stop();
  });

  /** A server that was killed repairs its files before it takes questions. */
  const isReady = (): boolean => {
    const { status } = spawnSync(join(server!.bin, "psql"), ["-c", "SELECT 1 FROM parks", server!.url]);
    return status === 0;
  };

  it("connect it and report its size, and refuse one that is not there", async () => {
    const { code, out, err } = await run("sources", "connect", "--manifest", folders.at("postgis.json"));
    expect(err).toBe("");
    expect(out).toBe("connected live:parks to table public.parks, about 40 areas\n");
    expect(code).toBe(0);
    const provider = { ...PROVIDER, connection: `env:${name}`, table: "parcs" };
    folders.write("missing.json", { ...MANIFEST, provider });
    const missing = await run("sources", "connect", "--manifest", folders.at("missing.json"));
    expect(missing.code).toBe(3);
    expect(missing.err).toContain('there is no table "parcs"');
  });

  it.each([
    ["evaluate", ["--ruleset"]],
    ["screen", ["--workers", "1", "--ruleset"]],
    ["intersections", []],
    ["distance", ["--max-distance-m", "25000"]],
  ])(
    "answer as over a snapshot of it: %s",
    async (command, options) => {
      const ruleset = options.at(-1) === "--ruleset" ? [folders.at("rules.json")] : [];
      const args = [command, ...options, ...ruleset, ...NOW];
      const expected = await folders.stored(...args);
      const found = await run(...args);
      expect(found.err).toBe(expected.err);
      expect(omitEditionsAndDigests(found.lines)).toEqual(omitEditionsAndDigests(expected.lines));
    },
    60_000,
  );

  it("degrade every verdict while the server is down, and answer again once it is back", async () => {
    const records = folders.at("postgis-records.ndjson");
    const rules = ["evaluate", "--ruleset", folders.at("rules.json"), ...NOW];
    const before = await run(...rules, "--record", records);
    await server!.kill();
    const verdicts = (lines: readonly Record<string, unknown>[]) =>
      new Set(lines.map(({ verdict }) => (verdict as { verdict: string }).verdict));
    expect(verdicts((await run(...rules)).lines)).toEqual(new Set(["DEGRADED"]));
    // Records need no database.
    const { lines } = await run("replay", records);
    expect(lines.map(({ result }) => result)).toEqual(PLOTS.map(() => "identical"));
    await server!.start();
    while (!isReady()) await sleep(100);
    expect((await run(...rules)).lines).toEqual(before.lines);
  }, 60_000);
});
