import type { Migration } from "./migrate.ts";

/** What a store says of itself: which pepper its keys are stored under, and when it was last served. */
export const migration: Migration = {
  no: 4,
  name: "standing",
  tables: [
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
  ],
  immutable: {},
};
