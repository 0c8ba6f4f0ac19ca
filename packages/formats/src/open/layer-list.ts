import { createFormatError, FormatError } from "../format-error.ts";
import type { Feature, OpenTable, ReadOptions, Row } from "../format-reader.ts";
import { overrideTableMembers } from "../table/closing.ts";

/**
 * Opens the layer that the options name, or several of one format whose names stand in a list: `AREA_IMOVEL_1,AREA_IMOVEL_2`.
 * They are read one after another, as if they were one. A layer whose own name has a comma goes before a list.
 *
 * Fails: as `open`; `LAYER_UNKNOWN` for layers of different formats.
 */
export async function openLayers(
  options: ReadOptions,
  open: (options: ReadOptions) => Promise<OpenTable>,
): Promise<OpenTable> {
  const { layer } = options;
  const names = layer?.split(",").map((name) => name.trim()) ?? [];
  if (names.length < 2 || names.includes("")) return open(options);
  try {
    return await open(options);
  } catch (error) {
    if (!(error instanceof FormatError) || error.code !== "LAYER_UNKNOWN") throw error;
  }
  const tables: OpenTable[] = [];
  try {
    for (const name of names) tables.push(await open({ ...options, layer: name }));
    const [first] = tables;
    const other = tables.find(({ format }) => format !== first!.format);
    if (other !== undefined) {
      throw createFormatError(
        "LAYER_UNKNOWN",
        `layers of ${first!.format} and ${other.format}`,
        "layers of one format",
      );
    }
    return joinTables(tables, names.join(","));
  } catch (error) {
    for (const table of tables) await table.close();
    throw error;
  }
}

function joinTables(tables: readonly OpenTable[], layer: string): OpenTable {
  const first = tables[0]!;
  const isOneCrs = tables.every(({ crs }) => crs === first.crs);
  const columns = tables.every((table) => table.columns !== undefined)
    ? [...new Set(tables.flatMap((table) => table.columns!))]
    : undefined;
  async function* features(): AsyncGenerator<Feature, void, undefined> {
    let before = 0;
    for (const table of tables) {
      let last = 0;
      for await (const feature of table.features()) {
        last = feature.place.feature;
        yield { ...feature, place: { ...feature.place, feature: before + last } };
      }
      before += last;
    }
  }
  async function* rows(): AsyncGenerator<Row, void, undefined> {
    let before = 0;
    for (const table of tables) {
      let last = 0;
      for await (const row of table.rows()) {
        last = row.place.row;
        yield { ...row, place: { ...row.place, row: before + last } };
      }
      before += last;
    }
  }
  const close = async (): Promise<void> => {
    for (const table of tables) await table.close();
  };
  return overrideTableMembers(first, {
    layer,
    crs: isOneCrs ? first.crs : undefined,
    columns,
    features,
    rows,
    close,
  });
}
