import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type PostgresCluster, startPostgres } from "../../api/test/postgres-cluster.ts";
import { runGroundrule, runGroundruleProcess, startGroundrule } from "./groundrule.ts";
import { buildListedRegister } from "./listed.ts";

// Replicas start together: on a database without state, and on one with it.

const PASSWORD = "p@ss/word: with%20signs";
const PROCESSES = 4;

let cluster: PostgresCluster;
let dir: string;
beforeAll(async () => {
  cluster = await startPostgres("lazy", [], PASSWORD);
  dir = await mkdtemp(join(tmpdir(), "groundrule-first-start-"));
});
afterAll(async () => {
  await cluster.stop();
  await rm(dir, { recursive: true, force: true });
});

it("makes one state where processes start at once on an empty database, and serves it from all of them", async () => {
  const database = /\w+$/.exec(await cluster.createDatabase())![0];
  await writeFile(join(dir, "password"), `${PASSWORD}\n`, { mode: 0o600 });
  const settings = [
    `store: postgres://groundrule@localhost:${cluster.port}/${database}`,
    "store_password_file: password",
    "pepper_file: pepper",
    "port: 0",
    "workers: 1",
    "log: notes",
  ];
  await writeFile(join(dir, "groundrule.yaml"), settings.join("\n"));
  await buildListedRegister(dir);

  const names = Array.from({ length: PROCESSES }, (_, i) => `Organization ${i}`);
  const made = await Promise.all(
    names.map((name) => runGroundruleProcess(["org", "create", name, "--quota", "9"], dir)),
  );
  for (const { code, err } of made)
    expect([code, err]).toEqual([0, expect.not.stringMatching(/error|failed/)]);
  const listed = await runGroundrule(["org", "list"], dir);
  expect(listed.lines.map(({ name }) => name)).toEqual(names);
  expect((await runGroundrule(["doctor"], dir)).lines[0]).toMatchObject({ ok: true });

  const { key } = (await runGroundrule(["key", "create", "--org", names[0]!, "--mode", "live"], dir))
    .lines[0]!;
  const servers = names.map(() => startGroundrule(["serve"], dir));
  try {
    const addresses = servers.map(async (server) => {
      server.stderr!.resume();
      const lines = createInterface({ input: server.stdout! })[Symbol.asyncIterator]();
      return /http:\S+/.exec(String((await lines.next()).value))![0];
    });
    for (const address of await Promise.all(addresses)) {
      const answer = await fetch(`${address}/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
      expect([answer.status, ((await answer.json()) as { data: { limit: number } }).data.limit]).toEqual([
        200, 9,
      ]);
    }
  } finally {
    for (const server of servers) server.kill("SIGKILL");
  }
});
