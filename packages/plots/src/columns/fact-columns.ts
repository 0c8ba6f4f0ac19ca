/** Values in columns, as found, by the fact or the member of a document: `modules`, `permit.issued_on`. */
export type FactColumns = Readonly<Record<string, unknown>>;

/** Begins the name of a column that holds a fact. */
export const FACT_PREFIX = "fact:";

/**
 * True if a column holds a fact, by its name.
 *
 * @param column `fact:modules`, `fact:permit.id`
 */
export function isFactColumn(column: string): boolean {
  return column.startsWith(FACT_PREFIX) && column.length > FACT_PREFIX.length;
}

/** Values in the columns of facts; undefined if there are none. */
export function readFactColumns(properties: Readonly<Record<string, unknown>>): FactColumns | undefined {
  let facts: Record<string, unknown> | undefined;
  for (const column of Object.keys(properties)) {
    if (!isFactColumn(column)) continue;
    facts ??= Object.create(null) as Record<string, unknown>;
    facts[column.slice(FACT_PREFIX.length)] = properties[column];
  }
  return facts;
}
