import type { AreaSnapshot, AttributeValue } from "../../snapshot/snapshot.ts";

export type ColumnReader = (area: number) => AttributeValue;

/** Reads a column of an area source by name. */
export function columnReader({ attributes }: AreaSnapshot, name: string): ColumnReader {
  const column = attributes.columns.findIndex((found) => found.name === name);
  return (area) => attributes.value(area, column);
}
