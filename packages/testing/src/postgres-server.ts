import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The system's PostgreSQL, started for a test or a measurement in a temporary folder. */
export interface PostgresServer {
  /** Folder of the programs that belong to it, such as `psql`. */
  readonly bin: string;
  readonly port: number;
  /** `postgresql://…` of its database, for a user who may do anything. */
  readonly url: string;
  /** Ends it as a power cut would. Its data stay. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

const USER = "bench";
const RUNUSER = "/usr/sbin/runuser";
const COMMON_SETTINGS = ["max_parallel_workers_per_gather=0", "fsync=off", "jit=off"];

/**
 * Starts the newest PostgreSQL of the system that has an extension; undefined where there is none.
 *
 * @param extension e.g. `postgis`; it is not created
 * @param settings `name=value`
 */
export async function startPostgresServer(
  extension: string,
  settings: readonly string[] = [],
): Promise<PostgresServer | undefined> {
  const bin = globSync("/usr/lib/postgresql/*/bin/postgres")
    .map((path) => dirname(path))
    .findLast((path) =>
      existsSync(join(path.replace("/lib/", "/share/"), `../extension/${extension}.control`)),
    );
  if (bin === undefined) return undefined;
  // PostgreSQL refuses to run as root; root switches to another user, if the system can.
  const isRoot = process.getuid?.() === 0;
  if (isRoot && !existsSync(RUNUSER)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "groundrule-postgres-"));
  // The user of the server needs access.
  chmodSync(folder, 0o777);
  const as = (program: string, args: readonly string[]): [string, string[]] =>
    isRoot
      ? [RUNUSER, ["-u", "postgres", "--", join(bin, program), ...args]]
      : [join(bin, program), [...args]];
  const data = join(folder, "data");
  execFileSync(...as("initdb", ["-D", data, "-U", USER, "--auth=trust", "-E", "UTF8"]), {
    stdio: "pipe",
    cwd: folder,
  });
  const port = await findFreePort();
  const options = [...COMMON_SETTINGS, ...settings].flatMap((setting) => ["-c", setting]);
  let ended: Promise<unknown> = Promise.resolve();
  const start = async (): Promise<void> => {
    const server = spawn(...as("postgres", ["-D", data, "-p", `${port}`, "-k", folder, ...options]), {
      stdio: "ignore",
      cwd: folder,
    });
    ended = new Promise((resolve) => {
      server.once("exit", resolve).once("error", resolve);
    });
    await waitForPort(port);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const pid = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
    process.kill(pid, signal);
    await ended;
  };
  await start();
  return {
    bin,
    port,
    url: `postgresql://${USER}@127.0.0.1:${port}/postgres`,
    start,
    kill: () => end("SIGQUIT"),
    async stop() {
      if (existsSync(join(data, "postmaster.pid"))) await end("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function waitForPort(port: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await Promise.race([
      once(socket, "connect").then(
        () => true,
        () => false,
      ),
      sleep(1_000).then(() => false),
    ]);
    socket.destroy();
    if (isOpen) return;
    if (tries === 100) throw new Error(`PostgreSQL does not listen on port ${port}`);
    await sleep(100);
  }
}

/** A port that nobody listens on. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return address !== null && typeof address === "object" ? address.port : 0;
}
