/**
 * An operation on the state, written once for every database: a generator that yields statements
 * and receives their rows. SQLite runs it synchronously inside its writer, PostgreSQL awaits each
 * step; what is read, decided and written is the same text.
 */
export type Operation<Result> = Generator<Effect, Result, unknown>;

export type Effect = Statement | typeof NOW;

/** Asks for the store's time in milliseconds. After a lock is taken, not before, it is a charge's time. */
export const NOW: unique symbol = Symbol("now");

export type SqlValue = string | number | null;

export interface Statement {
  /** SQL that both databases read, `?` for each value. */
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** Lock the rows selected until the transaction ends, where the database does not lock all anyway. */
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

/** Conditions of which all must hold; none is no condition. */
export function sqlAll(conditions: readonly Statement[]): Statement {
  return conditions.reduce((all, condition) => sql`${all} AND ${condition}`, sql`1 = 1`);
}

/** The same statement, locking the rows it selects. */
export function locking(statement: Statement): Statement {
  return { ...statement, locksRows: true };
}

/** @typeParam Row what the statement's column aliases make; the suite of both databases holds it true */
export function* rows<Row extends object>(statement: Statement): Operation<readonly Row[]> {
  return (yield statement) as readonly Row[];
}

export function* firstRow<Row extends object>(statement: Statement): Operation<Row | undefined> {
  return (yield* rows<Row>(statement))[0];
}

/** @param from what follows FROM */
export function* countOf(from: Statement): Operation<number> {
  const counted = yield* firstRow<{ n: number }>(sql`SELECT count(*) AS n FROM ${from}`);
  return counted!.n;
}

export function* run(statement: Statement): Operation<void> {
  yield statement;
}

export function* now(): Operation<number> {
  return (yield NOW) as number;
}
