import type { Migration } from "./migrate.ts";

/**
 * Sums by route in the row of a period, so that `GET /v1/usage` adds up no decisions.
 *
 * `by_route` holds units by route, as JSON, of the period's decisions up to number `counted_seq`. A charge updates both
 * while all decisions are counted. A release without this migration updates neither, so both stay true whichever
 * release charges in the meantime; decisions not yet counted are counted in the background (`countRoutes`).
 */
export const migration: Migration = {
  no: 7,
  name: "sums by route",
  tables: [],
  immutable: {},
  programs: { sqlite: buildColumnStatements("INTEGER"), postgres: buildColumnStatements("BIGINT") },
};

function buildColumnStatements(whole: "INTEGER" | "BIGINT"): string[] {
  return [
    "ALTER TABLE period ADD COLUMN by_route TEXT NOT NULL DEFAULT '{}'",
    `ALTER TABLE period ADD COLUMN counted_seq ${whole} NOT NULL DEFAULT 0`,
  ];
}
