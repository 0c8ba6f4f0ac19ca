import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import type { EngineError } from "../src/base/errors.ts";
import { BACKGROUND } from "../src/geometry/raster/raster-layer.ts";
import { crc32 } from "../src/snapshot/crc32.ts";
import {
  FIRST_COLUMN_SECTION,
  findSectionName,
  HEADER,
  HEADER_BYTES,
  NULL_DAY,
  SECTION,
  TABLE_ENTRY,
  TABLE_ENTRY_BYTES,
  TILE_ENTRY,
  TILE_ENTRY_BYTES,
} from "../src/snapshot/format.ts";
import { verifySnapshot } from "../src/snapshot/read/reader.ts";
import { createRegisterWriter } from "../src/snapshot/write/register-writer.ts";
import { createAreaWriter } from "../src/snapshot/write/writer.ts";
import { makeEmptyRaster, makeRasterFile, makeTinyRaster } from "./rasters.ts";
import { SnapshotParts, sealHeader } from "./snapshot-file.ts";
import {
  makeSmallAreaSnapshot,
  makeSmallCoveredSnapshot,
  makeSmallLeftOutSnapshot,
  makeSmallRegisterSnapshot,
} from "./snapshot-fixtures.ts";

/**
 * A file with one fault that one named check of the reader is there to find, and nothing else to
 * find it by: checksums, lengths and all other invariants hold.
 */
export interface Fault {
  /** The check's name in the source that makes it. */
  readonly check: string;
  readonly fault: string;
  /** Found by `verifySnapshot` alone. */
  readonly onVerify?: true;
  make(): ArrayBuffer;
}

const NUMBERS: number = FIRST_COLUMN_SECTION;
const BOOLEANS: number = FIRST_COLUMN_SECTION + 1;
const DATES: number = FIRST_COLUMN_SECTION + 2;

const FOUND_ON_OPENING: readonly Fault[] = [
  createRawFault("header.length", "a file of ten bytes", (file) => file.slice(0, 10)),
  createResealedFault("header.magic", "another first byte", (file) => new Uint8Array(file).fill(0x88, 0, 1)),
  createResealedFault("header.byteLength", "a stated length of one byte more", (file) => {
    new DataView(file).setUint32(HEADER.byteLength, file.byteLength + 1, true);
  }),
  createRawFault("table.length", "a file that ends within its section table", (file) => {
    const cut = file.slice(0, HEADER_BYTES + 3 * TABLE_ENTRY_BYTES + 10);
    new DataView(cut).setUint32(HEADER.byteLength, cut.byteLength, true);
    sealHeader(cut);
    return cut;
  }),
  createRawFault("header.crc32", "another header checksum", (file) => {
    new Uint8Array(file)[HEADER.crc32]! ^= 1;
    return file;
  }),
  createResealedFault("header.reserved", "a reserved byte set", (file) =>
    new Uint8Array(file).fill(1, HEADER_BYTES - 1, HEADER_BYTES),
  ),
  createResealedFault("header.kind", "a kind nobody knows", (file) =>
    new DataView(file).setUint32(HEADER.kind, 3, true),
  ),
  createAreasFault("header.counts", "identifiers counted in an area source", (parts) =>
    parts.setCount("identifierCount", 5),
  ),
  createRegisterFault("header.counts", "rings counted in a register", (parts) =>
    parts.setCount("ringCount", 5),
  ),
  createAreasFault("header.sectionCount", "a column without its section", (parts) => parts.sections.pop()),
  createResealedFault("table.id", "a section under an id nobody knows", (file) => {
    new DataView(file).setUint32(HEADER_BYTES + 3 * TABLE_ENTRY_BYTES + TABLE_ENTRY.id, 999, true);
  }),
  createRawFault("table.offset", "a section after a gap", () => {
    return new SnapshotParts(makeSmallAreaSnapshot()).seal({ before: SECTION.RING_STARTS, bytes: 64 });
  }),
  createRawFault("table.end", "bytes after the last section", (file) => {
    const longer = new Uint8Array(file.byteLength + 8);
    longer.set(new Uint8Array(file));
    new DataView(longer.buffer).setUint32(HEADER.byteLength, longer.length, true);
    sealHeader(longer.buffer);
    return longer.buffer;
  }),
  createRawFault("table.padding", "a byte set between two sections", (file) => {
    const parts = new SnapshotParts(file);
    const meta = new DataView(file).getUint32(HEADER_BYTES + TABLE_ENTRY.offset, true);
    new Uint8Array(file)[meta + parts.bytes(SECTION.META).length] = 1;
    return file;
  }),
  createResealedFault("section.crc32", "another checksum of a section", (file) => {
    new Uint8Array(file)[HEADER_BYTES + TABLE_ENTRY.crc32]! ^= 1;
  }),

  createAreasFault("meta.size", "8 MiB of spaces after the JSON", (parts) => {
    const meta = parts.bytes(SECTION.META);
    const long = new Uint8Array(8 * 1024 * 1024 + 1).fill(0x20);
    long.set(meta);
    parts.replace(SECTION.META, long);
  }),
  createAreasFault("meta.schema", "text that is not JSON", (parts) =>
    parts.bytes(SECTION.META).fill(0x7b, 0, 2),
  ),
  createAreasFault("meta.schema", "an unknown member in the manifest", (parts) => {
    parts.editMeta((meta) => Object.assign(meta.manifest, { colour: "red" }));
  }),
  createAreasFault("meta.schema", "an edition that is not a digest", (parts) => {
    parts.editMeta((meta) => Object.assign(meta, { edition: "latest" }));
  }),
  createAreasFault("meta.kind", "a manifest of a register", (parts) => {
    parts.editMeta((meta) => Object.assign(meta.manifest, { kind: "subject_register" }));
  }),
  createAreasFault("meta.featureCount", "a feature more than there are rows", (parts) => {
    parts.editMeta((meta) => Object.assign(meta, { feature_count: parts.count("rowCount") + 1 }));
  }),
  createAreasFault("meta.columns", "a column less than there are sections", (parts) => {
    parts.editMeta((meta) => delete (meta.manifest.columns as Record<string, unknown>).status);
  }),
  createAreasFault("meta.schemes", "schemes of an area source", (parts) => {
    parts.editMeta((meta) => Object.assign(meta, { schemes: ["br:cnpj"] }));
  }),
  createRegisterFault("meta.schemes", "schemes out of order", (parts) => {
    parts.editMeta((meta) => (meta.schemes as string[]).reverse());
  }),
  createAreasFault("meta.countries", "a country no area has", (parts) => {
    parts.editMeta((meta) => (meta.country_coverage as string[]).push("ZZZ"));
  }),
  createAreasFault("meta.leftOut", "features left out in a version that knows none", (parts) => {
    parts.editMeta((meta) => Object.assign(meta, { left_out: [[0, 0, 1, 1, 1]] }));
  }),
  createRegisterFault("meta.leftOut", "features left out of a register", (parts) => {
    parts.editMeta((meta) => Object.assign(meta, { left_out: [[0, 0, 1, 1, 1]] }));
  }),
  ...[
    [1, 1, 1, 3, 1],
    [1, 3, 2, 3, 1],
    [2, 1, 1, 3, 1],
    [-541, 1, -300, 3, 1],
    [300, 1, 541, 3, 1],
    [-200, 1, 161, 3, 1],
    [1, -91, 2, 3, 1],
    [1, 1, 2, 91, 1],
    [1, 1, 2, 3, 0],
    [1, 1, 2, 3, 1.5],
    [1, 1, 2, 3, 2 ** 53],
  ].map((box) =>
    leftOutFault("meta.leftOutBox", `[${box.join(", ")}] as a box`, (parts) => {
      parts.editMeta((meta) => Object.assign(meta, { left_out: [[0, 0, 1, 1, 1], box] }));
    }),
  ),
  ...[[], [[0, 0, 1, 1]], [[0, 0, 1, 1, 1, 1]], Array.from({ length: 1025 }, () => [0, 0, 1, 1, 1])].map(
    (boxes) =>
      leftOutFault("meta.schema", `${boxes.length} boxes of ${boxes[0]?.length} numbers`, (parts) => {
        parts.editMeta((meta) => Object.assign(meta, { left_out: boxes }));
      }),
  ),
  createRegisterFault("meta.countries", "a country of a register", (parts) => {
    parts.editMeta((meta) => Object.assign(meta, { country_coverage: ["BRA"] }));
  }),

  ...[
    SECTION.XY,
    SECTION.RING_STARTS,
    SECTION.AREA_RINGS,
    SECTION.RING_AREAS,
    SECTION.RING_ROLES,
    SECTION.RING_INDEX,
    SECTION.CHAIN_STARTS,
    SECTION.CHAIN_BOXES,
    SECTION.CHAIN_INTEGRALS,
    SECTION.AREA_SQUARE_METERS,
    NUMBERS,
    BOOLEANS,
    DATES,
  ].map((id) =>
    createAreasFault("section.length", `${findSectionName(id)} longer than the counts say`, (parts) =>
      growSection(parts, id),
    ),
  ),
  ...[
    SECTION.IDENTIFIER_SCHEMES,
    SECTION.IDENTIFIER_ROWS,
    SECTION.IDENTIFIER_ORDER,
    SECTION.GRAM_SCHEMES,
  ].map((id) =>
    createRegisterFault("section.length", `${findSectionName(id)} longer than the counts say`, (parts) =>
      growSection(parts, id),
    ),
  ),
  createAreasFault("texts.length", "more rows than the id table has room for", (parts) => {
    parts.setCount("rowCount", 2 ** 30);
    parts.editMeta((meta) => Object.assign(meta, { feature_count: 2 ** 30 }));
  }),
  createAreasFault("dictionary.length", "more entries than the section has room for", (parts) => {
    parts.u32(SECTION.NAMES)[0] = 2 ** 28;
  }),

  createAreasFault("offsets.first", "ids that do not begin at 0", (parts) => {
    parts.u32(SECTION.IDS)[0] = 1;
  }),
  createAreasFault("offsets.first", "areas that do not begin with ring 0", (parts) => {
    parts.u32(SECTION.AREA_RINGS)[0] = 1;
  }),
  createAreasFault("offsets.monotone", "an id that ends before it begins", (parts) =>
    swap(parts.u32(SECTION.IDS), 5, 6),
  ),
  createAreasFault("offsets.monotone", "a dictionary entry that ends before it begins", (parts) => {
    swap(parts.u32(SECTION.NAMES), 3, 4);
  }),
  createAreasFault("offsets.last", "bytes after the last id", (parts) => growSection(parts, SECTION.IDS)),
  createAreasFault("offsets.last", "positions after the last ring", (parts) => {
    parts.setCount("positionCount", parts.count("positionCount") + 1);
    parts.splice(SECTION.XY, parts.bytes(SECTION.XY).length, 0, new Array(16).fill(0));
  }),
  createAreasFault("dictionary.order", "an entry used before the one in front of it", (parts) => {
    const names = parts.bytes(SECTION.NAMES);
    swap(names, findDictionaryIndices(parts, SECTION.NAMES), findDictionaryIndices(parts, SECTION.NAMES) + 1);
  }),
  createAreasFault("dictionary.order", "an index past the last entry", (parts) => {
    parts.bytes(SECTION.NAMES)[findDictionaryIndices(parts, SECTION.NAMES) + 38] = 200;
  }),
  createAreasFault("dictionary.used", "an entry no row uses", (parts) => {
    const names = parts.u32(SECTION.NAMES);
    const end = names[1 + names[0]!]!;
    names[0]!++;
    parts.splice(SECTION.NAMES, 4 + 4 * names[0]!, 0, [...new Uint8Array(Uint32Array.of(end).buffer)]);
  }),
  ...[Number.NaN, Number.POSITIVE_INFINITY].map((value) =>
    createAreasFault("column.number", `${value} in a number column`, (parts) => {
      parts.f64(NUMBERS)[3] = value;
    }),
  ),
  createAreasFault("column.nulls", "null bits past the last row", (parts) => {
    parts.bytes(NUMBERS)[parts.bytes(NUMBERS).length - 1]! |= 0x80;
  }),
  createAreasFault("column.boolean", "a boolean of code 3", (parts) => parts.bytes(BOOLEANS).fill(3, 2, 3)),
  createAreasFault("column.date", "a day past the year 9999", (parts) =>
    parts.view(DATES).setInt32(0, 2_932_897, true),
  ),
  createAreasFault("column.date", "a day before the year 0", (parts) =>
    parts.view(DATES).setInt32(0, NULL_DAY + 1, true),
  ),

  createAreasFault("ring.area", "a ring of another area", (parts) => {
    parts.u32(SECTION.RING_AREAS)[0] = 1;
  }),
  createAreasFault("ring.role", "a ring of role 2", (parts) => parts.bytes(SECTION.RING_ROLES).fill(2, 2, 3)),
  createAreasFault("ring.firstRole", "an area that begins with a hole", (parts) =>
    parts.bytes(SECTION.RING_ROLES).fill(1, 0, 1),
  ),
  createAreasFault("ring.positions", "a ring there and back", (parts) => {
    parts.splice(SECTION.XY, 32, 16);
    parts.setCount("positionCount", parts.count("positionCount") - 1);
    const starts = parts.u32(SECTION.RING_STARTS);
    for (let ring = 1; ring < starts.length; ring++) starts[ring]!--;
    parts.reindex();
  }),
  createAreasFault("ring.closed", "a ring that ends elsewhere", (parts) =>
    parts.f64(SECTION.XY).fill(1, 6, 8),
  ),
  createAreasFault("position.range", "a longitude that is not a number", (parts) => {
    parts.f64(SECTION.XY)[4] = Number.NaN;
  }),
  createAreasFault("position.range", "a latitude of 91", (parts) => {
    parts.f64(SECTION.XY)[5] = 91;
    parts.reindex();
  }),
  createAreasFault("position.range", "a longitude of -541", (parts) => {
    parts.f64(SECTION.XY)[4] = -541;
    parts.reindex();
  }),

  createAreasFault("chain.starts", "a chain tree with a root above its root", (parts) => {
    const starts = parts.u32(SECTION.CHAIN_STARTS);
    const end = starts[5]!;
    const box = parts.bytes(SECTION.CHAIN_BOXES).slice(16 * (end - 1), 16 * end);
    parts.splice(SECTION.CHAIN_BOXES, 16 * end, 0, [...box]);
    parts.splice(SECTION.CHAIN_INTEGRALS, 8 * end, 0, new Array(8).fill(0));
    for (let ring = 5; ring < starts.length; ring++) starts[ring]!++;
  }),
  createAreasFault("chain.leafBox", "a chain without its box", (parts) => {
    // The third leaf reaches furthest to no side: the union above it stays as it is.
    viewChainBoxes(parts).set(NOWHERE, 4 * (findLongChain(parts) + 2));
  }),
  createAreasFault("chain.leafBox", "a chain's box too large, and so all above it", (parts) => {
    const { boxes, indices } = viewRingIndex(parts);
    const leaf = indices.indexOf(0);
    for (const node of [leaf, 40 + Math.floor(leaf / 16), 43]) boxes[node * 4 + 1] = FAR_SOUTH;
    viewChainBoxes(parts)[1] = FAR_SOUTH;
  }),
  createAreasFault("chain.leafBox", "a chain whose box leaves no room for differences", (parts) => {
    viewChainBoxes(parts).fill(-0x8000_0000, 4 * findLongChain(parts), 4 * findLongChain(parts) + 4);
  }),
  createAreasFault("chain.nodeBox", "an emptied node above its chains", (parts) => {
    viewChainBoxes(parts).set(NOWHERE, 4 * (findLongChain(parts) + 19));
  }),
  ...[SECTION.CHAIN_INTEGRALS, SECTION.AREA_SQUARE_METERS].map((id) =>
    createAreasFault("numbers.finite", `no number in ${findSectionName(id)}`, (parts) => {
      parts.f64(id)[2] = Number.NaN;
    }),
  ),

  createAreasFault("index.header", "an index with nodes of two", (parts) =>
    parts.view(SECTION.RING_INDEX).setUint16(2, 2, true),
  ),
  createAreasFault("index.header", "an index of fewer rings", (parts) =>
    parts.view(SECTION.RING_INDEX).setUint32(4, 39, true),
  ),
  createAreasFault("index.leaf", "a ring twice in the index, another of its envelope never", (parts) => {
    const { indices } = viewRingIndex(parts);
    // Rings 4 and 5 are one rectangle.
    indices[indices.indexOf(4)] = 5;
  }),
  createAreasFault("index.leafBox", "a leaf larger than its ring, and so its parents", (parts) => {
    const { boxes, indices } = viewRingIndex(parts);
    const leaf = indices.indexOf(0);
    const parent = 40 + Math.floor(leaf / 16);
    for (const node of [leaf, parent, 43]) boxes[node * 4 + 1] = FAR_SOUTH;
  }),
  createAreasFault("index.child", "the root as its own child", (parts) => {
    viewRingIndex(parts).indices[43] = 43 * 4;
  }),
  createAreasFault("index.nodeBox", "an emptied node", (parts) => {
    viewRingIndex(parts).boxes.set(NOWHERE, 41 * 4);
  }),
  createAreasFault("index.nodeBox", "a root without end", (parts) => {
    viewRingIndex(parts).boxes.set(EVERYWHERE, 43 * 4);
  }),

  createRegisterFault("identifier.scheme", "a scheme without identifiers", (parts) => {
    parts.editMeta((meta) => (meta.schemes as string[]).push("zz:none"));
    for (const section of [SECTION.IDENTIFIER_SCHEMES, SECTION.GRAM_SCHEMES]) {
      const bytes = parts.bytes(section);
      parts.splice(section, bytes.length, 0, [...bytes.subarray(-4)]);
    }
  }),
  createRegisterFault("identifier.row", "an identifier of a row past the last", (parts) => {
    parts.u32(SECTION.IDENTIFIER_ROWS)[0] = parts.count("rowCount");
  }),
  createRegisterFault("identifier.canonical", "an empty canonical value", (parts) => {
    const offsets = parts.u32(SECTION.IDENTIFIER_CANONICAL);
    const count = parts.count("identifierCount");
    const length = offsets[1]!;
    for (let i = 1; i <= count; i++) offsets[i]! -= length;
    parts.splice(SECTION.IDENTIFIER_CANONICAL, 4 * (count + 1), length);
  }),
  createRegisterFault("identifier.order", "two canonical values changed about", (parts) => {
    const bytes = parts.bytes(SECTION.IDENTIFIER_CANONICAL);
    const blob = 4 * (parts.count("identifierCount") + 1);
    const length = parts.u32(SECTION.IDENTIFIER_CANONICAL)[1]!;
    for (let i = 0; i < length; i++) swap(bytes, blob + i, blob + length + i);
  }),
  createRegisterFault("identifier.order", "two records of one canonical value changed about", (parts) => {
    const rows = parts.u32(SECTION.IDENTIFIER_ROWS);
    swap(rows, rows.length - 2, rows.length - 1);
  }),
  createRegisterFault("identifier.place", "an identifier twice in the order of answers", (parts) => {
    const order = parts.u32(SECTION.IDENTIFIER_ORDER);
    order[1] = order[0]!;
  }),
  createRegisterFault("identifier.place", "an identifier in the order of another scheme", (parts) => {
    const order = parts.u32(SECTION.IDENTIFIER_ORDER);
    swap(order, 0, order.length - 1);
  }),
  createRegisterFault("offsets.last", "half a gram", (parts) => {
    parts.splice(SECTION.GRAMS, 0, 4);
  }),
  createRegisterFault("grams.order", "two grams changed about", (parts) => {
    swap(parts.u32(SECTION.GRAMS), 0, 1);
  }),
  createRegisterFault("offsets.last", "postings that no gram has", (parts) =>
    growSection(parts, SECTION.GRAM_POSTINGS),
  ),
  createRegisterFault("offsets.monotone", "postings that end before they begin", (parts) => {
    const grams = parts.u32(SECTION.GRAMS);
    grams[(grams.length - 1) / 2 + 1] = 2 ** 31;
  }),

  createCoveredFault("coverage.section", "a global coverage with pieces", (parts) => {
    parts.editMeta((meta) => Object.assign(meta.manifest, { coverage: "global" }));
  }),
  createCoveredFault("coverage.section", "a coverage without its pieces", (parts) => {
    parts.replace(SECTION.COVERAGE, new Uint8Array(0));
  }),
  createRegisterFault("coverage.foreign", "a coverage of a register", (parts) => {
    parts.editMeta((meta) =>
      Object.assign(meta.manifest, { coverage: "global", coverage_known: "declared" }),
    );
  }),
  createPiecesFault("coverage.nested", "pieces with a coverage of their own", (parts) => {
    parts.editMeta((meta) =>
      Object.assign(meta.manifest, { coverage: "global", coverage_known: "declared" }),
    );
  }),
  createCoveredFault("coverage.nested", "pieces with pieces", (parts) => {
    const whole = new Uint8Array(makeSmallCoveredSnapshot());
    const inner = new SnapshotParts(parts.bytes(SECTION.COVERAGE).buffer);
    inner.replace(SECTION.COVERAGE, whole);
    inner.editMeta((meta) => Object.assign(meta.manifest, { coverage: ["BRA"], coverage_known: "declared" }));
    parts.replace(SECTION.COVERAGE, new Uint8Array(inner.seal()));
  }),
  createCoveredFault("coverage.known", "a coverage known nobody knows how", (parts) => {
    parts.editMeta((meta) => delete meta.manifest.coverage_known);
  }),
  createAreasFault("coverage.known", "no coverage, yet known", (parts) => {
    parts.editMeta((meta) => Object.assign(meta.manifest, { coverage_known: "declared" }));
  }),
  createAreasFault("coverage.known", "a global coverage derived from areas", (parts) => {
    parts.editMeta((meta) => Object.assign(meta.manifest, { coverage: "global", coverage_known: "derived" }));
  }),
  createCoveredFault("coverage.countries", "countries out of order", (parts) => {
    parts.editMeta((meta) => Object.assign(meta.manifest, { coverage: ["PER", "BRA"] }));
  }),
  createCoveredFault("coverage.kind", "a register for pieces", (parts) => {
    parts.replace(SECTION.COVERAGE, new Uint8Array(makeSmallRegisterSnapshot()));
  }),
  createRawFault("coverage.empty", "polygons that are none", () => {
    const none = new SnapshotParts(
      makeSmallCoveredSnapshot({
        extent: "polygons",
        known: "declared",
        pieces: [{ polygons: [], countries: [] }],
      }),
    );
    none.replace(SECTION.COVERAGE, new Uint8Array(makeEmptySnapshot()));
    return none.seal();
  }),
  createCoveredFault("coverage.columns", "polygons with a column", (parts) => {
    parts.editMeta((meta) => Object.assign(meta.manifest, { coverage: "polygons" }));
  }),
  createPiecesFault("coverage.columns", "a column of another name", (parts) => {
    parts.editMeta((meta) => Object.assign(meta.manifest, { columns: { lands: "string" } }));
  }),
  createPiecesFault("coverage.codes", "countries of a piece out of order", (parts) => {
    const bytes = parts.bytes(FIRST_COLUMN_SECTION);
    const at = String.fromCharCode(...bytes).indexOf("BRA,PER");
    bytes.set(new TextEncoder().encode("PER,BRA"), at);
  }),
  createPiecesFault("coverage.codes", "a country of a piece that is no code", (parts) => {
    const bytes = parts.bytes(FIRST_COLUMN_SECTION);
    bytes[bytes.length - 1] = 0x21;
  }),
  createPiecesFault("coverage.null", "a piece that tells no text", (parts) => {
    const bytes = parts.bytes(FIRST_COLUMN_SECTION);
    bytes[findDictionaryIndices(parts, FIRST_COLUMN_SECTION) + 4] = 0;
    // The last entry is the empty text, which is then no row's.
    const entries = parts.u32(FIRST_COLUMN_SECTION);
    entries[0]!--;
    parts.splice(FIRST_COLUMN_SECTION, 4 + 4 * (entries[0]! + 1), 4);
  }),
  createCoveredFault("coverage.absent", "a country without a piece", (parts) => {
    parts.editMeta((meta) => Object.assign(meta.manifest, { coverage: ["BRA", "PER", "ZZZ"] }));
  }),

  createRasterFault("raster.grid", "a grid of no columns", (parts) =>
    parts.view(SECTION.GRID).setUint32(40, 0, true),
  ),
  createRasterFault("raster.grid", "a step that is no number", (parts) => {
    parts.f64(SECTION.GRID)[2] = Number.NaN;
  }),
  createRasterFault("raster.grid", "lines north of the pole", (parts) => {
    parts.f64(SECTION.GRID)[1]! += 90 * 4000;
  }),
  createRasterFault("raster.grid", "lines that are not apart", (parts) => {
    parts.f64(SECTION.GRID)[2] = 1e-12;
  }),
  createRasterFault("raster.cells", "half a cell of an area", (parts) => {
    parts.f64(SECTION.AREA_CELLS)[1]! += 0.5;
  }),
  createRasterFault("tile.kind", "a tile of kind 3", (parts) => setTileEntry(parts, PACKED, { kind: 3 })),
  createRasterFault("tile.constant", "a tile of one value with a checksum", (parts) =>
    setTileEntry(parts, CONSTANT, { crc: 1 }),
  ),
  createRasterFault("tile.value", "a tile of a value that is no area", (parts) =>
    setTileEntry(parts, CONSTANT, { value: 999 }),
  ),
  createAlteredFault(
    "tile.value",
    "a tile of one area, with cells off the grid",
    () => makeRasterFile(makeEmptyRaster()),
    (parts) => setTileEntry(parts, 0, { value: 1 }),
  ),
  createRasterFault("tile.values", "a tile of more values than there are", (parts) =>
    setTileEntry(parts, RUNS, { value: 29 }),
  ),
  createRasterFault("tile.bits", "runs of one bit", (parts) => setTileEntry(parts, RUNS, { bits: 1 })),
  createRasterFault("tile.offset", "two tiles changed about", (parts) => {
    const index = parts.u32(SECTION.TILE_INDEX);
    swap(index, 1, 5);
  }),
  createRasterFault("tile.length", "a tile that is too short for its rows", (parts) => {
    const index = parts.u32(SECTION.TILE_INDEX);
    const start = 16 * index[index.length - 3]!;
    setTileEntry(parts, index.length / 4 - 1, { length: 32 });
    truncateSection(parts, SECTION.TILE_DATA, start + 32);
  }),
  createRasterFault("tile.end", "bytes after the last tile", (parts) =>
    growSection(parts, SECTION.TILE_DATA),
  ),
  createRasterFault("tile.hashes", "a digest too many", (parts) => growSection(parts, SECTION.TILE_HASHES)),
];

const FOUND_ON_VERIFYING: readonly Fault[] = [
  createPiecesFault("content.digest", "pieces another edition's digest names", (parts) => {
    parts.editMeta((meta) => Object.assign(meta, { edition: "0".repeat(64) }));
  }),
  leftOutFault("content.digest", "one feature more that was left out", (parts) => {
    parts.editMeta((meta) => Object.assign(meta, { left_out: [[1, 1, 2, 3, 2]] }));
  }),
  createCoveredFault("content.digest", "less countries than the edition's digest takes in", (parts) => {
    parts.editMeta((meta) => Object.assign(meta.manifest, { coverage: ["BRA"] }));
  }),
  createPiecesFault("content.area", "an area of a piece off by its last bit", (parts) => {
    parts.bytes(SECTION.AREA_SQUARE_METERS)[0]! ^= 1;
  }),
  createAreasFault("content.digest", "content another edition's digest names", (parts) => {
    parts.editMeta((meta) => Object.assign(meta, { edition: "0".repeat(64) }));
  }),
  createAreasFault("content.integral", "an integral off by its last bit", (parts) => {
    parts.bytes(SECTION.CHAIN_INTEGRALS)[0]! ^= 1;
  }),
  createAreasFault("content.area", "an area off by its last bit", (parts) => {
    parts.bytes(SECTION.AREA_SQUARE_METERS)[0]! ^= 1;
  }),
  createRawFault("content.canonical", "a canonical value, and its index, of another spelling", () => {
    const [parts, other] = [buildRegisterParts("A-1"), buildRegisterParts("A-2")];
    for (const id of [SECTION.IDENTIFIER_CANONICAL, SECTION.GRAMS, SECTION.GRAM_POSTINGS]) {
      parts.replace(id, other.bytes(id));
    }
    return parts.seal();
  }),
  createRegisterFault("content.order", "two identifiers changed about in the order of answers", (parts) => {
    // The last two have one canonical value, so all postings of one are those of the other.
    const order = parts.u32(SECTION.IDENTIFIER_ORDER);
    swap(order, order.indexOf(order.length - 2), order.indexOf(order.length - 1));
  }),
  createRegisterFault("content.grams", "a value that holds a gram and is not told to", (parts) => {
    const [bytes, grams] = [parts.bytes(SECTION.GRAM_POSTINGS), parts.u32(SECTION.GRAMS)];
    const offsets = grams.subarray((grams.length - 1) / 2);
    const longest = offsets.findIndex((offset, g) => offsets[g + 1]! - offset > 1);
    bytes[offsets[longest]!]!++;
  }),
  createRasterFault("content.tile", "another digest of a tile, which the edition takes in", (parts) => {
    parts.bytes(SECTION.TILE_HASHES)[5]! ^= 1;
    parts.editMeta((meta) => Object.assign(meta, { edition: computeFileDigest(parts.seal()) }));
  }),
  createRasterFault("content.damaged", "a flipped bit in a tile", (parts) => {
    parts.bytes(SECTION.TILE_DATA)[3000]! ^= 4;
  }),
  createRasterFault("content.sums", "other square metres of the background of a tile", (parts) => {
    const index = parts.u32(SECTION.TILE_INDEX);
    const count = (index[0]! >>> 16) + 1;
    const tile = parts.bytes(SECTION.TILE_DATA).subarray(0, index[2]);
    const values = new Uint16Array(tile.buffer, 12 * count, count);
    new Float64Array(tile.buffer, 0, count)[values.indexOf(BACKGROUND)]! += 1;
    setTileEntry(parts, 0, { crc: crc32(tile) });
  }),
  createRasterFault("content.padding", "a byte set between two tiles", (parts) => {
    const index = parts.u32(SECTION.TILE_INDEX);
    for (let at = 0; at < index.length; at += 4) {
      const end = 16 * index[at + 1]! + index[at + 2]!;
      if (end % 16 > 0) parts.bytes(SECTION.TILE_DATA)[end] = 1;
    }
  }),
  createRasterFault("content.cells", "a cell more of an area", (parts) => {
    parts.f64(SECTION.AREA_CELLS)[1]! += 1;
  }),
  createRasterFault("content.squareMeters", "a square metre more of an area", (parts) => {
    parts.f64(SECTION.AREA_SQUARE_METERS)[1]! += 1;
  }),
  {
    check: "section.unread",
    fault: "another checksum of the digests of tiles",
    make: () => {
      const file = makeRasterFile(makeTinyRaster());
      const [hashes] = viewLastEntries(file);
      hashes.setUint32(TABLE_ENTRY.crc32, 1, true);
      sealHeader(file);
      return file;
    },
  },
  {
    check: "table.padding",
    fault: "a byte set before the tiles",
    make: () => {
      const file = makeRasterFile(makeTinyRaster());
      const [hashes, data] = viewLastEntries(file);
      const end = hashes.getUint32(TABLE_ENTRY.offset, true) + hashes.getUint32(TABLE_ENTRY.byteLength, true);
      const start = data.getUint32(TABLE_ENTRY.offset, true);
      if (end === start) throw new Error("there is no padding");
      new Uint8Array(file)[start - 1] = 1;
      return file;
    },
  },
];

export const FAULTS: readonly Fault[] = [
  ...FOUND_ON_OPENING,
  ...FOUND_ON_VERIFYING.map((fault): Fault => ({ ...fault, onVerify: true })),
];

function createRawFault(check: string, fault: string, make: (file: ArrayBuffer) => ArrayBuffer): Fault {
  return { check, fault, make: () => make(makeSmallAreaSnapshot()) };
}

function createResealedFault(check: string, fault: string, change: (file: ArrayBuffer) => unknown): Fault {
  return createRawFault(check, fault, (file) => {
    change(file);
    sealHeader(file);
    return file;
  });
}

function createAreasFault(check: string, fault: string, change: (parts: SnapshotParts) => unknown): Fault {
  return createAlteredFault(check, fault, makeSmallAreaSnapshot, change);
}

function createRegisterFault(check: string, fault: string, change: (parts: SnapshotParts) => unknown): Fault {
  return createAlteredFault(check, fault, makeSmallRegisterSnapshot, change);
}

/** A file of areas with a coverage by countries. */
function createCoveredFault(check: string, fault: string, change: (parts: SnapshotParts) => unknown): Fault {
  return createAlteredFault(check, fault, makeSmallCoveredSnapshot, change);
}

/** A file of areas whose build left features out. */
function leftOutFault(check: string, fault: string, change: (parts: SnapshotParts) => unknown): Fault {
  return createAlteredFault(check, fault, makeSmallLeftOutSnapshot, change);
}

/** The snapshot within one, which holds the pieces of its coverage. */
function createPiecesFault(check: string, fault: string, change: (parts: SnapshotParts) => unknown): Fault {
  return createCoveredFault(check, fault, (parts) => {
    const inner = new SnapshotParts(parts.bytes(SECTION.COVERAGE).buffer);
    change(inner);
    parts.replace(SECTION.COVERAGE, new Uint8Array(inner.seal()));
  });
}

function createAlteredFault(
  check: string,
  fault: string,
  valid: () => ArrayBuffer,
  change: (parts: SnapshotParts) => unknown,
): Fault {
  return {
    check,
    fault,
    make: () => {
      const parts = new SnapshotParts(valid());
      change(parts);
      return parts.seal();
    },
  };
}

/** Encodings of the tiles of the tiny raster. */
const [RUNS, CONSTANT, PACKED] = [4, 5, 6];

function createRasterFault(check: string, fault: string, change: (parts: SnapshotParts) => unknown): Fault {
  return createAlteredFault(check, fault, () => makeRasterFile(makeTinyRaster()), change);
}

function setTileEntry(
  parts: SnapshotParts,
  tile: number,
  to: { readonly [Name in "kind" | "bits" | "value" | "length" | "crc"]?: number },
): void {
  const view = parts.view(SECTION.TILE_INDEX);
  const entry = tile * TILE_ENTRY_BYTES;
  if (to.kind !== undefined) view.setUint8(entry + TILE_ENTRY.kind, to.kind);
  if (to.bits !== undefined) view.setUint8(entry + TILE_ENTRY.bits, to.bits);
  if (to.value !== undefined) view.setUint16(entry + TILE_ENTRY.value, to.value, true);
  if (to.length !== undefined) view.setUint32(entry + TILE_ENTRY.byteLength, to.length, true);
  if (to.crc !== undefined) view.setUint32(entry + TILE_ENTRY.crc32, to.crc, true);
}

function truncateSection(parts: SnapshotParts, id: number, length: number): void {
  parts.replace(id, parts.bytes(id).subarray(0, length));
}

/** Entries of the section table: the digests of tiles, and the tiles. */
function viewLastEntries(file: ArrayBuffer): [DataView, DataView] {
  const count = new DataView(file).getUint32(HEADER.sectionCount, true);
  const end = HEADER_BYTES + count * TABLE_ENTRY_BYTES;
  return [new DataView(file, end - 2 * TABLE_ENTRY_BYTES), new DataView(file, end - TABLE_ENTRY_BYTES)];
}

/** The digest of a file's content, which `verify` tells where META names another one. */
function computeFileDigest(file: ArrayBuffer): string {
  try {
    return verifySnapshot(file).meta.edition;
  } catch (error) {
    return (error as EngineError).details.expected as string;
  }
}

function makeEmptySnapshot(): ArrayBuffer {
  return joinFileBytes(createAreaWriter({ source_name: "test:none", kind: "leaf" }).finish());
}

function growSection(parts: SnapshotParts, id: number): void {
  parts.splice(id, parts.bytes(id).length, 0, new Array(8).fill(0));
}

function swap(values: Uint8Array | Uint32Array, i: number, j: number): void {
  [values[i], values[j]] = [values[j]!, values[i]!];
}

function findDictionaryIndices(parts: SnapshotParts, id: number): number {
  return 4 + 4 * (parts.u32(id)[0]! + 1);
}

/** Boxes in cells: of nothing, of everything; and a southern side further south than any of the small area source. */
const NOWHERE = [0x7fff_ffff, 0x7fff_ffff, -0x8000_0000, -0x8000_0000];
const EVERYWHERE = [-0x8000_0000, -0x8000_0000, 0x7fff_ffff, 0x7fff_ffff];
const FAR_SOUTH: number = -80 * 1_048_576;

function viewChainBoxes(parts: SnapshotParts): Int32Array {
  return new Int32Array(parts.bytes(SECTION.CHAIN_BOXES).buffer);
}

/** First node of ring 7 of the small area source: 299 edges in 19 leaves, three nodes above, a root. */
function findLongChain(parts: SnapshotParts): number {
  return parts.u32(SECTION.CHAIN_STARTS)[7]!;
}

/** Ring index of the small area source: 40 leaves, three nodes (40, 41, 42), the root (43). */
function viewRingIndex(parts: SnapshotParts): { boxes: Int32Array; indices: Uint16Array } {
  const { buffer } = parts.bytes(SECTION.RING_INDEX);
  return { boxes: new Int32Array(buffer, 8, 44 * 4), indices: new Uint16Array(buffer, 8 + 44 * 16, 44) };
}

/** A register of one identifier. */
function buildRegisterParts(value: string): SnapshotParts {
  const writer = createRegisterWriter({ source_name: "test:register", kind: "subject_register" });
  writer.add({ id: "1", name: null, properties: {}, identifiers: [{ scheme: "t:a", value }] });
  return new SnapshotParts(joinFileBytes(writer.finish()));
}
