import { EngineError } from "../../base/errors.ts";
import { encodeUtf8 } from "../../base/utf8.ts";
import { createLatitudeSeries, ELLIPSOID, signedRingAreaOn } from "../../geometry/earth/authalic.ts";
import { chainNodeCount, writeChainTree } from "../../geometry/trees/chain-tree.ts";
import { buildRingIndex } from "../../geometry/trees/ring-index.ts";
import {
  type ContentCoverage,
  type ContentGeometry,
  computeContentDigest,
  findContentCoverage,
  type SnapshotContent,
} from "../content-digest.ts";
import type { CoverageInput } from "../coverage.ts";
import {
  type FileKind,
  MAX_ABSOLUTE_LATITUDE,
  MAX_ABSOLUTE_LONGITUDE,
  MIN_RING_POSITIONS,
  PIECE_COUNTRIES_COLUMN,
  SECTION,
} from "../format.ts";
import type { LeftOutBox } from "../left-out.ts";
import type { ColumnType, SourceManifest, StoredManifest } from "../manifest.ts";
import type {
  AreaInput,
  AreaSnapshotWriter,
  FoundOfAreas,
  RasterAreaInput,
  SnapshotFile,
  SnapshotMeta,
} from "../snapshot.ts";
import { Chunked } from "./chunked.ts";
import { assertUnfinished, checkManifest } from "./draft.ts";
import { layOutSections, type MeasuredPieces } from "./lay-out.ts";
import { joinLeftOutBoxes } from "./left-out-boxes.ts";
import { RowCollector, resolveManifest } from "./row-collector.ts";
import type { Piece } from "./spill.ts";
import { TextColumn } from "./text-table.ts";
import type { WriterOptions } from "./writer-options.ts";

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
 * A writer of areas whose coverage is known from elsewhere: it goes into the edition's digest, and its territory is
 * not written. `finish` takes none.
 */
export function createCandidateWriter(
  manifest: SourceManifest,
  coverage: ContentCoverage | undefined,
  options: WriterOptions,
): AreaSnapshotWriter {
  return new AreaWriter(checkManifest(manifest, "leaf"), options, coverage);
}

class AreaWriter implements AreaSnapshotWriter {
  /** Coverage that the digest takes in if no coverage is written. */
  readonly #elsewhere: ContentCoverage | undefined;
  #count = 0;
  /** Let go of by `finish`, so that memory can fall while the file is written. */
  #draft: { readonly leaf: LeafCollector; readonly geometry: GeometryCollector } | undefined;

  constructor(manifest: SourceManifest, options: WriterOptions, elsewhere?: ContentCoverage) {
    this.#elsewhere = elsewhere;
    this.#draft = { leaf: new LeafCollector(manifest, options), geometry: new GeometryCollector() };
  }

  get count(): number {
    return this.#count;
  }

  add(area: AreaInput): void {
    const { leaf, geometry } = assertUnfinished(this.#draft);
    leaf.addCountry(area);
    geometry.add(area);
    leaf.addRow(area);
    this.#count++;
  }

  finish(coverageInput?: CoverageInput, { leftOut = [], mapping }: FoundOfAreas = {}): SnapshotFile {
    const { leaf, geometry } = assertUnfinished(this.#draft);
    this.#draft = undefined;
    return leaf.finish("leaf", coverageInput, {
      mapping,
      leftOut: leftOut.length === 0 ? undefined : joinLeftOutBoxes(leftOut),
      content: { geometry: geometry.content() },
      counts: { ringCount: geometry.ringCount, positionCount: geometry.positionCount },
      sections: geometry.sections(),
      elsewhere: this.#elsewhere,
    });
  }
}

/** Collects what areas have besides their geometry, and lays out both. */
export class LeafCollector {
  readonly #manifest: SourceManifest;
  readonly #options: WriterOptions;
  readonly #rows: RowCollector;
  readonly #countries = new TextColumn();
  readonly #countrySet = new Set<string>();

  constructor(manifest: SourceManifest, options: WriterOptions) {
    this.#manifest = manifest;
    this.#options = options;
    this.#rows = new RowCollector(manifest, { ...options, spill: undefined });
  }

  addCountry({ id, countryIso3 }: RasterAreaInput): void {
    if (countryIso3 !== null) {
      checkCountryCode(id, countryIso3);
      this.#countrySet.add(countryIso3);
    }
    this.#countries.push(countryIso3 === null ? null : encodeUtf8(countryIso3));
  }

  addRow({ id, name, properties }: RasterAreaInput): void {
    this.#rows.add(id, name, properties);
  }

  /** @param coverageInput the coverage that is passed in at the end */
  finish(kind: FileKind, coverageInput: CoverageInput | undefined, own: LeafGeometry): SnapshotFile {
    const manifest: SourceManifest = { ...this.#manifest, ...own.mapping };
    const { leftOut } = own;
    const rows = this.#rows;
    const countries = this.#countries;
    const coverage = checkCoverageMatches(manifest, coverageInput);
    const pieces = coverage && writeCoveragePieces(manifest.source_name, coverage, this.#options);
    const columns = rows.storedColumns();
    const edition = computeContentDigest(
      {
        ...rows.content(manifest, columns),
        ...own.content,
        kind,
        countryIso3: (row) => countries.get(row),
        coverage: coverage ? findContentCoverage(coverage, pieces?.meta.edition ?? null) : own.elsewhere,
        leftOut,
      },
      this.#options.sha256,
    );
    const stored = coverage && { coverage: toStoredCoverage(coverage), coverage_known: coverage.known };
    const meta: SnapshotMeta = {
      manifest: resolveManifest(manifest, columns, stored),
      edition,
      feature_count: rows.count,
      country_coverage: [...this.#countrySet].sort(),
      schemes: [],
      ...(leftOut !== undefined && { left_out: leftOut }),
    };
    const sections = new Map([
      ...rows.sections(columns),
      [SECTION.COUNTRIES, countries.pieces()] as const,
      [SECTION.COVERAGE, [...(pieces?.chunks ?? [])]] as const,
      ...own.sections,
    ]);
    return layOutSections(meta, own.counts, sections, this.#options.crc32, kind);
  }
}

/** Differences between files of areas with rings and with cells. */
interface LeafGeometry {
  readonly content: Pick<SnapshotContent, "geometry" | "raster">;
  readonly counts: Parameters<typeof layOutSections>[1];
  readonly sections: readonly (readonly [number, readonly Piece[] | MeasuredPieces])[];
  /** The coverage that the digest takes in where none is written. */
  readonly elsewhere?: ContentCoverage | undefined;
  /** Columns that the manifest does not name. */
  readonly mapping?: FoundOfAreas["mapping"];
  readonly leftOut?: readonly LeftOutBox[] | undefined;
}

/** The coverage to write: as passed in, which must match the manifest's declaration. */
function checkCoverageMatches(
  manifest: SourceManifest,
  coverageInput: CoverageInput | undefined,
): CoverageInput | undefined {
  const declared = manifest.coverage;
  const isGlobal = coverageInput === undefined && declared === "global";
  const coverage: CoverageInput | undefined = isGlobal
    ? { extent: "global", known: "declared" }
    : coverageInput;
  if (declared !== undefined && !isDeclared(declared, coverage)) {
    const found = coverage === undefined ? "none" : JSON.stringify(toStoredCoverage(coverage));
    const expected = `${JSON.stringify(declared)}, as the manifest declares`;
    const message = `found the coverage ${found} at the end of the areas, expected ${expected}`;
    throw new EngineError("VALIDATION_FAILED", message, { found, expected });
  }
  if (coverage !== undefined) checkCoveragePieces(coverage);
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

function checkCoveragePieces(coverage: CoverageInput): void {
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
  const present = new Set(lists.flat());
  const missing = countries.find((code) => !present.has(code));
  if (missing !== undefined) refuse(`no piece of ${missing}`, "a piece of each country of the coverage");
}

/** The pieces of a coverage, as a snapshot of their own; undefined of a global one. */
function writeCoveragePieces(
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

function toStoredCoverage(coverage: CoverageInput): StoredManifest["coverage"] {
  return coverage.extent === "countries" ? coverage.countries : coverage.extent;
}

function checkCountryCode(id: string, country: string): void {
  if (/^[A-Z]{3}$/.test(country)) return;
  const found = JSON.stringify(country);
  const message = `area "${id}" has country ${found}, expected an ISO 3166-1 alpha-3 code or null`;
  throw new EngineError("VALIDATION_FAILED", message, { id, found: country });
}

class GeometryCollector {
  readonly #xy: Chunked<Float64Array> = new Chunked(Float64Array);
  readonly #ringStarts: Chunked<Uint32Array> = new Chunked(Uint32Array);
  readonly #areaRings: Chunked<Uint32Array> = new Chunked(Uint32Array);
  readonly #ringAreas: Chunked<Uint32Array> = new Chunked(Uint32Array);
  readonly #ringRoles: Chunked<Uint8Array> = new Chunked(Uint8Array);
  readonly #chainStarts: Chunked<Uint32Array> = new Chunked(Uint32Array);
  readonly #chainBoxes: Chunked<Int32Array> = new Chunked(Int32Array);
  readonly #chainIntegrals: Chunked<Float64Array> = new Chunked(Float64Array);
  readonly #areaSquareMeters: Chunked<Float64Array> = new Chunked(Float64Array);
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
      if (polygon.length === 0)
        throwInvalidRing(area.id, p, 0, "has no outer ring", "at least one ring a polygon");
      for (const [r, ring] of polygon.entries()) {
        checkAreaRing(area.id, p, r, ring);
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
    const envelopes = new Int32Array(4 * this.ringCount);
    for (let ring = 0; ring < this.ringCount; ring++) {
      const root = 4 * (this.#chainStarts.get(ring + 1) - 1);
      envelopes.set(this.#chainBoxes.slice(root, root + 4), 4 * ring);
    }
    return [buildRingIndex(envelopes).bytes];
  }

  #addChainTree(ring: Float64Array): void {
    const count = chainNodeCount(ring.length / 2 - 1);
    const boxes = new Int32Array(count * 4);
    const integrals = new Float64Array(count);
    writeChainTree(ring, 0, ring.length / 2, boxes, integrals, ELLIPSOID, this.#series);
    this.#chainBoxes.append(boxes);
    this.#chainIntegrals.append(integrals);
    this.#chainStarts.push(this.#chainIntegrals.length);
  }
}

function checkAreaRing(id: string, polygon: number, r: number, ring: Float64Array): void {
  const length = ring.length;
  if (length < 2 * MIN_RING_POSITIONS || length % 2 !== 0) {
    throwInvalidRing(
      id,
      polygon,
      r,
      `has ${length} coordinates`,
      `an even number of at least ${2 * MIN_RING_POSITIONS}`,
    );
  }
  if (ring[0] !== ring[length - 2] || ring[1] !== ring[length - 1]) {
    throwInvalidRing(id, polygon, r, "is not closed", "its last position to equal its first");
  }
  for (let i = 0; i < length; i += 2) {
    const x = ring[i]!;
    const y = ring[i + 1]!;
    if (!(Math.abs(x) <= MAX_ABSOLUTE_LONGITUDE && Math.abs(y) <= MAX_ABSOLUTE_LATITUDE)) {
      const expected = `a longitude within ±${MAX_ABSOLUTE_LONGITUDE} and a latitude within ±${MAX_ABSOLUTE_LATITUDE}`;
      throwInvalidRing(id, polygon, r, `holds position ${i / 2} [${x}, ${y}]`, expected);
    }
  }
}

function throwInvalidRing(id: string, polygon: number, ring: number, found: string, expected: string): never {
  throw new EngineError(
    "GEOMETRY_INVALID",
    `ring ${ring} of polygon ${polygon} of area "${id}" ${found}, expected ${expected}`,
    { id, polygon, ring, found, expected },
  );
}
