import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgresServer } from "@groundrule/testing/postgres-server";
import { Client } from "pg";

/** PostgreSQL with the canonical values of a register in a table that has a trigram index. */
export interface Trigrams {
  /** Milliseconds that the server takes for the first 100 matches of an `ILIKE` pattern, by its own clock. */
  ask(pattern: string): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the system's PostgreSQL in a temporary folder and loads values; what is missing where there is none. */
export async function startTrigramServer(
  values: Iterable<string>,
): Promise<Trigrams | { readonly missing: string }> {
  const server = await startPostgresServer("pg_trgm", [
    "shared_buffers=1GB",
    "maintenance_work_mem=512MB",
    "random_page_cost=1.1",
  ]);
  if (server === undefined)
    return { missing: "pg_trgm: a server of the system's (apt-get install -y postgresql)" };
  const client = await connectToPostgres(server.url);
  await client.query("CREATE EXTENSION pg_trgm");
  await client.query("CREATE TABLE records (value text)");
  const copy = spawn(join(server.bin, "psql"), [server.url, "-qc", "COPY records FROM STDIN"], {
    stdio: ["pipe", "ignore", "inherit"],
  });
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
  return {
    async ask(pattern) {
      const explained =
        "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) SELECT value FROM records WHERE value ILIKE $1 LIMIT 100";
      const { rows } = await client.query(explained.replace("$1", `'${pattern}'`));
      return rows[0]["QUERY PLAN"][0]["Execution Time"] as number;
    },
    async stop() {
      await client.end();
      await server.stop();
    },
  };
}

/** A server refuses for a moment after it listens. */
async function connectToPostgres(connectionString: string): Promise<Client> {
  for (let tries = 0; ; tries++) {
    const client = new Client({ connectionString });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(100);
    }
  }
}
