import { PGlite, type Results } from "@electric-sql/pglite";
import { postgis } from "@electric-sql/pglite-postgis";

/** PostGIS in this process, with the GEOS and PROJ that come with it; no server, no files. */
export interface Postgis {
  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Starts it: some ten seconds, so once for all questions. */
export async function startPostgis(): Promise<Postgis> {
  const db = await PGlite.create({ extensions: { postgis } });
  await db.exec("CREATE EXTENSION postgis");
  return {
    async query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
      const { rows }: Results<Row> = await db.query<Row>(sql, [...parameters]);
      return rows;
    },
    close: () => db.close(),
  };
}
