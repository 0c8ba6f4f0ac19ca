import { findWktCrs } from "../crs/crs-of.ts";
import { getWktName } from "../crs/wkt-crs.ts";
import type { LocalFile } from "../file/local-file.ts";
import { createFormatError, FormatError, fileDamagedError } from "../format-error.ts";
import type { Feature, FormatReader, OpenTable, ReadOptions, Row } from "../format-reader.ts";
import { resolveFormatLimits } from "../limits.ts";
import { DbfFile } from "./dbf-file.ts";
import { resolveTextDecoding, type TextDecoding } from "./encodings.ts";
import { findShapefileMembers, type Members, openZipMembers } from "./members.ts";
import { readShapeRecord } from "./shapes.ts";
import { ShpFile } from "./shp-file.ts";

/**
 * Reads a shapefile: a `.shp` with the files next to it, or a zip archive of them. Rows that the table marks as
 * deleted are skipped with their shapes, as everywhere; numbers of features count them.
 *
 * Fails: `FILE_DAMAGED` where a file is cut, lengths or counts do not agree, or the table is missing;
 * `FORMAT_UNSUPPORTED` for patches and memo fields; `CRS_UNSUPPORTED` for a `.prj` that no known system agrees with;
 * `ENCODING_UNKNOWN` and `TEXT_NOT_UTF8` for text; as the archive does. A shape that cannot be read while the next one
 * can is a `fault`.
 */
export const reader: FormatReader = {
  async open(file: LocalFile, options: ReadOptions): Promise<OpenTable> {
    const members = await openShapefileMembers(file, options);
    const opened: LocalFile[] = [];
    const open = async (ending: string): Promise<LocalFile | undefined> => {
      const member = await members.open(ending);
      if (member !== undefined) opened.push(member);
      return member;
    };
    const close = async (): Promise<void> => {
      for (const member of opened) await member.close();
    };
    try {
      return await openShapefileTable(file, members, open, close, options);
    } catch (error) {
      await close();
      throw error;
    }
  },
};

type Open = (ending: string) => Promise<LocalFile | undefined>;

async function openShapefileMembers(file: LocalFile, options: ReadOptions): Promise<Members> {
  const [p, k] = await file.read(0, 2);
  if (p === 0x50 && k === 0x4b) return openZipMembers(file, options);
  const members = await findShapefileMembers(file, options.layer);
  if (options.layer === undefined || options.layer === members.layer) return members;
  throw new FormatError("LAYER_UNKNOWN", `found the layer "${members.layer}", expected "${options.layer}"`, {
    found: members.layer,
    expected: options.layer,
    layers: [members.layer],
  });
}

async function openShapefileTable(
  file: LocalFile,
  members: Members,
  open: Open,
  close: () => Promise<void>,
  options: ReadOptions,
): Promise<OpenTable> {
  const crs = await readPrjCrs(open, options);
  const decoding = await readTextDecoding(open, options);
  const dbf = await open(".dbf");
  if (dbf === undefined) {
    throw fileDamagedError("no such file", `${members.layer}.dbf with the attributes, beside the .shp`, {
      entry: ".dbf",
    });
  }
  const attributes = await DbfFile.open(dbf, decoding);
  const shp = members.isPacked || members.isOther === true ? (await open(".shp"))! : file;
  const shapes = await ShpFile.open(shp, await open(".shx"), resolveFormatLimits(options).featureBytes);
  if (shapes.count !== undefined) checkRowCount(shapes.count, attributes.count);
  return new ShapefileTable(members, crs, shapes, attributes, options.swapAxes === true, close);
}

function checkRowCount(shapes: number, rows: number): void {
  if (shapes !== rows)
    throw fileDamagedError(`${rows} rows`, `${shapes}, one for each shape`, { entry: ".dbf", byte: 4 });
}

const MOST_TEXT_BYTES = 1 << 18;

async function readSmallTextMember(open: Open, ending: string): Promise<string | undefined> {
  const file = await open(ending);
  if (file === undefined) return undefined;
  if (file.size > MOST_TEXT_BYTES) {
    throw fileDamagedError(`${file.size} bytes`, `at most ${MOST_TEXT_BYTES}`, { entry: ending });
  }
  return new TextDecoder("utf-8").decode(await file.read(0, file.size));
}

async function readPrjCrs(open: Open, options: ReadOptions): Promise<string | undefined> {
  const text = await readSmallTextMember(open, ".prj");
  if (text === undefined || text.trim() === "" || options.crs !== undefined) return options.crs;
  const crs = findWktCrs(text);
  if (crs !== undefined) return crs;
  const found = `"${getWktName(text)}" in the .prj`;
  const expected =
    "a system that is known: name it (--crs EPSG:n), or `ogr2ogr -t_srs EPSG:4326 out.gpkg in.shp`";
  throw createFormatError("CRS_UNSUPPORTED", found, expected, { place: { entry: ".prj" } });
}

async function readTextDecoding(open: Open, options: ReadOptions): Promise<TextDecoding | undefined> {
  if (options.encoding !== undefined) return resolveTextDecoding(options.encoding);
  const label = await readSmallTextMember(open, ".cpg");
  return label === undefined || label.trim() === "" ? undefined : resolveTextDecoding(label, ".cpg");
}

class ShapefileTable implements OpenTable {
  readonly format = "shapefile";
  readonly layer: string;
  readonly isPacked: boolean;
  readonly crs: string | undefined;
  readonly close: () => Promise<void>;
  readonly #shapes: ShpFile;
  readonly #attributes: DbfFile;
  readonly #swapAxes: boolean;

  constructor(
    { layer, isPacked }: Members,
    crs: string | undefined,
    shapes: ShpFile,
    attributes: DbfFile,
    swapAxes: boolean,
    close: () => Promise<void>,
  ) {
    this.layer = layer;
    this.isPacked = isPacked;
    this.crs = crs;
    this.close = close;
    this.#shapes = shapes;
    this.#attributes = attributes;
    this.#swapAxes = swapAxes;
  }

  async *features(): AsyncGenerator<Feature, void, undefined> {
    let count = 0;
    for await (const { number, byte, content } of this.#shapes.records()) {
      count = number;
      if (count > this.#attributes.count) break;
      const place = { entry: ".shp", feature: number, byte };
      const shape = readShapeRecord(content, this.#shapes.kind, this.#swapAxes);
      const properties = await this.#attributes.row(number - 1);
      if (properties === undefined) continue;
      const feature = { place, id: undefined, properties, crs: this.crs };
      if ("geometry" in shape) yield { ...feature, geometry: shape.geometry };
      else {
        const { code, message } = fileDamagedError(shape.found, shape.expected, place);
        yield { ...feature, geometry: null, fault: { code, message } };
      }
    }
    checkRowCount(count, this.#attributes.count);
  }

  async *rows(): AsyncGenerator<Row, void, undefined> {
    for (let row = 1; row <= this.#attributes.count; row++) {
      const cells = await this.#attributes.row(row - 1);
      if (cells !== undefined) yield { place: { entry: ".dbf", row }, cells };
    }
  }
}
