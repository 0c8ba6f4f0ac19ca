import { readdirSync, readFileSync } from "node:fs";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import type { Kernel } from "../src/geometry/kernel/kernel.ts";
import { BACKGROUND, NODATA } from "../src/geometry/raster/raster-layer.ts";
import { compileRuleset, type RulesetPlan } from "../src/ruleset/compile/compile.ts";
import { evaluateRuleset } from "../src/ruleset/evaluate/evaluate.ts";
import {
  type CellCoverage,
  type Coverage,
  type CoveragePieces,
  createCellCoverage,
} from "../src/snapshot/coverage.ts";
import type { ColumnType, SourceManifest } from "../src/snapshot/manifest.ts";
import { openSnapshot } from "../src/snapshot/read/reader.ts";
import { type AttributeValue, isRaster, type Snapshot } from "../src/snapshot/snapshot.ts";
import { createRasterWriter } from "../src/snapshot/write/raster-writer.ts";
import { createRegisterWriter } from "../src/snapshot/write/register-writer.ts";
import { createAreaWriter } from "../src/snapshot/write/writer.ts";
import { createOpenSource, type EngineSource, SourceTable } from "../src/sources/source-table.ts";
import { parseSchemes, type RoleScheme } from "../src/subjects/schemes.ts";
import { computeInputDigest } from "../src/verdict/digest.ts";
import type { FactValue, OpenReason, Verdict } from "../src/verdict/verdict.ts";
import { type Box, makeBoxRing, makePlanarPlot, measureBoxesSquareMeters } from "./planar-kernel.ts";

/** A file of `test/rulesets`; its README tells how to read one. */
export interface CaseFile {
  readonly about: string;
  readonly sources: Readonly<Record<string, SourceData>>;
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** The land of all countries, in pieces that do not overlap. */
  readonly borders?: readonly BorderPiece[];
  readonly cases: readonly RulesetCase[];
}

/** The material from which the naive evaluator and the engine's table are made. */
export type World = Pick<CaseFile, "sources" | "groups" | "borders">;

export interface BorderPiece {
  /** ISO 3166-1 alpha-3 codes of the countries whose territory holds the piece, ascending. */
  readonly countries: readonly string[];
  readonly boxes: readonly Box[];
}

export interface RulesetCase {
  readonly name: string;
  /** The arithmetic behind what is expected. */
  readonly why?: string;
  readonly ruleset: unknown;
  readonly input: CaseInput;
  /** Sources that do not answer in this case. */
  readonly failed?: readonly string[];
  /** Sources without a coverage cover nothing. */
  readonly strict?: boolean;
  /** The instant of the evaluation, ISO 8601 UTC. */
  readonly now?: string;
  readonly expect: ExpectedVerdict | { readonly error: string; readonly pointers: readonly string[] };
}

export interface CaseInput {
  readonly boxes?: readonly Box[];
  readonly scheme?: RoleScheme | readonly RoleScheme[];
  /** Null is not declared. */
  readonly facts?: Readonly<Record<string, FactValue | null>>;
  readonly property?: readonly Box[];
}

export interface ExpectedVerdict {
  readonly verdict?: string;
  readonly status?: string;
  readonly at_least?: string;
  readonly checks?: Readonly<Record<string, ExpectedCheck>>;
  readonly sources?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface ExpectedCheck {
  readonly outcome?: string | null;
  readonly triggered?: boolean;
  readonly status?: string;
  readonly open?: readonly Partial<OpenReason>[];
  /** Value of each comparison. */
  readonly values?: readonly (number | null)[];
  readonly undetermined?: number;
  /** `source_id` of each item, in order. */
  readonly evidence?: readonly string[];
  readonly evidence_total?: number;
  /** The first item's members. */
  readonly first?: Readonly<Record<string, unknown>>;
}

export interface SourceData {
  readonly collected_at?: string;
  readonly observed_until?: string;
  readonly category?: string;
  readonly columns?: Readonly<Record<string, ColumnType>>;
  /** Absent: undeclared. */
  readonly coverage?: CoverageData;
  readonly areas?: readonly AreaData[];
  /** For a raster: its grid; the boxes of its areas are cells of it. */
  readonly raster?: RasterData;
  readonly schemes?: readonly string[];
  readonly records?: readonly RecordData[];
}

/** A grid in thousandths of a degree, from its north-western corner. */
export interface RasterData {
  readonly west: number;
  readonly north: number;
  /** Width and height of a cell. */
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
  /** By rows: the place of an area, or what is none. */
  readonly cells: readonly (number | "background" | "nodata")[];
}

/** Boxes have gaps between them; countries are those of `borders`. */
export type CoverageData =
  | "global"
  | { readonly boxes: readonly Box[] }
  | { readonly countries: readonly string[]; readonly derived?: true };

export interface AreaData {
  readonly id: string;
  readonly name?: string;
  readonly country?: string;
  readonly boxes: readonly Box[];
  readonly properties?: Readonly<Record<string, AttributeValue>>;
}

export interface RecordData {
  readonly id: string;
  readonly name?: string;
  readonly properties?: Readonly<Record<string, AttributeValue>>;
  readonly identifiers: readonly { readonly scheme: string; readonly value: string }[];
}

export function readCaseFiles(): readonly CaseFile[] {
  const folder = new URL("./rulesets/", import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as CaseFile);
}

/** The table of a file's sources as the engine holds them, opened from snapshots written for it, once. */
export function buildSourceTable(world: World, failed: readonly string[] = []): SourceTable {
  const tables = tablesOfWorlds.get(world) ?? new Map<string, SourceTable>();
  tablesOfWorlds.set(world, tables);
  const known = tables.get(`${failed}`);
  if (known !== undefined) return known;
  const { sources, groups, borders } = world;
  const opened = Object.entries(sources).map(([name, data]): EngineSource => {
    const snapshot = buildSourceSnapshot(name, data, borders);
    const { manifest } = snapshot.meta;
    if (failed.includes(name)) return { manifest, failed: "provider timed out" };
    return createOpenSource(manifest, snapshot);
  });
  const table = new SourceTable(opened, groups);
  tables.set(`${failed}`, table);
  return table;
}

const tablesOfWorlds = new WeakMap<World, Map<string, SourceTable>>();

export function buildSourceSnapshot(
  name: string,
  data: SourceData,
  borders: readonly BorderPiece[] = [],
): Snapshot {
  const snapshot = openSnapshot(makeSnapshotBytes(name, data));
  if (isRaster(snapshot)) {
    const declared =
      data.coverage === undefined ? ({ extent: "undeclared" } as const) : toCoverage(data.coverage, borders);
    // Whole areas as the planar kernel has them.
    const cell = measureBoxesSquareMeters([[0, 0, data.raster!.cell, data.raster!.cell]]);
    const layer = {
      ...snapshot.layer,
      areaSquareMeters: snapshot.layer.areaCells.map((cells) => cells * cell),
    };
    return { ...snapshot, layer, coverage: createCellCoverage(layer, declared) };
  }
  if (snapshot.kind !== "leaf" || data.coverage === undefined) return snapshot;
  return { ...snapshot, coverage: toCoverage(data.coverage, borders) };
}

function toCoverage(data: CoverageData, borders: readonly BorderPiece[]): Exclude<Coverage, CellCoverage> {
  if (data === "global") return { extent: "global", known: "declared" };
  if ("countries" in data) {
    const { countries, derived } = data;
    const known = derived === true ? "derived" : "declared";
    return { extent: "countries", known, countries, pieces: toCoveragePieces(borders) };
  }
  const pieces = toCoveragePieces(data.boxes.map((box) => ({ countries: [], boxes: [box] })));
  return { extent: "polygons", known: "declared", pieces };
}

/** The pieces as areas of a layer, which may hold them in another order. */
function toCoveragePieces(pieces: readonly BorderPiece[]): CoveragePieces {
  const areas = pieces.map(({ boxes }, i) => ({ id: `${i}`, boxes }));
  const snapshot = openSnapshot(makeSnapshotBytes("demo:borders", { areas }));
  if (snapshot.kind !== "leaf" || isRaster(snapshot)) throw new Error("pieces are areas");
  const { layer, attributes } = snapshot;
  return { layer, countries: areas.map((_, area) => pieces[Number(attributes.id(area))]!.countries) };
}

export function makeSnapshotBytes(name: string, data: SourceData): ArrayBuffer {
  const manifest: SourceManifest = {
    source_name: name,
    kind: data.records === undefined ? "leaf" : "subject_register",
    ...(data.collected_at !== undefined && { collected_at: data.collected_at }),
    ...(data.observed_until !== undefined && { observed_until: data.observed_until }),
    ...(data.category !== undefined && { category: data.category }),
    ...(data.columns !== undefined && { columns: data.columns }),
    ...(data.schemes === undefined
      ? {}
      : { scheme_from: "type", schemes: Object.fromEntries(data.schemes.map((type) => [type, type])) }),
  };
  const blank = Object.fromEntries(Object.keys(data.columns ?? {}).map((column) => [column, null]));
  if (data.records !== undefined) {
    const writer = createRegisterWriter(manifest);
    for (const { id, name: recordName = null, properties, identifiers } of data.records)
      writer.add({ id, name: recordName, properties: { ...blank, ...properties }, identifiers });
    return joinFileBytes(writer.finish());
  }
  if (data.raster !== undefined) return makeRasterBytes(manifest, data, blank);
  const writer = createAreaWriter(manifest);
  for (const area of data.areas ?? []) {
    writer.add({
      id: area.id,
      name: area.name ?? null,
      countryIso3: area.country ?? null,
      polygons: area.boxes.map((box) => [makeBoxRing(box)]),
      properties: { ...blank, ...area.properties },
    });
  }
  return joinFileBytes(writer.finish());
}

function makeRasterBytes(
  manifest: SourceManifest,
  { raster, areas = [] }: SourceData,
  blank: Readonly<Record<string, null>>,
): ArrayBuffer {
  const { west, north, cell, columns, rows, cells } = raster!;
  const grid = { a: west, b: north, s: cell, t: cell, n: 1000, columns, rows };
  const writer = createRasterWriter(
    manifest,
    grid,
    areas.map(({ id, name = null, country = null, properties }) => ({
      id,
      name,
      countryIso3: country,
      properties: { ...blank, ...properties },
    })),
  );
  const stored = Uint16Array.from(cells, (opened) =>
    opened === "background" ? BACKGROUND : opened === "nodata" ? NODATA : opened,
  );
  for (let row = 0; writer.nextRows > 0; ) {
    const end = row + writer.nextRows;
    writer.add(stored.subarray(row * columns, end * columns));
    row = end;
  }
  return joinFileBytes(writer.finish());
}

export const CASE_NOW = "2026-06-30T12:00:00Z";

export interface CaseOptions {
  readonly evidenceLimit?: number | undefined;
  readonly now?: string;
  readonly strict?: boolean;
}

/** Evaluates a ruleset on a table, from boxes and schemes. */
export function evaluateOnTable(
  table: SourceTable,
  kernel: Kernel,
  ruleset: unknown,
  input: CaseInput,
  { evidenceLimit, now = CASE_NOW, strict = false }: CaseOptions = {},
): Verdict {
  const plan = compileRuleset(table, ruleset);
  return evaluatePlan(plan, kernel, input, { evidenceLimit, now, strict });
}

/** Evaluates a compiled ruleset. */
export function evaluatePlan(
  plan: RulesetPlan,
  kernel: Kernel,
  input: CaseInput,
  { evidenceLimit, now = CASE_NOW, strict = false }: CaseOptions = {},
): Verdict {
  const { schemes, pointers } = parseSchemes(input.scheme, "/scheme");
  const plot = input.boxes === undefined ? undefined : makePlanarPlot(input.boxes);
  const geometry = input.boxes === undefined ? undefined : toBoxesGeometry(input.boxes);
  const property = input.property && makePlanarPlot(input.property);
  const facts = Object.fromEntries(
    Object.entries(input.facts ?? {}).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
  const digest = computeInputDigest({ geometry, schemes });
  return evaluateRuleset(plan, {
    kernel,
    input: { plot, property, facts, schemes, schemePointers: pointers, digest: () => digest },
    now,
    evidenceLimit,
    strictCoverage: strict,
  }).verdict;
}

/** Boxes as GeoJSON. */
export function toBoxesGeometry(boxes: readonly Box[]): object {
  return { type: "MultiPolygon", coordinates: boxes.map((box) => [toPositions(makeBoxRing(box))]) };
}

function toPositions(ring: Float64Array): number[][] {
  return Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]);
}
