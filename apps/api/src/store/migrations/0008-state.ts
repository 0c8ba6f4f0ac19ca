import { DECISION_FILTERS } from "./decision-filters.ts";
import type { Migration } from "./migrate.ts";

/**
 * The state as release 0.2.0 keeps it, which made it in eight steps: their names are in its list of migrations, so they
 * are in this one's too.
 *
 * Types are those of PostgreSQL; SQLite reads BIGINT as INTEGER. Times are milliseconds since 1970, UTC.
 */
export const migration: Migration = {
  no: 8,
  name: "holdings",
  tables: [
    `CREATE TABLE organization (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      created_at_ms BIGINT NOT NULL,
      sources TEXT NOT NULL
    )`,
    `CREATE TABLE subscription (
      organization TEXT PRIMARY KEY REFERENCES organization (id),
      status TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'expired')),
      anchor_ms BIGINT NOT NULL
    )`,
    // The row whose lock makes charging in a scope one after the other.
    `CREATE TABLE ledger (
      organization TEXT NOT NULL REFERENCES organization (id),
      mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
      quota BIGINT NOT NULL CHECK (quota >= 0),
      seq BIGINT NOT NULL CHECK (seq >= 0),
      clock_ms BIGINT NOT NULL,
      frozen TEXT,
      PRIMARY KEY (organization, mode)
    )`,
    // `by_route`: units by route as JSON, of the period's decisions up to number `counted_seq`, so that usage adds up none.
    `CREATE TABLE period (
      organization TEXT NOT NULL,
      mode TEXT NOT NULL,
      no BIGINT NOT NULL,
      starts_at_ms BIGINT NOT NULL,
      ends_at_ms BIGINT NOT NULL CHECK (ends_at_ms > starts_at_ms),
      quota BIGINT NOT NULL,
      used BIGINT NOT NULL CHECK (used BETWEEN 0 AND quota),
      by_route TEXT NOT NULL DEFAULT '{}',
      counted_seq BIGINT NOT NULL DEFAULT 0,
      PRIMARY KEY (organization, mode, no),
      FOREIGN KEY (organization, mode) REFERENCES ledger (organization, mode)
    )`,
    `CREATE TABLE decision (
      id TEXT PRIMARY KEY,
      organization TEXT NOT NULL,
      mode TEXT NOT NULL,
      seq BIGINT NOT NULL,
      period_no BIGINT NOT NULL,
      units BIGINT NOT NULL CHECK (units > 0),
      idempotency_key TEXT,
      generation BIGINT NOT NULL CHECK (generation > 0),
      route TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      request_digest TEXT NOT NULL,
      response_digest TEXT NOT NULL,
      digests TEXT NOT NULL,
      media_type TEXT NOT NULL,
      request_id TEXT NOT NULL,
      reference_id TEXT,
      created_at_ms BIGINT NOT NULL,
      UNIQUE (organization, mode, seq),
      UNIQUE (organization, mode, idempotency_key, generation),
      FOREIGN KEY (organization, mode, period_no) REFERENCES period (organization, mode, no)
    )`,
    // All that the sums of a period are made of, so that examining it reads no texts or digests.
    `CREATE INDEX decision_by_period ON decision
      (organization, mode, period_no, units, seq, created_at_ms, route)`,
    `CREATE INDEX decision_by_reference ON decision (organization, mode, reference_id)`,
    `CREATE INDEX decision_by_request ON decision (organization, mode, request_id)`,
    `CREATE TABLE record (
      decision_id TEXT PRIMARY KEY REFERENCES decision (id),
      request TEXT NOT NULL,
      response TEXT NOT NULL
    )`,
    `CREATE TABLE idempotency (
      organization TEXT NOT NULL,
      mode TEXT NOT NULL,
      key TEXT NOT NULL,
      generation BIGINT NOT NULL,
      fingerprint TEXT NOT NULL,
      decision_id TEXT NOT NULL REFERENCES decision (id),
      settled_at_ms BIGINT NOT NULL,
      expires_at_ms BIGINT NOT NULL,
      acknowledge_until_ms BIGINT,
      replays BIGINT NOT NULL,
      PRIMARY KEY (organization, mode, key)
    )`,
    `CREATE TABLE attempt (
      organization TEXT NOT NULL,
      mode TEXT NOT NULL,
      key TEXT NOT NULL,
      window_start_ms BIGINT NOT NULL,
      count BIGINT NOT NULL,
      PRIMARY KEY (organization, mode, key)
    )`,
    `CREATE TABLE api_key (
      id TEXT PRIMARY KEY,
      organization TEXT NOT NULL,
      mode TEXT NOT NULL,
      name TEXT NOT NULL,
      digest TEXT NOT NULL UNIQUE,
      pepper_version BIGINT NOT NULL,
      hint TEXT NOT NULL,
      scopes TEXT NOT NULL,
      created_at_ms BIGINT NOT NULL,
      expires_at_ms BIGINT,
      revoked_at_ms BIGINT,
      last_used_at_ms BIGINT,
      successor_id TEXT,
      FOREIGN KEY (organization, mode) REFERENCES ledger (organization, mode)
    )`,
    `CREATE INDEX api_key_by_organization ON api_key (organization)`,
    `CREATE TABLE ruleset (
      organization TEXT NOT NULL,
      mode TEXT NOT NULL,
      name TEXT NOT NULL,
      version BIGINT NOT NULL CHECK (version BETWEEN 1 AND 2147483647),
      body TEXT NOT NULL,
      body_digest TEXT NOT NULL,
      digest TEXT NOT NULL,
      created_at_ms BIGINT NOT NULL,
      PRIMARY KEY (organization, mode, name, version),
      FOREIGN KEY (organization, mode) REFERENCES ledger (organization, mode)
    )`,
    `CREATE TABLE erasure (
      organization TEXT NOT NULL REFERENCES organization (id),
      before_ms BIGINT NOT NULL,
      erased_at_ms BIGINT NOT NULL,
      PRIMARY KEY (organization, before_ms)
    )`,
    // What was published under an idempotency key, and the answer to it, so that a retry publishes nothing.
    `CREATE TABLE publication (
      organization TEXT NOT NULL,
      mode TEXT NOT NULL,
      key TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      name TEXT NOT NULL,
      version BIGINT NOT NULL,
      response TEXT NOT NULL,
      published_at_ms BIGINT NOT NULL,
      expires_at_ms BIGINT NOT NULL,
      acknowledge_until_ms BIGINT,
      replays BIGINT NOT NULL,
      PRIMARY KEY (organization, mode, key),
      FOREIGN KEY (organization, mode, name, version) REFERENCES ruleset (organization, mode, name, version)
    )`,
    `CREATE TABLE write_receipt (
      id TEXT PRIMARY KEY,
      written_at_ms BIGINT NOT NULL
    )`,
    // Which peppers the keys are stored under, and when the store was last served.
    `CREATE TABLE pepper (
      version BIGINT PRIMARY KEY,
      fingerprint TEXT NOT NULL
    )`,
    // One row. The ballast is what a probe writes where there must be room for more than a number.
    `CREATE TABLE served (
      no BIGINT PRIMARY KEY CHECK (no = 1),
      last_ms BIGINT NOT NULL,
      ballast TEXT NOT NULL
    )`,
    // Jobs and their plots refer to no ledger: a reference would hold its row while plots are written, and charges would
    // wait for it. `staged`: plots are still being written, and nobody sees it. The counts are those of the rows: a charge
    // under a key of the job counts in `answered`, a line that is noted in `invalid` or `degraded`. `bytes` is what a job
    // counts for among the holdings; `holds_upload`: the texts of its plots are still there, or have to be counted again.
    `CREATE TABLE job (
      id TEXT PRIMARY KEY,
      organization TEXT NOT NULL REFERENCES organization (id),
      mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
      api_key_id TEXT NOT NULL,
      idempotency_key TEXT,
      fingerprint TEXT NOT NULL,
      ruleset_name TEXT,
      ruleset_version BIGINT,
      ruleset_digest TEXT NOT NULL,
      ruleset TEXT NOT NULL,
      options TEXT NOT NULL,
      editions TEXT NOT NULL,
      groups TEXT NOT NULL,
      live TEXT NOT NULL,
      reference_id TEXT,
      evaluated_at_ms BIGINT NOT NULL,
      created_at_ms BIGINT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('staged', 'queued', 'running', 'paused', 'done', 'cancelled')),
      paused_reason TEXT,
      plots BIGINT NOT NULL CHECK (plots >= 0),
      answered BIGINT NOT NULL CHECK (answered >= 0),
      invalid BIGINT NOT NULL CHECK (invalid >= 0),
      degraded BIGINT NOT NULL CHECK (degraded >= 0),
      lease_owner TEXT,
      lease_until_ms BIGINT,
      turn BIGINT NOT NULL,
      finished_at_ms BIGINT,
      expires_at_ms BIGINT NOT NULL,
      holds_plots BIGINT NOT NULL CHECK (holds_plots IN (0, 1)),
      bytes BIGINT NOT NULL DEFAULT 0 CHECK (bytes >= 0),
      holds_upload BIGINT NOT NULL DEFAULT 1 CHECK (holds_upload IN (0, 1)),
      UNIQUE (organization, mode, idempotency_key),
      CHECK ((state = 'paused') = (paused_reason IS NOT NULL)),
      CHECK ((state IN ('done', 'cancelled')) = (finished_at_ms IS NOT NULL)),
      CHECK ((state = 'staged') = (idempotency_key IS NULL)),
      CHECK (state = 'staged' OR answered + invalid + degraded <= plots),
      CHECK (state <> 'done' OR answered + invalid + degraded = plots)
    )`,
    `CREATE INDEX job_by_state ON job (state, organization, mode)`,
    `CREATE INDEX job_by_creation ON job (organization, mode, created_at_ms)`,
    `CREATE INDEX job_by_turn ON job (turn)`,
    `CREATE INDEX job_by_organization ON job (organization, turn)`,
    `CREATE INDEX job_by_expiry ON job (holds_plots, expires_at_ms)`,
    `CREATE INDEX job_by_upload ON job (holds_upload, finished_at_ms)`,
    // `status` is that of a plot that was refused or stayed degraded; whether another was answered, its key tells.
    `CREATE TABLE job_plot (
      job_id TEXT NOT NULL REFERENCES job (id),
      number BIGINT NOT NULL CHECK (number >= 0),
      plot_id TEXT,
      input TEXT,
      input_digest TEXT,
      attempts BIGINT NOT NULL,
      status TEXT CHECK (status IN ('invalid', 'degraded')),
      error TEXT,
      PRIMARY KEY (job_id, number)
    )`,
    // Decisions by ruleset and by verdict: triggers keep them in step with `decision` and `record` (`decision-filters.ts`).
    `CREATE TABLE decision_ruleset (
      organization TEXT NOT NULL,
      mode TEXT NOT NULL,
      digest TEXT NOT NULL,
      seq BIGINT NOT NULL,
      PRIMARY KEY (organization, mode, digest, seq)
    )`,
    `CREATE TABLE decision_verdict (
      organization TEXT NOT NULL,
      mode TEXT NOT NULL,
      verdict TEXT NOT NULL,
      seq BIGINT NOT NULL,
      PRIMARY KEY (organization, mode, verdict, seq)
    )`,
    // One row: all decisions are noted. Release 0.2.0, which may run beside this one, asks it.
    `CREATE TABLE decision_indexed (
      no BIGINT PRIMARY KEY CHECK (no = 1),
      last_id TEXT NOT NULL,
      is_done BIGINT NOT NULL CHECK (is_done IN (0, 1))
    )`,
    // What each organization holds without having paid for it (`operations/holdings.ts`). A row holds nothing that the other
    // tables do not tell: one that is missing is made of them, so a backup has none.
    `CREATE TABLE holding (
      organization TEXT NOT NULL REFERENCES organization (id),
      mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
      kind TEXT NOT NULL,
      amount BIGINT NOT NULL CHECK (amount >= 0),
      PRIMARY KEY (organization, mode, kind)
    )`,
  ],
  // A record may be deleted, for erasure; nothing that was charged or published is ever changed.
  immutable: { decision: ["UPDATE", "DELETE"], ruleset: ["UPDATE", "DELETE"], record: ["UPDATE"] },
  programs: {
    sqlite: [...DECISION_FILTERS.sqlite, ...firstRows()],
    postgres: [...DECISION_FILTERS.postgres, ...firstRows()],
  },
};

function firstRows(): string[] {
  return [
    "INSERT INTO decision_indexed (no, last_id, is_done) VALUES (1, '', 1)",
    `INSERT INTO schema_migration (no, name) VALUES (1, 'state'), (2, 'publication'), (3, 'write receipts'),
      (4, 'standing'), (5, 'jobs'), (6, 'decision filters'), (7, 'sums by route')`,
  ];
}
