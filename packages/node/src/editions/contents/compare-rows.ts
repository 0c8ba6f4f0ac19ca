import { createHash } from "node:crypto";
import type { AttributeValue } from "@groundrule/engine";
import type { AreaSnapshot, RegisterSnapshot, Snapshot } from "@groundrule/engine/build";

/** A row of the earlier edition and one of the later edition for the same area or record. */
export interface RowPair {
  readonly before: number;
  readonly after: number;
  /** For areas: true if their rings differ in bytes. For records: true if their identifiers differ. */
  readonly isReshaped: boolean;
}

/** How the rows of two editions were matched. */
export interface MatchedRows {
  readonly pairs: readonly RowPair[];
  /** Rows of the later edition alone. */
  readonly added: readonly number[];
  /** Rows of the earlier edition alone. */
  readonly removed: readonly number[];
}

/** The rows of an edition in the form for comparison. */
export interface Rows {
  readonly count: number;
  id(row: number): string;
  /** Equal if the rings are equal to the byte, or the identifiers. */
  contentOf(row: number): string;
}

/** Matches rows by their ids, and the remaining ones by content, in order; without stable ids by content first. */
export function matchRows(before: Rows, after: Rows, hasStableIds: boolean): MatchedRows {
  let removed = createRange(before.count);
  let added = createRange(after.count);
  const pairs: RowPair[] = [];
  const match = (keyOf: (rows: Rows, row: number) => string, isSame: boolean) => {
    const waiting = new Map<string, number[]>();
    for (const row of added.toReversed()) {
      const key = keyOf(after, row);
      const rows = waiting.get(key);
      if (rows === undefined) waiting.set(key, [row]);
      else rows.push(row);
    }
    removed = removed.filter((row) => {
      const other = waiting.get(keyOf(before, row))?.pop();
      if (other === undefined) return true;
      const isReshaped = !isSame && before.contentOf(row) !== after.contentOf(other);
      pairs.push({ before: row, after: other, isReshaped });
      return false;
    });
    added = [...waiting.values()].flat();
  };
  const byId = () => match((rows, row) => rows.id(row), false);
  const byContent = () => match((rows, row) => rows.contentOf(row), true);
  if (hasStableIds) byId();
  byContent();
  if (!hasStableIds) byId();
  return { pairs, added: added.sort((a, b) => a - b), removed };
}

function createRange(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

export function toAreaRows({ layer, attributes }: AreaSnapshot): Rows {
  const { areaRings, ringStarts, ringRoles, xy } = layer;
  return {
    count: attributes.rowCount,
    id: (row) => attributes.id(row),
    contentOf(row) {
      const first = areaRings[row]!;
      const end = areaRings[row + 1]!;
      const start = ringStarts[first]!;
      const hash = createHash("sha256");
      for (let ring = first; ring < end; ring++) {
        hash.update(`${ringRoles[ring]} ${ringStarts[ring + 1]! - ringStarts[ring]!} `);
      }
      hash.update(xy.subarray(2 * start, 2 * ringStarts[end]!));
      return hash.digest("base64");
    },
  };
}

/** Identifiers of each record, as `scheme value`, ascending. */
export function listRecordIdentifiers({
  attributes,
  identifiers,
}: RegisterSnapshot): readonly (readonly string[])[] {
  const found: string[][] = Array.from({ length: attributes.rowCount }, () => []);
  for (const scheme of identifiers.schemes) {
    for (const { value, row } of identifiers.findPrefix(scheme, "", identifiers.count)) {
      found[row]!.push(`${scheme} ${value}`);
    }
  }
  for (const each of found) each.sort();
  return found;
}

/** @param identifiers as from {@link listRecordIdentifiers} */
export function buildRecordRows(
  { attributes }: RegisterSnapshot,
  identifiers: readonly (readonly string[])[],
  hasStableIds: boolean,
): Rows {
  return {
    count: attributes.rowCount,
    id: (row) => attributes.id(row),
    // A record without an id is identified by all its values; few share an identifier, many have none.
    contentOf: (row) =>
      JSON.stringify(
        hasStableIds
          ? identifiers[row]
          : [identifiers[row], attributes.name(row), attributes.properties(row)],
      ),
  };
}

/** The values of a pair that differ, by column; `name` and `country_iso3` have these names. */
export function listDifferingAttributes(
  before: Snapshot,
  after: Snapshot,
  pair: RowPair,
): Record<string, { before: AttributeValue; after: AttributeValue }> {
  const differing: Record<string, { before: AttributeValue; after: AttributeValue }> = Object.create(null);
  const compare = (column: string, was: AttributeValue, is: AttributeValue) => {
    if (was !== is) differing[column] = { before: was, after: is };
  };
  const [a, b] = [before.attributes, after.attributes];
  compare("name", a.name(pair.before), b.name(pair.after));
  compare("country_iso3", a.countryIso3(pair.before), b.countryIso3(pair.after));
  const columns = new Map(b.columns.map(({ name }, column) => [name, column]));
  for (const [column, { name }] of a.columns.entries()) {
    const other = columns.get(name);
    // Columns that one edition lacks are reported once, not for every row.
    if (other !== undefined) compare(name, a.value(pair.before, column), b.value(pair.after, other));
  }
  return differing;
}
