import { EngineError } from "../../base/errors.ts";
import { encodeUtf8 } from "../../base/utf8.ts";
import { crc32 } from "../crc32.ts";
import {
  alignSectionOffset,
  COUNT_NAMES,
  type CountName,
  chooseFormatVersion,
  type FileKind,
  HEADER,
  HEADER_BYTES,
  KIND_CODES,
  listSectionIds,
  MAGIC,
  MAX_META_BYTES,
  SECTION,
  TABLE_ENTRY,
  TABLE_ENTRY_BYTES,
} from "../format.ts";
import type { Crc32, SnapshotFile, SnapshotMeta } from "../snapshot.ts";
import { type Piece, readPieceBytes } from "./spill.ts";

/** Pieces that need not be read to be measured. */
export interface MeasuredPieces {
  readonly pieces: readonly Piece[];
  readonly byteLength: number;
  readonly crc32: number;
}

/**
 * Puts sections behind a header and a table of sections, with their checksums.
 *
 * @param counts those that are not 0, besides rows and columns
 *
 * Fails: `VALIDATION_FAILED` where the manifest and the columns take too many bytes.
 */
export function layOutSections(
  meta: SnapshotMeta,
  counts: Readonly<Partial<Record<CountName, number>>>,
  sections: ReadonlyMap<number, readonly Piece[] | MeasuredPieces>,
  checksum: Crc32 = crc32,
  kind: FileKind = meta.manifest.kind,
): SnapshotFile {
  const metaBytes = encodeUtf8(JSON.stringify(meta));
  if (metaBytes.length > MAX_META_BYTES) {
    const message = `the manifest and the columns take ${metaBytes.length} bytes, expected at most ${MAX_META_BYTES}`;
    throw new EngineError("VALIDATION_FAILED", message, { found: metaBytes.length, allowed: MAX_META_BYTES });
  }
  const columnCount = Object.keys(meta.manifest.columns ?? {}).length;
  const ids = listSectionIds(kind, columnCount);
  const header = new Uint8Array(HEADER_BYTES + ids.length * TABLE_ENTRY_BYTES);
  const view = new DataView(header.buffer);
  const chunks: Piece[] = [header];
  let end = header.length;
  for (const [i, id] of ids.entries()) {
    const bytes = id === SECTION.META ? [metaBytes] : sections.get(id);
    if (bytes === undefined) throw new Error(`nothing to write for section ${id}`);
    const offset = alignSectionOffset(end);
    if (offset > end) chunks.push(new Uint8Array(offset - end));
    const { pieces, byteLength, crc32: crc } = "pieces" in bytes ? bytes : measurePieces(bytes, checksum);
    for (const piece of pieces) chunks.push(piece);
    end = offset + byteLength;
    const entry = HEADER_BYTES + i * TABLE_ENTRY_BYTES;
    view.setUint32(entry + TABLE_ENTRY.id, id, true);
    view.setUint32(entry + TABLE_ENTRY.crc32, crc, true);
    view.setBigUint64(entry + TABLE_ENTRY.offset, BigInt(offset), true);
    view.setBigUint64(entry + TABLE_ENTRY.byteLength, BigInt(end - offset), true);
  }
  header.set(MAGIC, HEADER.magic);
  view.setUint32(HEADER.version, chooseFormatVersion(kind, meta.left_out !== undefined), true);
  view.setBigUint64(HEADER.byteLength, BigInt(end), true);
  view.setUint32(HEADER.kind, KIND_CODES[kind], true);
  view.setUint32(HEADER.sectionCount, ids.length, true);
  const all = { ...counts, rowCount: meta.feature_count, columnCount };
  for (const count of COUNT_NAMES) view.setUint32(HEADER[count], all[count] ?? 0, true);
  view.setUint32(HEADER.crc32, checksum(header, 0), true);
  return { meta, byteLength: end, chunks: releaseInTurn(chunks) };
}

function measurePieces(pieces: readonly Piece[], checksum: Crc32): MeasuredPieces {
  let byteLength = 0;
  let crc = 0;
  for (const piece of pieces) {
    const bytes = readPieceBytes(piece);
    crc = checksum(bytes, crc);
    byteLength += bytes.length;
  }
  return { pieces, byteLength, crc32: crc };
}

/** Yields each chunk and lets go of it, so that memory falls while the file is written. */
function* releaseInTurn(chunks: (Piece | undefined)[]): Generator<Uint8Array> {
  for (let i = 0; i < chunks.length; i++) {
    const chunk = chunks[i]!;
    chunks[i] = undefined;
    yield readPieceBytes(chunk);
  }
}
