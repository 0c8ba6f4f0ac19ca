import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresCluster, startPostgres } from "../../apps/api/test/postgres-cluster.ts";
import { buildDemo } from "../../data/demo/index.ts";
import { computeMedian, quantile } from "../measure.ts";
import { buildEvaluateBody } from "./body.ts";
import type { Listening, ServerName } from "./server.ts";

export interface CompareSettings {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
}

/** Threads whose CPU time is told apart, and their sum; the rest are the garbage collector's and the compiler's. */
export const THREADS = ["all", "http", "answers", "writer", "rest"] as const;

/** The figures of a server under load; medians over rounds. */
export interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** A request, by what the threads do; NaN where Linux does not tell them apart. */
  readonly cpuMicros: Readonly<Record<(typeof THREADS)[number], number>>;
}

/** The cost of the service compared with bare HTTP. */
export interface HttpComparison {
  readonly servers: ReadonlyMap<ServerName, Measured>;
  /** The reason why PostgreSQL was not measured. */
  readonly missing: string | undefined;
  /** Peak memory of `sqlite`. */
  readonly peakBytes: number;
  readonly diskBytesACharge: number;
}

/** Time until compilers have finished with the hot code. */
const WARM_UP_SECONDS = 6;

/** Asks each server in a process of its own over loopback, in turns. */
export async function compareServers(settings: CompareSettings): Promise<HttpComparison> {
  const dir = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
  const children = new Map<ServerName, ChildProcess>();
  let cluster: PostgresCluster | undefined;
  let missing: string | undefined;
  try {
    const { plots } = await buildDemo(dir);
    const body = buildEvaluateBody(plots[0]!.geometry);
    const stores = new Map<ServerName, string>([
      ["parse", ""],
      ["sqlite", `sqlite:${join(dir, "state.db")}`],
    ]);
    try {
      cluster = await startPostgres("flushing");
      stores.set("postgres", await cluster.createDatabase());
    } catch (error) {
      missing = `http on PostgreSQL, whose server must be installed: ${(error as Error).message}`;
    }
    const addresses = new Map<ServerName, Listening>();
    for (const [name, store] of stores) {
      const env = { ...process.env, GROUNDRULE_BENCH_DIR: dir, GROUNDRULE_BENCH_STORE: store };
      const child = fork(new URL("./server.ts", import.meta.url), { env });
      children.set(name, child);
      addresses.set(name, (await once(child, "message"))[0]);
    }
    const taken = new Map([...children.keys()].map((name) => [name, [] as Measured[]]));
    let charged = 0;
    // The first round warms up.
    for (let round = 0; round <= settings.rounds; round++) {
      for (const [name, child] of children) {
        const seconds = round === 0 ? WARM_UP_SECONDS : settings.seconds;
        const load = { body, connections: settings.connections, seconds };
        const { answered, measured } = await runServerLoad(child, addresses.get(name)!, load);
        if (name === "sqlite") charged += answered;
        if (round > 0) taken.get(name)!.push(measured);
      }
    }
    const files = ["state.db", "state.db-wal"].map((name) => join(dir, name));
    const bytes = files.reduce(
      (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
    return {
      servers: new Map([...taken].map(([name, results]) => [name, computeMedianResult(results)])),
      missing,
      peakBytes: await queryServer<number>(children.get("sqlite")!, "memory"),
      diskBytesACharge: bytes / charged,
    };
  } finally {
    for (const child of children.values()) child.kill("SIGKILL");
    await cluster?.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

function computeMedianResult(results: readonly Measured[]): Measured {
  const of = (read: (result: Measured) => number): number => computeMedian(results.map(read));
  return {
    perSecond: of((r) => r.perSecond),
    p50Ms: of((r) => r.p50Ms),
    p99Ms: of((r) => r.p99Ms),
    cpuMicros: collectByThread((thread) => of((r) => r.cpuMicros[thread])),
  };
}

function collectByThread(of: (thread: (typeof THREADS)[number]) => number): Measured["cpuMicros"] {
  return Object.fromEntries(THREADS.map((thread) => [thread, of(thread)])) as Measured["cpuMicros"];
}

interface Load {
  readonly body: string;
  readonly connections: number;
  readonly seconds: number;
}

/** Asks over kept-alive connections, each as soon as it was answered. */
async function runServerLoad(
  child: ChildProcess,
  { url, key }: Listening,
  { body, connections, seconds }: Load,
): Promise<{ readonly answered: number; readonly measured: Measured }> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const run = randomBytes(6).toString("hex");
  const latencies: number[] = [];
  const cpuBefore = await queryServer<Record<string, number>>(child, "cpu");
  const started = performance.now();
  const end = started + seconds * 1_000;
  let requests = 0;
  const connection = async (): Promise<void> => {
    while (performance.now() < end) {
      const from = performance.now();
      const headers = {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        "Content-Length": body.length,
        "Idempotency-Key": `bench-${run}-${requests++}`,
      };
      const answer = await postBody(url, agent, headers, body);
      if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`);
      // An answer without a charge, as with a failed source, is no measure of a charge.
      if (key !== undefined && answer.headers["x-decision-id"] === undefined)
        throw new Error(`${url} charged nothing`);
      latencies.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const elapsed = performance.now() - started;
  const cpuAfter = await queryServer<Record<string, number>>(child, "cpu");
  agent.destroy();
  const answered = latencies.length;
  const measured: Measured = {
    perSecond: (answered * 1_000) / elapsed,
    p50Ms: computeMedian(latencies),
    p99Ms: quantile(latencies, 0.99),
    cpuMicros: collectByThread((thread) => (cpuAfter[thread]! - (cpuBefore[thread] ?? 0)) / answered),
  };
  return { answered, measured };
}

/** The server's answer to `cpu` or `memory`. */
async function queryServer<Answer>(child: ChildProcess, question: "cpu" | "memory"): Promise<Answer> {
  child.send(question);
  const [answer] = (await once(child, "message")) as [Answer];
  return answer;
}

function postBody(
  url: string,
  agent: Agent,
  headers: Record<string, string | number>,
  body: string,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", agent, headers }, (answer) => {
      answer.on("data", () => {});
      answer.on("end", () => resolve(answer));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
