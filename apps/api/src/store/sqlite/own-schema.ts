import { MIGRATIONS } from "../migrations/all.ts";
import { type Migration, migrateSchema, readKnownSchema } from "../migrations/migrate.ts";
import { StoreError } from "../port/store-error.ts";
import { Connection } from "./connection.ts";

/** The columns of each table, in order. */
export type TableColumns = ReadonlyMap<string, readonly string[]>;

/**
 * Checks a file's schema, table by table, index, trigger and view, against what this release's migrations make up to
 * the file's own migration; returns its tables. A file made by somebody else may contain triggers that change later
 * charges, columns whose names are statements, and expressions that never end; none of them runs before the comparison.
 *
 * @param backup the name of the file, for messages
 *
 * Fails: `BACKUP_INVALID` at the first difference; `SCHEMA_TOO_NEW` if a newer release wrote it.
 */
export function assertOwnSchema(connection: Connection, backup: string): TableColumns {
  const found = readSchemaObjects(connection);
  // The table with the migration number is compared first, and read only once it is known to be ours.
  for (const [name, statement] of buildExpectedSchema(0).objects) {
    if (!found.has(name)) {
      const message = `${backup} is a database without groundrule's state`;
      throw new StoreError("BACKUP_INVALID", message, { backup });
    }
    assertSameSchemaText(backup, name, found.get(name), statement);
  }
  const newest = connection.run(readKnownSchema(MIGRATIONS), 0);
  const { objects, migrations, columns } = buildExpectedSchema(newest);
  for (const name of new Set([...objects.keys(), ...found.keys()])) {
    if (!STATISTICS.has(found.get(name) ?? ""))
      assertSameSchemaText(backup, name, found.get(name), objects.get(name));
  }
  assertSameSchemaText(backup, "list of migrations", readMigrationList(connection), migrations);
  const encoding = connection.all({ text: "PRAGMA encoding", values: [] })[0] as { encoding: string };
  assertSameSchemaText(backup, "encoding", encoding.encoding, "UTF-8");
  return columns;
}

/** Tables that `ANALYZE` adds: they hold numbers for the planner. */
const STATISTICS: ReadonlySet<string> = new Set([
  "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
  "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
]);

/** The columns of each table in this release. */
export function listOwnColumns(): TableColumns {
  return buildExpectedSchema(MIGRATIONS.at(-1)!.no).columns;
}

interface Schema {
  /** The statement of each object, by kind and name. */
  readonly objects: ReadonlyMap<string, string>;
  readonly migrations: string;
  readonly columns: TableColumns;
}

/** The schema that the migrations up to a number make of an empty file. */
function buildExpectedSchema(newest: Migration["no"]): Schema {
  const connection = new Connection(":memory:");
  try {
    connection.run(
      migrateSchema(
        "sqlite",
        MIGRATIONS.filter(({ no }) => no <= newest),
      ),
      0,
    );
    return {
      objects: readSchemaObjects(connection),
      migrations: readMigrationList(connection),
      columns: readTableColumns(connection),
    };
  } finally {
    connection.close();
  }
}

function readSchemaObjects(connection: Connection): ReadonlyMap<string, string> {
  const text = "SELECT type, name, tbl_name AS place, sql FROM sqlite_schema ORDER BY type, name";
  const rows = connection.all({ text, values: [] }) as {
    type: string;
    name: string;
    place: string;
    sql: string | null;
  }[];
  const named = rows.map(({ type, name, place, sql }): [string, string] => {
    const where = place === name ? "" : ` on ${JSON.stringify(place)}`;
    // An index that SQLite created for a constraint has no statement.
    return [`${type} ${JSON.stringify(name)}${where}`, sql?.replaceAll(/\s+/g, " ") ?? "no statement"];
  });
  return new Map(named);
}

function readMigrationList(connection: Connection): string {
  const text = "SELECT no, name FROM schema_migration ORDER BY no";
  return JSON.stringify(connection.all({ text, values: [] }));
}

function readTableColumns(connection: Connection): TableColumns {
  const text = `SELECT m.name AS "table", c.name AS "column" FROM sqlite_schema m, pragma_table_info(m.name) c
    WHERE m.type = 'table' ORDER BY m.name, c.cid`;
  const columns = new Map<string, string[]>();
  for (const row of connection.all({ text, values: [] }) as { table: string; column: string }[]) {
    columns.set(row.table, [...(columns.get(row.table) ?? []), row.column]);
  }
  return columns;
}

/** Maximum characters of a statement shown in a message. */
const SHOWN = 200;

function assertSameSchemaText(
  backup: string,
  what: string,
  found: string | undefined,
  expected: string | undefined,
): void {
  if (found === expected) return;
  const shown = (text: string | undefined) => (text === undefined ? "none" : shortenText(text));
  throw new StoreError(
    "BACKUP_INVALID",
    `${backup} is not as a release of groundrule writes it: found ${what}: ${shown(found)}, expected ${shown(expected)}; take a backup that nobody has changed, or undo the change in a copy if it was yours`,
    { backup, what, found: found ?? null, expected: expected ?? null },
  );
}

function shortenText(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
