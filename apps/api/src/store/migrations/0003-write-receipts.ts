import type { Migration } from "./migrate.ts";

export const migration: Migration = {
  no: 3,
  name: "write receipts",
  tables: [
    `CREATE TABLE write_receipt (
      id TEXT PRIMARY KEY,
      written_at_ms BIGINT NOT NULL
    )`,
  ],
  immutable: {},
};
