import { chainNodeCount, writeChainTree } from "../src/geometry/trees/chain-tree.ts";
import { buildRingIndex } from "../src/geometry/trees/ring-index.ts";
import { crc32 } from "../src/snapshot/crc32.ts";
import {
  alignSectionOffset,
  HEADER,
  HEADER_BYTES,
  SECTION,
  TABLE_ENTRY,
  TABLE_ENTRY_BYTES,
} from "../src/snapshot/format.ts";

type Count = "rowCount" | "ringCount" | "positionCount" | "columnCount" | "identifierCount" | "sectionCount";

/** A snapshot taken apart, to be altered and put together again with matching lengths and checksums. */
export class SnapshotParts {
  readonly header: DataView;
  readonly sections: { id: number; bytes: Uint8Array<ArrayBuffer> }[] = [];

  constructor(buffer: ArrayBuffer) {
    this.header = new DataView(buffer.slice(0, HEADER_BYTES));
    const view = new DataView(buffer);
    for (let i = 0; i < this.count("sectionCount"); i++) {
      const entry = HEADER_BYTES + i * TABLE_ENTRY_BYTES;
      const offset = Number(view.getBigUint64(entry + TABLE_ENTRY.offset, true));
      const byteLength = Number(view.getBigUint64(entry + TABLE_ENTRY.byteLength, true));
      const bytes = new Uint8Array(buffer.slice(offset, offset + byteLength));
      this.sections.push({ id: view.getUint32(entry + TABLE_ENTRY.id, true), bytes });
    }
  }

  count(name: Count): number {
    return this.header.getUint32(HEADER[name], true);
  }

  setCount(name: Count, value: number): void {
    this.header.setUint32(HEADER[name], value, true);
  }

  bytes(id: number): Uint8Array<ArrayBuffer> {
    return this.#section(id).bytes;
  }

  view(id: number): DataView {
    return new DataView(this.bytes(id).buffer);
  }

  /** The section's bytes as numbers, in place; a rest of less than one number is left out. */
  u32(id: number): Uint32Array {
    return new Uint32Array(this.bytes(id).buffer, 0, this.bytes(id).length >> 2);
  }

  f64(id: number): Float64Array {
    return new Float64Array(this.bytes(id).buffer, 0, this.bytes(id).length >> 3);
  }

  replace(id: number, bytes: Uint8Array): void {
    this.#section(id).bytes = new Uint8Array(bytes);
  }

  /** Takes `removed` bytes out of a section at `at` and puts `added` in their place. */
  splice(id: number, at: number, removed: number, added: readonly number[] = []): void {
    const before = this.bytes(id);
    this.replace(
      id,
      Uint8Array.from([...before.subarray(0, at), ...added, ...before.subarray(at + removed)]),
    );
  }

  /** The META section as JSON, to be altered by `change`. */
  editMeta(change: (meta: Record<string, unknown> & { manifest: Record<string, unknown> }) => void): void {
    const meta = JSON.parse(new TextDecoder().decode(this.bytes(SECTION.META)));
    change(meta);
    this.replace(SECTION.META, new TextEncoder().encode(JSON.stringify(meta)));
  }

  /** Writes chain trees and ring index anew for the rings as they now lie, whatever they are. */
  reindex(): void {
    const xy = this.f64(SECTION.XY);
    const starts = this.u32(SECTION.RING_STARTS);
    const ringCount = starts.length - 1;
    const envelopes = new Int32Array(4 * ringCount);
    const chainBoxes: number[] = [];
    const chainIntegrals: number[] = [];
    const chainStarts = [0];
    for (let ring = 0; ring < ringCount; ring++) {
      const count = chainNodeCount(starts[ring + 1]! - starts[ring]! - 1);
      const boxes = new Int32Array(count * 4);
      const integrals = new Float64Array(count);
      writeChainTree(xy, starts[ring]!, starts[ring + 1]!, boxes, integrals);
      chainBoxes.push(...boxes);
      chainIntegrals.push(...integrals);
      chainStarts.push(chainIntegrals.length);
      envelopes.set(boxes.subarray(-4), 4 * ring);
    }
    this.replace(SECTION.RING_INDEX, buildRingIndex(envelopes).bytes);
    this.replace(SECTION.CHAIN_STARTS, new Uint8Array(Uint32Array.from(chainStarts).buffer));
    this.replace(SECTION.CHAIN_BOXES, new Uint8Array(Int32Array.from(chainBoxes).buffer));
    this.replace(SECTION.CHAIN_INTEGRALS, new Uint8Array(Float64Array.from(chainIntegrals).buffer));
  }

  /** The file, laid out and sealed. `gap` moves a section: extra bytes before the section of an id. */
  seal(gap: { readonly before: number; readonly bytes: number } = { before: -1, bytes: 0 }): ArrayBuffer {
    this.setCount("sectionCount", this.sections.length);
    const places: number[] = [];
    let end = HEADER_BYTES + this.sections.length * TABLE_ENTRY_BYTES;
    for (const { id, bytes } of this.sections) {
      const offset = alignSectionOffset(end) + (id === gap.before ? gap.bytes : 0);
      places.push(offset);
      end = offset + bytes.length;
    }
    const file = new Uint8Array(end);
    const view = new DataView(file.buffer);
    file.set(new Uint8Array(this.header.buffer));
    for (const [i, { id, bytes }] of this.sections.entries()) {
      const entry = HEADER_BYTES + i * TABLE_ENTRY_BYTES;
      file.set(bytes, places[i]!);
      view.setUint32(entry + TABLE_ENTRY.id, id, true);
      view.setUint32(entry + TABLE_ENTRY.crc32, id === SECTION.TILE_DATA ? 0 : crc32(bytes), true);
      view.setBigUint64(entry + TABLE_ENTRY.offset, BigInt(places[i]!), true);
      view.setBigUint64(entry + TABLE_ENTRY.byteLength, BigInt(bytes.length), true);
    }
    view.setBigUint64(HEADER.byteLength, BigInt(end), true);
    sealHeader(file.buffer);
    return file.buffer;
  }

  #section(id: number): { id: number; bytes: Uint8Array<ArrayBuffer> } {
    const found = this.sections.find((section) => section.id === id);
    if (found === undefined) throw new Error(`no section ${id}`);
    return found;
  }
}

/** Makes the header's checksum match header and table as they now are. */
export function sealHeader(file: ArrayBuffer): void {
  const view = new DataView(file);
  view.setUint32(HEADER.crc32, 0, true);
  const tableEnd = HEADER_BYTES + view.getUint32(HEADER.sectionCount, true) * TABLE_ENTRY_BYTES;
  const head = new Uint8Array(file, 0, Math.min(tableEnd, file.byteLength));
  view.setUint32(HEADER.crc32, crc32(head), true);
}
