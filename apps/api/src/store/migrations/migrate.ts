import { StoreError } from "../port/store-error.ts";
import { firstRow, type Operation, run, sql } from "../sql/operation.ts";

export interface Migration {
  readonly no: number;
  readonly name: string;
  readonly tables: readonly string[];
  /** Tables whose rows may not be changed in that way; triggers see to it. */
  readonly immutable: Readonly<Record<string, readonly ("UPDATE" | "DELETE")[]>>;
  /** What each database says in its own words: views, functions, triggers. */
  readonly programs?: Readonly<Record<Dialect, readonly string[]>>;
}

export type Dialect = "sqlite" | "postgres";

/**
 * Brings the schema up to date; the caller runs it in one transaction that excludes other writers.
 *
 * Fails: `SCHEMA_TOO_NEW` where the store has been migrated by a newer release, `SCHEMA_TOO_OLD` where it is of an earlier
 * one than 0.2.0, or 0.2.0 has not finished what it does after a migration from there.
 */
export function* migrate(dialect: Dialect, migrations: readonly Migration[]): Operation<void> {
  yield* run(sql`CREATE TABLE IF NOT EXISTS schema_migration (no BIGINT PRIMARY KEY, name TEXT NOT NULL)`);
  const found = (yield* newestSchema()) === 0 ? 0 : yield* knownSchema(migrations);
  if (found > 0 && (yield* firstRow(sql`SELECT no FROM decision_indexed WHERE is_done = 0`)) !== undefined) {
    throw tooOld(`schema ${found} in the store, with decisions that are not indexed yet`, { found });
  }
  for (const migration of migrations) {
    if (migration.no <= found) continue;
    for (const statement of statementsOf(migration, dialect)) yield* run({ text: statement, values: [] });
    yield* run(sql`INSERT INTO schema_migration (no, name) VALUES (${migration.no}, ${migration.name})`);
  }
}

/** The number of the newest migration that a state has had, 0 for none. */
function* newestSchema(): Operation<number> {
  const newest = yield* firstRow<{ no: number | null }>(sql`SELECT max(no) AS no FROM schema_migration`);
  return newest?.no ?? 0;
}

/**
 * The number of the newest migration that a state has had.
 *
 * Fails: `SCHEMA_TOO_NEW` where this release does not know it, `SCHEMA_TOO_OLD` where it can no longer bring it up to date.
 */
export function* knownSchema(migrations: readonly Migration[]): Operation<number> {
  const found = yield* newestSchema();
  const [known, oldest] = [migrations.at(-1)?.no ?? 0, migrations[0]?.no ?? 0];
  if (found < oldest) throw tooOld(`schema ${found} in the store, expected ${oldest}`, { found, oldest });
  if (found <= known) return found;
  throw new StoreError(
    "SCHEMA_TOO_NEW",
    `found schema ${found} in the store, expected ${known} or lower; use the newer release that wrote it`,
    { found, known },
  );
}

function tooOld(message: string, details: Readonly<Record<string, unknown>>): StoreError {
  return new StoreError(
    "SCHEMA_TOO_OLD",
    `found ${message}; serve it with release 0.2.0 first, until that has brought it up to date`,
    details,
  );
}

function statementsOf({ tables, immutable, programs }: Migration, dialect: Dialect): string[] {
  const triggers = Object.entries(immutable).flatMap(([table, verbs]) =>
    dialect === "sqlite" ? sqliteGuards(table, verbs) : postgresGuards(table, verbs),
  );
  return [
    ...tables.map((table) => (dialect === "sqlite" ? sqliteTable(table) : table)),
    ...triggers,
    ...(programs?.[dialect] ?? []),
  ];
}

/** STRICT, so that a text can never hide in a number's column; its name for BIGINT is INTEGER. */
function sqliteTable(statement: string): string {
  if (!statement.startsWith("CREATE TABLE")) return statement;
  return `${statement.replaceAll("BIGINT", "INTEGER")} STRICT`;
}

function sqliteGuards(table: string, verbs: readonly string[]): string[] {
  return verbs.map(
    (verb) => `CREATE TRIGGER ${table}_no_${verb.toLowerCase()} BEFORE ${verb} ON ${table}
      BEGIN SELECT RAISE(ABORT, '${refusal(table, verb)}'); END`,
  );
}

function postgresGuards(table: string, verbs: readonly string[]): string[] {
  return verbs.flatMap((verb) => {
    const name = `${table}_no_${verb.toLowerCase()}`;
    const events = verb === "DELETE" ? "DELETE OR TRUNCATE" : verb;
    return [
      `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '${refusal(table, verb)}'; END $$`,
      `CREATE TRIGGER ${name} BEFORE ${events} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`,
    ];
  });
}

function refusal(table: string, verb: string): string {
  return `rows of ${table} are never ${verb === "UPDATE" ? "changed" : "deleted"}`;
}
