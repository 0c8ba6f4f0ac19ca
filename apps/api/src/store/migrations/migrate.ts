import { StoreError } from "../port/store-error.ts";
import { type Operation, queryFirstRow, run, sql } from "../sql/operation.ts";

export interface Migration {
  readonly no: number;
  readonly name: string;
  readonly tables: readonly string[];
  /** Tables whose rows must not be changed in that way; triggers enforce it. */
  readonly immutable: Readonly<Record<string, readonly ("UPDATE" | "DELETE")[]>>;
  /** SQL that differs by database: views, functions, triggers. */
  readonly programs?: Readonly<Record<Dialect, readonly string[]>>;
}

export type Dialect = "sqlite" | "postgres";

/**
 * Brings the schema up to date; the caller runs it in one transaction that excludes other writers.
 *
 * Fails: `SCHEMA_TOO_NEW` if the store has been migrated by a newer release.
 */
export function* migrateSchema(dialect: Dialect, migrations: readonly Migration[]): Operation<void> {
  yield* run(sql`CREATE TABLE IF NOT EXISTS schema_migration (no BIGINT PRIMARY KEY, name TEXT NOT NULL)`);
  const found = yield* readKnownSchema(migrations);
  for (const migration of migrations) {
    if (migration.no <= found) continue;
    for (const statement of buildMigrationStatements(migration, dialect))
      yield* run({ text: statement, values: [] });
    yield* run(sql`INSERT INTO schema_migration (no, name) VALUES (${migration.no}, ${migration.name})`);
  }
}

/**
 * The number of the newest migration applied to a state, 0 for none.
 *
 * Fails: `SCHEMA_TOO_NEW` if this release does not have it.
 */
export function* readKnownSchema(migrations: readonly Migration[]): Operation<number> {
  const newest = yield* queryFirstRow<{ no: number | null }>(sql`SELECT max(no) AS no FROM schema_migration`);
  const found = newest?.no ?? 0;
  const known = migrations.at(-1)?.no ?? 0;
  if (found <= known) return found;
  throw new StoreError(
    "SCHEMA_TOO_NEW",
    `found schema ${found} in the store, expected ${known} or lower; use the newer release that wrote it`,
    { found, known },
  );
}

function buildMigrationStatements({ tables, immutable, programs }: Migration, dialect: Dialect): string[] {
  const triggers = Object.entries(immutable).flatMap(([table, verbs]) =>
    dialect === "sqlite" ? buildSqliteGuards(table, verbs) : buildPostgresGuards(table, verbs),
  );
  return [
    ...tables.map((table) => (dialect === "sqlite" ? toSqliteTable(table) : table)),
    ...triggers,
    ...(programs?.[dialect] ?? []),
  ];
}

/** STRICT, so that a text can never hide in a number's column; SQLite's name for BIGINT is INTEGER. */
function toSqliteTable(statement: string): string {
  if (!statement.startsWith("CREATE TABLE")) return statement;
  return `${statement.replaceAll("BIGINT", "INTEGER")} STRICT`;
}

function buildSqliteGuards(table: string, verbs: readonly string[]): string[] {
  return verbs.map(
    (verb) => `CREATE TRIGGER ${table}_no_${verb.toLowerCase()} BEFORE ${verb} ON ${table}
      BEGIN SELECT RAISE(ABORT, '${describeImmutableRows(table, verb)}'); END`,
  );
}

function buildPostgresGuards(table: string, verbs: readonly string[]): string[] {
  return verbs.flatMap((verb) => {
    const name = `${table}_no_${verb.toLowerCase()}`;
    const events = verb === "DELETE" ? "DELETE OR TRUNCATE" : verb;
    return [
      `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '${describeImmutableRows(table, verb)}'; END $$`,
      `CREATE TRIGGER ${name} BEFORE ${events} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`,
    ];
  });
}

function describeImmutableRows(table: string, verb: string): string {
  return `rows of ${table} are never ${verb === "UPDATE" ? "changed" : "deleted"}`;
}
