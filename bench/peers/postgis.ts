import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgresServer } from "@groundrule/testing/postgres-server";
import type { Polygons } from "@groundrule/testing/shapes";
import type { Missing } from "../kernel/line.ts";
import { type Peer, PIECE_VERTICES } from "./peer.ts";

export const POSTGIS_MISSING: Missing = {
  missing:
    "PostGIS: a server of the system's (apt-get install -y postgresql postgis postgresql-15-postgis-3)",
};

/** PostGIS with areas and plots in tables. */
export interface Postgis {
  readonly peers: readonly Peer[];
  stop(): Promise<void>;
}

/** Clock ticks a second in /proc on Linux. */
const TICKS = 100;

/**
 * Starts the system's PostgreSQL in a temporary folder and loads areas and plots; undefined where there is none
 * with PostGIS. CPU time is of the process that serves the connection, in ticks of 10 ms.
 */
export async function startPostgis(
  areas: readonly Polygons[],
  plots: readonly Polygons[],
): Promise<Postgis | undefined> {
  const server = await startPostgresServer("postgis", ["shared_buffers=512MB"]);
  if (server === undefined) return undefined;
  const { Client } = await import("pg");
  const client = await connected(() => new Client({ connectionString: server.url }));
  await client.query("CREATE EXTENSION postgis");
  await client.query("CREATE TABLE areas (id int, geometry geometry)");
  await client.query("CREATE TABLE plots (id int PRIMARY KEY, geometry geometry)");
  await fill(client, "areas", areas);
  await fill(client, "plots", plots);
  await indexed(client, "areas");
  const version = (await client.query("SELECT postgis_lib_version() AS v")).rows[0].v as string;
  const pid = (await client.query("SELECT pg_backend_pid() AS pid")).rows[0].pid as number;
  const cut = new Set<string>();
  const peerOn = (table: string, name: string, asks: Peer["asks"], most?: number): Peer => ({
    name: `PostGIS ${version}, ${name}`,
    asks,
    pass: async (from, count) => {
      if (most !== undefined && !cut.has(table)) {
        cut.add(table);
        await client.query(
          `CREATE TABLE ${table} AS SELECT id, ST_Subdivide(geometry, ${most}) AS geometry FROM areas`,
        );
        await indexed(client, table);
      }
      const before = ticksOf(pid);
      const { rows } = await client.query(overlaps(table, from, count));
      const micros = ((ticksOf(pid) - before) * 1e6) / TICKS / count;
      return { micros, hits: Number(rows[0].hits), squareDegrees: Number(rows[0].overlap ?? 0) };
    },
  });
  return {
    peers: [
      peerOn("areas", "whole areas", "areas"),
      ...PIECE_VERTICES.map((most) => peerOn(`pieces${most}`, `ST_Subdivide to ${most}`, "pieces", most)),
    ],
    stop: async () => {
      await client.end();
      await server.stop();
    },
  };
}

/** As an expert asks: the index first, then the cheap predicates, then what must be constructed. */
function overlaps(table: string, from: number, count: number): string {
  return `
    SELECT count(DISTINCT (p.id, a.id)) AS hits,
      sum(CASE WHEN ST_CoveredBy(p.geometry, a.geometry) THEN ST_Area(p.geometry)
               ELSE ST_Area(ST_Intersection(p.geometry, a.geometry)) END) AS overlap
    FROM plots p JOIN ${table} a ON ST_Intersects(a.geometry, p.geometry)
    WHERE p.id >= ${from} AND p.id < ${from + count}`;
}

interface Queries {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

async function indexed(client: Queries, table: string): Promise<void> {
  await client.query(`CREATE INDEX ON ${table} USING gist (geometry)`);
  await client.query(`ANALYZE ${table}`);
}

async function fill(client: Queries, table: string, geometries: readonly Polygons[]): Promise<void> {
  for (const [id, polygons] of geometries.entries()) {
    await client.query(`INSERT INTO ${table} VALUES ($1, ST_GeomFromWKB($2))`, [id, multiPolygon(polygons)]);
  }
}

/** Well-known binary, little-endian. */
function multiPolygon(polygons: Polygons): Buffer {
  const head = (type: number, count: number): Buffer => {
    const bytes = Buffer.alloc(9);
    bytes.writeUInt8(1, 0);
    bytes.writeUInt32LE(type, 1);
    bytes.writeUInt32LE(count, 5);
    return bytes;
  };
  const parts = [head(6, polygons.length)];
  for (const rings of polygons) {
    parts.push(head(3, rings.length));
    for (const ring of rings) {
      const count = Buffer.alloc(4);
      count.writeUInt32LE(ring.length / 2);
      parts.push(count, Buffer.from(ring.buffer, ring.byteOffset, ring.byteLength));
    }
  }
  return Buffer.concat(parts);
}

/** User and system time of a process. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

async function connected<C extends { connect(): Promise<unknown> }>(open: () => C): Promise<C> {
  for (let tries = 0; ; tries++) {
    const client = open();
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(100);
    }
  }
}
