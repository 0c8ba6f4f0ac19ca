import type { AreaSnapshot } from "../../snapshot/snapshot.ts";
import { printedNumber } from "../../verdict/rounding.ts";
import type { AreaFact } from "./area-facts.ts";
import { type ColumnReader, columnReader } from "./column-reader.ts";
import { exactSum } from "./exact-sum.ts";

/** What areas hold in a column of numbers, those that hold something. */
export function columnValues(areas: readonly AreaFact[], column: string): number[] {
  const readers = new Map<AreaSnapshot, ColumnReader>();
  return areas.flatMap(({ snapshot, area }) => {
    let read = readers.get(snapshot);
    if (read === undefined) {
      read = columnReader(snapshot, column);
      readers.set(snapshot, read);
    }
    const value = read(area);
    return typeof value === "number" ? value : [];
  });
}

export function columnSum(values: readonly number[]): number {
  return printedNumber(exactSum(values));
}

export function columnMean(values: readonly number[]): number | null {
  return values.length === 0 ? null : printedNumber(exactSum(values) / values.length);
}

/** The greatest of the values there are; null where there are none. */
export function greatest(values: readonly (number | null)[]): number | null {
  return values.reduce((found, value) => {
    if (value === null) return found;
    return found === null || value > found ? value : found;
  }, null);
}

/** The least of the values there are; null where there are none. */
export function least(values: readonly (number | null)[]): number | null {
  return values.reduce((found, value) => {
    if (value === null) return found;
    return found === null || value < found ? value : found;
  }, null);
}
