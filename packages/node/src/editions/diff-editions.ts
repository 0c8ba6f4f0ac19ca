import {
  type AreaSnapshot,
  areaCoordinates,
  isRaster,
  type RegisterSnapshot,
  type Snapshot,
} from "@groundrule/engine/build";
import { differenceCoordinates, differenceSquareMeters } from "@groundrule/engine/internal";
import { DataError } from "../data-error.ts";
import {
  areaRows,
  attributesThatDiffer,
  identifiersOf,
  type MatchedRows,
  matchRows,
  type RowPair,
  recordRows,
} from "./compare-rows.ts";
import { noticesOf } from "./diff-notices.ts";
import { readVerified } from "./edition-archive.ts";
import type { ChangedFeature, DiffFeature, EditionDiff, FeatureEntry } from "./edition-diff.ts";
import { sumOf } from "./measure-edition.ts";

/**
 * What distinguishes two stored editions of a source. Both are verified and stand in memory; areas whose rings
 * have the same bytes are not measured.
 *
 * @param before digest of the earlier edition; see `resolveEdition` for what people write
 * @param after digest of the later edition
 *
 * Fails: `EDITION_MISSING`, `EDITION_DAMAGED`; `KIND_CHANGED` where one is of areas and the other of records.
 */
export function diffEditions(dir: string, sourceName: string, before: string, after: string): EditionDiff {
  return compare(openPair(dir, sourceName, before, after));
}

/**
 * The difference of two editions of areas on the map, one feature at a time: added and removed areas whole, what
 * changed ones gained and lost, and areas of which only attributes changed. None of a register.
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
  const pair = openPair(dir, sourceName, before, after);
  if (pair.before.kind !== "leaf" || pair.after.kind !== "leaf") return;
  const [old, now] = [pair.before, pair.after];
  for (const row of pair.rows.added) yield wholeFeature(now, row, "added", entryOf(now, row));
  for (const row of pair.rows.removed) yield wholeFeature(old, row, "removed", entryOf(old, row));
  for (const each of pair.rows.pairs) {
    const change = changeOf(pair, each);
    if (change === undefined) continue;
    if (!each.isReshaped) {
      yield wholeFeature(now, each.after, "attributes", change);
      continue;
    }
    const is = { layer: now.layer, area: each.after };
    const was = { layer: old.layer, area: each.before };
    yield feature("gained", change, differenceCoordinates(is, was));
    yield feature("lost", change, differenceCoordinates(was, is));
  }
}

/** Two editions of a source, with their rows matched. */
interface Pair {
  readonly before: AreaSnapshot | RegisterSnapshot;
  readonly after: AreaSnapshot | RegisterSnapshot;
  readonly hasStableIds: boolean;
  readonly rows: MatchedRows;
  /** Of registers: the identifiers of each record. */
  readonly identifiers?: readonly (readonly (readonly string[])[])[];
}

function openPair(dir: string, sourceName: string, before: string, after: string): Pair {
  const old = readVerified(dir, sourceName, before).snapshot;
  const now = readVerified(dir, sourceName, after).snapshot;
  const hasStableIds = [old, now].every(({ meta }) => meta.manifest.id !== undefined);
  if (isRaster(old) || isRaster(now)) {
    const message = `editions of rasters, such as those of "${sourceName}", cannot be compared`;
    throw new DataError("KIND_CHANGED", message, { source_name: sourceName, before, after });
  }
  if (old.kind === "leaf" && now.kind === "leaf") {
    const rows = matchRows(areaRows(old), areaRows(now), hasStableIds);
    return { before: old, after: now, hasStableIds, rows };
  }
  if (old.kind === "leaf" || now.kind === "leaf") {
    const message = `editions ${before} and ${after} of "${sourceName}" cannot be compared: found ${old.kind} and ${now.kind}, expected one kind`;
    throw new DataError("KIND_CHANGED", message, { source_name: sourceName, before, after });
  }
  return pairOfRegisters(old, now, hasStableIds);
}

function pairOfRegisters(before: RegisterSnapshot, after: RegisterSnapshot, hasStableIds: boolean): Pair {
  const [was, is] = [identifiersOf(before), identifiersOf(after)];
  const rows = matchRows(
    recordRows(before, was, hasStableIds),
    recordRows(after, is, hasStableIds),
    hasStableIds,
  );
  return { before, after, hasStableIds, rows, identifiers: [was, is] };
}

function compare(pair: Pair): EditionDiff {
  const { before, after, rows } = pair;
  const added = rows.added.map((row) => entryOf(after, row));
  const removed = rows.removed.map((row) => entryOf(before, row));
  const changed = rows.pairs.flatMap((each) => changeOf(pair, each) ?? []);
  const columnsOf = ({ attributes }: Snapshot) => attributes.columns.map(({ name }) => name);
  const [was, is] = [columnsOf(before), columnsOf(after)];
  const squareMeters = squareMetersOf(pair, added, removed, changed);
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
    columns_added: is.filter((name) => !was.includes(name)),
    columns_removed: was.filter((name) => !is.includes(name)),
    added,
    removed,
    changed,
  } as const;
  return { ...diff, notices: noticesOf(before, after, diff) };
}

function squareMetersOf(
  { before, after }: Pair,
  added: readonly FeatureEntry[],
  removed: readonly FeatureEntry[],
  changed: readonly ChangedFeature[],
): EditionDiff["square_meters"] {
  if (before.kind !== "leaf" || after.kind !== "leaf") return undefined;
  const total = (values: readonly (number | undefined)[]) =>
    values.reduce<number>((sum, x) => sum + (x ?? 0), 0);
  return {
    before: sumOf(before.layer.areaSquareMeters),
    after: sumOf(after.layer.areaSquareMeters),
    gained:
      total(added.map(({ square_meters }) => square_meters)) +
      total(changed.map(({ square_meters_gained }) => square_meters_gained)),
    lost:
      total(removed.map(({ square_meters }) => square_meters)) +
      total(changed.map(({ square_meters_lost }) => square_meters_lost)),
  };
}

function entryOf(snapshot: Snapshot, row: number): FeatureEntry {
  const { attributes } = snapshot;
  const entry = { id: attributes.id(row), name: attributes.name(row) };
  if (snapshot.kind !== "leaf") return entry;
  return {
    ...entry,
    country_iso3: attributes.countryIso3(row),
    square_meters: snapshot.layer.areaSquareMeters[row]!,
  };
}

/** What changed of a matched area or record; undefined: nothing. */
function changeOf(pair: Pair, { before: was, after: is, isReshaped }: RowPair): ChangedFeature | undefined {
  const { before, after } = pair;
  const attributes = attributesThatDiffer(before, after, { before: was, after: is, isReshaped });
  const idBefore = before.attributes.id(was);
  // A number of a row that moved is no change.
  const isRenamed = pair.hasStableIds && idBefore !== after.attributes.id(is);
  if (!isReshaped && !isRenamed && Object.keys(attributes).length === 0) return undefined;
  return {
    ...entryOf(after, is),
    ...(isRenamed && { id_before: idBefore }),
    ...(isReshaped && shapeChange(pair, was, is)),
    attributes,
  };
}

function shapeChange({ before, after, identifiers }: Pair, was: number, is: number) {
  if (before.kind === "leaf" && after.kind === "leaf") {
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

function wholeFeature(
  { layer }: AreaSnapshot,
  area: number,
  change: DiffFeature["properties"]["change"],
  entry: FeatureEntry,
): DiffFeature {
  return feature(change, entry, areaCoordinates(layer, area));
}

function feature(
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
