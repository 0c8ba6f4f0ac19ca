import type { Migration } from "./migrate.ts";

/** Facts about the store itself: the pepper its keys are stored under, and when it was last in service. */
export const migration: Migration = {
  no: 4,
  name: "standing",
  tables: [
    `CREATE TABLE pepper (
      version BIGINT PRIMARY KEY,
      fingerprint TEXT NOT NULL
    )`,
    // A single row. Probes write the ballast to find out if there is room for more than a number.
    `CREATE TABLE served (
      no BIGINT PRIMARY KEY CHECK (no = 1),
      last_ms BIGINT NOT NULL,
      ballast TEXT NOT NULL
    )`,
  ],
  immutable: {},
};
