import type { AttributeValue, LeafSnapshot, Snapshot } from "../../snapshot/snapshot.ts";
import { roundAttributeNumber, roundWeightedMean } from "../../verdict/rounding.ts";
import type { AreaFact } from "./area-facts.ts";
import { exactSum } from "./exact-sum.ts";

/** Reads the value of one column from an area or a record. */
export type ColumnReader = (row: number) => AttributeValue;

/** Reads a column of a source by name. */
export function createColumnReader({ attributes }: Pick<Snapshot, "attributes">, name: string): ColumnReader {
  const column = attributes.columns.findIndex((found) => found.name === name);
  return (row) => attributes.value(row, column);
}

/** Values of areas in a column of numbers, for areas that have one. */
export function listColumnValues(areas: readonly AreaFact[], column: string): number[] {
  return listAreasWithValue(areas, column).map(({ value }) => value);
}

function listAreasWithValue(
  areas: readonly AreaFact[],
  column: string,
): { readonly fact: AreaFact; readonly value: number }[] {
  const read = createValueReader(column);
  return areas.flatMap((fact) => {
    const value = read(fact);
    return typeof value === "number" ? { fact, value } : [];
  });
}

/** Areas without a value in a column. */
export function listAreasLackingValue(areas: readonly AreaFact[], column: string): AreaFact[] {
  const read = createValueReader(column);
  return areas.filter((fact) => read(fact) === null);
}

/** Reads one column of areas of any source. */
function createValueReader(column: string): (fact: AreaFact) => AttributeValue {
  const readers = new Map<LeafSnapshot, ColumnReader>();
  return ({ snapshot, area }) => {
    let read = readers.get(snapshot);
    if (read === undefined) {
      read = createColumnReader(snapshot, column);
      readers.set(snapshot, read);
    }
    return read(area);
  };
}

/** Mean of a column, areas weighted by what they share with the plot; null where those with a value share nothing. */
export function computeWeightedMean(areas: readonly AreaFact[], column: string): number | null {
  const valued = listAreasWithValue(areas, column);
  const weight = exactSum(valued.map(({ fact }) => fact.unroundedOverlapSquareMeters));
  if (weight === 0) return null;
  const sum = exactSum(valued.map(({ fact, value }) => value * (fact.unroundedOverlapSquareMeters / weight)));
  return roundWeightedMean(sum);
}

export function computeColumnSum(values: readonly number[]): number {
  return roundAttributeNumber(exactSum(values));
}

export function computeColumnMean(values: readonly number[]): number | null {
  return values.length === 0 ? null : roundAttributeNumber(exactSum(values) / values.length);
}

/** The greatest of the values there are; null where there are none. */
export function findGreatestValue(values: readonly (number | null)[]): number | null {
  return values.reduce((found, value) => {
    if (value === null) return found;
    return found === null || value > found ? value : found;
  }, null);
}

/** The least of the values there are; null where there are none. */
export function findLeastValue(values: readonly (number | null)[]): number | null {
  return values.reduce((found, value) => {
    if (value === null) return found;
    return found === null || value < found ? value : found;
  }, null);
}
