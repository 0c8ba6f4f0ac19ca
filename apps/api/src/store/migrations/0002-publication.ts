import type { Migration } from "./migrate.ts";

/** Publications under an idempotency key with their answers, so that a retry publishes nothing. */
export const migration: Migration = {
  no: 2,
  name: "publication",
  tables: [
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
  ],
  immutable: {},
};
