/**
 * What does a charged evaluation cost over bare HTTP? A plot of 51 positions against a ruleset of 5 checks, each
 * request under a key of its own, charged durably; beside Hono that parses the same body and checks it with zod.
 * Rates share the machine's cores with who asks. `node bench/http.ts` prints the same by thread.
 *
 *     node bench/speed/http.ts
 */
import { compareServers, type HttpComparison } from "../http/compare.ts";
import type { ServerName } from "../http/servers.ts";
import { atLeast, atMost, runAlone, type SpeedResult } from "./row.ts";

const COMMAND = "npm run bench -- speed --only http";
const SETTINGS = { seconds: 4, rounds: 5, connections: 64, workers: "" };
const ALWAYS: readonly ServerName[] = ["parse", "gates", "sqlite"];
const GOAL_SQLITE = 3;
const GOAL_POSTGRES = 3.5;
const GOAL_RATE = 35;
const GOAL_THREAD = 60;

export async function measureHttp(): Promise<SpeedResult> {
  try {
    return rowsOf(await compareServers({ ...SETTINGS, servers: [...ALWAYS, "postgres"] }));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const missing = `http on PostgreSQL, whose server must be installed: ${why}`;
    return [...rowsOf(await compareServers({ ...SETTINGS, servers: ALWAYS })), { missing }];
  }
}

function rowsOf({ servers, alone }: HttpComparison): SpeedResult {
  const parse = servers.get("parse")!;
  const [sqlite, postgres] = [servers.get("sqlite")!, servers.get("postgres")];
  const all = (measured: { readonly cpuMicroseconds: Readonly<Record<string, number>> }): number =>
    measured.cpuMicroseconds.all! / parse.cpuMicroseconds.all!;
  const shareOf = (microseconds: number): number => (100 * 1e6) / microseconds / parse.perSecond;
  const metered = "metered evaluate,";
  return [
    atMost(
      `${metered} SQLite, CPU of all threads, × bare Hono + zod`,
      all(sqlite),
      GOAL_SQLITE,
      "×",
      COMMAND,
    ),
    atLeast(
      `${metered} SQLite, its rate on shared cores, of bare Hono + zod`,
      (100 * sqlite.perSecond) / parse.perSecond,
      GOAL_RATE,
      "%",
      COMMAND,
    ),
    ...Object.entries({ HTTP: alone.http!, worker: alone.answers, writer: alone.writer }).map(
      ([thread, microseconds]) =>
        atLeast(
          `${metered} ${thread} thread alone, rate of bare Hono + zod`,
          shareOf(microseconds),
          GOAL_THREAD,
          "%",
          COMMAND,
        ),
    ),
    ...(postgres === undefined
      ? []
      : [
          atMost(
            `${metered} PostgreSQL, CPU of all threads, × bare Hono + zod`,
            all(postgres),
            GOAL_POSTGRES,
            "×",
            COMMAND,
          ),
        ]),
  ];
}

await runAlone(import.meta, measureHttp);
