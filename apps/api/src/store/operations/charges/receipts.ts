import { firstRow, now, type Operation, run, sql } from "../../sql/operation.ts";

/**
 * A row that says that a write was committed, for those that leave none of their own. PostgreSQL alone
 * needs it: a commit to a file is never lost from sight, or ends the process.
 */
export function* writeReceipt(id: string): Operation<void> {
  yield* run(sql`INSERT INTO write_receipt (id, written_at_ms) VALUES (${id}, ${yield* now()})`);
}

export function* hasReceipt(id: string): Operation<boolean> {
  return (yield* firstRow(sql`SELECT id FROM write_receipt WHERE id = ${id}`)) !== undefined;
}

/** Whoever made a write looks for its receipt within seconds, or never. */
export function* forgetReceipts(nowMs: number): Operation<void> {
  yield* run(sql`DELETE FROM write_receipt WHERE written_at_ms < ${nowMs - KEPT_MS}`);
}

const KEPT_MS = 3_600_000;
