import type { Migration } from "./migrate.ts";

/** Types are those of PostgreSQL; SQLite reads BIGINT as INTEGER. Times are milliseconds since 1970, UTC. */
export const migration: Migration = {
  no: 1,
  name: "state",
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
    // The row whose lock serializes charging in a scope.
    `CREATE TABLE ledger (
      organization TEXT NOT NULL REFERENCES organization (id),
      mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
      quota BIGINT NOT NULL CHECK (quota >= 0),
      seq BIGINT NOT NULL CHECK (seq >= 0),
      clock_ms BIGINT NOT NULL,
      frozen TEXT,
      PRIMARY KEY (organization, mode)
    )`,
    `CREATE TABLE period (
      organization TEXT NOT NULL,
      mode TEXT NOT NULL,
      no BIGINT NOT NULL,
      starts_at_ms BIGINT NOT NULL,
      ends_at_ms BIGINT NOT NULL CHECK (ends_at_ms > starts_at_ms),
      quota BIGINT NOT NULL,
      used BIGINT NOT NULL CHECK (used BETWEEN 0 AND quota),
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
    // Every column that the sums of a period need, so that examining it reads no texts or digests.
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
  ],
  // A record may be deleted, for erasure; charges and publications are never changed.
  immutable: { decision: ["UPDATE", "DELETE"], ruleset: ["UPDATE", "DELETE"], record: ["UPDATE"] },
};
