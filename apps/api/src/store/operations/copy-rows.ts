import { migration as publication } from "../migrations/0002-publication.ts";
import { migration as storeState } from "../migrations/0004-standing.ts";
import { migration as jobs } from "../migrations/0005-jobs.ts";
import type { Input, Row } from "../port/port.ts";
import { type Operation, queryRows, run, type Statement, sql, sqlList } from "../sql/operation.ts";
import { readSchemaNumber } from "./schema.ts";

/** Tables, each after those it refers to, with the columns that order its rows. */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  organization: ["id"],
  subscription: ["organization"],
  ledger: ["organization", "mode"],
  period: ["organization", "mode", "no"],
  decision: ["id"],
  record: ["decision_id"],
  idempotency: ["organization", "mode", "key"],
  attempt: ["organization", "mode", "key"],
  api_key: ["id"],
  ruleset: ["organization", "mode", "name", "version"],
  publication: ["organization", "mode", "key"],
  erasure: ["organization", "before_ms"],
  pepper: ["version"],
  served: ["no"],
  job: ["id"],
  job_plot: ["job_id", "number"],
};

/** The first schema that has a table, if it is not the very first. */
const SINCE: Readonly<Record<string, number>> = {
  publication: publication.no,
  pepper: storeState.no,
  served: storeState.no,
  job: jobs.no,
  job_plot: jobs.no,
};

/** The tables of a state of any schema, in an order in which their rows can be inserted. */
export function* listPresentTables(): Operation<readonly string[]> {
  const newest = yield* readSchemaNumber();
  return Object.keys(ORDERS).filter((table) => (SINCE[table] ?? 0) <= newest);
}

/** Rows copied per batch, so that a state of any size needs little memory. */
const BATCH = 200;

/** The rows of a table after a row, or the first ones; empty at the end. */
function* readRowsAfter(table: string, last: Row | undefined): Operation<readonly Row[]> {
  const order = ORDERS[table];
  if (order === undefined) throw new Error(`there is no table ${table}`);
  const columns = toRawStatement(order.join(", "));
  const after =
    last === undefined
      ? sql`1 = 1`
      : sql`(${columns}) > (${sqlList(order.map((column) => sql`${last[column] ?? null}`))})`;
  return yield* queryRows<Row>(
    sql`SELECT * FROM ${toRawStatement(table)} WHERE ${after} ORDER BY ${columns} LIMIT ${BATCH}`,
  );
}

/** Reads every row of the state. */
export function* exportAllRows(take: (table: string, batch: readonly Row[]) => void): Operation<void> {
  for (const table of yield* listPresentTables()) {
    for (let last: Row | undefined; ; ) {
      const batch: readonly Row[] = yield* readRowsAfter(table, last);
      if (batch.length === 0) break;
      take(table, batch);
      last = batch.at(-1);
    }
  }
}

/** @param input.columns come from the schema, never from the author of the rows */
export function* importRows({ table, columns, batch }: Input<"importRows">): Operation<void> {
  if (ORDERS[table] === undefined) throw new Error(`there is no table ${table}`);
  if (batch.length === 0) return;
  const values = batch.map((row) => sql`(${sqlList(columns.map((column) => sql`${row[column] ?? null}`))})`);
  yield* run(
    sql`INSERT INTO ${toRawStatement(table)} (${sqlList(columns.map(quoteSqlName))}) VALUES ${sqlList(values)}`,
  );
}

/** SQL text without escaping, for our own names only. */
function toRawStatement(text: string): Statement {
  return { text, values: [] };
}

/** A name quoted so that no content can end it. */
function quoteSqlName(name: string): Statement {
  return toRawStatement(`"${name.replaceAll('"', '""')}"`);
}
