import {
  type AreaSnapshot,
  areaCoordinates,
  diffRasters,
  isRaster,
  type RasterDiff,
  type RasterSnapshot,
  type RegisterSnapshot,
  type Snapshot,
} from "@groundrule/engine/build";
import { DamagedTile, differenceCoordinates, differenceSquareMeters } from "@groundrule/engine/internal";
import type { ChangedFeature, DiffFeature, EditionDiff, FeatureEntry } from "../../catalog/edition-diff.ts";
import { DataError } from "../../data-error.ts";
import {
  buildRecordRows,
  listDifferingAttributes,
  listRecordIdentifiers,
  type MatchedRows,
  matchRows,
  type RowPair,
  type Rows,
  toAreaRows,
} from "./compare-rows.ts";
import { listDiffNotices } from "./diff-notices.ts";
import { readAttestedEdition } from "./edition-archive.ts";
import { sumValues } from "./measure-edition.ts";

/**
 * Compares two stored editions of a source. Both are verified and loaded into memory; areas whose rings have the same
 * bytes are not measured. Of large rasters, only blocks whose digests differ are read.
 *
 * @param before digest of the earlier edition; see `resolveEdition` for the forms that people write
 * @param after digest of the later edition
 * @param rasterBytes largest raster that is read into memory. Default 64 MiB
 *
 * Fails: `EDITION_MISSING`, `EDITION_DAMAGED`; `KIND_CHANGED` if one has areas and the other records.
 */
export function diffEditions(
  dir: string,
  sourceName: string,
  before: string,
  after: string,
  rasterBytes?: number,
): EditionDiff {
  return compareEditionPair(openEditionPair(dir, sourceName, before, after, rasterBytes));
}

/**
 * The difference of two editions of polygons for a map, one feature at a time: added and removed areas whole, the parts
 * that changed ones gained and lost, and areas of which only attributes changed. Empty for a register or a raster.
 *
 * @param before digest of the earlier edition
 * @param after digest of the later edition
 *
 * Fails: as {@link diffEditions}.
 */
export function* diffFeatures(
  dir: string,
  sourceName: string,
  before: string,
  after: string,
): Generator<DiffFeature> {
  const pair = openEditionPair(dir, sourceName, before, after);
  const [old, now] = [pair.before, pair.after];
  if (old.kind !== "leaf" || now.kind !== "leaf" || isRaster(old) || isRaster(now)) return;
  for (const row of pair.rows.added) yield createWholeFeature(now, row, "added", toFeatureEntry(now, row));
  for (const row of pair.rows.removed)
    yield createWholeFeature(old, row, "removed", toFeatureEntry(old, row));
  for (const each of pair.rows.pairs) {
    const change = findFeatureChange(pair, each);
    if (change === undefined) continue;
    if (!each.isReshaped) {
      yield createWholeFeature(now, each.after, "attributes", change);
      continue;
    }
    const is = { layer: now.layer, area: each.after };
    const was = { layer: old.layer, area: each.before };
    yield createDiffFeature("gained", change, differenceCoordinates(is, was));
    yield createDiffFeature("lost", change, differenceCoordinates(was, is));
  }
}

/** Two editions of a source, with their rows matched. */
interface Pair {
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly hasStableIds: boolean;
  readonly rows: MatchedRows;
  /** For registers: the identifiers of each record. */
  readonly identifiers?: readonly (readonly (readonly string[])[])[];
  /** For rasters: the differences of their cells; null if they are on different lattices. */
  readonly cells?: RasterDiff | null;
}

function openEditionPair(
  dir: string,
  sourceName: string,
  before: string,
  after: string,
  rasterBytes?: number,
): Pair {
  const old = readAttestedEdition(dir, sourceName, before, rasterBytes).snapshot;
  const now = readAttestedEdition(dir, sourceName, after, rasterBytes).snapshot;
  const hasStableIds = [old, now].every(({ meta }) => meta.manifest.id !== undefined);
  if (isRaster(old) && isRaster(now)) {
    try {
      return pairRasters(old, now);
    } catch (error) {
      if (!(error instanceof DamagedTile)) throw error;
      const message = `editions ${before} and ${after} of "${sourceName}" cannot be compared: ${error.message}`;
      throw new DataError("EDITION_DAMAGED", message, { source_name: sourceName, before, after });
    }
  }
  const isPolygons = (each: Snapshot): each is AreaSnapshot => each.kind === "leaf" && !isRaster(each);
  if (isPolygons(old) && isPolygons(now)) {
    const rows = matchRows(toAreaRows(old), toAreaRows(now), hasStableIds);
    return { before: old, after: now, hasStableIds, rows };
  }
  if (old.kind === "leaf" || now.kind === "leaf") {
    const [was, is] = [old, now].map((each) => (isRaster(each) ? "raster" : each.kind));
    const message = `editions ${before} and ${after} of "${sourceName}" cannot be compared: found ${was} and ${is}, expected one kind`;
    throw new DataError("KIND_CHANGED", message, { source_name: sourceName, before, after });
  }
  return pairRegisters(old, now, hasStableIds);
}

/** Areas of rasters are matched by their ids, which are those of values. */
function pairRasters(before: RasterSnapshot, after: RasterSnapshot): Pair {
  const cells = diffRasters(before, after) ?? null;
  const changed = new Set<string>();
  for (const change of cells?.changes ?? []) {
    for (const content of [change.before, change.after]) if (content.is === "area") changed.add(content.id);
  }
  const rowsOf = ({ attributes }: RasterSnapshot): Rows => ({
    count: attributes.rowCount,
    id: (row) => attributes.id(row),
    contentOf: (row) => attributes.id(row),
  });
  const { pairs, ...others } = matchRows(rowsOf(before), rowsOf(after), true);
  const isReshaped = (row: number) => changed.has(after.attributes.id(row));
  const rows = { ...others, pairs: pairs.map((each) => ({ ...each, isReshaped: isReshaped(each.after) })) };
  return { before, after, hasStableIds: true, rows, cells };
}

function pairRegisters(before: RegisterSnapshot, after: RegisterSnapshot, hasStableIds: boolean): Pair {
  const [was, is] = [listRecordIdentifiers(before), listRecordIdentifiers(after)];
  const rows = matchRows(
    buildRecordRows(before, was, hasStableIds),
    buildRecordRows(after, is, hasStableIds),
    hasStableIds,
  );
  return { before, after, hasStableIds, rows, identifiers: [was, is] };
}

function compareEditionPair(pair: Pair): EditionDiff {
  const { before, after, rows } = pair;
  const added = rows.added.map((row) => toFeatureEntry(after, row));
  const removed = rows.removed.map((row) => toFeatureEntry(before, row));
  const changed = rows.pairs.flatMap((each) => findFeatureChange(pair, each) ?? []);
  const columnsOf = ({ attributes }: Snapshot) => attributes.columns.map(({ name }) => name);
  const [was, is] = [columnsOf(before), columnsOf(after)];
  const squareMeters = sumSquareMeters(pair, added, removed, changed);
  const diff = {
    source_name: after.meta.manifest.source_name,
    kind: after.kind,
    before: before.meta.edition,
    after: after.meta.edition,
    matched_by: pair.hasStableIds ? "id" : "content",
    counts: {
      before: before.attributes.rowCount,
      after: after.attributes.rowCount,
      added: added.length,
      removed: removed.length,
      changed: changed.length,
      unchanged: rows.pairs.length - changed.length,
    },
    ...(squareMeters && { square_meters: squareMeters }),
    ...(pair.cells && { cells: toCellsDiff(pair.cells) }),
    columns_added: is.filter((name) => !was.includes(name)),
    columns_removed: was.filter((name) => !is.includes(name)),
    added,
    removed,
    changed,
  } as const;
  return { ...diff, notices: listDiffNotices(before, after, diff, pair.cells === null) };
}

function toCellsDiff({ blocks, changedBlocks, changes }: RasterDiff): NonNullable<EditionDiff["cells"]> {
  return {
    blocks,
    blocks_changed: changedBlocks,
    changes: changes.map(({ squareMeters, ...change }) => ({ ...change, square_meters: squareMeters })),
  };
}

function sumSquareMeters(
  { before, after, cells }: Pair,
  added: readonly FeatureEntry[],
  removed: readonly FeatureEntry[],
  changed: readonly ChangedFeature[],
): EditionDiff["square_meters"] {
  if (before.kind !== "leaf" || after.kind !== "leaf" || cells === null) return undefined;
  const total = (values: readonly (number | undefined)[]) =>
    values.reduce<number>((sum, x) => sum + (x ?? 0), 0);
  return {
    before: sumValues(before.layer.areaSquareMeters),
    after: sumValues(after.layer.areaSquareMeters),
    gained:
      total(added.map(({ square_meters }) => square_meters)) +
      total(changed.map(({ square_meters_gained }) => square_meters_gained)),
    lost:
      total(removed.map(({ square_meters }) => square_meters)) +
      total(changed.map(({ square_meters_lost }) => square_meters_lost)),
  };
}

function toFeatureEntry(snapshot: Snapshot, row: number): FeatureEntry {
  const { attributes } = snapshot;
  const entry = { id: attributes.id(row), name: attributes.name(row) };
  if (snapshot.kind !== "leaf") return entry;
  return {
    ...entry,
    country_iso3: attributes.countryIso3(row),
    square_meters: snapshot.layer.areaSquareMeters[row]!,
  };
}

/** The change of a matched area or record; undefined: none. */
function findFeatureChange(
  pair: Pair,
  { before: was, after: is, isReshaped }: RowPair,
): ChangedFeature | undefined {
  const { before, after } = pair;
  const attributes = listDifferingAttributes(before, after, { before: was, after: is, isReshaped });
  const idBefore = before.attributes.id(was);
  // A row number as id may change without a change of the record.
  const isRenamed = pair.hasStableIds && idBefore !== after.attributes.id(is);
  if (!isReshaped && !isRenamed && Object.keys(attributes).length === 0) return undefined;
  return {
    ...toFeatureEntry(after, is),
    ...(isRenamed && { id_before: idBefore }),
    ...(isReshaped && computeShapeChange(pair, was, is)),
    attributes,
  };
}

function computeShapeChange({ before, after, identifiers, cells }: Pair, was: number, is: number) {
  if (cells) {
    const id = after.attributes.id(is);
    const sumWhere = (side: "before" | "after") =>
      cells.changes.reduce((sum, { [side]: content, squareMeters }) => {
        return content.is === "area" && content.id === id ? sum + squareMeters : sum;
      }, 0);
    return { square_meters_gained: sumWhere("after"), square_meters_lost: sumWhere("before") };
  }
  if (before.kind === "leaf" && after.kind === "leaf" && !isRaster(before) && !isRaster(after)) {
    const old = { layer: before.layer, area: was };
    const now = { layer: after.layer, area: is };
    return {
      square_meters_gained: differenceSquareMeters(now, old),
      square_meters_lost: differenceSquareMeters(old, now),
    };
  }
  const [old, now] = [identifiers![0]![was]!, identifiers![1]![is]!];
  return {
    identifiers: {
      added: now.filter((each) => !old.includes(each)),
      removed: old.filter((each) => !now.includes(each)),
    },
  };
}

function createWholeFeature(
  { layer }: AreaSnapshot,
  area: number,
  change: DiffFeature["properties"]["change"],
  entry: FeatureEntry,
): DiffFeature {
  return createDiffFeature(change, entry, areaCoordinates(layer, area));
}

function createDiffFeature(
  change: DiffFeature["properties"]["change"],
  { id, ...entry }: FeatureEntry,
  coordinates: number[][][][],
): DiffFeature {
  return {
    type: "Feature",
    id,
    geometry: { type: "MultiPolygon", coordinates },
    properties: { change, ...entry },
  };
}
