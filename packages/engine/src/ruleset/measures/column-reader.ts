import type { AttributeValue, Snapshot } from "../../snapshot/snapshot.ts";

/** Reads the value of one column from an area or a record. */
export type ColumnReader = (row: number) => AttributeValue;

/** Reads a column of a source by name. */
export function columnReader({ attributes }: Pick<Snapshot, "attributes">, name: string): ColumnReader {
  const column = attributes.columns.findIndex((found) => found.name === name);
  return (row) => attributes.value(row, column);
}
