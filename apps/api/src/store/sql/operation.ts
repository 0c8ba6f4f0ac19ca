/**
 * An operation on the state, written once for every database: a generator that yields statements
 * and receives their rows. SQLite runs it synchronously inside its writer, PostgreSQL awaits each
 * step; what is read, decided and written is the same text.
 */
export type Operation<Result> = Generator<Effect, Result, unknown>;

export type Effect = Statement | typeof NOW;

/** Yielded to read the store's time in milliseconds. Read after taking a lock, it is a charge's time. */
export const NOW: unique symbol = Symbol("now");

export type SqlValue = string | number | null;

export interface Statement {
  /** SQL in the dialect common to both databases, `?` for each value. */
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** Lock the selected rows until the transaction ends, if the database does not lock everything anyway. */
  readonly locksRows?: true;
}

/** A statement from a template; values become parameters, statements inside are spliced in. */
export function sql(parts: TemplateStringsArray, ...inserts: (SqlValue | Statement)[]): Statement {
  let text = parts[0]!;
  const values: SqlValue[] = [];
  inserts.forEach((insert, i) => {
    if (typeof insert === "object" && insert !== null) {
      text += insert.text;
      for (const each of insert.values) values.push(each);
    } else {
      text += "?";
      values.push(insert);
    }
    text += parts[i + 1]!;
  });
  return { text, values };
}

/** Statements with commas between them. */
export function sqlList(statements: readonly Statement[]): Statement {
  return {
    text: statements.map(({ text }) => text).join(", "),
    values: statements.flatMap(({ values }) => values),
  };
}

/** Joins conditions with AND; an empty list is always true. */
export function sqlAll(conditions: readonly Statement[]): Statement {
  return conditions.reduce((all, condition) => sql`${all} AND ${condition}`, sql`1 = 1`);
}

/** The same statement, locking the rows it selects. */
export function withRowLocks(statement: Statement): Statement {
  return { ...statement, locksRows: true };
}

/** @typeParam Row the members that the statement's column aliases produce; the tests on both databases check it */
export function* queryRows<Row extends object>(statement: Statement): Operation<readonly Row[]> {
  return (yield statement) as readonly Row[];
}

export function* queryFirstRow<Row extends object>(statement: Statement): Operation<Row | undefined> {
  return (yield* queryRows<Row>(statement))[0];
}

/** @param from the SQL after FROM */
export function* countRows(from: Statement): Operation<number> {
  const counted = yield* queryFirstRow<{ n: number }>(sql`SELECT count(*) AS n FROM ${from}`);
  return counted!.n;
}

export function* run(statement: Statement): Operation<void> {
  yield statement;
}

export function* readNow(): Operation<number> {
  return (yield NOW) as number;
}
