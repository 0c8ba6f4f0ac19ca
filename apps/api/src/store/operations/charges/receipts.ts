import { type Operation, queryFirstRow, readNow, run, sql } from "../../sql/operation.ts";

/**
 * Writes a row as proof of a commit, for writes that leave none of their own. Only PostgreSQL needs it: a commit to a
 * file either has a known outcome or ends the process.
 */
export function* writeReceipt(id: string): Operation<void> {
  yield* run(sql`INSERT INTO write_receipt (id, written_at_ms) VALUES (${id}, ${yield* readNow()})`);
}

export function* hasReceipt(id: string): Operation<boolean> {
  return (yield* queryFirstRow(sql`SELECT id FROM write_receipt WHERE id = ${id}`)) !== undefined;
}

/** Deletes old receipts: a writer looks for its receipt within seconds, or never. */
export function* deleteOldReceipts(nowMs: number): Operation<void> {
  yield* run(sql`DELETE FROM write_receipt WHERE written_at_ms < ${nowMs - KEPT_MS}`);
}

const KEPT_MS = 3_600_000;
