import type { Migration } from "./migrate.ts";

/**
 * The unpaid data that each organization stores; see `operations/charges/holdings.ts`. Rows repeat what the other
 * tables hold: a missing row is computed from them, so a backup has none.
 */
export const migration: Migration = {
  no: 8,
  name: "holdings",
  tables: [
    `CREATE TABLE holding (
      organization TEXT NOT NULL REFERENCES organization (id),
      mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
      kind TEXT NOT NULL,
      amount BIGINT NOT NULL CHECK (amount >= 0),
      PRIMARY KEY (organization, mode, kind)
    )`,
  ],
  immutable: {},
  programs: { sqlite: buildMigrationStatements("INTEGER"), postgres: buildMigrationStatements("BIGINT") },
};

/**
 * `bytes` is what a job counts for among the holdings. `holds_upload`: the texts of its plots still exist, or must be
 * counted again. A job of the previous release, which has neither column, counts for nothing until it has ended.
 */
function buildMigrationStatements(integer: string): string[] {
  return [
    `ALTER TABLE job ADD COLUMN bytes ${integer} NOT NULL DEFAULT 0 CHECK (bytes >= 0)`,
    `ALTER TABLE job ADD COLUMN holds_upload ${integer} NOT NULL DEFAULT 1 CHECK (holds_upload IN (0, 1))`,
    "UPDATE job SET holds_upload = 0 WHERE holds_plots = 0",
    "CREATE INDEX job_by_upload ON job (holds_upload, finished_at_ms)",
  ];
}
