import { PGlite, type Results } from "@electric-sql/pglite";
import { postgis } from "@electric-sql/pglite-postgis";

/** PostGIS in this process, with the GEOS and PROJ that come with it; no server, no files. */
export interface Postgis {
  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /**
   * One row for each entry of the columns, which are arrays of one length, $1, $2 and so on.
   * Fails where there are fewer: an exception within GEOS ends the query here as if there were no more.
   */
  queryEach<Row>(sql: string, ...columns: readonly (readonly unknown[])[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Starts it: some ten seconds, so once for all questions. */
export async function startPostgis(): Promise<Postgis> {
  const db = await PGlite.create({ extensions: { postgis } });
  await db.exec("CREATE EXTENSION postgis");
  const query = async <Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> => {
    try {
      const { rows }: Results<Row> = await db.query<Row>(sql, [...parameters]);
      return rows;
    } catch (cause) {
      // Without what was asked, which may be megabytes.
      throw new Error(cause instanceof Error ? cause.message : String(cause));
    }
  };
  return {
    query,
    async queryEach<Row>(sql: string, ...columns: readonly (readonly unknown[])[]): Promise<Row[]> {
      const rows = await query<Row>(sql, columns);
      const count = columns[0]?.length;
      if (rows.length !== count) throw new Error(`${rows.length} rows for ${count} questions: ${sql}`);
      return rows;
    },
    close: () => db.close(),
  };
}
