import { toDataView } from "../file/file-window.ts";
import type { LocalFile } from "../file/local-file.ts";
import { fileDamagedError } from "../format-error.ts";

/** The bytes of a piece of a file. Fails: `FILE_DAMAGED` for one that does not lie in it, before memory is taken for it. */
export async function readFilePiece(
  file: LocalFile,
  offset: number,
  length: number,
  what: string,
): Promise<Uint8Array> {
  if (offset >= 0 && length >= 0 && offset + length <= file.size) return file.read(offset, length);
  const end = `${offset} to ${offset + length}`;
  throw fileDamagedError(`${what} in bytes ${end}`, `them within the file's ${file.size} bytes`);
}

/** Most directories of a file: an image of 2²⁴ cells a side has some twenty overviews, each perhaps with its mask. */
const MOST_DIRECTORIES = 64;
/** Most tags of a directory; images have twenty. */
const MOST_TAGS = 4096;
/** Most values read at once: the colour table of 16 bits has three times 65,536. */
export const MOST_VALUES: number = 1 << 18;

/** Bytes of a value, by its type's number in the file. */
const TYPE_BYTES: Readonly<Partial<Record<number, number>>> = {
  1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8,
}; // biome-ignore format: a table
const ASCII = 2;

/**
 * Reads the directories of a TIFF or BigTIFF file, in the order in which they are chained.
 *
 * Fails: `FILE_DAMAGED` for a header that is none, a directory outside of the file, with more tags than an image has, or
 * in a chain that comes back to itself.
 */
export async function readTiffDirectories(
  file: LocalFile,
): Promise<{ directories: readonly Directory[]; littleEndian: boolean }> {
  const head = await readFilePiece(file, 0, Math.min(16, file.size), "the header");
  if (head.length < 8) throw fileDamagedError(`a file of ${head.length} bytes`, "the header of a TIFF file");
  const littleEndian = head[0] === 0x49;
  const view = toDataView(head);
  const order = view.getUint16(0);
  const version = view.getUint16(2, littleEndian);
  const isBig = version === 43;
  if ((order !== 0x4949 && order !== 0x4d4d) || (version !== 42 && !isBig)) {
    throw fileDamagedError("other first bytes", "those of a TIFF file", { byte: 0 });
  }
  if (isBig && (head.length < 16 || view.getUint16(4, littleEndian) !== 8)) {
    throw fileDamagedError("offsets of other than 8 bytes", "8 in a BigTIFF file", { byte: 4 });
  }
  let next = isBig ? readUint64(view, 8, littleEndian) : view.getUint32(4, littleEndian);
  const directories: Directory[] = [];
  const seen = new Set<number>();
  while (next !== 0) {
    if (seen.has(next))
      throw fileDamagedError("a directory that follows itself", "the last one to end", { byte: next });
    seen.add(next);
    if (seen.size > MOST_DIRECTORIES) {
      throw fileDamagedError(`more than ${MOST_DIRECTORIES} directories`, "at most so many", { byte: next });
    }
    const read = await readTiffDirectory(file, next, littleEndian, isBig);
    directories.push(read.directory);
    next = read.next;
  }
  return { directories, littleEndian };
}

interface Entry {
  readonly type: number;
  readonly count: number;
  /** Where its values lie. */
  readonly at: number;
}

async function readTiffDirectory(
  file: LocalFile,
  offset: number,
  littleEndian: boolean,
  isBig: boolean,
): Promise<{ directory: Directory; next: number }> {
  const [countBytes, entryBytes, pointerBytes] = isBig ? [8, 20, 8] : [2, 12, 4];
  const what = "a directory";
  const first = await readFilePiece(file, offset, countBytes, what);
  const firstView = toDataView(first);
  const count = isBig ? readUint64(firstView, 0, littleEndian) : firstView.getUint16(0, littleEndian);
  if (count === 0 || count > MOST_TAGS) {
    throw fileDamagedError(`a directory of ${count} tags`, `1 to ${MOST_TAGS}`, { byte: offset });
  }
  const body = await readFilePiece(file, offset + countBytes, count * entryBytes + pointerBytes, what);
  const view = toDataView(body);
  const entries = new Map<number, Entry>();
  for (let i = 0; i < count; i++) {
    const at = i * entryBytes;
    const tag = view.getUint16(at, littleEndian);
    const type = view.getUint16(at + 2, littleEndian);
    const values = isBig ? readUint64(view, at + 4, littleEndian) : view.getUint32(at + 4, littleEndian);
    const field = at + entryBytes - pointerBytes;
    const isInline = (TYPE_BYTES[type] ?? 0) * values <= pointerBytes;
    const pointer = isBig ? readUint64(view, field, littleEndian) : view.getUint32(field, littleEndian);
    if (!entries.has(tag)) {
      entries.set(tag, { type, count: values, at: isInline ? offset + countBytes + field : pointer });
    }
  }
  const end = count * entryBytes;
  const next = isBig ? readUint64(view, end, littleEndian) : view.getUint32(end, littleEndian);
  return { directory: new Directory(file, offset, entries, littleEndian), next };
}

/** The directory of one image of a TIFF file: its tags, whose values are read when they are needed. */
export class Directory {
  /** Where it starts in the file. */
  readonly offset: number;
  readonly #file: LocalFile;
  readonly #entries: ReadonlyMap<number, Entry>;
  readonly #littleEndian: boolean;

  constructor(file: LocalFile, offset: number, entries: ReadonlyMap<number, Entry>, littleEndian: boolean) {
    this.#file = file;
    this.offset = offset;
    this.#entries = entries;
    this.#littleEndian = littleEndian;
  }

  /** How many values a tag has; 0 where it is absent. */
  count(tag: number): number {
    return this.#entries.get(tag)?.count ?? 0;
  }

  /**
   * Numbers of a tag, in order; of a rational its two parts.
   *
   * @param from first of them
   * @param length how many; absent: all
   *
   * Fails: `FILE_DAMAGED` for values that do not lie in the file, are no numbers, or are more than {@link MOST_VALUES}.
   */
  async numbers(tag: number, from = 0, length?: number): Promise<readonly number[]> {
    const entry = this.#entries.get(tag);
    if (entry === undefined) return [];
    const wanted = length ?? entry.count - from;
    const view = toDataView(await this.#readBytes(tag, entry, from, wanted));
    return readTagNumbers(view, entry.type, wanted, this.#littleEndian);
  }

  /** The first number of a tag. */
  async number(tag: number, absent: number): Promise<number> {
    const [first] = await this.numbers(tag, 0, Math.min(1, this.count(tag)));
    return first ?? absent;
  }

  /**
   * The text of a tag without its closing zero; undefined where it is absent.
   *
   * @param most bytes that it may have
   */
  async text(tag: number, most: number = MOST_VALUES): Promise<string | undefined> {
    const entry = this.#entries.get(tag);
    if (entry === undefined) return undefined;
    if (entry.type !== ASCII) this.#fail(`tag ${tag} of type ${entry.type}`, "a text");
    const bytes = await this.#readBytes(tag, entry, 0, entry.count, most);
    const end = bytes.indexOf(0);
    return new TextDecoder("latin1").decode(end === -1 ? bytes : bytes.subarray(0, end));
  }

  async #readBytes(
    tag: number,
    entry: Entry,
    from: number,
    length: number,
    most: number = MOST_VALUES,
  ): Promise<Uint8Array> {
    const size = TYPE_BYTES[entry.type] ?? this.#fail(`tag ${tag} of type ${entry.type}`, "a type of TIFF");
    if (length > most || from + length > entry.count) {
      this.#fail(`${entry.count} values of tag ${tag}`, `at most ${most}`);
    }
    return readFilePiece(this.#file, entry.at + from * size, length * size, `the values of tag ${tag}`);
  }

  #fail(found: string, expected: string): never {
    throw fileDamagedError(found, expected, { byte: this.offset });
  }
}

function readTagNumbers(view: DataView, type: number, count: number, littleEndian: boolean): number[] {
  const rationals = type === 5 || type === 10;
  return Array.from({ length: rationals ? 2 * count : count }, (_, i) => {
    switch (type) {
      case 3:
        return view.getUint16(2 * i, littleEndian);
      case 4:
      case 5:
      case 13:
        return view.getUint32(4 * i, littleEndian);
      case 6:
        return view.getInt8(i);
      case 8:
        return view.getInt16(2 * i, littleEndian);
      case 9:
      case 10:
        return view.getInt32(4 * i, littleEndian);
      case 11:
        return view.getFloat32(4 * i, littleEndian);
      case 12:
        return view.getFloat64(8 * i, littleEndian);
      case 16:
      case 18:
        return readUint64(view, 8 * i, littleEndian);
      case 17:
        return Number(view.getBigInt64(8 * i, littleEndian));
      default:
        return view.getUint8(i);
    }
  });
}

/** Eight bytes as a number: no file is long enough for one that a double cannot hold. */
function readUint64(view: DataView, at: number, littleEndian: boolean): number {
  return Number(view.getBigUint64(at, littleEndian));
}
