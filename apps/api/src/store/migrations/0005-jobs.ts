import type { Migration } from "./migrate.ts";

/**
 * Jobs, and the plots that were uploaded with them. No column refers to a ledger: a foreign key would lock its row
 * while plots are written, and charges would wait.
 */
export const migration: Migration = {
  no: 5,
  name: "jobs",
  tables: [
    // `staged`: plots are still being written, and nobody sees the job. The counts equal those of the rows: a charge
    // under a key of the job counts in `answered`, a recorded error line in `invalid` or `degraded`.
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
    // `status` is set for a plot that was refused or stayed degraded; any other plot is answered if its key is stored.
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
  ],
  immutable: {},
};
