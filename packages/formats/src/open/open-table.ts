import { spoolStreamToFile } from "#host/files";
import type { LocalFile } from "../file/local-file.ts";
import { peekStream } from "../file/peek.ts";
import {
  formatZipEntryPath,
  noLayersError,
  spreadsheetUnsupportedError,
  unsupportedFormatError,
} from "../file/unsupported.ts";
import { createFormatError, type FormatError } from "../format-error.ts";
import type { Feature, OpenTable, ReadOptions, TextInput } from "../format-reader.ts";
import { type FormatLimits, resolveFormatLimits } from "../limits.ts";
import { swapAxes } from "../swap-axes.ts";
import { overrideTableMembers, withFileClosed } from "../table/closing.ts";
import { convertToUtf8, detectMarkedEncoding, resolveEncoding } from "../text-encoding.ts";
import { type Detected, detectFormat, SNIFFED_BYTES } from "./detect.ts";
import {
  FORMATS,
  type FormatName,
  type FormatOptions,
  type FormatTable,
  formatReadFormats,
} from "./formats.ts";
import { gunzipWithinLimits } from "./gzip.ts";
import { openLayers } from "./layer-list.ts";

/**
 * Opens a file by its content: tells the format by the first bytes, never by the name, unpacks gzip and zip, and opens
 * the one layer, or the one that is named.
 *
 * @param file stays open until the caller closes it, after the table
 * @param options what the file itself does not tell
 *
 * Fails: {@link FormatError}, here or as features and rows are read: the format is not known, not read, or not the one
 * that was named; the file is damaged or unpacks beyond the limits; it has several layers and none is named.
 */
export async function openTable(file: LocalFile, options: FormatOptions = {}): Promise<FormatTable> {
  const first = await file.read(0, SNIFFED_BYTES);
  return openNamedTable(
    { name: file.name, first, bytes: () => file.stream(), file, isPacked: false },
    options,
  );
}

/**
 * As {@link openTable}, of a stream: text is read as it comes, and what must be read from anywhere goes into a scratch
 * file first.
 *
 * Fails: as {@link openTable}; what the stream throws.
 *
 * @param stream its bytes, read once and closed in any case
 * @param options.name what errors call it
 * @param options.isReadTwice whether its rows will be read twice: then it goes into a scratch file where needed
 */
export async function openStream(
  stream: AsyncIterable<Uint8Array>,
  options: FormatOptions & { readonly name?: string; readonly isReadTwice?: boolean } = {},
): Promise<FormatTable> {
  const { name = "the source", isReadTwice = false, ...read } = options;
  const { first, all } = await peekStream(stream, SNIFFED_BYTES);
  const packed = { name, first: first.subarray(0, SNIFFED_BYTES), bytes: () => all, isPacked: false };
  const table = await openNamedTable({ ...packed, ...(isReadTwice && { isReadTwice }) }, read).catch(
    async (error) => {
      await all[Symbol.asyncIterator]().return?.();
      throw error;
    },
  );
  return table;
}

/** Data to open: bytes that may be read once, unless they are in a file. */
interface Opening {
  readonly name: string;
  readonly first: Uint8Array;
  readonly bytes: () => AsyncIterable<Uint8Array>;
  readonly file?: LocalFile;
  readonly isPacked: boolean;
  /** True if the bytes were gzipped. */
  readonly isUnzipped?: boolean;
  readonly isReadTwice?: boolean;
  /** True if `bytes` may be called several times. */
  readonly isRepeatable?: boolean;
  /** Name of the archive that it is in. */
  readonly archive?: string;
}

/** As {@link openDetectedTable}: a table has the name of its format as {@link FORMATS} has it. */
async function openNamedTable(opening: Opening, options: FormatOptions): Promise<FormatTable> {
  return (await openDetectedTable(opening, options)) as FormatTable;
}

async function openDetectedTable(opening: Opening, options: ReadOptions): Promise<OpenTable> {
  const detected = detectFormat(opening.first);
  const limits = resolveFormatLimits(options);
  if (detected.kind === "gzip") return openGzipTable(opening, options, limits);
  if (detected.kind === "zip") {
    if (opening.archive !== undefined)
      throw formatUnknownError("an archive within an archive", "a file that is compressed only once");
    return openTableFromFile(opening, limits, async (file) => {
      const { openZippedTable: openZipped } = await import("./open-zipped.ts");
      return openLayers(options, (of) =>
        openZipped(file, of, (stream, entry, inner) => openArchiveEntry(stream, entry.name, opening, inner)),
      );
    });
  }
  if (detected.kind === "convertible") {
    const { name, archive } = opening;
    throw unsupportedFormatError(
      detected.name,
      archive === undefined ? name : formatZipEntryPath(archive, name),
    );
  }
  if (detected.kind === "spreadsheet") throw spreadsheetUnsupportedError(detected.name);
  const format = resolveFormat(detected, options.format as FormatName | undefined);
  const { swapAxes: isSwapped = false, ...rest } = options;
  const table = await openTableAs(format, opening, { ...rest, format }, limits);
  return isSwapped ? swapTableAxes(table) : table;
}

async function openTableAs(
  format: FormatName,
  opening: Opening,
  options: ReadOptions,
  limits: FormatLimits,
): Promise<OpenTable> {
  const { isPacked } = opening;
  const { reader } = await FORMATS[format].load();
  if ("openText" in reader) {
    if (options.layer !== undefined) throw noLayersError(formatWords(format), options.layer);
    return reader.openText(toTextInput(opening, options), options);
  }
  return openTableFromFile(opening, limits, async (file) => {
    const table = await openLayers(options, (of) => reader.open(file, of));
    return isPacked ? overrideTableMembers(table, { isPacked }) : table;
  });
}

function toTextInput(opening: Opening, options: ReadOptions): TextInput {
  const { name, isPacked, file } = opening;
  const encoding = detectMarkedEncoding(opening.first) ?? resolveEncoding(options.encoding ?? "utf-8");
  const isPlain = encoding === "utf-8" && !isPacked;
  return {
    name,
    bytes: () => convertToUtf8(opening.bytes(), encoding),
    isPacked,
    isRepeatable: opening.isRepeatable === true || file !== undefined,
    isReadTwice: opening.isReadTwice === true && file === undefined,
    file: isPlain ? file : undefined,
    openOther: openTable,
  };
}

/** The unpacked bytes, opened in turn; a packed file within a packed one is refused but for a zip. */
async function openGzipTable(
  opening: Opening,
  options: ReadOptions,
  limits: FormatLimits,
): Promise<OpenTable> {
  if (opening.isUnzipped === true)
    throw formatUnknownError("gzip within gzip", "a file that is compressed only once");
  const { file } = opening;
  const unpacked = () => gunzipWithinLimits(opening.bytes(), limits);
  const { first, all } = await peekStream(unpacked(), SNIFFED_BYTES);
  let isTaken = false;
  const bytes = (): AsyncIterable<Uint8Array> => {
    // The first reading goes on from where the format was detected.
    if (isTaken) return unpacked();
    isTaken = true;
    return all;
  };
  const inner: Opening = {
    name: opening.name,
    first: first.subarray(0, SNIFFED_BYTES),
    bytes,
    isPacked: true,
    isUnzipped: true,
    isRepeatable: file !== undefined || opening.isRepeatable === true,
    ...(opening.archive !== undefined && { archive: opening.archive }),
    ...(opening.isReadTwice === true && file === undefined && { isReadTwice: true }),
  };
  try {
    return await openDetectedTable(inner, options);
  } catch (error) {
    if (!isTaken) await all[Symbol.asyncIterator]().return?.();
    throw error;
  }
}

/** An entry of an archive: its errors contain its name. */
async function openArchiveEntry(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  { name: archive, isReadTwice = false }: Opening,
  options: ReadOptions,
): Promise<OpenTable> {
  const { first, all } = await peekStream(stream, SNIFFED_BYTES);
  const of = { name, archive, isPacked: true, isReadTwice };
  return openDetectedTable({ ...of, first: first.subarray(0, SNIFFED_BYTES), bytes: () => all }, options);
}

/** Opens a table from a file, made of the bytes where there is none, and removed with the table then. */
async function openTableFromFile(
  opening: Opening,
  limits: FormatLimits,
  openFile: (file: LocalFile) => Promise<OpenTable>,
): Promise<OpenTable> {
  if (opening.file !== undefined) return openFile(opening.file);
  const scratch = await spoolStreamToFile(opening.bytes(), opening.name, limits.unpackedBytes);
  try {
    return withFileClosed(await openFile(scratch), scratch);
  } catch (error) {
    await scratch.close();
    throw error;
  }
}

/** A table whose positions are read with their axes swapped. */
function swapTableAxes(table: OpenTable): OpenTable {
  async function* features(): AsyncGenerator<Feature, void, undefined> {
    for await (const { box, ...feature } of table.features()) {
      yield {
        ...feature,
        geometry: swapAxes(feature.geometry),
        ...(box !== undefined && { box: [box[1], box[0], box[3], box[2]] }),
      };
    }
  }
  return overrideTableMembers(table, { features });
}

/** The format that was detected, which must not contradict the one that was named. */
function resolveFormat(detected: Detected, named: FormatName | undefined): FormatName {
  const possible = listPossibleFormats(detected, named);
  if (possible.length === 0) {
    const found = detected.kind === "foreign" ? detected.name : "an empty file";
    throw formatUnknownError(found, named ?? formatReadFormats());
  }
  if (named === undefined) return possible[0]!;
  if (possible.includes(named)) return named;
  throw formatUnknownError(formatWords(possible[0]!), `${formatWords(named)}, the format that was named`);
}

function listPossibleFormats(detected: Detected, named: FormatName | undefined): readonly FormatName[] {
  switch (detected.kind) {
    case "json":
      return ["geojson", "json-lines"];
    case "text":
      return ["csv", "tsv"];
    case "empty":
      // The reader reports what is missing.
      return [named === "csv" || named === "tsv" ? named : "geojson"];
    case "convertible":
    case "spreadsheet":
    case "foreign":
    case "gzip":
    case "zip":
      return [];
    default:
      return [detected.kind];
  }
}

/** A format as the object of a sentence. */
function formatWords(name: FormatName): string {
  const { label, words = label } = FORMATS[name];
  return words;
}

function formatUnknownError(found: string, expected: string): FormatError {
  return createFormatError("FORMAT_UNKNOWN", found, expected);
}
