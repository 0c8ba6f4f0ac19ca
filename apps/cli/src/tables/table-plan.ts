import { RunError } from "../runs/run-error.ts";
import { readJsonLines } from "../runs/shards/record-reader.ts";
import { type Attribute, AttributeFinder, claimFreeName } from "./attributes.ts";
import type { TableRow } from "./table-row.ts";
import { mergeBboxes, readWkbExtent, type WkbExtent } from "./wkb.ts";

/** The properties of a table that its rows determine before it is written. */
export interface TablePlan {
  readonly attributes: readonly Attribute[];
  /** Types of geometries, in alphabetical order. */
  readonly types: readonly string[];
  readonly bbox: WkbExtent["bbox"] | undefined;
}

/** Maximum attributes with columns: SQLite allows 2,000 columns. */
const MOST_ATTRIBUTES = 1_500;

/**
 * Reads all rows of a table to plan it.
 *
 * @param known the attributes, if already known
 *
 * Fails: `OUTPUT_INVALID` for more attributes than a table has columns for.
 */
export function planTable(rows: string, known: readonly Attribute[] | undefined): TablePlan {
  const finder = new AttributeFinder();
  const types = new Set<string>();
  let bbox: TablePlan["bbox"];
  for (const { number = 0, properties, wkb } of readJsonLines<TableRow>(rows)) {
    if (known === undefined) finder.add(properties, number);
    if (wkb === null) continue;
    const extent = readWkbExtent(Buffer.from(wkb, "base64"));
    types.add(extent.type);
    bbox = mergeBboxes(bbox, extent.bbox);
  }
  const attributes = known ?? finder.attributes;
  if (attributes.length > MOST_ATTRIBUTES) {
    throw new RunError(
      "OUTPUT_INVALID",
      `found ${attributes.length} attributes of plots, expected at most ${MOST_ATTRIBUTES} for columns of a table; screen with --format geojson`,
    );
  }
  return { attributes, types: [...types].sort(), bbox };
}

/** An attribute with the name of its column. */
export interface AttributeColumn extends Attribute {
  readonly column: string;
}

/**
 * The columns of attributes, in addition to a table's fixed ones.
 *
 * @param own names of the fixed columns
 * @param isFolded true if names that differ only in the case of ASCII letters are equal
 */
export function buildAttributeColumns(
  attributes: readonly Attribute[],
  own: readonly string[],
  isFolded = false,
): readonly AttributeColumn[] {
  // Folds names like SQLite: ASCII letters only.
  const fold = (name: string): string =>
    isFolded ? name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : name;
  const taken = new Set(own.map(fold));
  return attributes.map((attribute) => {
    const free = claimFreeName(fold(attribute.name), taken);
    const { name } = attribute;
    return { ...attribute, column: free.slice(0, free.length - name.length) + name };
  });
}
