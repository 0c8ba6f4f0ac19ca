/**
 * Measures the cost of a charged evaluation compared with bare HTTP. A plot of 51 positions against a ruleset of 5
 * checks, each request under a key of its own, charged durably; beside Hono that parses the same body and checks it
 * with zod. Rates share the machine's cores with who asks; what a thread could do alone is told by its CPU time. `node
 * bench/http.ts` prints the same by thread.
 *
 *     node bench/speed/http.ts
 */
import { compareServers } from "../http/compare.ts";
import { buildMaximumRow, buildMinimumRow, runMeasurementAlone, type SpeedResult } from "./row.ts";

const GOAL_SQLITE = 3;
const GOAL_POSTGRES = 3.5;
const GOAL_RATE = 35;
const GOAL_THREAD = 60;

async function measureHttp(): Promise<SpeedResult> {
  const { servers, missing } = await compareServers({ seconds: 4, rounds: 5, connections: 64 });
  const parse = servers.get("parse")!;
  const [sqlite, postgres] = [servers.get("sqlite")!, servers.get("postgres")];
  const times = ({ cpuMicros }: typeof parse): number => cpuMicros.all / parse.cpuMicros.all;
  const share = (perSecond: number): number => (100 * perSecond) / parse.perSecond;
  const sayTimes = (store: string, measured: typeof parse, goal: number) =>
    buildMaximumRow(
      `metered evaluate, ${store}, CPU of all threads, × bare Hono + zod`,
      times(measured),
      goal,
      "×",
    );
  const sayShare = (what: string, perSecond: number, goal: number) =>
    buildMinimumRow(`metered evaluate, ${what} of bare Hono + zod`, share(perSecond), goal, "%");
  const { http, answers, writer } = sqlite.cpuMicros;
  return [
    sayTimes("SQLite", sqlite, GOAL_SQLITE),
    sayShare("SQLite, its rate on shared cores,", sqlite.perSecond, GOAL_RATE),
    ...Object.entries({ HTTP: http, worker: answers, writer }).map(([thread, micros]) =>
      sayShare(`${thread} thread alone, rate`, 1e6 / micros, GOAL_THREAD),
    ),
    postgres === undefined ? { missing: missing! } : sayTimes("PostgreSQL", postgres, GOAL_POSTGRES),
  ];
}

await runMeasurementAlone(import.meta, measureHttp);
