import { EngineError } from "../../base/errors.ts";
import { encodeUtf8 } from "../../base/utf8.ts";
import type { SnapshotContent } from "../content-digest.ts";
import { FIRST_COLUMN_SECTION, MAX_COLUMNS, SECTION } from "../format.ts";
import {
  COLUMN_NAME_MAX_LENGTH,
  type ColumnType,
  type SourceManifest,
  type StoredManifest,
} from "../manifest.ts";
import type { AttributeValue } from "../snapshot.ts";
import { ColumnBuilder } from "./column-builder.ts";
import type { Piece, Spill } from "./spill.ts";
import { TextColumn, TextTable } from "./text-table.ts";
import type { WriterOptions } from "./writer-options.ts";

/** Ids, names and columns of areas and records alike. */
export class RowCollector {
  readonly ids: TextTable;
  readonly names: TextColumn;
  readonly #spill: Spill | undefined;
  readonly #columns = new Map<string, ColumnBuilder>();
  readonly #declared: ReadonlyMap<string, ColumnType>;

  /** @param options `spill`: where the rows go; they are then to be read in order */
  constructor(manifest: SourceManifest, { spill, columnTypes = {} }: WriterOptions) {
    this.#spill = spill;
    this.ids = new TextTable(spill);
    this.names = new TextColumn(spill);
    const { columns = {} } = manifest;
    this.#declared = new Map(Object.entries({ ...columnTypes, ...columns }));
    for (const name of Object.keys(columns)) this.#column(name);
  }

  get count(): number {
    return this.ids.count;
  }

  add(id: string, name: string | null, properties: Readonly<Record<string, AttributeValue>>): void {
    const row = this.count;
    for (const column of Object.keys(properties)) this.#column(column).push(properties[column] ?? null);
    for (const column of this.#columns.values()) if (column.rowCount === row) column.push(null);
    this.names.push(name === null ? null : encodeUtf8(name));
    this.ids.push(encodeUtf8(id));
  }

  /** In the order in which JavaScript lists the members of the manifest's `columns`. */
  storedColumns(): ColumnBuilder[] {
    const known = [...this.#declared.keys()].flatMap((name) => this.#columns.get(name) ?? []);
    const stored = [...new Set([...known, ...this.#columns.values()])];
    const byName: Record<string, ColumnBuilder> = Object.fromEntries(
      stored.map((column) => [column.name, column]),
    );
    return Object.values(byName);
  }

  content(manifest: SourceManifest, columns: readonly ColumnBuilder[]): Omit<SnapshotContent, "countryIso3"> {
    return {
      kind: manifest.kind,
      category: manifest.category,
      rowCount: this.count,
      id: (row) => this.ids.get(row),
      name: (row) => this.names.get(row),
      columns,
    };
  }

  sections(columns: readonly ColumnBuilder[]): [number, Piece[]][] {
    return [
      [SECTION.IDS, this.ids.pieces()],
      [SECTION.NAMES, this.names.pieces()],
      ...columns.map((column, k): [number, Piece[]] => [FIRST_COLUMN_SECTION + k, column.pieces()]),
    ];
  }

  #column(name: string): ColumnBuilder {
    let column = this.#columns.get(name);
    if (column === undefined) {
      checkColumnName(name, this.#columns.size);
      column = new ColumnBuilder(name, this.#declared.get(name), this.#spill);
      for (let row = 0; row < this.count; row++) column.push(null);
      this.#columns.set(name, column);
    }
    return column;
  }
}

function checkColumnName(name: string, columnsBefore: number): void {
  if (name.length === 0 || name.length > COLUMN_NAME_MAX_LENGTH || name === "__proto__") {
    const shown = JSON.stringify(name.slice(0, 80));
    const expected = `1 to ${COLUMN_NAME_MAX_LENGTH} characters, not "__proto__"`;
    throw new EngineError("VALIDATION_FAILED", `found the column name ${shown}, expected ${expected}`, {
      name,
    });
  }
  if (!name.isWellFormed()) {
    const message = `the name of column ${JSON.stringify(name)} contains an unpaired surrogate`;
    throw new EngineError("VALIDATION_FAILED", message, { name });
  }
  if (columnsBefore >= MAX_COLUMNS) {
    const message = `found more than ${MAX_COLUMNS} columns, expected at most that many; "${name}" is one too many`;
    throw new EngineError("VALIDATION_FAILED", message, { name, allowed: MAX_COLUMNS });
  }
}

/** The manifest as it is stored: with every column, and with the coverage that was written. */
export function resolveManifest(
  manifest: SourceManifest,
  columns: readonly ColumnBuilder[],
  coverage: Pick<StoredManifest, "coverage" | "coverage_known"> = {},
): StoredManifest {
  const { coverage: _declared, ...declared } = manifest;
  return {
    ...declared,
    ...coverage,
    columns: Object.fromEntries(columns.map((column) => [column.name, column.type])),
  };
}
