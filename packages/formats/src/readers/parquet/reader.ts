import type { SchemaTree } from "hyparquet";
import type { LocalFile } from "../../file/local-file.ts";
import { createFormatError, fileDamagedError, type Place } from "../../format-error.ts";
import {
  type Feature,
  type FormatReader,
  type OpenTable,
  type ReadOptions,
  type Row,
  readGeometryOrFault,
} from "../../format-reader.ts";
import { resolveFormatLimits } from "../../limits.ts";
import { readWkb } from "../../wkb/read-wkb.ts";
import { type ColumnContext, type Cursor, isReadable, openColumnCursor } from "./columns.ts";
import { findGeometryColumn, type GeometryColumn } from "./geo.ts";
import { MemoryBudget } from "./memory-budget.ts";
import { type Metadata, readParquetMetadata } from "./metadata.ts";
import { densifyGreatCircles } from "./spherical-edges.ts";

/** Most bytes that the pages of one row, of all columns, take at once. */
export const PARQUET_MEMORY: number = 2 ** 30;

/** Reads Parquet row by row: GeoParquet as features, any Parquet as rows. One page of each column is in memory. */
export const reader: FormatReader = {
  async open(file: LocalFile, options: ReadOptions): Promise<OpenTable> {
    const metadata = await readParquetMetadata(file);
    return new ParquetTable(file, metadata, findGeometryColumn(metadata, options.layer), options);
  },
};

class ParquetTable implements OpenTable {
  readonly format = "geoparquet";
  readonly isPacked = false;
  readonly layer: undefined;
  readonly crs: string | undefined;
  readonly columns: readonly string[];
  readonly #metadata: Metadata;
  readonly #geometry: GeometryColumn | undefined;
  readonly #columns: readonly SchemaTree[];
  readonly #context: ColumnContext;

  constructor(
    file: LocalFile,
    metadata: Metadata,
    geometry: GeometryColumn | undefined,
    options: ReadOptions,
  ) {
    this.#metadata = metadata;
    this.#geometry = geometry;
    this.crs = geometry?.crs;
    const { ratio, featureBytes } = resolveFormatLimits(options);
    const budget = new MemoryBudget(Math.max(PARQUET_MEMORY, featureBytes));
    this.#context = { file, budget, ratio, encoding: options.encoding };
    const names = new Set<string>();
    for (const { element } of metadata.schema.children) {
      if (names.has(element.name))
        throw fileDamagedError(`two columns "${element.name}"`, "names of their own");
      names.add(element.name);
    }
    this.#columns = metadata.schema.children.filter(
      (node) => geometry?.passedOver.has(node.element.name) !== true && isReadable(node, options.encoding),
    );
    this.columns = this.#columns.map(({ element }) => element.name);
  }

  async *features(): AsyncGenerator<Feature, void, undefined> {
    const { name, isSpherical } = this.#geometry ?? this.#refuse();
    const column = this.#metadata.schema.children.find(({ element }) => element.name === name)!;
    for await (const { number, cursors } of this.#rows([column, ...this.#columns])) {
      const place = { feature: number };
      const blob = cursors[0]!.take(place) as Uint8Array | null;
      const properties = readRowCells(cursors.slice(1), place);
      const read = (bytes: Uint8Array): unknown =>
        isSpherical ? densifyGreatCircles(readWkb(bytes)) : readWkb(bytes);
      const geometry = readGeometryOrFault(() => blob && read(blob));
      yield { place, id: undefined, properties, crs: this.crs, ...geometry };
    }
  }

  async *rows(): AsyncGenerator<Row, void, undefined> {
    for await (const { number, cursors } of this.#rows(this.#columns)) {
      const place = { row: number };
      yield { place, cells: readRowCells(cursors, place) };
    }
  }

  async close(): Promise<void> {}

  /** For each row, cursors placed before it; the caller takes one value of each. */
  async *#rows(
    columns: readonly SchemaTree[],
  ): AsyncGenerator<{ number: number; cursors: readonly Cursor[] }, void, undefined> {
    let number = 0;
    for (const group of this.#metadata.file.row_groups) {
      const cursors = columns.map((node) =>
        openColumnCursor(
          node,
          group,
          this.#context,
          node.element.name === this.#geometry?.name ? asIs : undefined,
        ),
      );
      let left = Number(group.num_rows);
      if (cursors.length === 0) left = 0;
      while (left > 0) {
        for (const cursor of cursors) {
          if (cursor.available > 0) continue;
          await cursor.load();
          if (cursor.available === 0)
            throw fileDamagedError(`the end of column "${cursor.name}"`, `${left} more values`, {
              row: number + 1,
            });
        }
        const batch = cursors.map(({ available }) => available).reduce((a, b) => Math.min(a, b), left);
        for (let i = 0; i < batch; i++) yield { number: ++number, cursors };
        left -= batch;
      }
      for (const cursor of cursors) {
        if (cursor.available === 0) await cursor.load();
        if (cursor.available > 0)
          throw fileDamagedError(
            `more values in column "${cursor.name}"`,
            `${group.num_rows} in the row group`,
            {
              row: number,
            },
          );
      }
    }
  }

  #refuse(): never {
    const found = "no geometry column";
    const expected = "the metadata of GeoParquet, or a column of the type GEOMETRY";
    throw createFormatError("FORMAT_UNSUPPORTED", found, expected, {
      columns: this.#metadata.schema.children.map(({ element }) => element.name),
      mend: `\`ogr2ogr out.parquet …\` or geopandas write them`,
    });
  }
}

const asIs = (raw: unknown): unknown => raw;

function readRowCells(cursors: readonly Cursor[], place: Place): Map<string, unknown> {
  const cells = new Map<string, unknown>();
  for (const cursor of cursors) cells.set(cursor.name, cursor.take(place));
  return cells;
}
