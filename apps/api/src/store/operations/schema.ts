import type { Migration } from "../migrations/migrate.ts";
import { type Operation, queryFirstRow, sql } from "../sql/operation.ts";

/** The number of the newest applied migration: a store that is only read may be of an older release. */
export function* readSchemaNumber(): Operation<number> {
  const newest = yield* queryFirstRow<{ no: number | null }>(sql`SELECT max(no) AS no FROM schema_migration`);
  return newest?.no ?? 0;
}

/** True if the state has had a migration. */
export function* hasHad({ no }: Migration): Operation<boolean> {
  return (yield* readSchemaNumber()) >= no;
}
