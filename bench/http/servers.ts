import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

export type ServerName = "constant" | "parse" | "gates" | "sqlite" | "postgres";

/** Of servers that ask for none. */
export const NO_KEY = "none";

/** What a server process says once it listens. */
export interface Listening {
  readonly url: string;
  readonly key: string;
}

/** CPU time of a process's threads so far, microseconds, by what they do; `all` is their sum. */
export type CpuByThread = Readonly<Record<string, number>>;

/** A server in a process of its own. */
export interface ForkedServer {
  readonly child: ChildProcess;
  readonly at: Listening;
}

export interface ServerSettings {
  /** Folder of the demo data, and of the state. */
  readonly dir: string;
  /** Number of worker threads; empty: as many as there are cores. */
  readonly workers: string;
  /** URL of the database of `postgres`. */
  readonly database: string;
  /** Where the profiles of its threads are written as it exits, if anywhere. */
  readonly profile?: string;
}

/** @param onFork hears of the process before it listens, so that it can be ended whatever happens */
export async function forkServer(
  name: ServerName,
  { dir, workers, database, profile }: ServerSettings,
  onFork: (child: ChildProcess) => void,
): Promise<ForkedServer> {
  const child = fork(new URL("./server.ts", import.meta.url), {
    execArgv: profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}/${name}`],
    env: {
      ...process.env,
      GROUNDRULE_BENCH_SERVER: name,
      GROUNDRULE_BENCH_DIR: dir,
      GROUNDRULE_BENCH_WORKERS: workers,
      GROUNDRULE_BENCH_DATABASE: database,
    },
  });
  onFork(child);
  const [at] = (await once(child, "message")) as [Listening];
  return { child, at };
}

/** What a server answers to `cpu` or `memory`. */
export async function askServer<Answer>(child: ChildProcess, question: "cpu" | "memory"): Promise<Answer> {
  child.send(question);
  const [answer] = (await once(child, "message")) as [Answer];
  return answer;
}
