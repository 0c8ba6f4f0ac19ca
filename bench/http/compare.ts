import type { ChildProcess } from "node:child_process";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresCluster, startPostgres } from "../../apps/api/test/postgres-cluster.ts";
import { buildDemo } from "../../data/demo/index.ts";
import { answersAlone, writerAlone } from "./alone.ts";
import { evaluateBody } from "./body.ts";
import { loadServer, type Measured, quantile } from "./load.ts";
import { askServer, type ForkedServer, forkServer, type ServerName } from "./servers.ts";

export interface CompareSettings {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  readonly workers: string;
  readonly servers: readonly ServerName[];
  /** Where the profiles of every server's threads are written, if anywhere. */
  readonly profile?: string;
}

/** What the service costs over bare HTTP. */
export interface HttpComparison {
  readonly bodyBytes: number;
  /** What a durable commit costs at least here, milliseconds. */
  readonly fsyncMs: { readonly median: number; readonly p99: number };
  /** Medians over rounds. */
  readonly servers: ReadonlyMap<ServerName, Measured>;
  /** What each thread can do by itself, microseconds a request; `http` only where `gates` was asked. */
  readonly alone: { readonly http: number | undefined; readonly answers: number; readonly writer: number };
  /** Of `sqlite`, where it was asked. */
  readonly peakBytes: number | undefined;
  readonly diskBytesACharge: number | undefined;
}

/** Threads whose CPU time is told apart, and their sum. */
export const THREADS = ["all", "http", "answers", "writer", "rest"] as const;

/** Until compilers are done with what is asked all the time. */
const WARM_UP_SECONDS = 6;

/**
 * Asks each server in a process of its own over loopback, in turns; medians over rounds.
 *
 * @param onStart hears of what is measured before the rounds begin
 */
export async function compareServers(
  settings: CompareSettings,
  onStart: (about: Pick<HttpComparison, "bodyBytes" | "fsyncMs">) => void = () => {},
): Promise<HttpComparison> {
  const dir = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
  const children: ChildProcess[] = [];
  let cluster: PostgresCluster | undefined;
  try {
    const { plots } = await buildDemo(dir);
    const body = evaluateBody(plots[0]!.geometry);
    const about = { bodyBytes: body.length, fsyncMs: fsyncMilliseconds(dir) };
    onStart(about);
    const threads = { answers: answersAlone(dir, body), writer: await writerAlone(dir, body.length) };
    if (settings.servers.includes("postgres")) cluster = await startPostgres("flushing");
    const servers = new Map<ServerName, ForkedServer>();
    for (const name of settings.servers) {
      const database = name === "postgres" ? await cluster!.createDatabase() : "";
      const more = { ...settings, dir, database };
      servers.set(name, await forkServer(name, more, (child) => children.push(child)));
    }
    const { medians, charged } = await inRounds(servers, body, settings);
    const sqlite = servers.get("sqlite");
    const files = ["sqlite.db", "sqlite.db-wal"].map((file) => join(dir, file));
    const comparison: HttpComparison = {
      ...about,
      servers: medians,
      alone: { http: httpAlone(medians.get("gates")), ...threads },
      peakBytes: sqlite && (await askServer<number>(sqlite.child, "memory")),
      diskBytesACharge: sqlite && files.reduce((sum, file) => sum + sizeOf(file), 0) / charged,
    };
    if (settings.profile !== undefined) await Promise.all([...servers.values()].map(exited));
    return comparison;
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await cluster?.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The first round warms up. */
async function inRounds(
  servers: ReadonlyMap<ServerName, ForkedServer>,
  body: string,
  { seconds, rounds, connections }: CompareSettings,
): Promise<{ readonly medians: ReadonlyMap<ServerName, Measured>; readonly charged: number }> {
  const measured = new Map<ServerName, Measured[]>([...servers.keys()].map((name) => [name, []]));
  let charged = 0;
  for (let round = 0; round <= rounds; round++) {
    for (const [name, server] of servers) {
      const result = await loadServer(server, body, connections, round === 0 ? WARM_UP_SECONDS : seconds);
      if (name === "sqlite") charged += result.answered;
      if (round > 0) measured.get(name)!.push(result);
    }
  }
  return { medians: new Map([...measured].map(([name, results]) => [name, middleOf(results)])), charged };
}

function middleOf(results: readonly Measured[]): Measured {
  const of = (read: (result: Measured) => number): number =>
    quantile(
      results.map(read).sort((a, b) => a - b),
      0.5,
    );
  return {
    perSecond: of((r) => r.perSecond),
    p50Ms: of((r) => r.p50Ms),
    p99Ms: of((r) => r.p99Ms),
    answered: of((r) => r.answered),
    cpuMicroseconds: Object.fromEntries(
      THREADS.map((thread) => [thread, of((r) => r.cpuMicroseconds[thread] ?? Number.NaN)]),
    ),
  };
}

/**
 * Where Linux does not tell a thread's CPU time, the rate is the least it can be: the other threads and
 * the generator had one core between them.
 */
function httpAlone(gates: Measured | undefined): number | undefined {
  if (gates === undefined) return undefined;
  const { http } = gates.cpuMicroseconds;
  return Number.isFinite(http) ? http! : 1e6 / gates.perSecond;
}

/** It writes its profiles as it does. */
async function exited({ child }: ForkedServer): Promise<void> {
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.send("exit");
  await exit;
}

function fsyncMilliseconds(dir: string): HttpComparison["fsyncMs"] {
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
