import type { SourceTable } from "./source-table.ts";

const tables = new WeakMap<object, SourceTable>();

/** Lets the rooms of this package, and nobody outside it, reach the sources of an engine. */
export function setSourceTable(engine: object, table: SourceTable): void {
  tables.set(engine, table);
}

/** The sources of an engine; undefined where it is none that this package opened. */
export function sourceTableOf(engine: object): SourceTable | undefined {
  return tables.get(engine);
}
