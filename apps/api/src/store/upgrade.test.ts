import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { openData } from "@groundrule/node";
import { createSharedFolder } from "@groundrule/testing/folder";
import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { unpackFolder } from "../../../../fixtures/packed-folder.ts";
import { HttpCaller } from "../../test/http.ts";
import { startService } from "../../test/service.ts";
import { sharedPostgres } from "../../test/shared-postgres.ts";
import { runSqlPastStore } from "../../test/store-places.ts";
import { VirtualClock } from "../../test/virtual-clock.ts";
import { restore } from "../admin/backups.ts";
import { readUsage } from "../admin/ledgers.ts";
import { openStore } from "./open-store.ts";
import type { Store } from "./port/port.ts";

const RELEASE = join(import.meta.dirname, "../../../../fixtures/0.2.0");

interface Expected {
  readonly madeAt: string;
  readonly pepper: string;
  readonly organizations: { readonly big: string; readonly small: string; readonly idle: string };
  readonly keys: Readonly<Record<string, string>>;
  readonly usage: Readonly<Record<string, object>>;
  readonly decisions: readonly {
    readonly id: string;
    readonly seq: number;
    readonly responseDigest: string;
  }[];
  readonly answers: readonly {
    readonly key: string;
    readonly idempotencyKey: string | null;
    readonly route: string;
    readonly status: number;
    readonly decision: string | null;
    readonly sha256: string;
  }[];
  readonly job: { readonly id: string; readonly results: string };
}

const folder = createSharedFolder().at();
let dataFolder: string;
let requests: readonly object[];

beforeAll(async () => {
  const lines = (await unzipped("requests.ndjson.gz")).toString("utf8");
  dataFolder = join(folder, "data");
  unpackFolder(await readFile(join(RELEASE, "data.br")), dataFolder);
  requests = lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
});

const expectedOf = async (kind: string): Promise<Expected> =>
  JSON.parse((await unzipped(`${kind}/expected.json.gz`)).toString("utf8")) as Expected;

const unzipped = async (file: string): Promise<Buffer> => gunzipSync(await readFile(join(RELEASE, file)));

/** A copy of the backup to restore. */
async function makeBackupFile(): Promise<string> {
  const path = join(folder, `${++files}.backup`);
  await writeFile(path, await unzipped("sqlite/state.backup.gz"));
  return path;
}

let files = 0;

/** The store as release 0.2.0 left it, opened an hour later. */
const places: Readonly<Record<string, (now: number) => Promise<{ store: Store; expected: Expected }>>> = {
  "the SQLite file": async (now) => {
    const path = join(folder, `${++files}.db`);
    await writeFile(path, await unzipped("sqlite/state.db.gz"));
    return { store: await open(`sqlite:${path}`, now), expected: await expectedOf("sqlite") };
  },
  "the backup, restored as SQLite": async (now) => {
    const url = `sqlite:${join(folder, `${++files}.db`)}`;
    await restore(await makeBackupFile(), url);
    return { store: await open(url, now), expected: await expectedOf("sqlite") };
  },
  "the backup, restored in PostgreSQL": async (now) => {
    const url = await sharedPostgres.createDatabase();
    await restore(await makeBackupFile(), url);
    return { store: await open(url, now), expected: await expectedOf("sqlite") };
  },
  "the PostgreSQL database": async (now) => {
    const url = await sharedPostgres.createDatabase();
    await runSqlPastStore(url, (await unzipped("postgres/dump.sql.gz")).toString("utf8"));
    return { store: await open(url, now), expected: await expectedOf("postgres") };
  },
};

function open(url: string, nowMs: number): Promise<Store> {
  const clock = new VirtualClock(nowMs);
  return openStore(url, {
    role: "serve",
    sqlite: { clock },
    postgres: { clock: { read: () => clock.now() } },
  });
}

describe.each(Object.keys(places))("a store of release 0.2.0: %s", (name) => {
  it("opens, keeps its ledger, replays what it answered byte for byte, and goes on charging", async () => {
    const { madeAt } = await expectedOf(name === "the PostgreSQL database" ? "postgres" : "sqlite");
    const { store, expected } = await places[name]!(Date.parse(madeAt) + 60_000);
    const { engine } = openData(dataFolder);
    await expectOldDecisionsFound(store, expected);
    const pepper = { version: 1, secret: Buffer.from(expected.pepper, "hex") };
    const service = await startService(engine, { store, peppers: [pepper] });
    try {
      const ports = { store, pepper };
      expect(await store.findViolations({ extent: "all" })).toEqual([]);
      const tellsUsage = async () => {
        for (const [organization, usage] of Object.entries(expected.usage)) {
          expect(await readUsage(ports, { organization, mode: "test" })).toEqual(usage);
        }
      };
      // Usage is right while the service counts by route, and after it has finished.
      await tellsUsage();
      while (!(await store.countRoutes({ limit: 7 })).done) await tellsUsage();
      await tellsUsage();
      const scope = { organization: expected.organizations.big, mode: "test" } as const;
      const decisions = await store.listDecisions({ scope, page: 1, pageSize: 200 });
      const found = decisions.items.map(({ id, seq, key, responseDigest }) => ({
        id,
        seq,
        key,
        responseDigest,
      }));
      expect(found).toEqual(expected.decisions);

      const ask = (key: string, route: string, body: object, idempotencyKey?: string) =>
        new HttpCaller({ ...service, key: expected.keys[key]! }).post(route, body, {
          ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
        });
      let replayed = 0;
      for (const [i, answer] of expected.answers.entries()) {
        const { key, idempotencyKey, route, status, decision, sha256 } = answer;
        if (key !== "main" || status !== 200 || idempotencyKey === null) continue;
        const again = await ask("main", route, requests[i]!, idempotencyKey);
        expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([status, "true"]);
        expect(again.headers.get("x-decision-id")).toBe(decision);
        expect(
          createHash("sha256")
            .update(Buffer.from(await again.arrayBuffer()))
            .digest("hex"),
        ).toBe(sha256);
        replayed++;
      }
      expect(replayed).toBeGreaterThan(50);

      const main = new HttpCaller({ ...service, key: expected.keys.main! });
      const results = await main.get(`/v1/jobs/${expected.job.id}/results`);
      expect(
        createHash("sha256")
          .update(await results.text())
          .digest("hex"),
      ).toBe(expected.job.results);

      const subjects = { input: { scheme: { type: "br:cnpj", value: "78.018.459/0001-00" } } };
      const statuses = await Promise.all(
        ["main", "retired", "successor", "revoked", "reader", "suspended", "little"].map(
          async (key) => (await ask(key, "/v1/subjects", subjects)).status,
        ),
      );
      expect(statuses).toEqual([200, 200, 200, 401, 403, 402, 429]);
      const { used } = (await readUsage(ports, { organization: "Big Bank", mode: "test" })) as {
        used: number;
      };
      expect(used).toBe(expected.decisions.length + 3);
      expect(await store.findViolations({ extent: "all" })).toEqual([]);
    } finally {
      await service.stop();
      await store.close();
    }
  });
});

describe("the migration to decision filters", () => {
  it("knows of a first decision that an earlier release stores while it runs", async () => {
    const url = await sharedPostgres.createDatabase();
    await (await openStore(url, { absent: "make" })).close();
    const [earlier, watcher] = [0, 1].map(() => new pg.Client({ connectionString: url }));
    await Promise.all([earlier!.connect(), watcher!.connect()]);
    try {
      await earlier!.query(`
        DROP TABLE decision_ruleset, decision_verdict, decision_indexed; DROP VIEW evaluated_ruleset, evaluated_verdict;
        DROP FUNCTION decision_ruleset_noted, decision_verdict_noted, decision_verdict_erased, json_text_at CASCADE;
        DROP TABLE holding; ALTER TABLE job DROP COLUMN bytes, DROP COLUMN holds_upload;
        ALTER TABLE period DROP COLUMN by_route, DROP COLUMN counted_seq;
        DELETE FROM schema_migration WHERE no >= 6`);
      await earlier!.query(`BEGIN; SET LOCAL session_replication_role = replica;
        INSERT INTO decision (id, organization, mode, seq, period_no, units, generation, route, fingerprint,
          request_digest, response_digest, digests, media_type, request_id, created_at_ms)
        VALUES ('dec_1', 'org_1', 'test', 1, 1, 1, 1, '/v1/evaluate', 'f', 'q', 'a', '{"ruleset":"r"}', 'm', 'i', 0)`);
      const opening = openStore(url, { role: "serve" });
      const waiting = "SELECT 1 FROM pg_locks WHERE relation = 'decision'::regclass AND NOT granted";
      while ((await watcher!.query(waiting)).rowCount === 0) await sleep(5);
      await earlier!.query("COMMIT");
      const store = await opening;
      expect(await store.areDecisionsIndexed({})).toBe(false);
      while (!(await store.indexDecisions({ limit: 7 })).done);
      expect((await watcher!.query("SELECT digest FROM decision_ruleset")).rows).toEqual([{ digest: "r" }]);
      await store.close();
    } finally {
      await Promise.all([earlier!.end(), watcher!.end()]);
    }
  });
});

/** Checks filters against each decision's own texts. While indexing runs, no decision is found in part. */
async function expectOldDecisionsFound(store: Store, { organizations }: Expected): Promise<void> {
  const scope = { organization: organizations.big, mode: "test" } as const;
  const all = await store.listDecisions({ scope, page: 1, pageSize: 200 });
  const made = await Promise.all(all.items.map(({ id }) => store.findDecision({ scope, decisionId: id })));
  let batches = 0;
  for (; !(await store.areDecisionsIndexed({})); batches++) await store.indexDecisions({ limit: 7 });
  const byBackup = batches === 0;
  if (!byBackup) expect(batches).toBeGreaterThan(all.totalCount / 7);
  const numbersWhere = (isFound: (of: { verdict: unknown; ruleset: unknown }) => boolean) =>
    made.flatMap((of) => {
      if (of?.route !== "/v1/evaluate") return [];
      const verdict = of.response === null ? undefined : JSON.parse(of.response).data.verdict;
      return isFound({ verdict, ruleset: JSON.parse(of.digests).ruleset }) ? [of.seq] : [];
    });
  const numbersBy = async (filter: object) =>
    (await store.listDecisions({ scope, ...filter, page: 1, pageSize: 200 })).items.map(({ seq }) => seq);
  let found = 0;
  for (const verdict of ["COMPLIANT", "WARNING", "NON_COMPLIANT"]) {
    const expected = numbersWhere((of) => of.verdict === verdict);
    expect(await numbersBy({ verdict }), verdict).toEqual(expected);
    found += expected.length;
  }
  expect(found).toBeGreaterThan(10);
  const rulesets = new Set(made.flatMap((of) => JSON.parse(of!.digests).ruleset ?? []));
  expect(rulesets.size).toBeGreaterThan(0);
  for (const digest of rulesets) {
    expect(await numbersBy({ ruleset: { digests: [digest] } })).toEqual(
      numbersWhere((of) => of.ruleset === digest),
    );
  }
}
