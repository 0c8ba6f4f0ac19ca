import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** PostgreSQL with the canonical values of a register in a table that has a trigram index. */
export interface Trigrams {
  readonly name: string;
  /** Milliseconds that the server takes for the first 100 matches of an `ILIKE` pattern, by its own clock. */
  ask(pattern: string): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the system's PostgreSQL in a temporary folder and loads values; what is missing where there is none. */
export async function startTrigrams(
  values: Iterable<string>,
): Promise<Trigrams | { readonly missing: string }> {
  const bin = globSync("/usr/lib/postgresql/*/bin/postgres")
    .map((path) => dirname(path))
    .find((path) => existsSync(join(path.replace("/lib/", "/share/"), "../extension/pg_trgm.control")));
  if (bin === undefined)
    return { missing: "pg_trgm: a server of the system's (apt-get install -y postgresql)" };
  const { Client } = await import("pg");
  const folder = mkdtempSync(join(tmpdir(), "groundrule-trigrams-"));
  chmodSync(folder, 0o777);
  const as = (program: string, args: readonly string[]): [string, string[]] =>
    process.getuid?.() === 0
      ? ["runuser", ["-u", "postgres", "--", join(bin, program), ...args]]
      : [join(bin, program), [...args]];
  const data = join(folder, "data");
  execFileSync(...as("initdb", ["-D", data, "-U", "bench", "--auth=trust", "-E", "UTF8"]), {
    stdio: "pipe",
    cwd: folder,
  });
  const port = await freePort();
  const settings = ["max_parallel_workers_per_gather=0", "shared_buffers=1GB", "maintenance_work_mem=512MB"];
  const options = [...settings, "fsync=off", "jit=off", "random_page_cost=1.1"].flatMap((each) => [
    "-c",
    each,
  ]);
  const server = spawn(...as("postgres", ["-D", data, "-p", `${port}`, "-k", folder, ...options]), {
    stdio: "ignore",
    cwd: folder,
  });
  const connect = async () => {
    for (let tries = 0; ; tries++) {
      const client = new Client({ host: "127.0.0.1", port, user: "bench", database: "postgres" });
      try {
        await client.connect();
        return client;
      } catch (error) {
        if (tries === 100) throw error;
        await sleep(100);
      }
    }
  };
  const client = await connect();
  await client.query("CREATE EXTENSION pg_trgm");
  await client.query("CREATE TABLE records (value text)");
  const copy = spawn(
    join(bin, "psql"),
    ["-h", "127.0.0.1", "-p", `${port}`, "-U", "bench", "-d", "postgres", "-qc", "COPY records FROM STDIN"],
    {
      stdio: ["pipe", "ignore", "inherit"],
    },
  );
  let text = "";
  for (const value of values) {
    text += `${value.replace(/[-./]/g, "")}\n`;
    if (text.length < 1 << 20) continue;
    if (!copy.stdin.write(text)) await once(copy.stdin, "drain");
    text = "";
  }
  copy.stdin.end(text);
  await once(copy, "exit");
  await client.query("CREATE INDEX ON records USING gin (value gin_trgm_ops)");
  await client.query("VACUUM ANALYZE records");
  const version = (await client.query("SHOW server_version")).rows[0].server_version as string;
  return {
    name: `PostgreSQL ${version}, pg_trgm`,
    async ask(pattern) {
      const explained =
        "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) SELECT value FROM records WHERE value ILIKE $1 LIMIT 100";
      const { rows } = await client.query(explained.replace("$1", `'${pattern}'`));
      return rows[0]["QUERY PLAN"][0]["Execution Time"] as number;
    },
    async stop() {
      await client.end();
      const ended = once(server, "exit");
      server.kill("SIGINT");
      execFileSync(...as("pg_ctl", ["-D", data, "-m", "immediate", "stop"]), { stdio: "ignore" });
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
