/** Values in columns, as found, by the fact or the member of a document: `modules`, `permit.issued_on`. */
export type ToldFacts = Readonly<Record<string, unknown>>;

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
export function toldFacts(properties: Readonly<Record<string, unknown>>): ToldFacts | undefined {
  let told: Record<string, unknown> | undefined;
  for (const column of Object.keys(properties)) {
    if (!isFactColumn(column)) continue;
    told ??= Object.create(null) as Record<string, unknown>;
    told[column.slice(FACT_PREFIX.length)] = properties[column];
  }
  return told;
}
