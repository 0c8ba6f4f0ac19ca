import type { StoredManifest } from "@groundrule/engine";
import type { ProviderConfig } from "@groundrule/node";
import { buildCandidateStatement, parseCandidates } from "./candidate-query.ts";
import { Database } from "./database.ts";
import { buildDatabaseOptions, type PostgisOptions } from "./open-postgis.ts";
import { findAreaTable } from "./table.ts";

/** Properties of a checked table. */
export interface CheckedTable {
  /** EPSG code of its geometries; 0 if undeclared. */
  readonly srid: number;
  /** Number of areas, estimated from the database's statistics; undefined if it has none. */
  readonly estimated_areas: number | undefined;
  /** True if its geometries have an index; undefined for a view. Without one, every question reads the whole table. */
  readonly is_indexed: boolean | undefined;
}

/**
 * Connects to the database of a live source and checks that its table answers.
 *
 * Fails: {@link ProviderError}.
 */
export async function checkPostgis(
  config: ProviderConfig,
  manifest: StoredManifest,
  options: Pick<PostgisOptions, "environment"> = {},
): Promise<CheckedTable> {
  const database = new Database(buildDatabaseOptions(config, options));
  const query = (text: string, values: readonly unknown[]) => database.query(text, values);
  try {
    const table = await findAreaTable(query, config, manifest);
    // Impossible casts of columns are reported here rather than at the first plot.
    const boxes = [[0, 0, 0, 0]] as const;
    const { text, values } = buildCandidateStatement(table, config, manifest, { boxes, wide: [] }, 1);
    try {
      parseCandidates(await query(text, values), manifest, 1);
    } catch (error) {
      if ((error as { code?: unknown }).code !== "PROVIDER_TOO_MANY") throw error;
    }
    const [row] = await query("SELECT reltuples::float8 FROM pg_class WHERE oid = to_regclass($1)", [
      table.sql,
    ]);
    const estimate = Number(row?.[0] ?? -1);
    return {
      srid: table.srid,
      estimated_areas: estimate < 0 ? undefined : estimate,
      is_indexed: table.isIndexed,
    };
  } finally {
    await database.close();
  }
}
