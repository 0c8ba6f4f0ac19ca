import { EngineError } from "../../base/errors.ts";
import { compareUtf8, encodeUtf8 } from "../../base/utf8.ts";
import { createLatitudeSeries, ELLIPSOID, signedRingAreaOn } from "../../geometry/earth/authalic.ts";
import { chainNodeCount, writeChainTree } from "../../geometry/trees/chain-tree.ts";
import { buildRingIndex } from "../../geometry/trees/ring-index.ts";
import { checkShape } from "../../shape/check-shape.ts";
import { canonicalValue } from "../canonical-value.ts";
import {
  type ContentGeometry,
  type ContentIdentifiers,
  contentCoverage,
  contentDigest,
  type SnapshotContent,
} from "../content-digest.ts";
import type { CoverageInput } from "../coverage.ts";
import { crc32 } from "../crc32.ts";
import {
  alignSection,
  FIRST_COLUMN_SECTION,
  FORMAT_VERSION,
  HEADER,
  HEADER_BYTES,
  KIND_CODES,
  MAGIC,
  MAX_ABSOLUTE_LATITUDE,
  MAX_ABSOLUTE_LONGITUDE,
  MAX_COLUMNS,
  MAX_META_BYTES,
  MIN_RING_POSITIONS,
  PIECE_COUNTRIES_COLUMN,
  SECTION,
  sectionIds,
  TABLE_ENTRY,
  TABLE_ENTRY_BYTES,
} from "../format.ts";
import {
  COLUMN_NAME_MAX_LENGTH,
  type ColumnType,
  SCHEME_MAX_LENGTH,
  SCHEME_PATTERN,
  type SourceKind,
  type SourceManifest,
  type StoredManifest,
  sourceManifestShape,
} from "../manifest.ts";
import type {
  AreaInput,
  AreaSnapshotWriter,
  AttributeValue,
  Crc32,
  RecordInput,
  Sha256,
  SnapshotFile,
  SnapshotMeta,
  SnapshotWriter,
} from "../snapshot.ts";
import { type Chunked, chunkedFloat32, chunkedFloat64, chunkedUint8, chunkedUint32 } from "./chunked.ts";
import { ColumnBuilder } from "./column-builder.ts";
import { TextColumn, TextTable } from "./text-table.ts";

/** What a snapshot's digests are computed with. */
export interface WriterOptions {
  /** A host's SHA-256, where much is written; the pure one otherwise. */
  readonly sha256?: (() => Sha256) | undefined;
  /** A host's CRC-32; the pure one otherwise. */
  readonly crc32?: Crc32 | undefined;
}

/**
 * Builds a snapshot of an area source. The same manifest and areas give the same bytes.
 *
 * Memory: what was added is kept once, in the form it is written in; `finish` adds the checksums,
 * the ring index and no copy of the rest.
 *
 * Fails: `VALIDATION_FAILED` for a manifest that is not one of an area source and for an
 * attribute, identifier or country it cannot hold; `GEOMETRY_INVALID` for a ring that is too
 * short, not closed, or leaves the range of positions. A feature that fails leaves the writer
 * unusable.
 */
export function createAreaWriter(manifest: SourceManifest, options: WriterOptions = {}): AreaSnapshotWriter {
  return new AreaWriter(checkManifest(manifest, "leaf"), options);
}

/**
 * Builds a snapshot of a register. The same manifest and records give the same bytes.
 *
 * An identifier repeated to the letter within a record is kept once.
 *
 * Fails: `VALIDATION_FAILED` as {@link createAreaWriter} does, and for an identifier whose scheme
 * is malformed or whose canonical value is empty.
 */
export function createRegisterWriter(
  manifest: SourceManifest,
  options: WriterOptions = {},
): SnapshotWriter<RecordInput> {
  return new RegisterWriter(checkManifest(manifest, "subject_register"), options);
}

class AreaWriter implements AreaSnapshotWriter {
  readonly #manifest: SourceManifest;
  readonly #options: WriterOptions;
  #count = 0;
  /** Let go of by `finish`, so that memory can fall while the file is written. */
  #draft: AreaDraft | undefined;

  constructor(manifest: SourceManifest, options: WriterOptions) {
    this.#manifest = manifest;
    this.#options = options;
    this.#draft = {
      rows: new RowCollector(manifest),
      countries: new TextColumn(),
      countrySet: new Set(),
      geometry: new GeometryCollector(),
    };
  }

  get count(): number {
    return this.#count;
  }

  add(area: AreaInput): void {
    const { rows, countries, countrySet, geometry } = assertUnfinished(this.#draft);
    if (area.countryIso3 !== null) {
      checkCountry(area.id, area.countryIso3);
      countrySet.add(area.countryIso3);
    }
    geometry.add(area);
    countries.push(area.countryIso3 === null ? null : encodeUtf8(area.countryIso3));
    rows.add(area.id, area.name, area.properties);
    this.#count++;
  }

  finish(given?: CoverageInput): SnapshotFile {
    const { rows, countries, countrySet, geometry } = assertUnfinished(this.#draft);
    this.#draft = undefined;
    const coverage = checkCoverage(this.#manifest, given);
    const pieces = coverage && writePieces(this.#manifest.source_name, coverage, this.#options);
    const columns = rows.storedColumns();
    const edition = contentDigest(
      {
        ...rows.content(this.#manifest, columns),
        countryIso3: (row) => countries.get(row),
        geometry: geometry.content(),
        coverage: coverage && contentCoverage(coverage, pieces?.meta.edition ?? null),
      },
      this.#options.sha256,
    );
    const meta: SnapshotMeta = {
      manifest: resolveManifest(this.#manifest, columns, coverage),
      edition,
      feature_count: rows.count,
      country_coverage: [...countrySet].sort(),
      schemes: [],
    };
    const counts = {
      rowCount: rows.count,
      ringCount: geometry.ringCount,
      positionCount: geometry.positionCount,
      columnCount: columns.length,
      identifierCount: 0,
    };
    const sections = new Map([
      ...rows.sections(columns),
      [SECTION.COUNTRIES, countries.bytes()] as const,
      ...geometry.sections(),
      [SECTION.COVERAGE, [...(pieces?.chunks ?? [])]] as const,
    ]);
    return layOut(meta, counts, sections, this.#options.crc32);
  }
}

interface AreaDraft {
  readonly rows: RowCollector;
  readonly countries: TextColumn;
  readonly countrySet: Set<string>;
  readonly geometry: GeometryCollector;
}

class RegisterWriter implements SnapshotWriter<RecordInput> {
  readonly #manifest: SourceManifest;
  readonly #options: WriterOptions;
  #count = 0;
  #draft: RegisterDraft | undefined;

  constructor(manifest: SourceManifest, options: WriterOptions) {
    this.#manifest = manifest;
    this.#options = options;
    this.#draft = { rows: new RowCollector(manifest), identifiers: new IdentifierCollector() };
  }

  get count(): number {
    return this.#count;
  }

  add(record: RecordInput): void {
    const { rows, identifiers } = assertUnfinished(this.#draft);
    for (const { scheme, value } of record.identifiers) identifiers.add(scheme, value, rows.count, record.id);
    rows.add(record.id, record.name, record.properties);
    this.#count++;
  }

  finish(): SnapshotFile {
    const draft = assertUnfinished(this.#draft);
    this.#draft = undefined;
    const { rows } = draft;
    const columns = rows.storedColumns();
    const identifiers = draft.identifiers.sort();
    const edition = contentDigest(
      {
        ...rows.content(this.#manifest, columns),
        countryIso3: () => null,
        identifiers: identifiers.content,
      },
      this.#options.sha256,
    );
    const meta: SnapshotMeta = {
      manifest: resolveManifest(this.#manifest, columns),
      edition,
      feature_count: rows.count,
      country_coverage: [],
      schemes: identifiers.schemes,
    };
    const counts = {
      rowCount: rows.count,
      ringCount: 0,
      positionCount: 0,
      columnCount: columns.length,
      identifierCount: identifiers.content.count,
    };
    const sections = new Map([...rows.sections(columns), ...identifiers.sections]);
    return layOut(meta, counts, sections, this.#options.crc32);
  }
}

interface RegisterDraft {
  readonly rows: RowCollector;
  readonly identifiers: IdentifierCollector;
}

/** The coverage to write: what was given, which must be what the manifest declares. */
function checkCoverage(
  manifest: SourceManifest,
  given: CoverageInput | undefined,
): CoverageInput | undefined {
  const declared = manifest.coverage;
  const isGlobal = given === undefined && declared === "global";
  const coverage: CoverageInput | undefined = isGlobal ? { extent: "global", known: "declared" } : given;
  if (declared !== undefined && !isDeclared(declared, coverage)) {
    const found = coverage === undefined ? "none" : JSON.stringify(storedCoverage(coverage));
    const expected = `${JSON.stringify(declared)}, as the manifest declares`;
    const message = `found the coverage ${found} at the end of the areas, expected ${expected}`;
    throw new EngineError("VALIDATION_FAILED", message, { found, expected });
  }
  if (coverage !== undefined) checkPieces(coverage);
  return coverage;
}

function isDeclared(declared: SourceManifest["coverage"], coverage: CoverageInput | undefined): boolean {
  if (coverage?.known !== "declared") return false;
  if (coverage.extent !== "countries") {
    return (
      coverage.extent === (typeof declared === "string" ? declared : "polygons") && !Array.isArray(declared)
    );
  }
  return Array.isArray(declared) && [...new Set(declared)].sort().join() === coverage.countries.join();
}

function checkPieces(coverage: CoverageInput): void {
  if (coverage.extent === "global") return;
  const refuse = (found: string, expected: string): never => {
    throw new EngineError("VALIDATION_FAILED", `found ${found}, expected ${expected}`, { found, expected });
  };
  const lists = coverage.pieces.map((piece) => piece.countries);
  if (lists.length === 0) refuse("a coverage without pieces", "at least one");
  if (coverage.extent === "polygons") {
    if (lists.some((list) => list.length > 0)) refuse("a country of a coverage by polygons", "none");
    return;
  }
  const { countries } = coverage;
  if (countries.length === 0) refuse("a coverage by countries that names none", "at least one");
  for (const list of [countries, ...lists]) {
    if (list.every((code, i) => /^[A-Z]{3}$/.test(code) && (i === 0 || list[i - 1]! < code))) continue;
    refuse(
      `the countries ${JSON.stringify(list)} of a coverage`,
      "ISO 3166-1 alpha-3 codes in ascending order",
    );
  }
  const held = new Set(lists.flat());
  const missing = countries.find((code) => !held.has(code));
  if (missing !== undefined) refuse(`no piece of ${missing}`, "a piece of each country of the coverage");
}

/** The pieces of a coverage, as a snapshot of their own; undefined of a global one. */
function writePieces(
  source_name: string,
  coverage: CoverageInput,
  options: WriterOptions,
): SnapshotFile | undefined {
  if (coverage.extent === "global") return undefined;
  const byCountry = coverage.extent === "countries";
  const columns: Record<string, ColumnType> = byCountry ? { [PIECE_COUNTRIES_COLUMN]: "string" } : {};
  const writer = new AreaWriter({ source_name, kind: "leaf", columns }, options);
  for (const [i, { polygons, countries }] of coverage.pieces.entries()) {
    const properties: Record<string, string> = byCountry
      ? { [PIECE_COUNTRIES_COLUMN]: countries.join(",") }
      : {};
    writer.add({ id: String(i), name: null, countryIso3: null, polygons, properties });
  }
  return writer.finish();
}

function storedCoverage(coverage: CoverageInput): StoredManifest["coverage"] {
  return coverage.extent === "countries" ? coverage.countries : coverage.extent;
}

function assertUnfinished<Draft>(draft: Draft | undefined): Draft {
  if (draft === undefined) throw new Error("this snapshot is finished; a writer writes one snapshot");
  return draft;
}

function checkCountry(id: string, country: string): void {
  if (/^[A-Z]{3}$/.test(country)) return;
  const found = JSON.stringify(country);
  const message = `area "${id}" has country ${found}, expected an ISO 3166-1 alpha-3 code or null`;
  throw new EngineError("VALIDATION_FAILED", message, { id, found: country });
}

function checkManifest(manifest: SourceManifest, kind: SourceKind): SourceManifest {
  const checked = checkShape(sourceManifestShape, manifest);
  if (checked.faults !== undefined) {
    const faults = checked.faults.map((fault) => ({ ...fault, code: "MANIFEST_INVALID" }));
    const [{ pointer, message }] = checked.faults;
    throw new EngineError("VALIDATION_FAILED", `the manifest is not valid at "${pointer}": ${message}`, {
      faults,
    });
  }
  if (manifest.kind !== kind) {
    const message = `found source "${manifest.source_name}" of kind ${manifest.kind}, expected kind ${kind} for this writer`;
    throw new EngineError("VALIDATION_FAILED", message, { found: manifest.kind, expected: kind });
  }
  return checked.value;
}

/** Ids, names and columns of areas and records alike. */
class RowCollector {
  readonly ids: TextTable = new TextTable();
  readonly names: TextColumn = new TextColumn();
  readonly #columns = new Map<string, ColumnBuilder>();
  readonly #declared: ReadonlyMap<string, ColumnType>;

  constructor(manifest: SourceManifest) {
    this.#declared = new Map(Object.entries(manifest.columns ?? {}));
    for (const name of this.#declared.keys()) this.#column(name);
  }

  get count(): number {
    return this.ids.count;
  }

  add(id: string, name: string | null, properties: Readonly<Record<string, AttributeValue>>): void {
    const row = this.count;
    for (const column of Object.keys(properties)) this.#column(column).push(properties[column] ?? null);
    for (const column of this.#columns.values()) if (column.rowCount === row) column.push(null);
    this.names.push(name === null ? null : encodeUtf8(name));
    this.ids.push(encodeUtf8(id));
  }

  /** In the order in which JavaScript lists the members of the manifest's `columns`. */
  storedColumns(): ColumnBuilder[] {
    const byName: Record<string, ColumnBuilder> = Object.fromEntries(this.#columns);
    return Object.values(byName);
  }

  content(manifest: SourceManifest, columns: readonly ColumnBuilder[]): Omit<SnapshotContent, "countryIso3"> {
    return {
      kind: manifest.kind,
      category: manifest.category,
      rowCount: this.count,
      id: (row) => this.ids.get(row),
      name: (row) => this.names.get(row),
      columns,
    };
  }

  sections(columns: readonly ColumnBuilder[]): [number, Uint8Array[]][] {
    return [
      [SECTION.IDS, [...this.ids.offsetBytes(), ...this.ids.blobBytes()]],
      [SECTION.NAMES, this.names.bytes()],
      ...columns.map((column, k): [number, Uint8Array[]] => [FIRST_COLUMN_SECTION + k, column.bytes()]),
    ];
  }

  #column(name: string): ColumnBuilder {
    let column = this.#columns.get(name);
    if (column === undefined) {
      checkColumnName(name, this.#columns.size);
      column = new ColumnBuilder(name, this.#declared.get(name));
      for (let row = 0; row < this.count; row++) column.push(null);
      this.#columns.set(name, column);
    }
    return column;
  }
}

function checkColumnName(name: string, columnsBefore: number): void {
  if (name.length === 0 || name.length > COLUMN_NAME_MAX_LENGTH || name === "__proto__") {
    const shown = JSON.stringify(name.slice(0, 80));
    const expected = `1 to ${COLUMN_NAME_MAX_LENGTH} characters, not "__proto__"`;
    throw new EngineError("VALIDATION_FAILED", `found the column name ${shown}, expected ${expected}`, {
      name,
    });
  }
  if (!name.isWellFormed()) {
    const message = `the name of column ${JSON.stringify(name)} contains an unpaired surrogate`;
    throw new EngineError("VALIDATION_FAILED", message, { name });
  }
  if (columnsBefore >= MAX_COLUMNS) {
    const message = `found more than ${MAX_COLUMNS} columns, expected at most that many; "${name}" is one too many`;
    throw new EngineError("VALIDATION_FAILED", message, { name, allowed: MAX_COLUMNS });
  }
}

function resolveManifest(
  { coverage: _declared, ...manifest }: SourceManifest,
  columns: readonly ColumnBuilder[],
  coverage?: CoverageInput,
): StoredManifest {
  return {
    ...manifest,
    ...(coverage && { coverage: storedCoverage(coverage), coverage_known: coverage.known }),
    columns: Object.fromEntries(columns.map((column) => [column.name, column.type])),
  };
}

class GeometryCollector {
  readonly #xy: Chunked<Float64Array> = chunkedFloat64();
  readonly #ringStarts: Chunked<Uint32Array> = chunkedUint32();
  readonly #areaRings: Chunked<Uint32Array> = chunkedUint32();
  readonly #ringAreas: Chunked<Uint32Array> = chunkedUint32();
  readonly #ringRoles: Chunked<Uint8Array> = chunkedUint8();
  readonly #chainStarts: Chunked<Uint32Array> = chunkedUint32();
  readonly #chainBoxes: Chunked<Float32Array> = chunkedFloat32();
  readonly #chainIntegrals: Chunked<Float64Array> = chunkedFloat64();
  readonly #areaSquareMeters: Chunked<Float64Array> = chunkedFloat64();
  readonly #series = createLatitudeSeries();

  constructor() {
    this.#ringStarts.push(0);
    this.#areaRings.push(0);
    this.#chainStarts.push(0);
  }

  get ringCount(): number {
    return this.#ringRoles.length;
  }

  get positionCount(): number {
    return this.#xy.length / 2;
  }

  add(area: AreaInput): void {
    const areaIndex = this.#areaRings.length - 1;
    let squareMeters = 0;
    for (const [p, polygon] of area.polygons.entries()) {
      if (polygon.length === 0) refuseRing(area.id, p, 0, "has no outer ring", "at least one ring a polygon");
      for (const [r, ring] of polygon.entries()) {
        checkRing(area.id, p, r, ring);
        squareMeters += signedRingAreaOn(ELLIPSOID, ring, 0, ring.length / 2, this.#series);
        this.#addChainTree(ring);
        this.#xy.append(ring);
        if (this.positionCount > 0xffff_ffff) {
          throw new EngineError(
            "VALIDATION_FAILED",
            "found more than 4,294,967,295 positions, expected at most that many in a snapshot",
          );
        }
        this.#ringStarts.push(this.positionCount);
        this.#ringAreas.push(areaIndex);
        this.#ringRoles.push(r === 0 ? 0 : 1);
      }
    }
    this.#areaRings.push(this.ringCount);
    this.#areaSquareMeters.push(squareMeters);
  }

  content(): ContentGeometry {
    return {
      ringCount: this.ringCount,
      areaRingCount: (area) => this.#areaRings.get(area + 1) - this.#areaRings.get(area),
      ringRole: (ring) => this.#ringRoles.get(ring),
      ringPositionCount: (ring) => this.#ringStarts.get(ring + 1) - this.#ringStarts.get(ring),
      xyBytes: this.#xy.bytes(),
    };
  }

  sections(): [number, Uint8Array[]][] {
    return [
      [SECTION.XY, this.#xy.bytes()],
      [SECTION.RING_STARTS, this.#ringStarts.bytes()],
      [SECTION.AREA_RINGS, this.#areaRings.bytes()],
      [SECTION.RING_AREAS, this.#ringAreas.bytes()],
      [SECTION.RING_ROLES, this.#ringRoles.bytes()],
      [SECTION.RING_INDEX, this.#ringIndex()],
      [SECTION.CHAIN_STARTS, this.#chainStarts.bytes()],
      [SECTION.CHAIN_BOXES, this.#chainBoxes.bytes()],
      [SECTION.CHAIN_INTEGRALS, this.#chainIntegrals.bytes()],
      [SECTION.AREA_SQUARE_METERS, this.#areaSquareMeters.bytes()],
    ];
  }

  #ringIndex(): Uint8Array[] {
    if (this.ringCount === 0) return [];
    const envelopes = new Float32Array(4 * this.ringCount);
    for (let ring = 0; ring < this.ringCount; ring++) {
      const root = 4 * (this.#chainStarts.get(ring + 1) - 1);
      envelopes.set(this.#chainBoxes.slice(root, root + 4), 4 * ring);
    }
    return [buildRingIndex(envelopes).bytes];
  }

  #addChainTree(ring: Float64Array): void {
    const count = chainNodeCount(ring.length / 2 - 1);
    const boxes = new Float32Array(count * 4);
    const integrals = new Float64Array(count);
    writeChainTree(ring, 0, ring.length / 2, boxes, integrals, ELLIPSOID, this.#series);
    this.#chainBoxes.append(boxes);
    this.#chainIntegrals.append(integrals);
    this.#chainStarts.push(this.#chainIntegrals.length);
  }
}

function checkRing(id: string, polygon: number, r: number, ring: Float64Array): void {
  const length = ring.length;
  if (length < 2 * MIN_RING_POSITIONS || length % 2 !== 0) {
    refuseRing(
      id,
      polygon,
      r,
      `has ${length} coordinates`,
      `an even number of at least ${2 * MIN_RING_POSITIONS}`,
    );
  }
  if (ring[0] !== ring[length - 2] || ring[1] !== ring[length - 1]) {
    refuseRing(id, polygon, r, "is not closed", "its last position to equal its first");
  }
  for (let i = 0; i < length; i += 2) {
    const x = ring[i]!;
    const y = ring[i + 1]!;
    if (!(Math.abs(x) <= MAX_ABSOLUTE_LONGITUDE && Math.abs(y) <= MAX_ABSOLUTE_LATITUDE)) {
      const expected = `a longitude within ±${MAX_ABSOLUTE_LONGITUDE} and a latitude within ±${MAX_ABSOLUTE_LATITUDE}`;
      refuseRing(id, polygon, r, `holds position ${i / 2} [${x}, ${y}]`, expected);
    }
  }
}

function refuseRing(id: string, polygon: number, ring: number, found: string, expected: string): never {
  throw new EngineError(
    "GEOMETRY_INVALID",
    `ring ${ring} of polygon ${polygon} of area "${id}" ${found}, expected ${expected}`,
    { id, polygon, ring, found, expected },
  );
}

interface SortedIdentifiers {
  readonly schemes: readonly string[];
  readonly content: ContentIdentifiers;
  readonly sections: readonly [number, Uint8Array[]][];
}

class IdentifierCollector {
  readonly #schemeNumbers = new Map<string, number>();
  readonly #schemes: Chunked<Uint32Array> = chunkedUint32();
  readonly #rows: Chunked<Uint32Array> = chunkedUint32();
  #canonical: TextTable = new TextTable();
  #values: TextTable = new TextTable();

  add(scheme: string, value: string, row: number, id: string): void {
    if (scheme.length > SCHEME_MAX_LENGTH || !SCHEME_PATTERN.test(scheme)) {
      const message = `record "${id}" has scheme ${JSON.stringify(scheme)}, expected <authority>:<name>, lowercase`;
      throw new EngineError("VALIDATION_FAILED", message, { id, scheme });
    }
    const utf8 = encodeUtf8(value);
    const canonical = canonicalValue(value.toWellFormed());
    if (canonical === "") {
      const message = `record "${id}" has ${scheme} ${JSON.stringify(value)}, whose canonical form is empty`;
      throw new EngineError("VALIDATION_FAILED", message, { id, scheme, value });
    }
    let number = this.#schemeNumbers.get(scheme);
    if (number === undefined) {
      number = this.#schemeNumbers.size;
      this.#schemeNumbers.set(scheme, number);
    }
    this.#schemes.push(number);
    this.#rows.push(row);
    this.#canonical.push(encodeUtf8(canonical));
    this.#values.push(utf8);
  }

  /** By scheme, canonical value, row and value, all ascending; equal ones once. */
  sort(): SortedIdentifiers {
    const schemes = [...this.#schemeNumbers.keys()].sort();
    const rankByNumber = new Uint32Array(schemes.length);
    for (const [rank, scheme] of schemes.entries()) rankByNumber[this.#schemeNumbers.get(scheme)!] = rank;
    const rankOf = (i: number): number => rankByNumber[this.#schemes.get(i)]!;
    const compare = (a: number, b: number): number =>
      rankOf(a) - rankOf(b) ||
      compareTexts(this.#canonical.get(a), this.#canonical.get(b)) ||
      this.#rows.get(a) - this.#rows.get(b) ||
      compareTexts(this.#values.get(a), this.#values.get(b));
    const all = new Uint32Array(this.#rows.length);
    for (let i = 0; i < all.length; i++) all[i] = i;
    all.sort(compare);
    const order = all.filter((item, i) => i === 0 || compare(all[i - 1]!, item) !== 0);

    const ranks = order.map(rankOf);
    const rows = order.map((i) => this.#rows.get(i));
    // One table at a time, so that no more than one stands in memory twice.
    const canonical = reorder(this.#canonical, order);
    this.#canonical = new TextTable();
    const values = reorder(this.#values, order);
    this.#values = new TextTable();

    const schemeStarts = new Uint32Array(schemes.length + 1);
    for (const rank of ranks) schemeStarts[rank + 1]!++;
    for (let s = 0; s < schemes.length; s++) schemeStarts[s + 1]! += schemeStarts[s]!;
    return {
      schemes,
      content: {
        count: order.length,
        scheme: (i) => schemes[ranks[i]!]!,
        value: (i) => values.get(i),
        row: (i) => rows[i]!,
      },
      sections: [
        [SECTION.IDENTIFIER_SCHEMES, [new Uint8Array(schemeStarts.buffer)]],
        [SECTION.IDENTIFIER_CANONICAL, [...canonical.offsetBytes(), ...canonical.blobBytes()]],
        [SECTION.IDENTIFIER_VALUES, [...values.offsetBytes(), ...values.blobBytes()]],
        [SECTION.IDENTIFIER_ROWS, [new Uint8Array(rows.buffer)]],
      ],
    };
  }
}

function reorder(table: TextTable, order: Uint32Array): TextTable {
  const ordered = new TextTable();
  for (const i of order) ordered.push(table.get(i));
  return ordered;
}

function compareTexts(a: Uint8Array, b: Uint8Array): number {
  return compareUtf8(a, 0, a.length, b, 0, b.length);
}

type Counts = Readonly<
  Record<"rowCount" | "ringCount" | "positionCount" | "columnCount" | "identifierCount", number>
>;

function layOut(
  meta: SnapshotMeta,
  counts: Counts,
  sections: ReadonlyMap<number, readonly Uint8Array[]>,
  checksum: Crc32 = crc32,
): SnapshotFile {
  const metaBytes = encodeUtf8(JSON.stringify(meta));
  if (metaBytes.length > MAX_META_BYTES) {
    const message = `the manifest and the columns take ${metaBytes.length} bytes, expected at most ${MAX_META_BYTES}`;
    throw new EngineError("VALIDATION_FAILED", message, { found: metaBytes.length, allowed: MAX_META_BYTES });
  }
  const ids = sectionIds(FORMAT_VERSION, meta.manifest.kind, counts.columnCount);
  const header = new Uint8Array(HEADER_BYTES + ids.length * TABLE_ENTRY_BYTES);
  const view = new DataView(header.buffer);
  const chunks: Uint8Array[] = [header];
  let end = header.length;
  for (const [i, id] of ids.entries()) {
    const pieces = id === SECTION.META ? [metaBytes] : sections.get(id);
    if (pieces === undefined) throw new Error(`nothing to write for section ${id}`);
    const offset = alignSection(end);
    if (offset > end) chunks.push(new Uint8Array(offset - end));
    let crc = 0;
    end = offset;
    for (const piece of pieces) {
      crc = checksum(piece, crc);
      end += piece.length;
      chunks.push(piece);
    }
    const entry = HEADER_BYTES + i * TABLE_ENTRY_BYTES;
    view.setUint32(entry + TABLE_ENTRY.id, id, true);
    view.setUint32(entry + TABLE_ENTRY.crc32, crc, true);
    view.setBigUint64(entry + TABLE_ENTRY.offset, BigInt(offset), true);
    view.setBigUint64(entry + TABLE_ENTRY.byteLength, BigInt(end - offset), true);
  }
  header.set(MAGIC, HEADER.magic);
  view.setUint32(HEADER.version, FORMAT_VERSION, true);
  view.setBigUint64(HEADER.byteLength, BigInt(end), true);
  view.setUint32(HEADER.kind, KIND_CODES[meta.manifest.kind], true);
  view.setUint32(HEADER.sectionCount, ids.length, true);
  view.setUint32(HEADER.rowCount, counts.rowCount, true);
  view.setUint32(HEADER.ringCount, counts.ringCount, true);
  view.setUint32(HEADER.positionCount, counts.positionCount, true);
  view.setUint32(HEADER.columnCount, counts.columnCount, true);
  view.setUint32(HEADER.identifierCount, counts.identifierCount, true);
  view.setUint32(HEADER.crc32, checksum(header, 0), true);
  return { meta, byteLength: end, chunks: handOver(chunks) };
}

/** Yields each chunk and lets go of it, so that memory falls while the file is written. */
function* handOver(chunks: (Uint8Array | undefined)[]): Generator<Uint8Array> {
  for (let i = 0; i < chunks.length; i++) {
    const chunk = chunks[i]!;
    chunks[i] = undefined;
    yield chunk;
  }
}
