import { toBase64 } from "../../bytes.ts";
import { findWktCrs } from "../../crs/crs-of.ts";
import { toDataView } from "../../file/file-window.ts";
import type { LocalFile } from "../../file/local-file.ts";
import { FormatError, fileDamagedError, type Place } from "../../format-error.ts";
import {
  type Feature,
  type FormatReader,
  type OpenTable,
  type ReadOptions,
  type Row,
  readGeometryOrFault,
} from "../../format-reader.ts";
import { resolveFormatLimits } from "../../limits.ts";
import { decodeTextOrUtf8, toRealNumber, toWholeNumber } from "../../values.ts";
import { readWkb } from "../../wkb/read-wkb.ts";
import { type Cell, type Column, Database } from "./database.ts";
import { chooseLayer, type Layer, readGeoPackageLayers } from "./layers.ts";

/**
 * Reads a layer of a GeoPackage, or a table of attributes, row by row. The file is opened for reading only and nothing
 * is written next to it.
 */
export const reader: FormatReader = {
  async open(file: LocalFile, options: ReadOptions): Promise<OpenTable> {
    const database = await Database.open(file, resolveFormatLimits(options).featureBytes).catch(
      async (error: unknown) => {
        throw await withLostWal(error, file);
      },
    );
    try {
      return new GeoPackageTable(
        database,
        chooseLayer(readGeoPackageLayers(database), options.layer),
        options.encoding,
      );
    } catch (error) {
      database.close();
      throw await withLostWal(error, file);
    }
  },
};

/** Place and value in SQLite's header of the flag for changes in a separate file. */
const JOURNAL_MODE = 18;
const WAL = 2;

/** An error of a file that lacks what a GeoPackage has, with the reason where its latest changes were not copied along. */
async function withLostWal(error: unknown, file: LocalFile): Promise<unknown> {
  if (!(error instanceof FormatError) || error.code === "LAYER_UNKNOWN" || error.code === "LAYER_AMBIGUOUS")
    return error;
  const isMissing = error.code === "FILE_DAMAGED" || /gpkg_contents/.test(error.message);
  const [mode] = await file.read(JOURNAL_MODE, 1);
  if (!isMissing || mode !== WAL) return error;
  const found = `${error.details.found ?? error.message}; the file is in WAL mode, and no ${file.name}-wal is beside it`;
  const mend = `copy the file with its -wal, or close the program that has it open first`;
  return new FormatError("FILE_DAMAGED", `found ${found}; its changes were not copied along: ${mend}`, {
    ...error.details,
    found,
    expected: "a file with all its changes in it",
  });
}

class GeoPackageTable implements OpenTable {
  readonly format = "geopackage";
  readonly isPacked = false;
  readonly layer: string;
  readonly crs: string | undefined;
  readonly #database: Database;
  readonly #layer: Layer;
  readonly columns: readonly string[];
  readonly #columns: readonly Column[];
  readonly #encoding: string | undefined;

  constructor(database: Database, layer: Layer, encoding: string | undefined) {
    this.#database = database;
    this.#layer = layer;
    this.#encoding = encoding;
    this.layer = layer.name;
    const geometry = layer.geometry?.column.toLowerCase();
    const columns = database.columns(layer.name);
    if (geometry !== undefined && !columns.some(({ name }) => name.toLowerCase() === geometry)) {
      const found = `no column "${layer.geometry?.column}"`;
      throw new FormatError("FILE_DAMAGED", `found ${found}, expected the geometry in it`, {
        place: { layer: layer.name },
        found,
        expected: "the geometry",
        columns: columns.map(({ name }) => name),
      });
    }
    this.#columns = columns.filter(
      ({ name, type }) => name.toLowerCase() !== geometry && !type.startsWith("BLOB"),
    );
    this.columns = this.#columns.map(({ name }) => name);
    this.crs = layer.geometry === undefined ? undefined : findCrsBySrsId(database, layer.geometry.srsId);
  }

  async *features(): AsyncGenerator<Feature, void, undefined> {
    const { geometry } = this.#layer;
    const key = this.#columns.findIndex(({ isKey }) => isKey);
    let feature = 0;
    for (const row of this.#read(geometry === undefined ? [] : [geometry.column])) {
      const place = { layer: this.layer, feature: ++feature };
      const blob = geometry === undefined ? null : row[1]!;
      const cells = row.slice(geometry === undefined ? 1 : 2);
      const id = toValue(cells[key] ?? row[0]!, "") as string | number;
      const properties = this.#cells(cells, row[0] as bigint, place);
      yield { place, id, properties, crs: this.crs, ...readFeatureGeometry(blob, geometry?.srsId ?? 0) };
    }
    await this.#database.checkUnchanged();
  }

  async *rows(): AsyncGenerator<Row, void, undefined> {
    let number = 0;
    for (const row of this.#read([])) {
      const place = { layer: this.layer, row: ++number };
      yield { place, cells: this.#cells(row.slice(1), row[0] as bigint, place) };
    }
    await this.#database.checkUnchanged();
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #read(first: readonly string[]): Generator<Cell[], void> {
    return this.#database.rows(this.layer, [...first, ...this.columns]);
  }

  #cells(cells: readonly Cell[], rowId: bigint, place: Place): Map<string, unknown> {
    const values = new Map<string, unknown>();
    for (const [i, { name, type }] of this.#columns.entries()) {
      const cell = cells[i]!;
      const isDoubtful = typeof cell === "string" && cell.includes("\uFFFD");
      values.set(name, isDoubtful ? this.#decode(cell, name, rowId, place) : toValue(cell, type));
    }
    return values;
  }

  /** A text whose bytes are not UTF-8: decoded in the encoding of the options, else refused. */
  #decode(text: string, column: string, rowId: bigint, place: Place): string {
    if (this.#database.encoding !== "UTF-8") return text;
    const bytes = this.#database.readBytes(this.layer, column, rowId) ?? new Uint8Array();
    return decodeTextOrUtf8(bytes, this.#encoding, { column, place });
  }
}

/** The geometry of a feature, or what is wrong with it. */
function readFeatureGeometry(blob: Cell, srsId: number): Pick<Feature, "geometry" | "fault" | "box"> {
  const read = readGeometryOrFault(() => {
    if (blob === null) return null;
    if (blob instanceof Uint8Array) return readGeometryBlob(blob, srsId);
    throw fileDamagedError(`a ${typeof blob === "string" ? "text" : "number"} for a geometry`, "a blob");
  });
  // The place of curves is known; a damaged geometry may have any.
  const isKept = read.fault?.code === "FORMAT_UNSUPPORTED" && blob instanceof Uint8Array;
  const box = isKept ? readHeaderEnvelope(blob) : undefined;
  return { ...read, ...(box !== undefined && { box }) };
}

/** A cell as a property holds it; blobs as Base64. */
function toValue(cell: Cell, type: string): unknown {
  if (typeof cell === "bigint") {
    if (type === "BOOLEAN" && (cell === 0n || cell === 1n)) return cell === 1n;
    return toWholeNumber(cell);
  }
  if (typeof cell === "number") return toRealNumber(cell);
  return cell instanceof Uint8Array ? toBase64(cell) : cell;
}

/**
 * The CRS that `gpkg_spatial_ref_sys` gives an id: `EPSG:n`, by the code or else by the definition, or the name it writes; undefined for 0 and −1, which stand
 * for "undefined".
 */
function findCrsBySrsId(database: Database, srsId: number): string | undefined {
  if (srsId === 0 || srsId === -1) return undefined;
  const columns = ["srs_id", "organization", "organization_coordsys_id", "srs_name", "definition"];
  for (const row of database.rows("gpkg_spatial_ref_sys", columns)) {
    if (Number(row[1]) !== srsId) continue;
    const organization = String(row[2]).trim().toUpperCase();
    const code = Number(row[3]);
    if (organization === "EPSG" && code > 0) return `EPSG:${code}`;
    const definition = String(row[5]);
    return findWktCrs(definition) ?? (String(row[4]) || `srs_id ${srsId}`);
  }
  return `srs_id ${srsId}`;
}

/** Bytes of the header before the envelope. */
const HEADER_BYTES = 8;
/** Bytes of the envelope by its kind: none, xy, xyz, xym, xyzm. */
const ENVELOPE_BYTES = [0, 32, 48, 48, 64];

/**
 * Reads a geometry as a GeoPackage stores it: a header, then well-known binary.
 *
 * @param srsId of the layer; a geometry of another CRS is refused, 0 and −1 are none
 *
 * Fails: `FILE_DAMAGED`; `FORMAT_UNSUPPORTED` for extended types and what {@link readWkb} refuses; `CRS_UNSUPPORTED`.
 * Source: OGC 12-128r18, section 2.1.3.
 */
function readGeometryBlob(blob: Uint8Array, srsId: number): unknown {
  if (blob.length < HEADER_BYTES)
    throw fileDamagedError(`${blob.length} bytes`, `a header of ${HEADER_BYTES} bytes`, { byte: 0 });
  if (blob[0] !== 0x47 || blob[1] !== 0x50)
    throw fileDamagedError(
      `the bytes ${formatHexByte(blob[0]!)} ${formatHexByte(blob[1]!)}`,
      'the bytes 47 50 ("GP")',
      { byte: 0 },
    );
  if (blob[2] !== 0)
    throw fileDamagedError(`version ${blob[2]} of the geometry's header`, "version 0", { byte: 2 });
  const flags = blob[3]!;
  if ((flags & 0x20) !== 0) {
    throw new FormatError("FORMAT_UNSUPPORTED", "found an extended geometry type, expected a standard one", {
      found: "an extended geometry type",
      expected: "a standard geometry type",
    });
  }
  const kind = (flags >> 1) & 7;
  const envelope = ENVELOPE_BYTES[kind];
  if (envelope === undefined) throw fileDamagedError(`an envelope of kind ${kind}`, "0 to 4", { byte: 3 });
  const start = HEADER_BYTES + envelope;
  if (start > blob.length)
    throw fileDamagedError(`${blob.length} bytes`, `a header of ${start} bytes`, { byte: 0 });
  const view = toDataView(blob);
  const ownSrsId = view.getInt32(4, (flags & 1) === 1);
  if (ownSrsId > 0 && ownSrsId !== srsId) {
    const details = { found: `srs_id ${ownSrsId}`, expected: `srs_id ${srsId}, as the layer says` };
    const message = `found a geometry of srs_id ${ownSrsId} in a layer of ${srsId}`;
    throw new FormatError("CRS_UNSUPPORTED", message, details);
  }
  return readWkb(blob, start);
}

/** `[minX, minY, maxX, maxY]` in the header of a geometry of a type that is not read; undefined where it has none. */
function readHeaderEnvelope(blob: Uint8Array): [number, number, number, number] | undefined {
  if (blob.length < HEADER_BYTES + 32 || ((blob[3]! >> 1) & 7) === 0) return undefined;
  const view = toDataView(blob);
  const isLittle = (blob[3]! & 1) === 1;
  const [minX, maxX, minY, maxY] = [0, 1, 2, 3].map((i) => view.getFloat64(HEADER_BYTES + 8 * i, isLittle));
  const box: [number, number, number, number] = [minX!, minY!, maxX!, maxY!];
  return box.every(Number.isFinite) && minX! <= maxX! && minY! <= maxY! ? box : undefined;
}

function formatHexByte(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
