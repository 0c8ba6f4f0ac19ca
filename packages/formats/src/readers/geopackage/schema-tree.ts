import { toDataView } from "../../file/file-window.ts";
import type { LocalFile } from "../../file/local-file.ts";
import { fileDamagedError } from "../../format-error.ts";

const INTERIOR = 5;
const LEAF = 13;
/** Bytes of the file's own header, before the first page's. */
const FILE_HEADER = 100;
/** Most bytes of a schema: SQLite keeps it in memory, and real ones have some kilobytes. */
const SCHEMA_LIMIT = 64 * 2 ** 20;

/**
 * Checks that the pages of the schema are a tree. SQLite reads the whole schema before the first query, and would
 * follow pages that lie below themselves, or below many others, for as good as ever.
 *
 * @param file of which the first bytes are those of SQLite
 *
 * Fails: `FILE_DAMAGED`.
 * Source: "Database File Format", sections 1.3 and 1.6, https://www.sqlite.org/fileformat.html.
 */
export async function checkSchemaTree(file: LocalFile): Promise<void> {
  const head = await file.read(0, FILE_HEADER);
  if (head.length < FILE_HEADER) throw fileDamagedError(`${head.length} bytes`, "a database", { byte: 0 });
  const written = (head[16]! << 8) | head[17]!;
  const size = written === 1 ? 65536 : written;
  if (size < 512 || (size & (size - 1)) !== 0)
    throw fileDamagedError(`pages of ${size} bytes`, "a power of two from 512", { byte: 16 });
  const count = Math.floor(file.size / size);
  const seen = new Set<number>();
  const waiting = [1];
  while (waiting.length > 0) {
    const page = waiting.pop()!;
    const at = (page - 1) * size;
    if (page < 1 || page > count)
      throw fileDamagedError(`page ${page} in the schema`, `a page of 1 to ${count}`, { byte: 0 });
    if (seen.has(page))
      throw fileDamagedError(`page ${page} twice in the schema`, "every page once", { byte: at });
    seen.add(page);
    if (seen.size * size > SCHEMA_LIMIT)
      throw fileDamagedError("a schema of more than 64 MiB", "the schema of a GeoPackage", { byte: at });
    for (const each of listChildPages(await file.read(at, size), page === 1 ? FILE_HEADER : 0, at))
      waiting.push(each);
  }
}

/** The pages below a page of a table. */
function listChildPages(page: Uint8Array, header: number, at: number): number[] {
  const view = toDataView(page);
  const type = page[header];
  if (type === LEAF) return [];
  if (type !== INTERIOR)
    throw fileDamagedError(`a page of type ${type} in the schema`, `type ${INTERIOR} or ${LEAF}`, {
      byte: at,
    });
  const cells = view.getUint16(header + 3);
  const pointers = header + 12;
  if (pointers + 2 * cells > page.length)
    throw fileDamagedError(`${cells} cells on a page`, "as many as fit into it", { byte: at });
  const children = [view.getUint32(header + 8)];
  for (let i = 0; i < cells; i++) {
    const cell = view.getUint16(pointers + 2 * i);
    if (cell + 4 > page.length)
      throw fileDamagedError(`a cell at ${cell}`, `one within ${page.length} bytes`, { byte: at });
    children.push(view.getUint32(cell));
  }
  return children;
}
