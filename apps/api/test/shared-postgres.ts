import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { type PostgresCluster, startPostgres } from "./postgres-cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Path of the socket that answers with the URL of the run's PostgreSQL server. */
    readonly postgres: string;
  }
}

/** Starts the run's one PostgreSQL server when the first test file needs it, and stops it after the last. */
export default async function serveServer(project: TestProject): Promise<() => Promise<void>> {
  const path = join(tmpdir(), `groundrule-tests-${randomUUID()}.sock`);
  let started: Promise<PostgresCluster> | undefined;
  const server = createServer((socket) => {
    started ??= startPostgres();
    started.then(
      ({ url }) => socket.end(url),
      (error: unknown) => socket.end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  project.provide("postgres", path);
  return async () => {
    server.close();
    rmSync(path, { force: true });
    await (await started?.catch(() => undefined))?.stop();
    // The package of PostgreSQL ends a process that has nothing left to do with exit code 0, whatever failed in it.
    const code = process.exitCode;
    process.once("exit", () => {
      process.exitCode = code;
    });
  };
}

/** The server that all test files share, for databases of their own. */
export const sharedPostgres: Pick<PostgresCluster, "createDatabase"> = {
  async createDatabase() {
    const url = await text(connect(inject("postgres")));
    if (!URL.canParse(url)) throw new Error(url);
    const name = `state_${randomUUID().replaceAll("-", "")}`;
    const client = new pg.Client({ connectionString: `${url}/postgres` });
    await client.connect();
    try {
      await client.query(`CREATE DATABASE ${name}`);
    } finally {
      await client.end();
    }
    return `${url}/${name}`;
  },
};
