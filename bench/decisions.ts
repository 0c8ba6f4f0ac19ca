/**
 * What it takes to find decisions by verdict and ruleset among many.
 *
 *   node bench/decisions.ts [--decisions N] [--no-postgres]
 *
 * Both databases are given N decisions (default 1,000,000) of one organization, as an earlier release left them; then
 * they are indexed as the service does it, and asked. Prints how the database finds each page, and what that and the
 * count took: medians of five.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import pg from "pg";
import { openStore } from "../apps/api/src/store/open-store.ts";
import type { Store } from "../apps/api/src/store/port/port.ts";
import { startPostgres } from "../apps/api/test/postgres-cluster.ts";
import { newScope } from "../apps/api/test/settlement.ts";

const { values } = parseArgs({
  options: {
    decisions: { type: "string", default: "1000000" },
    "no-postgres": { type: "boolean", default: false },
  },
});
const decisions = Number(values.decisions);

/** What both databases take: one decision in ten is NON_COMPLIANT, one ruleset in twenty is `rare`. */
const FILL = (scope: { organization: string; mode: string }, numbers: string, pad: string) => [
  `INSERT INTO period (organization, mode, no, starts_at_ms, ends_at_ms, quota, used)
    VALUES ('${scope.organization}', '${scope.mode}', 7, 0, 1, ${decisions}, ${decisions})`,
  `UPDATE ledger SET seq = ${decisions} WHERE organization = '${scope.organization}' AND mode = '${scope.mode}'`,
  `INSERT INTO decision (id, organization, mode, seq, period_no, units, idempotency_key, generation, route, fingerprint,
      request_digest, response_digest, digests, media_type, request_id, reference_id, created_at_ms)
    SELECT 'dec_' || ${pad}, '${scope.organization}', '${scope.mode}', i, 7, 1, NULL, 1, '/v1/evaluate', 'f', 'r', 'r',
      '{"ruleset":"' || CASE WHEN i % 20 = 0 THEN 'rare' ELSE 'usual' END || '"}', 'application/json', 'r', NULL, i
    FROM ${numbers}`,
  `INSERT INTO record (decision_id, request, response)
    SELECT 'dec_' || ${pad}, '{}', '{"data":{"verdict":"' || CASE WHEN i % 10 = 0 THEN 'NON_COMPLIANT' ELSE 'COMPLIANT' END || '"}}'
    FROM ${numbers}`,
];

const QUESTIONS = {
  "verdict, usual": { verdict: "COMPLIANT" },
  "verdict, rare": { verdict: "NON_COMPLIANT" },
  "ruleset, usual": { ruleset: { digests: ["usual"] } },
  "ruleset, rare": { ruleset: { digests: ["rare"] } },
  both: { verdict: "NON_COMPLIANT", ruleset: { digests: ["rare"] } },
  none: {},
};

async function measure(
  name: string,
  store: Store,
  scope: Awaited<ReturnType<typeof newScope>>,
): Promise<void> {
  const started = performance.now();
  const cpu = process.cpuUsage();
  let lots = 0;
  for (; !(await store.indexDecisions({ limit: 200 })).done; lots++);
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  console.log(
    `${name}: ${decisions} decisions indexed in ${lots} lots, ${((seconds * 1_000) / Math.max(1, lots)).toFixed(1)} ms each, ` +
      `${seconds.toFixed(0)} s, CPU of this process ${((user + system) / 1e6).toFixed(0)} s`,
  );
  for (const [what, filter] of Object.entries(QUESTIONS)) {
    const times: number[] = [];
    let totalCount = 0;
    for (let i = 0; i < 5; i++) {
      const asked = performance.now();
      ({ totalCount } = await store.listDecisions({ scope, ...filter, page: 1, pageSize: 25 }));
      times.push(performance.now() - asked);
    }
    console.log(
      `${name}: ${what.padEnd(15)} ${String(totalCount).padStart(8)} found, ${times.sort((a, b) => a - b)[2]!.toFixed(0)} ms`,
    );
  }
}

const PAGE = `SELECT id FROM decision WHERE organization = 'o' AND mode = 'live' AND seq IN (
  SELECT found.seq FROM decision_verdict AS found WHERE found.organization = 'o' AND found.mode = 'live'
  AND found.verdict = 'COMPLIANT' ORDER BY found.seq DESC LIMIT 25 OFFSET 0) ORDER BY seq DESC`;
const COUNT = `SELECT count(*) FROM decision_verdict AS found WHERE found.organization = 'o' AND found.mode = 'live'
  AND found.verdict = 'NON_COMPLIANT' AND (SELECT count(*) FROM decision_ruleset AS used WHERE used.organization = 'o'
  AND used.mode = 'live' AND used.digest IN ('rare') AND used.seq = found.seq) > 0`;

/** Decisions of before: they are there before the triggers are told of them. */
const FORGET = [
  "DELETE FROM decision_ruleset",
  "DELETE FROM decision_verdict",
  "UPDATE decision_indexed SET is_done = 0, last_id = ''",
];

const folder = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
try {
  const path = join(folder, "state.db");
  const made = await openStore(`sqlite:${path}`, { role: "serve", absent: "make" });
  const scope = await newScope(made, decisions);
  await made.close();
  const database = new DatabaseSync(path);
  const numbers = `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${decisions}) SELECT i FROM n)`;
  for (const text of [...FILL(scope, numbers, "printf('%09d', i)"), ...FORGET]) database.exec(text);
  for (const text of [PAGE, COUNT]) {
    const plan = database
      .prepare(`EXPLAIN QUERY PLAN ${text.replaceAll("'o'", `'${scope.organization}'`)}`)
      .all();
    for (const { detail } of plan) console.log(`SQLite plan: ${detail}`);
  }
  database.close();
  const store = await openStore(`sqlite:${path}`, { role: "serve" });
  await measure("SQLite", store, scope);
  await store.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

if (!values["no-postgres"]) {
  const cluster = await startPostgres();
  try {
    const url = await cluster.createDatabase();
    const store = await openStore(url, { role: "serve", absent: "make" });
    const scope = await newScope(store, decisions);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const numbers = `generate_series(1, ${decisions}) AS i`;
    for (const text of [...FILL(scope, numbers, "lpad(i::text, 9, '0')"), ...FORGET])
      await client.query(text);
    await client.query("ANALYZE");
    await measure("PostgreSQL", store, scope);
    for (const text of [PAGE, COUNT]) {
      const { rows } = await client.query(`EXPLAIN ${text.replaceAll("'o'", `'${scope.organization}'`)}`);
      for (const row of rows) console.log(`PostgreSQL plan: ${row["QUERY PLAN"]}`);
    }
    await client.end();
    await store.close();
  } finally {
    await cluster.stop();
  }
}
