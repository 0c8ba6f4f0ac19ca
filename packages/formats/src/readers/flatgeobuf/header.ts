import { findWktCrs } from "../../crs/crs-of.ts";
import type { LocalFile } from "../../file/local-file.ts";
import { fileDamagedError } from "../../format-error.ts";
import { decodeTextOrUtf8 } from "../../values.ts";
import { type Column, isColumnType } from "./properties.ts";
import { Table } from "./table.ts";

/** Header of a FlatGeobuf file, before its features. */
export interface Header {
  /** Name of its one layer. */
  readonly name: string | undefined;
  /** 0: each geometry states its own. */
  readonly geometryType: number;
  readonly columns: readonly Column[];
  /** 0: not stated. */
  readonly featureCount: number;
  readonly crs: string | undefined;
  /** Where the features begin. */
  readonly featuresStart: number;
}

const MAGIC = [0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62];
/** Bytes of the magic and of the header's size. */
const PREFIX = 12;
/** Most bytes of a header: a thousand columns take some hundred kilobytes. */
const HEADER_LIMIT = 16 * 2 ** 20;
/** Most columns, which values name by 16 bits, and bytes of their names. */
const COLUMN_LIMIT = 2 ** 16;
const NAMES_LIMIT = 2 ** 20;
/** Bytes of a node of the index. */
const NODE_BYTES = 40;

/** Fields of the header, a column and a CRS, in the order of the schema. */
const HEADER = { name: 0, geometryType: 2, columns: 7, featureCount: 8, nodeSize: 9, crs: 10 } as const;
const COLUMN = { name: 0, type: 1 } as const;
const CRS = { organization: 0, code: 1, name: 2, wkt: 4, codeText: 5 } as const;

/**
 * Reads the header of a FlatGeobuf.
 *
 * Fails: `FILE_DAMAGED`.
 * Source: flatgeobuf 3.x, `src/fbs/header.fbs` and "Specification" in its README.
 */
export async function readFlatGeobufHeader(file: LocalFile, encoding: string | undefined): Promise<Header> {
  const prefix = await file.read(0, PREFIX);
  if (prefix.length < PREFIX || !MAGIC.every((byte, i) => prefix[i] === byte))
    throw fileDamagedError("no such bytes", 'the bytes of FlatGeobuf 3 ("fgb" 3 "fgb")', { byte: 0 });
  const size = new DataView(prefix.buffer, prefix.byteOffset).getUint32(8, true);
  const left = Math.min(HEADER_LIMIT, file.size - PREFIX);
  if (size > left) throw fileDamagedError(`a header of ${size} bytes`, `at most ${left}`, { byte: 8 });
  const bytes = await file.read(PREFIX, size);
  if (bytes.length < size)
    throw fileDamagedError("the end of the file", `a header of ${size} bytes`, {
      byte: PREFIX + bytes.length,
    });
  const table = Table.rootOf(bytes, PREFIX);
  const featureCount = Number(table.uint64(HEADER.featureCount));
  const indexBytes = computeIndexSize(featureCount, table.uint16(HEADER.nodeSize, 16));
  const featuresStart = PREFIX + size + indexBytes;
  if (featuresStart > file.size)
    throw fileDamagedError(
      `an index of ${indexBytes} bytes, for ${featureCount} features`,
      `${file.size - PREFIX - size}`,
      {
        byte: PREFIX,
      },
    );
  return {
    name: readTextField(table, HEADER.name, encoding),
    geometryType: table.uint8(HEADER.geometryType),
    columns: readColumns(table, HEADER.columns, encoding),
    featureCount,
    crs: readCrsDefinition(table.table(HEADER.crs), encoding),
    featuresStart,
  };
}

/**
 * The columns of a header or a feature.
 *
 * Fails: `FILE_DAMAGED` where one has no name, another's name, or an unknown type.
 */
export function readColumns(table: Table, field: number, encoding: string | undefined): Column[] {
  const columns: Column[] = [];
  const names = new Set<string>();
  const count = table.count(field);
  if (count > COLUMN_LIMIT) table.fail(`${count} columns`, `at most ${COLUMN_LIMIT}`);
  let nameBytes = 0;
  for (const column of table.tables(field)) {
    // Texts may lie upon each other, and a long one then stands for thousands.
    nameBytes += column.bytes(COLUMN.name)?.length ?? 0;
    if (nameBytes > NAMES_LIMIT)
      column.fail(`names of ${nameBytes} bytes`, `at most ${NAMES_LIMIT} together`);
    const name =
      readTextField(column, COLUMN.name, encoding) ?? column.fail("a column without a name", "a name");
    if (names.has(name)) column.fail(`two columns "${name}"`, "names of their own");
    names.add(name);
    const type = column.uint8(COLUMN.type);
    if (!isColumnType(type)) column.fail(`the type ${type} of column "${name}"`, "a type of 0 to 14");
    columns.push({ name, type });
  }
  return columns;
}

/** A packed R-tree is a node for each feature, and one for each `nodeSize` nodes below it, up to the root. */
function computeIndexSize(featureCount: number, nodeSize: number): number {
  if (featureCount === 0 || nodeSize === 0) return 0;
  const width = Math.max(2, nodeSize);
  let nodes = featureCount;
  for (let level = featureCount; level > 1; ) {
    level = Math.ceil(level / width);
    nodes += level;
  }
  return NODE_BYTES * (featureCount === 1 ? 2 : nodes);
}

function readCrsDefinition(crs: Table | undefined, encoding: string | undefined): string | undefined {
  if (crs === undefined) return undefined;
  const organization = readTextField(crs, CRS.organization, encoding)?.toUpperCase() ?? "EPSG";
  const code = crs.int32(CRS.code);
  if (organization === "EPSG" && code > 0) return `EPSG:${code}`;
  const codeText = readTextField(crs, CRS.codeText, encoding);
  if (organization === "OGC" && codeText === "CRS84") return "OGC:CRS84";
  const wkt = readTextField(crs, CRS.wkt, encoding);
  const byWkt = wkt === undefined ? undefined : findWktCrs(wkt);
  if (byWkt !== undefined) return byWkt;
  if (code > 0 || codeText !== undefined) return `${organization}:${codeText ?? code}`;
  return readTextField(crs, CRS.name, encoding) ?? wkt;
}

function readTextField(table: Table, field: number, encoding: string | undefined): string | undefined {
  const bytes = table.bytes(field);
  if (bytes === undefined) return undefined;
  return decodeTextOrUtf8(bytes, encoding, {
    column: "the header's own",
    place: { byte: table.placeOf(field) },
  });
}
