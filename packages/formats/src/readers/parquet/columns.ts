import type { ColumnMetaData, DecodedArray, FileMetaData, ParquetParsers, SchemaTree } from "hyparquet";
import { assembleLists, assembleNested } from "hyparquet/src/assemble.js";
import type { LocalFile } from "../../file/local-file.ts";
import { createFormatError, type FormatError, fileDamagedError, type Place } from "../../format-error.ts";
import { ChunkReader, type Leaf, type Page } from "./chunk-reader.ts";
import type { Convert } from "./convert.ts";
import { findValueConverter } from "./convert.ts";
import type { MemoryBudget } from "./memory-budget.ts";

/** Input from which columns are read. */
export interface ColumnContext {
  readonly file: LocalFile;
  readonly budget: MemoryBudget;
  readonly ratio: number;
  readonly encoding: string | undefined;
}

/** The values of a column within a row group, one after another. */
export interface Cursor {
  readonly name: string;
  /** Number of values that {@link take} returns before {@link load} is due. */
  readonly available: number;
  /** Reads on. Returns no more values after the last page. */
  load(): Promise<void>;
  take(place: Place): unknown;
}

type RowGroup = FileMetaData["row_groups"][number];

/**
 * Opens a column of a row group: a flat one page by page, one with columns or lists in it as a whole.
 *
 * @param convert of a flat column; absent: by its type
 */
export function openColumnCursor(
  node: SchemaTree,
  group: RowGroup,
  context: ColumnContext,
  convert?: Convert,
): Cursor {
  return isFlat(node)
    ? new FlatCursor(node, group, context, convert)
    : new NestedCursor(node, group, context);
}

function isFlat({ children, element }: SchemaTree): boolean {
  return children.length === 0 && element.repetition_type !== "REPEATED";
}

/** True if a column holds anything that becomes a property. */
export function isReadable(node: SchemaTree, encoding: string | undefined): boolean {
  if (node.children.length > 0) return node.children.some((child) => isReadable(child, encoding));
  return findValueConverter(node.element, encoding) !== undefined;
}

class FlatCursor implements Cursor {
  readonly name: string;
  readonly #chunk: ChunkReader;
  readonly #maxDefinition: number;
  readonly #convert: Convert;
  #page: Page | undefined;
  #at = 0;
  #value = 0;

  constructor(node: SchemaTree, group: RowGroup, context: ColumnContext, convert: Convert | undefined) {
    this.name = node.element.name;
    const leaf = toLeaf([node]);
    this.#maxDefinition = leaf.maxDefinition;
    this.#convert = convert ?? findValueConverter(node.element, context.encoding) ?? (() => null);
    this.#chunk = new ChunkReader(context.file, leaf, findMetaData(group, leaf), context);
  }

  get available(): number {
    return this.#page === undefined ? 0 : this.#page.count - this.#at;
  }

  async load(): Promise<void> {
    do {
      this.#page = await this.#chunk.next();
      this.#at = 0;
      this.#value = 0;
    } while (this.#page?.count === 0);
  }

  take(place: Place): unknown {
    const { definitions, values } = this.#page!;
    const i = this.#at++;
    if (definitions !== undefined && definitions[i] !== this.#maxDefinition) return null;
    return this.#convert(values[this.#value++], place);
  }
}

/** Bytes that a value within lists takes at least, with the lists around it. */
const NESTED_BYTES = 32;

class NestedCursor implements Cursor {
  readonly name: string;
  readonly #node: SchemaTree;
  readonly #group: RowGroup;
  readonly #context: ColumnContext;
  #rows: DecodedArray | undefined;
  #reserved = 0;
  #at = 0;

  constructor(node: SchemaTree, group: RowGroup, context: ColumnContext) {
    this.name = node.element.name;
    this.#node = node;
    this.#group = group;
    this.#context = context;
  }

  get available(): number {
    return this.#rows === undefined ? 0 : this.#rows.length - this.#at;
  }

  async load(): Promise<void> {
    if (this.#rows !== undefined) {
      this.#context.budget.give(this.#reserved);
      this.#reserved = 0;
      this.#rows = [];
      this.#at = 0;
      return;
    }
    const columns = new Map<string, DecodedArray>();
    for (const path of iterateLeafPaths([this.#node])) columns.set(toKey(path), await this.#readLeaf(path));
    try {
      assembleNested(columns, this.#node, NO_PARSERS);
    } catch (error) {
      throw this.#damaged((error as Error).message);
    }
    const rows = columns.get(this.#node.path.join("."));
    if (rows?.length !== Number(this.#group.num_rows))
      throw this.#damaged(`${rows?.length} rows where the group has ${this.#group.num_rows}`);
    this.#rows = rows;
  }

  take(): unknown {
    return toPlainValue(this.#rows![this.#at++]);
  }

  async #readLeaf(path: readonly SchemaTree[]): Promise<DecodedArray> {
    const leaf = toLeaf(path);
    const convert = findValueConverter(leaf.element, this.#context.encoding) ?? (() => null);
    const chunk = new ChunkReader(this.#context.file, leaf, findMetaData(this.#group, leaf), this.#context);
    const place = {};
    const output: DecodedArray = [];
    for (let page = await chunk.next(); page !== undefined; page = await chunk.next()) {
      const bytes = NESTED_BYTES * page.count;
      this.#context.budget.take(bytes);
      this.#reserved += bytes;
      const definitions = page.definitions && Array.from(page.definitions);
      const values = Array.from(page.values, (value) => convert(value, place));
      try {
        const root = { element: ROOT } as unknown as SchemaTree;
        const rows = assembleLists(output, definitions, Array.from(page.repetitions ?? []), values, [
          root,
          ...path,
        ]);
        if (rows !== output) for (const row of rows) output.push(row);
      } catch (error) {
        throw this.#damaged((error as Error).message);
      }
    }
    return output;
  }

  #damaged(reason: string): FormatError {
    return fileDamagedError(
      `lists that do not fit together (${reason}) in column "${this.name}"`,
      "those of whole rows",
    );
  }
}

const ROOT = { name: "root", repetition_type: "REQUIRED" };
/** Nothing is parsed by hyparquet: the leaves are properties already. */
const NO_PARSERS = {} as ParquetParsers;

function* iterateLeafPaths(path: readonly SchemaTree[]): Generator<readonly SchemaTree[]> {
  const { children } = path.at(-1)!;
  if (children.length === 0) yield path;
  for (const child of children) yield* iterateLeafPaths([...path, child]);
}

function toKey(path: readonly SchemaTree[]): string {
  return path.at(-1)!.path.join(".");
}

function toLeaf(path: readonly SchemaTree[]): Leaf {
  const { element, path: names } = path.at(-1)!;
  const types = path.map((node) => node.element.repetition_type);
  return {
    path: names,
    element,
    maxDefinition: types.filter((type) => type !== "REQUIRED").length,
    maxRepetition: types.filter((type) => type === "REPEATED").length,
  };
}

/** Metadata in the row group about a column's pages. */
function findMetaData(group: RowGroup, { path, element }: Leaf): ColumnMetaData {
  const name = path.join(".");
  const column = group.columns.find(({ meta_data: meta }) => meta?.path_in_schema.join(".") === name);
  if (column?.meta_data === undefined || column.crypto_metadata !== undefined || column.file_path) {
    if (group.columns.some(({ crypto_metadata: crypto }) => crypto !== undefined)) {
      throw createFormatError("FORMAT_UNSUPPORTED", "encrypted columns", "plain ones");
    }
    throw fileDamagedError(`no pages of column "${name}"`, "some in every row group");
  }
  if (column.meta_data.type !== element.type)
    throw fileDamagedError(
      `pages of ${column.meta_data.type} in column "${name}"`,
      `${element.type}, as the schema says`,
    );
  return column.meta_data;
}

/** A missing value is null. */
function toPlainValue(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map(toPlainValue);
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toPlainValue(member)]));
}
