import { FIRST_DAY, LAST_DAY } from "../../base/calendar-day.ts";
import { EngineError } from "../../base/errors.ts";
import { parseStrictJson } from "../../base/strict-json.ts";
import { compareUtf8, decodeUtf8 } from "../../base/utf8.ts";
import { createLatitudeSeries, ELLIPSOID, signedRingAreaOn } from "../../geometry/earth/authalic.ts";
import type { Bbox } from "../../geometry/earth/bbox.ts";
import {
  chainNodeCount,
  FAN_OUT,
  leafSpan,
  roundedDown,
  roundedUp,
  writeChainTree,
} from "../../geometry/trees/chain-tree.ts";
import type { AreaLayer } from "../../geometry/trees/layer.ts";
import { openRingIndex, type RingIndex, ringIndexBytes } from "../../geometry/trees/ring-index.ts";
import { checkShape } from "../../shape/check-shape.ts";
import { canonicalValue } from "../canonical-value.ts";
import { type ContentColumn, contentDigest, type SnapshotContent } from "../content-digest.ts";
import { crc32 } from "../crc32.ts";
import {
  alignSection,
  dictionaryIndexBytes,
  FIRST_COLUMN_SECTION,
  FORMAT_VERSION,
  HEADER,
  HEADER_BYTES,
  KIND_CODES,
  MAGIC,
  MAX_ABSOLUTE_LATITUDE,
  MAX_ABSOLUTE_LONGITUDE,
  MAX_META_BYTES,
  MIN_RING_POSITIONS,
  NULL_BOOLEAN,
  NULL_DAY,
  SECTION,
  sectionIds,
  sectionName,
  TABLE_ENTRY,
  TABLE_ENTRY_BYTES,
} from "../format.ts";
import type { ColumnType, SourceKind } from "../manifest.ts";
import { snapshotMetaShape } from "../meta-shape.ts";
import type { AreaSnapshot, Crc32, RegisterSnapshot, Sha256, Snapshot, SnapshotMeta } from "../snapshot.ts";
import {
  StoredAttributes,
  StoredBooleans,
  type StoredColumn,
  StoredDates,
  StoredNumbers,
  StoredTextColumn,
  StoredTexts,
} from "./columns.ts";
import { StoredIdentifiers } from "./identifiers.ts";

export interface OpenOptions {
  /** A host's CRC-32; the pure one otherwise. */
  readonly crc32?: Crc32;
  /** What errors call the file, e.g. its path. */
  readonly name?: string;
}

/**
 * Opens a snapshot in place: nothing is parsed but its META section, and typed arrays view the
 * bytes, which must not change afterwards. The host must be little-endian, as the format is.
 *
 * Everything a later question relies on is checked here: checksums, counts, offsets, coordinates,
 * each node of the ring index against its children and the rings, dictionaries, the order of
 * identifiers. An opened snapshot therefore answers every question in bounded work without
 * failing, whoever made the file. Not checked: that texts are UTF-8 (what is not becomes U+FFFD),
 * the winding and validity of rings, and the content digest ({@link verifySnapshot} does that).
 *
 * Fails: `SNAPSHOT_CORRUPT` with `{name, check, section, found, expected}`;
 * `SNAPSHOT_VERSION_UNSUPPORTED` with `{name, found, supported}`.
 */
export function openSnapshot(bytes: ArrayBuffer | SharedArrayBuffer, options: OpenOptions = {}): Snapshot {
  return readSnapshot(bytes, options).snapshot;
}

/**
 * Opens a snapshot and recomputes what opening takes on trust: the edition's digest from the
 * content, and each identifier's canonical value from its spelling.
 *
 * Fails: as {@link openSnapshot}; `SNAPSHOT_CORRUPT` where the content is not what the edition names.
 */
export function verifySnapshot(
  bytes: ArrayBuffer | SharedArrayBuffer,
  options: OpenOptions & { readonly sha256?: () => Sha256 } = {},
): Snapshot {
  const { file, snapshot, content, canonical } = readSnapshot(bytes, options);
  const edition = contentDigest(content, options.sha256);
  if (edition !== snapshot.meta.edition) {
    corrupt(
      "content.digest",
      file.name,
      "META",
      `edition ${snapshot.meta.edition}`,
      `${edition}, the digest of the content`,
    );
  }
  for (let i = 0; i < (canonical?.count ?? 0); i++) {
    const found = canonical!.text(i);
    const expected = canonicalValue(
      decodeUtf8(content.identifiers!.value(i), 0, content.identifiers!.value(i).length),
    );
    if (found !== expected) {
      corrupt(
        "content.canonical",
        file.name,
        "IDENTIFIER_CANONICAL",
        `"${found}" as identifier ${i}`,
        `"${expected}"`,
      );
    }
  }
  if (snapshot.kind === "leaf") verifyMeasures(file, snapshot.layer);
  return snapshot;
}

/** Chain integrals and areas follow from the coordinates to the bit. */
function verifyMeasures(file: SnapshotFileView, layer: AreaLayer): void {
  const { xy, ringStarts, areaRings, chainStarts, chainIntegrals, areaSquareMeters } = layer;
  const series = createLatitudeSeries();
  for (let area = 0; area < layer.areaCount; area++) {
    let squareMeters = 0;
    for (let ring = areaRings[area]!; ring < areaRings[area + 1]!; ring++) {
      const from = ringStarts[ring]!;
      const to = ringStarts[ring + 1]!;
      squareMeters += signedRingAreaOn(ELLIPSOID, xy, from, to, series);
      const count = chainStarts[ring + 1]! - chainStarts[ring]!;
      const integrals = new Float64Array(count);
      writeChainTree(xy, from, to, new Float32Array(4 * count), integrals, ELLIPSOID, series);
      for (const [i, expected] of integrals.entries()) {
        const found = chainIntegrals[chainStarts[ring]! + i]!;
        if (found !== expected) {
          const where = `integral ${found} at node ${i} of ring ${ring}`;
          corrupt("content.integral", file.name, "CHAIN_INTEGRALS", where, `${expected}`);
        }
      }
    }
    if (areaSquareMeters[area] !== squareMeters) {
      const found = `${areaSquareMeters[area]} m² for area ${area}`;
      corrupt("content.area", file.name, "AREA_SQUARE_METERS", found, `${squareMeters}`);
    }
  }
}

interface Opened {
  readonly file: SnapshotFileView;
  readonly snapshot: Snapshot;
  readonly content: SnapshotContent;
  readonly canonical?: StoredTexts;
}

function readSnapshot(bytes: ArrayBuffer | SharedArrayBuffer, options: OpenOptions): Opened {
  const file = openSections(bytes, options.name ?? "unnamed", options.crc32 ?? crc32);
  const meta = readMeta(file);
  const { rowCount } = file.counts;
  const ids = readTexts(file, SECTION.IDS, rowCount);
  const names = readTextColumn(file, SECTION.NAMES, rowCount);
  const columns = Object.entries(meta.manifest.columns ?? {}).map(([name, type], k) => ({
    name,
    type,
    values: readColumn(file, FIRST_COLUMN_SECTION + k, type, rowCount),
  }));
  const content = {
    kind: file.kind,
    category: meta.manifest.category,
    rowCount,
    id: (row: number): Uint8Array => ids.utf8(row),
    name: (row: number): Uint8Array | null => names.cell(row),
    columns: columns.map(
      ({ name, type, values }): ContentColumn => ({ name, type, cell: (row) => values.cell(row) }),
    ),
  };
  if (file.kind === "leaf") {
    const countries = readTextColumn(file, SECTION.COUNTRIES, rowCount);
    checkCoverage(file, meta, countries.entries);
    const layer = readLayer(file, meta.manifest.source_name);
    const attributes = new StoredAttributes(ids, names, countries, columns);
    return {
      file,
      snapshot: { kind: "leaf", meta, layer, attributes } satisfies AreaSnapshot,
      content: {
        ...content,
        countryIso3: (row) => countries.cell(row),
        geometry: {
          ringCount: layer.ringCount,
          areaRingCount: (area) => layer.areaRings[area + 1]! - layer.areaRings[area]!,
          ringRole: (ring) => layer.ringRoles[ring]!,
          ringPositionCount: (ring) => layer.ringStarts[ring + 1]! - layer.ringStarts[ring]!,
          xyBytes: [new Uint8Array(layer.xy.buffer, layer.xy.byteOffset, layer.xy.byteLength)],
        },
      },
    };
  }
  checkCoverage(file, meta, undefined);
  const { identifiers, canonical, values, rows, schemeOf } = readIdentifiers(file, meta);
  const attributes = new StoredAttributes(ids, names, undefined, columns);
  return {
    file,
    snapshot: { kind: "subject_register", meta, attributes, identifiers } satisfies RegisterSnapshot,
    content: {
      ...content,
      countryIso3: () => null,
      identifiers: {
        count: identifiers.count,
        scheme: schemeOf,
        value: (i) => values.utf8(i),
        row: (i) => rows[i]!,
      },
    },
    canonical,
  };
}

interface SnapshotFileView {
  readonly name: string;
  readonly buffer: ArrayBufferLike;
  readonly kind: SourceKind;
  readonly counts: Readonly<Record<CountName, number>>;
  readonly sections: ReadonlyMap<number, { readonly offset: number; readonly byteLength: number }>;
}

const COUNT_NAMES = ["rowCount", "ringCount", "positionCount", "columnCount", "identifierCount"] as const;
type CountName = (typeof COUNT_NAMES)[number];

/**
 * Every fault found goes through here. `check` names the condition; the bounds test takes each
 * name's conditions out in turn and shows that the suite notices.
 */
function corrupt(check: string, name: string, section: string, found: string, expected: string): never {
  throw new EngineError(
    "SNAPSHOT_CORRUPT",
    `snapshot "${name}" is corrupt: ${section} has ${found}, expected ${expected} (${check})`,
    { name, check, section, found, expected },
  );
}

function openSections(
  buffer: ArrayBuffer | SharedArrayBuffer,
  name: string,
  checksum: Crc32,
): SnapshotFileView {
  const length = buffer.byteLength;
  if (length < HEADER_BYTES)
    corrupt("header.length", name, "header", `${length} bytes`, `at least ${HEADER_BYTES}`);
  const bytes = new Uint8Array(buffer);
  const view = new DataView(buffer);
  for (const [i, byte] of MAGIC.entries()) {
    if (bytes[i] !== byte)
      corrupt("header.magic", name, "header", `byte ${bytes[i]} at ${i}`, `${byte}: a snapshot's magic`);
  }
  const version = view.getUint32(HEADER.version, true);
  if (version !== FORMAT_VERSION) {
    throw new EngineError(
      "SNAPSHOT_VERSION_UNSUPPORTED",
      `snapshot "${name}" has format version ${version}, this engine reads ${FORMAT_VERSION}; build it again from its source`,
      { name, found: version, supported: FORMAT_VERSION },
    );
  }
  const stated = Number(view.getBigUint64(HEADER.byteLength, true));
  if (stated !== length)
    corrupt("header.byteLength", name, "header", `a length of ${stated} bytes`, `${length}, the file's`);
  const sectionCount = view.getUint32(HEADER.sectionCount, true);
  const tableEnd = HEADER_BYTES + sectionCount * TABLE_ENTRY_BYTES;
  if (tableEnd > length)
    corrupt("table.length", name, "header", `${sectionCount} sections`, `a table within ${length} bytes`);
  const header = bytes.slice(0, tableEnd);
  header.fill(0, HEADER.crc32, HEADER.crc32 + 4);
  const headerCrc = view.getUint32(HEADER.crc32, true);
  const foundHeaderCrc = checksum(header, 0) >>> 0;
  if (foundHeaderCrc !== headerCrc) {
    corrupt(
      "header.crc32",
      name,
      "header and section table",
      `CRC-32 ${foundHeaderCrc}`,
      `the stated ${headerCrc}`,
    );
  }
  for (let i = HEADER.reserved; i < HEADER_BYTES; i++) {
    if (bytes[i] !== 0) corrupt("header.reserved", name, "header", `byte ${bytes[i]} at ${i}`, "0");
  }
  const kindCode = view.getUint32(HEADER.kind, true);
  const kind = SOURCE_KINDS.find((candidate) => KIND_CODES[candidate] === kindCode);
  if (kind === undefined)
    corrupt("header.kind", name, "header", `kind ${kindCode}`, "1 (leaf) or 2 (subject_register)");
  const counts = readCounts(view);
  for (const count of ABSENT_COUNTS[kind]) {
    if (counts[count] !== 0)
      corrupt("header.counts", name, "header", `${count} ${counts[count]}`, `0 for kind ${kind}`);
  }
  const fixedCount = sectionIds(kind, 0).length;
  if (sectionCount !== fixedCount + counts.columnCount) {
    const expected = `${fixedCount} and one for each of ${counts.columnCount} columns`;
    corrupt("header.sectionCount", name, "header", `${sectionCount} sections`, expected);
  }

  const sections = new Map<number, { offset: number; byteLength: number }>();
  let end = tableEnd;
  for (const [i, id] of sectionIds(kind, counts.columnCount).entries()) {
    const entry = HEADER_BYTES + i * TABLE_ENTRY_BYTES;
    const foundId = view.getUint32(entry + TABLE_ENTRY.id, true);
    if (foundId !== id) corrupt("table.id", name, `table entry ${i}`, sectionName(foundId), sectionName(id));
    const offset = Number(view.getBigUint64(entry + TABLE_ENTRY.offset, true));
    const byteLength = Number(view.getBigUint64(entry + TABLE_ENTRY.byteLength, true));
    const expected = alignSection(end);
    if (offset !== expected)
      corrupt("table.offset", name, sectionName(id), `offset ${offset}`, `${expected}`);
    sections.set(id, { offset, byteLength });
    end = offset + byteLength;
  }
  if (end !== length)
    corrupt("table.end", name, "section table", `an end at ${end}`, `${length}, the file's length`);

  let before = tableEnd;
  for (const [i, [id, { offset, byteLength }]] of [...sections].entries()) {
    for (let p = before; p < offset; p++) {
      if (bytes[p] !== 0)
        corrupt("table.padding", name, sectionName(id), `byte ${bytes[p]} in the padding before it`, "0");
    }
    const stored = view.getUint32(HEADER_BYTES + i * TABLE_ENTRY_BYTES + TABLE_ENTRY.crc32, true);
    const found = checksum(bytes.subarray(offset, offset + byteLength), 0) >>> 0;
    if (found !== stored)
      corrupt("section.crc32", name, sectionName(id), `CRC-32 ${found}`, `the stated ${stored}`);
    before = offset + byteLength;
  }
  return { name, buffer, kind, counts, sections };
}

const SOURCE_KINDS: readonly SourceKind[] = ["leaf", "subject_register"];

/** Counts that a kind of source does not have. */
const ABSENT_COUNTS: Readonly<Record<SourceKind, readonly CountName[]>> = {
  leaf: ["identifierCount"],
  subject_register: ["ringCount", "positionCount"],
};

function readCounts(view: DataView): Record<CountName, number> {
  return {
    rowCount: view.getUint32(HEADER.rowCount, true),
    ringCount: view.getUint32(HEADER.ringCount, true),
    positionCount: view.getUint32(HEADER.positionCount, true),
    columnCount: view.getUint32(HEADER.columnCount, true),
    identifierCount: view.getUint32(HEADER.identifierCount, true),
  };
}

function readMeta(file: SnapshotFileView): SnapshotMeta {
  const { name, counts, kind } = file;
  const bytes = sectionBytes(file, SECTION.META);
  if (bytes.length > MAX_META_BYTES) {
    corrupt("meta.size", name, "META", `${bytes.length} bytes`, `at most ${MAX_META_BYTES}`);
  }
  const checked = checkShape(snapshotMetaShape, parseJson(bytes));
  if (checked.faults !== undefined) {
    const [{ pointer, message }] = checked.faults;
    corrupt("meta.schema", name, "META", `at "${pointer}" a fault (${message})`, "what the format says");
  }
  const meta = checked.value;
  if (meta.manifest.kind !== kind) {
    corrupt("meta.kind", name, "META", `kind ${meta.manifest.kind}`, `${kind}, the header's`);
  }
  if (meta.feature_count !== counts.rowCount) {
    corrupt(
      "meta.featureCount",
      name,
      "META",
      `${meta.feature_count} features`,
      `${counts.rowCount}, the header's count`,
    );
  }
  const columnCount = Object.keys(meta.manifest.columns ?? {}).length;
  if (columnCount !== counts.columnCount) {
    corrupt(
      "meta.columns",
      name,
      "META",
      `${columnCount} columns`,
      `${counts.columnCount}, the header's count`,
    );
  }
  if (kind === "leaf" ? meta.schemes.length > 0 : !isStrictlyAscending(meta.schemes)) {
    const expected = kind === "leaf" ? "none for areas" : "each once, ascending";
    corrupt("meta.schemes", name, "META", `schemes ${meta.schemes.slice(0, 8).join(", ")}`, expected);
  }
  return meta;
}

/** Undefined where the bytes are no JSON, or could be read in two ways; no schema takes that. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return parseStrictJson(bytes, { exact: false });
  } catch {
    return undefined;
  }
}

function isStrictlyAscending(texts: readonly string[]): boolean {
  return texts.every((text, i) => i === 0 || texts[i - 1]! < text);
}

function checkCoverage(file: SnapshotFileView, meta: SnapshotMeta, countries: StoredTexts | undefined): void {
  const occurring = new Set<string>();
  for (let i = 0; i < (countries?.count ?? 0); i++) occurring.add(countries!.text(i));
  const expected = [...occurring].sort();
  const found = meta.country_coverage;
  if (found.length !== expected.length || found.some((code, i) => code !== expected[i])) {
    const shown = expected.slice(0, 8).join(", ");
    corrupt(
      "meta.countries",
      file.name,
      "META",
      `coverage ${found.slice(0, 8).join(", ")}`,
      `${shown}: the areas' countries`,
    );
  }
}

function sectionBytes(file: SnapshotFileView, id: number): Uint8Array {
  const { offset, byteLength } = file.sections.get(id)!;
  return new Uint8Array(file.buffer, offset, byteLength);
}

/** Start of a section whose length the counts fix. */
function fixedSection(file: SnapshotFileView, id: number, expected: number): number {
  const { offset, byteLength } = file.sections.get(id)!;
  if (byteLength !== expected) {
    corrupt("section.length", file.name, sectionName(id), `${byteLength} bytes`, `${expected} by the counts`);
  }
  return offset;
}

function viewUnsigned(
  width: 1 | 2 | 4,
  buffer: ArrayBufferLike,
  offset: number,
  count: number,
): Uint8Array | Uint16Array | Uint32Array {
  if (width === 1) return new Uint8Array(buffer, offset, count);
  return width === 2 ? new Uint16Array(buffer, offset, count) : new Uint32Array(buffer, offset, count);
}

function readUint32(file: SnapshotFileView, id: number, count: number): Uint32Array {
  return new Uint32Array(file.buffer, fixedSection(file, id, count * 4), count);
}

/** Offsets of consecutive pieces: from 0, never falling, to `end`. */
function checkOffsets(file: SnapshotFileView, id: number, offsets: Uint32Array, end: number): void {
  const section = sectionName(id);
  if (offsets[0] !== 0) corrupt("offsets.first", file.name, section, `first offset ${offsets[0]}`, "0");
  for (let i = 1; i < offsets.length; i++) {
    if (offsets[i]! < offsets[i - 1]!) {
      corrupt(
        "offsets.monotone",
        file.name,
        section,
        `offset ${offsets[i]} after ${offsets[i - 1]}`,
        "none to fall",
      );
    }
  }
  const last = offsets[offsets.length - 1];
  if (last !== end)
    corrupt("offsets.last", file.name, section, `last offset ${last}`, `${end}, where its target ends`);
}

/** A text table: `count + 1` offsets, then the bytes they point into. */
function readTexts(file: SnapshotFileView, id: number, count: number): StoredTexts {
  const { offset, byteLength } = file.sections.get(id)!;
  const blobStart = 4 * (count + 1);
  if (byteLength < blobStart) {
    corrupt(
      "texts.length",
      file.name,
      sectionName(id),
      `${byteLength} bytes`,
      `at least ${blobStart} for ${count} texts`,
    );
  }
  const offsets = new Uint32Array(file.buffer, offset, count + 1);
  checkOffsets(file, id, offsets, byteLength - blobStart);
  return new StoredTexts(offsets, new Uint8Array(file.buffer, offset + blobStart, byteLength - blobStart));
}

/** A text column: entry count, entry offsets, an index a row, the entries' bytes. */
function readTextColumn(file: SnapshotFileView, id: number, rowCount: number): StoredTextColumn {
  const { offset, byteLength } = file.sections.get(id)!;
  const { name } = file;
  const section = sectionName(id);
  const count = byteLength < 4 ? 0 : new Uint32Array(file.buffer, offset, 1)[0]!;
  const indexBytes = dictionaryIndexBytes(count);
  const indexStart = 4 + 4 * (count + 1);
  const blobStart = indexStart + indexBytes * rowCount;
  if (byteLength < blobStart) {
    const expected = `at least ${blobStart} for ${count} texts and ${rowCount} rows`;
    corrupt("dictionary.length", name, section, `${byteLength} bytes`, expected);
  }
  const offsets = new Uint32Array(file.buffer, offset + 4, count + 1);
  checkOffsets(file, id, offsets, byteLength - blobStart);
  const indices = viewUnsigned(indexBytes, file.buffer, offset + indexStart, rowCount);
  let used = 0;
  for (let row = 0; row < rowCount; row++) {
    const index = indices[row]!;
    if (index > used + 1) {
      corrupt(
        "dictionary.order",
        name,
        section,
        `index ${index} in row ${row}`,
        `at most ${used + 1}: entries come in order of use`,
      );
    }
    if (index > used) used = index;
  }
  if (used !== count)
    corrupt("dictionary.used", name, section, `${count} entries`, `${used}, those that rows use`);
  const blob = new Uint8Array(file.buffer, offset + blobStart, byteLength - blobStart);
  return new StoredTextColumn(new StoredTexts(offsets, blob), indices);
}

function readColumn(file: SnapshotFileView, id: number, type: ColumnType, rowCount: number): StoredColumn {
  switch (type) {
    case "number":
      return readNumbers(file, id, rowCount);
    case "boolean":
      return readBooleans(file, id, rowCount);
    case "date":
      return readDates(file, id, rowCount);
    case "string":
      return readTextColumn(file, id, rowCount);
  }
}

function readNumbers(file: SnapshotFileView, id: number, rowCount: number): StoredNumbers {
  const nullBytes = Math.ceil(rowCount / 8);
  const offset = fixedSection(file, id, rowCount * 8 + nullBytes);
  const numbers = new Float64Array(file.buffer, offset, rowCount);
  const nulls = new Uint8Array(file.buffer, offset + rowCount * 8, nullBytes);
  for (let row = 0; row < rowCount; row++) {
    const value = numbers[row]!;
    if (!Number.isFinite(value)) {
      corrupt("column.number", file.name, sectionName(id), `${value} in row ${row}`, "a finite number");
    }
  }
  if ((rowCount & 7) !== 0 && nulls[nullBytes - 1]! >>> (rowCount & 7) !== 0) {
    corrupt("column.nulls", file.name, sectionName(id), "null bits past the last row", "none");
  }
  return new StoredNumbers(numbers, nulls);
}

function readBooleans(file: SnapshotFileView, id: number, rowCount: number): StoredBooleans {
  const codes = new Uint8Array(file.buffer, fixedSection(file, id, rowCount), rowCount);
  for (let row = 0; row < rowCount; row++) {
    if (codes[row]! > NULL_BOOLEAN) {
      corrupt("column.boolean", file.name, sectionName(id), `code ${codes[row]} in row ${row}`, "0, 1 or 2");
    }
  }
  return new StoredBooleans(codes);
}

function readDates(file: SnapshotFileView, id: number, rowCount: number): StoredDates {
  const days = new Int32Array(file.buffer, fixedSection(file, id, rowCount * 4), rowCount);
  for (let row = 0; row < rowCount; row++) {
    const day = days[row]!;
    if (day !== NULL_DAY && (day < FIRST_DAY || day > LAST_DAY)) {
      const expected = `${FIRST_DAY} to ${LAST_DAY}, or ${NULL_DAY} for null`;
      corrupt("column.date", file.name, sectionName(id), `day ${day} in row ${row}`, expected);
    }
  }
  return new StoredDates(days);
}

function readLayer(file: SnapshotFileView, sourceName: string): AreaLayer {
  const { buffer } = file;
  const { rowCount: areaCount, ringCount, positionCount } = file.counts;
  const xy = new Float64Array(buffer, fixedSection(file, SECTION.XY, positionCount * 16), positionCount * 2);
  const ringStarts = readUint32(file, SECTION.RING_STARTS, ringCount + 1);
  checkOffsets(file, SECTION.RING_STARTS, ringStarts, positionCount);
  const areaRings = readUint32(file, SECTION.AREA_RINGS, areaCount + 1);
  checkOffsets(file, SECTION.AREA_RINGS, areaRings, ringCount);
  const ringAreas = readUint32(file, SECTION.RING_AREAS, ringCount);
  const ringRoles = new Uint8Array(buffer, fixedSection(file, SECTION.RING_ROLES, ringCount), ringCount);
  checkRoles(file, areaRings, ringAreas, ringRoles);
  const chainStarts = readUint32(file, SECTION.CHAIN_STARTS, ringCount + 1);
  checkChainStarts(file, ringStarts, chainStarts);
  const nodeCount = chainStarts[ringCount]!;
  const chainBoxes = new Float32Array(
    buffer,
    fixedSection(file, SECTION.CHAIN_BOXES, nodeCount * 16),
    nodeCount * 4,
  );
  const bbox = checkRings(file, xy, ringStarts, chainStarts, chainBoxes);
  return {
    sourceName,
    areaCount,
    ringCount,
    positionCount,
    xy,
    ringStarts,
    areaRings,
    ringAreas,
    ringRoles,
    chainStarts,
    chainBoxes,
    chainIntegrals: readFiniteNumbers(file, SECTION.CHAIN_INTEGRALS, nodeCount),
    areaSquareMeters: readFiniteNumbers(file, SECTION.AREA_SQUARE_METERS, areaCount),
    index: readRingIndex(file, ringCount, chainStarts, chainBoxes),
    bbox,
  };
}

function checkRoles(
  file: SnapshotFileView,
  areaRings: Uint32Array,
  ringAreas: Uint32Array,
  ringRoles: Uint8Array,
): void {
  const { name, counts } = file;
  for (let area = 0; area < counts.rowCount; area++) {
    const first = areaRings[area]!;
    for (let ring = first; ring < areaRings[area + 1]!; ring++) {
      if (ringAreas[ring] !== area) {
        corrupt(
          "ring.area",
          name,
          "RING_AREAS",
          `area ${ringAreas[ring]} for ring ${ring}`,
          `${area}, whose ring it is`,
        );
      }
      const role = ringRoles[ring]!;
      if (role > 1)
        corrupt("ring.role", name, "RING_ROLES", `role ${role} for ring ${ring}`, "0 (outer) or 1 (hole)");
      if (ring === first && role === 1) {
        corrupt(
          "ring.firstRole",
          name,
          "RING_ROLES",
          `a hole as first ring of area ${area}`,
          "an outer ring",
        );
      }
    }
  }
}

/** Rings are long enough, and each has just the chain nodes that its length asks for. */
function checkChainStarts(file: SnapshotFileView, ringStarts: Uint32Array, chainStarts: Uint32Array): void {
  const { name, counts } = file;
  let nodes = 0;
  for (let ring = 0; ring <= counts.ringCount; ring++) {
    if (chainStarts[ring] !== nodes) {
      corrupt("chain.starts", name, "CHAIN_STARTS", `${chainStarts[ring]} at ring ${ring}`, `${nodes}`);
    }
    if (ring === counts.ringCount) break;
    const positions = ringStarts[ring + 1]! - ringStarts[ring]!;
    if (positions < MIN_RING_POSITIONS) {
      const found = `${positions} positions in ring ${ring}`;
      corrupt("ring.positions", name, "RING_STARTS", found, `at least ${MIN_RING_POSITIONS}`);
    }
    nodes += chainNodeCount(positions - 1);
  }
}

/**
 * Checks each ring, and the boxes of its chain tree, in one pass over the coordinates.
 *
 * @returns the layer's envelope
 */
function checkRings(
  file: SnapshotFileView,
  xy: Float64Array,
  ringStarts: Uint32Array,
  chainStarts: Uint32Array,
  chainBoxes: Float32Array,
): Bbox | undefined {
  const { name } = file;
  const { ringCount } = file.counts;
  const bbox: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let ring = 0; ring < ringCount; ring++) {
    const first = ringStarts[ring]!;
    const last = ringStarts[ring + 1]! - 1;
    if (xy[2 * first] !== xy[2 * last] || xy[2 * first + 1] !== xy[2 * last + 1]) {
      corrupt("ring.closed", name, "XY", `ring ${ring} ending where it did not begin`, "a closed ring");
    }
    const span = leafSpan(last - first);
    let node = chainStarts[ring]!;
    for (let start = first; start < last; start += span, node++) {
      const end = Math.min(start + span, last);
      let west = Infinity;
      let south = Infinity;
      let east = -Infinity;
      let north = -Infinity;
      let products = 0;
      for (let i = start; i <= end; i++) {
        const x = xy[2 * i]!;
        const y = xy[2 * i + 1]!;
        products += x * y;
        if (x < west) west = x;
        if (x > east) east = x;
        if (y < south) south = y;
        if (y > north) north = y;
      }
      // The sides pass over what is no number; the products do not.
      const within =
        west >= -MAX_ABSOLUTE_LONGITUDE &&
        east <= MAX_ABSOLUTE_LONGITUDE &&
        south >= -MAX_ABSOLUTE_LATITUDE &&
        north <= MAX_ABSOLUTE_LATITUDE;
      if (!(within && Number.isFinite(products))) refusePosition(name, xy, start, end);
      const box = [roundedDown(west), roundedDown(south), roundedUp(east), roundedUp(north)] as const;
      if (!sameBox(chainBoxes, node, box)) {
        const found = `box [${chainBoxes.subarray(4 * node, 4 * node + 4).join(", ")}] at leaf ${node}`;
        corrupt("chain.leafBox", name, "CHAIN_BOXES", found, `[${box.join(", ")}], its chain's`);
      }
      if (west < bbox[0]) bbox[0] = west;
      if (south < bbox[1]) bbox[1] = south;
      if (east > bbox[2]) bbox[2] = east;
      if (north > bbox[3]) bbox[3] = north;
    }
    checkInnerChains(file, ring, chainStarts, node, chainBoxes);
  }
  return ringCount === 0 ? undefined : bbox;
}

/** Names the first position out of range, of which there is one. */
function refusePosition(name: string, xy: Float64Array, start: number, end: number): never {
  let i = start;
  while (
    i < end &&
    Math.abs(xy[2 * i]!) <= MAX_ABSOLUTE_LONGITUDE &&
    Math.abs(xy[2 * i + 1]!) <= MAX_ABSOLUTE_LATITUDE
  )
    i++;
  const found = `position ${i} at [${xy[2 * i]}, ${xy[2 * i + 1]}]`;
  const expected = `longitudes within ±${MAX_ABSOLUTE_LONGITUDE}, latitudes within ±${MAX_ABSOLUTE_LATITUDE}`;
  return corrupt("position.range", name, "XY", found, expected);
}

/** The levels above the leaves of a ring's chain tree; `node` is the first node above them. */
function checkInnerChains(
  file: SnapshotFileView,
  ring: number,
  chainStarts: Uint32Array,
  firstInner: number,
  chainBoxes: Float32Array,
): void {
  let child = chainStarts[ring]!;
  let levelEnd = firstInner;
  for (let node = firstInner; node < chainStarts[ring + 1]!; node++) {
    const end = Math.min(child + FAN_OUT, levelEnd);
    const box = unionOfBoxes(chainBoxes, child, end);
    if (!sameBox(chainBoxes, node, box)) {
      const found = `box [${chainBoxes.subarray(4 * node, 4 * node + 4).join(", ")}] at node ${node}`;
      corrupt("chain.nodeBox", file.name, "CHAIN_BOXES", found, `[${box.join(", ")}], its children's union`);
    }
    child = end;
    if (child === levelEnd) levelEnd = node + 1;
  }
}

type Box = readonly [west: number, south: number, east: number, north: number];

/** False also where a side is not a number. */
function sameBox(boxes: Float32Array, node: number, box: Box): boolean {
  const at = 4 * node;
  return (
    boxes[at] === box[0] && boxes[at + 1] === box[1] && boxes[at + 2] === box[2] && boxes[at + 3] === box[3]
  );
}

function unionOfBoxes(boxes: Float32Array, first: number, end: number): Box {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (let node = first; node < end; node++) {
    west = Math.min(west, boxes[4 * node]!);
    south = Math.min(south, boxes[4 * node + 1]!);
    east = Math.max(east, boxes[4 * node + 2]!);
    north = Math.max(north, boxes[4 * node + 3]!);
  }
  return [west, south, east, north];
}

function readFiniteNumbers(file: SnapshotFileView, id: number, count: number): Float64Array {
  const numbers = new Float64Array(file.buffer, fixedSection(file, id, count * 8), count);
  for (let i = 0; i < count; i++) {
    if (!Number.isFinite(numbers[i])) {
      corrupt("numbers.finite", file.name, sectionName(id), `${numbers[i]} at ${i}`, "a finite number");
    }
  }
  return numbers;
}

function readRingIndex(
  file: SnapshotFileView,
  ringCount: number,
  chainStarts: Uint32Array,
  chainBoxes: Float32Array,
): RingIndex | undefined {
  const offset = fixedSection(file, SECTION.RING_INDEX, ringIndexBytes(ringCount));
  if (ringCount === 0) return undefined;
  const rootOf = (ring: number): number => 4 * (chainStarts[ring + 1]! - 1);
  return openRingIndex(file.buffer, offset, ringCount, chainBoxes, rootOf, (check, found, expected) =>
    corrupt(check, file.name, "RING_INDEX", found, expected),
  );
}

interface Identifiers {
  readonly identifiers: StoredIdentifiers;
  readonly canonical: StoredTexts;
  readonly values: StoredTexts;
  readonly rows: Uint32Array;
  readonly schemeOf: (i: number) => string;
}

function readIdentifiers(file: SnapshotFileView, meta: SnapshotMeta): Identifiers {
  const { name, counts } = file;
  const { schemes } = meta;
  const count = counts.identifierCount;
  const schemeStarts = readUint32(file, SECTION.IDENTIFIER_SCHEMES, schemes.length + 1);
  checkOffsets(file, SECTION.IDENTIFIER_SCHEMES, schemeStarts, count);
  const canonical = readTexts(file, SECTION.IDENTIFIER_CANONICAL, count);
  const values = readTexts(file, SECTION.IDENTIFIER_VALUES, count);
  const rows = readUint32(file, SECTION.IDENTIFIER_ROWS, count);
  for (const [s, scheme] of schemes.entries()) {
    const start = schemeStarts[s]!;
    const end = schemeStarts[s + 1]!;
    if (start === end)
      corrupt("identifier.scheme", name, "IDENTIFIER_SCHEMES", `no identifier of ${scheme}`, "at least one");
    for (let i = start; i < end; i++) {
      const row = rows[i]!;
      if (row >= counts.rowCount) {
        corrupt(
          "identifier.row",
          name,
          "IDENTIFIER_ROWS",
          `row ${row} at identifier ${i}`,
          `a row below ${counts.rowCount}`,
        );
      }
      if (canonical.offsets[i] === canonical.offsets[i + 1]) {
        corrupt(
          "identifier.canonical",
          name,
          "IDENTIFIER_CANONICAL",
          `no character at identifier ${i}`,
          "at least one",
        );
      }
      if (i > start && !identifierPrecedes(i - 1, i, canonical, rows, values)) {
        const found = `identifier ${i} not after ${i - 1}`;
        corrupt(
          "identifier.order",
          name,
          "IDENTIFIER_CANONICAL",
          found,
          "canonical value, row, value to ascend",
        );
      }
    }
  }
  const ranks = new Uint32Array(count);
  for (let s = 0; s < schemes.length; s++) ranks.fill(s, schemeStarts[s]!, schemeStarts[s + 1]!);
  const schemeOf = (i: number): string => schemes[ranks[i]!]!;
  const identifiers = new StoredIdentifiers(schemes, schemeStarts, canonical, values, rows);
  return { identifiers, canonical, values, rows, schemeOf };
}

function identifierPrecedes(
  a: number,
  b: number,
  canonical: StoredTexts,
  rows: Uint32Array,
  values: StoredTexts,
): boolean {
  const order = compareTexts(canonical, a, b) || rows[a]! - rows[b]! || compareTexts(values, a, b);
  return order < 0;
}

function compareTexts(texts: StoredTexts, a: number, b: number): number {
  const { blob, offsets } = texts;
  return compareUtf8(blob, offsets[a]!, offsets[a + 1]!, blob, offsets[b]!, offsets[b + 1]!);
}
