/**
 * What the service costs over bare HTTP.
 *
 *   node bench/http.ts [--seconds N] [--rounds N] [--connections N] [--workers N] [--no-postgres]
 *
 * Five servers, each in a process of its own, asked over loopback by this one:
 *   constant   Hono answers a constant
 *   parse      Hono parses the body and checks it with zod: a plot of 51 positions, a ruleset of 5 checks
 *   gates      the service as it is, but that its threads answer and commit at once: what the thread that
 *              speaks HTTP can do
 *   sqlite     the service evaluates the same body on the demo data: authenticated, metered, each request
 *              under an idempotency key of its own, charged durably in SQLite
 *   postgres   the same, charged in PostgreSQL (its own server, flushing to disk)
 *
 * Servers take turns in rounds; medians over rounds. CPU time is of the server's process, by thread where
 * Linux tells it; PostgreSQL's own is not in it. Latency and rate also hold the cost of asking: both share
 * the machine's cores. Where each thread has a core the busiest one sets the rate, so the last line says
 * what each can do by itself: `gates`; a worker that answers, and the writer that charges, without pause.
 * Before it stands what `sqlite` took of memory at most, and of disk for each charge.
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import * as z from "zod";
import { createKey } from "../apps/api/src/admin/api-keys.ts";
import { createOrganization } from "../apps/api/src/admin/organizations.ts";
import { startServer } from "../apps/api/src/http/serve.ts";
import { openStore } from "../apps/api/src/store/open-store.ts";
import { type PostgresCluster, startPostgres } from "../apps/api/test/postgres-cluster.ts";
import { buildDemo } from "../data/demo/index.ts";
import { openData } from "../packages/node/src/open-data.ts";
import { AnswerPool } from "../packages/service/src/answer-pool.ts";
import { hostInWorkers } from "../packages/service/src/engine-host.ts";
import { answersAlone, writerAlone } from "./http/alone.ts";
import { answeringAtOnce, committingNothing } from "./http/canned.ts";

type ServerName = "constant" | "parse" | "gates" | "sqlite" | "postgres";

/** What a server process says once it listens. */
interface Listening {
  readonly url: string;
  readonly key: string;
}

/** Until compilers are done with what is asked all the time. */
const WARM_UP_SECONDS = 6;

const COLUMNS = ["all", "http", "answers", "writer", "rest"] as const;

interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly answered: number;
  /** A request, by what the threads do. */
  readonly cpuMicroseconds: CpuByThread;
}

async function compare(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "4" },
      rounds: { type: "string", default: "3" },
      connections: { type: "string", default: "64" },
      workers: { type: "string", default: "" },
      "no-postgres": { type: "boolean", default: false },
    },
  });
  const [seconds, rounds, connections] = [values.seconds, values.rounds, values.connections].map(Number);
  const dir = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
  const children: ChildProcess[] = [];
  let cluster: PostgresCluster | undefined;
  try {
    const { plots } = await buildDemo(dir);
    const body = JSON.stringify({
      input: { geometry: roundPlot(centerOf(plots[0]!.geometry)) },
      ruleset: RULESET,
    });
    console.log(
      `node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), load ${loadavg()[0]!.toFixed(1)}`,
    );
    console.log(`body ${body.length} bytes, ${connections} connections, ${rounds} rounds of ${seconds} s`);
    const fsync = fsyncMilliseconds(dir);
    console.log(
      `fsync of 4 KiB: median ${fsync.median.toFixed(2)} ms, 99th percentile ${fsync.p99.toFixed(2)} ms`,
    );
    const alone = { answers: answersAlone(dir, body), writer: await writerAlone(dir, body.length) };
    if (!values["no-postgres"]) cluster = await startPostgres("flushing");
    const names: ServerName[] = ["constant", "parse", "gates", "sqlite"];
    if (cluster !== undefined) names.push("postgres");
    const servers = new Map<ServerName, { child: ChildProcess; at: Listening }>();
    for (const name of names) {
      const child = fork(new URL(import.meta.url), {
        env: {
          ...process.env,
          GROUNDRULE_BENCH_SERVER: name,
          GROUNDRULE_BENCH_DIR: dir,
          GROUNDRULE_BENCH_WORKERS: values.workers,
          GROUNDRULE_BENCH_DATABASE: (await cluster?.createDatabase()) ?? "",
        },
      });
      children.push(child);
      const [at] = (await once(child, "message")) as [Listening];
      servers.set(name, { child, at });
    }
    const measured = new Map<ServerName, Measured[]>(names.map((name) => [name, []]));
    let charged = 0;
    for (let round = 0; round <= rounds!; round++) {
      for (const [name, { child, at }] of servers) {
        const result = await measure(child, at, body, connections!, round === 0 ? WARM_UP_SECONDS : seconds!);
        if (name === "sqlite") charged += result.answered;
        // The first round warms up.
        if (round > 0) measured.get(name)!.push(result);
      }
    }
    console.log(
      "\n                                        CPU µs a request, by thread\n" +
        "server      req/s    p50 ms    p99 ms      all    http  answers  writer    rest",
    );
    const medians = new Map<ServerName, Measured>();
    for (const [name, results] of measured) {
      const of = (read: (result: Measured) => number) => median(results.map(read));
      const middle = {
        perSecond: of((r) => r.perSecond),
        p50Ms: of((r) => r.p50Ms),
        p99Ms: of((r) => r.p99Ms),
        answered: of((r) => r.answered),
        cpuMicroseconds: Object.fromEntries(
          COLUMNS.map((role) => [role, of((r) => r.cpuMicroseconds[role] ?? Number.NaN)]),
        ),
      };
      medians.set(name, middle);
      console.log(
        [
          name.padEnd(10),
          middle.perSecond.toFixed(0).padStart(7),
          middle.p50Ms.toFixed(2).padStart(9),
          middle.p99Ms.toFixed(2).padStart(9),
          ...COLUMNS.map((role) => {
            const spent = middle.cpuMicroseconds[role]!;
            return (Number.isNaN(spent) ? "–" : spent.toFixed(0)).padStart(role === "answers" ? 8 : 7);
          }),
        ].join(" "),
      );
    }
    const parse = medians.get("parse")!;
    const share = (perSecond: number) => `${((100 * perSecond) / parse.perSecond).toFixed(0)} %`;
    for (const name of names.slice(3)) {
      const { perSecond, cpuMicroseconds } = medians.get(name)!;
      const times = cpuMicroseconds.all! / parse.cpuMicroseconds.all!;
      console.log(
        `${name} reaches ${share(perSecond)} of parse's rate at ${times.toFixed(2)} times its CPU time`,
      );
    }
    const { child } = servers.get("sqlite")!;
    child.send("memory");
    const [peakBytes] = (await once(child, "message")) as [number];
    const diskBytes = ["sqlite.db", "sqlite.db-wal"].reduce((sum, file) => sum + sizeOf(join(dir, file)), 0);
    console.log(
      `\nsqlite: at most ${(peakBytes / 1e6).toFixed(0)} MB of memory, ` +
        `${(diskBytes / charged / 1_000).toFixed(1)} kB of disk a charge`,
    );
    // Where Linux does not tell a thread's CPU time, the rate is the least it can be: the other threads and
    // the generator had one core between them.
    const { http } = medians.get("gates")!.cpuMicroseconds;
    const httpAlone = Number.isFinite(http) ? http! : 1e6 / medians.get("gates")!.perSecond;
    console.log(
      `\neach thread by itself, of parse's rate: http ${share(1e6 / httpAlone)} (${httpAlone.toFixed(0)} µs a request), ` +
        `a worker ${share(1e6 / alone.answers)} (${alone.answers.toFixed(0)} µs), ` +
        `the writer ${share(1e6 / alone.writer)} (${alone.writer.toFixed(0)} µs, in flushed groups of 64)`,
    );
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await cluster?.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Asks over kept-alive connections, each as soon as it was answered, for that long. */
async function measure(
  child: ChildProcess,
  { url, key }: Listening,
  body: string,
  connections: number,
  seconds: number,
): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const run = randomBytes(6).toString("hex");
  const latencies: number[] = [];
  const cpuBefore = await cpuOf(child);
  const started = performance.now();
  const end = started + seconds * 1_000;
  let asked = 0;
  const connection = async (): Promise<void> => {
    while (performance.now() < end) {
      const from = performance.now();
      const status = await post(url, agent, body, key, `bench-${run}-${asked++}`);
      if (status !== 200) throw new Error(`${url} answered ${status}`);
      latencies.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const elapsed = performance.now() - started;
  const cpuAfter = await cpuOf(child);
  const cpu = Object.fromEntries(
    Object.entries(cpuAfter).map(([role, spent]) => [
      role,
      (spent - (cpuBefore[role] ?? 0)) / latencies.length,
    ]),
  );
  agent.destroy();
  latencies.sort((a, b) => a - b);
  return {
    perSecond: (latencies.length * 1_000) / elapsed,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    answered: latencies.length,
    cpuMicroseconds: cpu,
  };
}

function post(url: string, agent: Agent, body: string, key: string, idempotencyKey: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: "POST",
        agent,
        headers: {
          Authorization: `Bearer ${key}`,
          "Content-Type": "application/json",
          "Content-Length": body.length,
          "Idempotency-Key": idempotencyKey,
        },
      },
      (answer) => {
        answer.on("data", () => {});
        answer.on("end", () => resolve(answer.statusCode ?? 0));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** CPU time of a process's threads so far, microseconds, by what they do; `all` is their sum. */
type CpuByThread = Readonly<Record<string, number>>;

async function cpuOf(child: ChildProcess): Promise<CpuByThread> {
  child.send("cpu");
  const [cpu] = (await once(child, "message")) as [CpuByThread];
  return cpu;
}

/** Linux tells the time of each thread; elsewhere only the sum is known. */
function ownCpu(): CpuByThread {
  const { user, system } = process.cpuUsage();
  const spent: Record<string, number> = { all: user + system };
  const tasks = "/proc/self/task";
  if (!existsSync(tasks)) return spent;
  for (const task of readdirSync(tasks)) {
    const thread = readFileSync(`${tasks}/${task}/comm`, "utf8").trim();
    const [nanoseconds = "0"] = readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ");
    const role = ROLES.find(([pattern]) => pattern.test(thread))?.[1] ?? "rest";
    spent[role] = (spent[role] ?? 0) + Number(nanoseconds) / 1_000;
  }
  return spent;
}

/** Node names its threads, and those that a server starts are named by it. */
const ROLES: readonly (readonly [RegExp, string])[] = [
  [/MainThread$|^node$/, "http"],
  [/^answers$/, "answers"],
  [/^writer$/, "writer"],
];

async function serveAs(name: ServerName): Promise<void> {
  const at = name === "constant" || name === "parse" ? await bareServer(name) : await service(name);
  process.on("message", (asked) => {
    process.send?.(asked === "memory" ? process.resourceUsage().maxRSS * 1_024 : ownCpu());
  });
  process.send?.(at);
}

async function bareServer(name: "constant" | "parse"): Promise<Listening> {
  const app = new Hono();
  if (name === "constant") app.post("/", (c) => c.json({ ok: true }));
  else {
    app.post("/", async (c) => {
      const parsed = bodySchema.safeParse(await c.req.json());
      return c.json({ ok: parsed.success }, parsed.success ? 200 : 422);
    });
  }
  const server = createServer(getRequestListener(app.fetch));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, key: "none" };
}

async function service(name: "gates" | "sqlite" | "postgres"): Promise<Listening> {
  const dir = process.env.GROUNDRULE_BENCH_DIR!;
  const url =
    name === "postgres" ? process.env.GROUNDRULE_BENCH_DATABASE! : `sqlite:${join(dir, `${name}.db`)}`;
  const store = await openStore(url, { role: "serve", absent: "make" });
  const pepper = { version: 1, secret: randomBytes(32) };
  await createOrganization({ store, pepper }, { name: "bench", liveQuota: 100_000_000 });
  const { key } = await createKey({ store, pepper }, { organization: "bench", mode: "live", name: "bench" });
  const data = openData(dir);
  const workers = process.env.GROUNDRULE_BENCH_WORKERS ?? "";
  const host = hostInWorkers(
    () => data.engine,
    new AnswerPool(data.current, workers === "" ? {} : { size: Number(workers) }),
  );
  const server = await startServer({
    engine: name === "gates" ? answeringAtOnce(host) : host,
    engineVersion: "bench",
    store: name === "gates" ? committingNothing(store) : store,
    peppers: [pepper],
    port: 0,
    burst: { perSecond: 1_000_000, burst: 1_000_000 },
    print: () => {},
  });
  return { url: `${server.url}/v1/evaluate`, key };
}

const RULESET = {
  sets: {
    protected: { sources: ["demo:parks", "demo:indigenous"] },
    near_park: { sources: ["demo:parks"], within_m: 10_000 },
    cleared: {
      sources: ["demo:clearing"],
      where: { op: ">", args: [{ property: "detected" }, { date: "2020-12-31" }] },
    },
    cleared_in_protected: { intersection: ["cleared", "protected"] },
  },
  checks: [
    { id: "protected", set: "protected", measure: "overlap_ratio", value: 0.001, outcome: "NON_COMPLIANT" },
    { id: "clearing", set: "cleared", measure: "overlap_area_m2", value: 5_000, outcome: "NON_COMPLIANT" },
    { id: "any-clearing", set: "cleared", outcome: "NOTICE" },
    { id: "park-buffer", set: "near_park", outcome: "WARNING" },
    {
      id: "cleared-in-protected",
      set: "cleared_in_protected",
      measure: "overlap_area_m2",
      value: 0,
      outcome: "NON_COMPLIANT",
    },
  ],
};

const position = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]);

/** A body's shape, checked as a service without an engine of its own would. */
const bodySchema = z.strictObject({
  input: z.strictObject({
    geometry: z.strictObject({ type: z.literal("Polygon"), coordinates: z.array(z.array(position).min(4)) }),
  }),
  ruleset: z.strictObject({
    sets: z.record(
      z.string().max(64),
      z.union([
        z.strictObject({
          sources: z.array(z.string()),
          within_m: z.number().min(0).optional(),
          where: z.looseObject({ op: z.string(), args: z.array(z.unknown()) }).optional(),
        }),
        z.strictObject({ intersection: z.array(z.string()).min(2) }),
      ]),
    ),
    checks: z.array(
      z.strictObject({
        id: z.string().regex(/^[a-z0-9_-]{1,64}$/),
        set: z.string(),
        measure: z.string().optional(),
        value: z.number().optional(),
        outcome: z.enum(["NON_COMPLIANT", "WARNING", "NOTICE"]),
      }),
    ),
  }),
});

/** 50 vertices, the first repeated at the end: about 300 m around a centre. */
function roundPlot([longitude, latitude]: readonly [number, number]): object {
  const ring = Array.from({ length: 50 }, (_, i) => {
    const angle = (i / 50) * 2 * Math.PI;
    return [longitude + 0.003 * Math.cos(angle), latitude + 0.003 * Math.sin(angle)];
  });
  return { type: "Polygon", coordinates: [[...ring, ring[0]]] };
}

function centerOf(geometry: { readonly type: string }): [number, number] {
  const { coordinates } = geometry as unknown as { readonly coordinates: unknown };
  let first = coordinates;
  while (Array.isArray(first) && Array.isArray(first[0])) first = first[0];
  return first as [number, number];
}

/** What a durable commit costs at least here. */
function fsyncMilliseconds(dir: string): { readonly median: number; readonly p99: number } {
  const file = openSync(join(dir, "fsync"), "w");
  const page = new Uint8Array(4096);
  const times = Array.from({ length: 200 }, () => {
    const started = performance.now();
    writeSync(file, page);
    fsyncSync(file);
    return performance.now() - started;
  }).sort((a, b) => a - b);
  closeSync(file);
  return { median: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

const role = process.env.GROUNDRULE_BENCH_SERVER as ServerName | undefined;
if (role === undefined) await compare();
else await serveAs(role);
