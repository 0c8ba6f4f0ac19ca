import type { AttributeValue, LeafSnapshot } from "../snapshot/snapshot.ts";

/** Reads one property of an area; undefined where its value is not known. */
export type AreaReader = (area: number) => AttributeValue | undefined;

type KnownReader = (area: number) => AttributeValue;

/** A property that every area has, whatever the columns of its source. */
export type CommonProperty = "source_name" | "source_id" | "name" | "country_iso3" | "category";

const READERS: ReadonlyMap<string, (snapshot: LeafSnapshot, area: number) => AttributeValue> = new Map([
  ["source_name", ({ meta }) => meta.manifest.source_name],
  ["source_id", ({ attributes }, area) => attributes.id(area)],
  ["name", ({ attributes }, area) => attributes.name(area)],
  ["country_iso3", ({ attributes }, area) => attributes.countryIso3(area)],
  ["category", ({ meta }) => meta.manifest.category ?? null],
]);

/** Members of a manifest that name the column which a property was taken from. */
const MAPPED_BY: Readonly<Partial<Record<CommonProperty, "id" | "name" | "country">>> = {
  source_id: "id",
  name: "name",
  country_iso3: "country",
};

/** Their names. */
export const COMMON_PROPERTIES: readonly string[] = [...READERS.keys()];

export function isCommonProperty(name: string): name is CommonProperty {
  return READERS.has(name);
}

/**
 * Reads a common property. Where the source has a column of the same name with another value, either may be meant, and
 * its value is not known.
 */
export function createCommonReader(snapshot: LeafSnapshot, name: CommonProperty): AreaReader {
  const own = createPropertyReader(snapshot, name);
  const column = findSameNameColumn(snapshot, name);
  if (column === undefined) return own;
  return (area) => {
    const value = own(area);
    return isSameValue(name, column(area), value) ? value : undefined;
  };
}

/** In how many areas a source's column of the same name has another value than a common property. */
export function countHiddenValues(snapshot: LeafSnapshot, name: CommonProperty): number {
  const column = findSameNameColumn(snapshot, name);
  if (column === undefined) return 0;
  const own = createPropertyReader(snapshot, name);
  let count = 0;
  for (let area = 0; area < snapshot.attributes.rowCount; area++) {
    if (!isSameValue(name, column(area), own(area))) count++;
  }
  return count;
}

function createPropertyReader(snapshot: LeafSnapshot, name: CommonProperty): KnownReader {
  const read = READERS.get(name)!;
  return (area) => read(snapshot, area);
}

/** The column of the same name, unless the property was taken from it. */
function findSameNameColumn(
  { meta, attributes }: LeafSnapshot,
  name: CommonProperty,
): KnownReader | undefined {
  const mappedBy = MAPPED_BY[name];
  if (mappedBy !== undefined && meta.manifest[mappedBy] === name) return undefined;
  const column = attributes.columns.findIndex((each) => each.name === name);
  return column < 0 ? undefined : (area) => attributes.value(area, column);
}

/** True if a column holds what a common property is: codes of countries in any case. */
export function isSameValue(name: CommonProperty, stored: AttributeValue, value: AttributeValue): boolean {
  if (stored === null || stored === "") return value === null;
  const text = String(stored);
  return (name === "country_iso3" ? text.trim().toUpperCase() : text) === value;
}
