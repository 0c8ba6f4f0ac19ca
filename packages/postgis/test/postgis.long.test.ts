import type { StoredManifest } from "@groundrule/engine";
import type { ProviderConfig } from "@groundrule/node";
import { startPostgresServer } from "@groundrule/testing/postgres-server";
import { createBoxPositions } from "@groundrule/testing/shapes";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkPostgis, openPostgis, ProviderError } from "../src/index.ts";
import { createBothEngines, fetchCandidates, formatTableSql, MANIFEST, randomRows } from "./areas-table.ts";
import { testOutages } from "./outages.ts";
import { type PgliteServer, startPgliteServer } from "./pglite-server.ts";
import { testSameDigits } from "./same-digits.ts";

const ROWS = randomRows(400, 7);
const PLOTS = process.env.GROUNDRULE_FULL ? 2_000 : 60;

const table = { kind: "postgis", table: "areas", geometry: "geom" } as const;

function testExcess(urlOf: () => string): void {
  it("reports that a question wants more areas than an answer may hold, which is no outage", async () => {
    const { live } = createBothEngines(ROWS);
    const provider = openPostgis({ ...table, connection: urlOf(), max_candidates: 3 }, MANIFEST, {
      failuresInARow: 1,
    });
    const plot = (side: number) => ({
      type: "Polygon",
      coordinates: [createBoxPositions(-side, -side, side, side)],
    });
    expect(await fetchCandidates(provider, live, plot(2))).toEqual({
      excess: { unit: "areas", found: 4, allowed: 3 },
    });
    expect(provider.breaker).toBe("closed");
    await provider.close();
  });
}

describe("PostGIS in this process, over a socket", () => {
  let server: PgliteServer;
  beforeAll(async () => {
    server = await startPgliteServer();
    await server.exec(formatTableSql(ROWS));
  }, 120_000);
  afterAll(() => server.close());

  testSameDigits(() => server.url, ROWS, PLOTS);
  testOutages(() => server, ROWS);
  testExcess(() => server.url);
});

const system = await startPostgresServer("postgis");
if (system === undefined) {
  console.warn("Not run: a server of the system's (apt-get install -y postgresql-15-postgis-3).");
}

describe.skipIf(system === undefined)("PostGIS as a server of the system's", () => {
  // Tests are collected even without a server.
  const { port, url, kill, start, stop } = system ?? ({} as NonNullable<typeof system>);
  const run = async (...statements: string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  const config = { ...table, connection: url };
  beforeAll(() => run("CREATE EXTENSION postgis", formatTableSql(ROWS)));
  afterAll(() => stop());

  testSameDigits(() => url, ROWS, 4 * PLOTS);
  testOutages(() => ({ port, url }), ROWS);
  testExcess(() => url);

  it("describes a table", async () => {
    expect(await checkPostgis(config, MANIFEST)).toEqual({
      srid: 4326,
      estimated_areas: ROWS.length,
      is_indexed: true,
    });
    await run("CREATE VIEW seen AS SELECT * FROM areas");
    expect(await checkPostgis({ ...config, table: "public.seen" }, MANIFEST)).toMatchObject({ srid: 4326 });
  });

  it.each<[Partial<ProviderConfig>, Partial<StoredManifest>, string]>([
    [{ table: "nowhere" }, {}, 'there is no table "nowhere"'],
    [{ geometry: "geon" }, {}, 'does not have; did you mean "geom"?'],
    [{ geometry: "label" }, {}, 'column "label" of table "areas" is text, expected geometry'],
    [{}, { columns: { kind: "number" } }, "invalid input syntax for type double precision"],
    [{ table: "metric" }, {}, "are in SRID 31983, expected longitude and latitude"],
    [{ table: 'x"; DROP TABLE areas; --' }, {}, "there is no table"],
  ])("reports what is wrong with %j, %j", async (member, mapping, message) => {
    await run(
      "CREATE TABLE IF NOT EXISTS metric AS SELECT code, label, iso, hectares, kind, is_open, since, ST_Transform(geom, 31983) AS geom FROM areas WHERE ST_XMax(geom) < -1.5 AND ST_XMin(geom) > -3",
    );
    const refused = checkPostgis({ ...config, ...member }, { ...MANIFEST, ...mapping });
    await expect(refused).rejects.toThrow(ProviderError);
    await expect(refused).rejects.toThrow(message);
  });

  it("writes nothing, whatever a view does", async () => {
    await run(
      "CREATE TABLE written (n int)",
      "CREATE FUNCTION writes() RETURNS text LANGUAGE sql VOLATILE AS 'INSERT INTO written VALUES (1); SELECT ''x''::text'",
      "CREATE VIEW writing AS SELECT writes() AS code, label, iso, hectares, kind, is_open, since, geom FROM areas",
    );
    await expect(checkPostgis({ ...config, table: "writing" }, MANIFEST)).rejects.toThrow("read-only");
  });

  it("recovers when the database dies and comes back, and ends when its caller is gone", async () => {
    const { live } = createBothEngines(ROWS);
    const provider = openPostgis({ ...config, deadline_ms: 1_000 }, MANIFEST, { pauseMs: 50 });
    const plot = {
      type: "Polygon",
      coordinates: [createBoxPositions(0, 0, 0.5, 0.5)],
    };
    expect(await fetchCandidates(provider, live, plot)).toHaveProperty("candidates");
    await kill();
    expect(await fetchCandidates(provider, live, plot)).toHaveProperty("failed");
    await start();
    let answer: object = {};
    for (let tries = 0; tries < 60 && !("candidates" in answer); tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      answer = await fetchCandidates(provider, live, plot);
    }
    expect(answer).toHaveProperty("candidates");
    const [need] = live.liveNeeds(plot);
    const gone = await provider.candidates(need!, { signal: AbortSignal.abort() });
    expect(gone).toEqual({ failed: "nobody waits any more", code: "PROVIDER_CANCELLED" });
    expect(provider.breaker).toBe("closed");
    await provider.close();
  }, 60_000);
});
