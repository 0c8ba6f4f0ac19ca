import type { Migration } from "./migrate.ts";

/**
 * Sums by route in the row of a period, so that `GET /v1/usage` adds up no decisions.
 *
 * `by_route` holds units by route, as JSON, of the period's decisions up to number `counted_seq`. Whoever charges moves
 * both on, as long as all decisions are counted. A release that does not know of them moves neither, so both stay true
 * whichever charges meanwhile; what is behind, and what was charged before, is counted by and by (`countRoutes`).
 */
export const migration: Migration = {
  no: 7,
  name: "sums by route",
  tables: [],
  immutable: {},
  programs: { sqlite: columns("INTEGER"), postgres: columns("BIGINT") },
};

function columns(whole: "INTEGER" | "BIGINT"): string[] {
  return [
    "ALTER TABLE period ADD COLUMN by_route TEXT NOT NULL DEFAULT '{}'",
    `ALTER TABLE period ADD COLUMN counted_seq ${whole} NOT NULL DEFAULT 0`,
  ];
}
