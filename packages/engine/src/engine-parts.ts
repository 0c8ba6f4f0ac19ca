import type { EngineOptions } from "./questions.ts";
import type { CoveragePieces } from "./snapshot/coverage.ts";
import type { SourceTable } from "./sources/source-table.ts";

/** What an engine is made of, for functions over one that are no part of it. */
export interface EngineParts {
  readonly table: SourceTable;
  readonly options: EngineOptions;
  /** The borders of countries; undefined where none were handed in. */
  readonly borders: CoveragePieces | undefined;
}

const partsOf = new WeakMap<object, EngineParts>();

/** Lets other entry points of this package, and nobody outside it, reach what an engine is made of. */
export function setEngineParts(engine: object, parts: EngineParts): void {
  partsOf.set(engine, parts);
}

/** What an engine is made of; of one that hands on to another, as that of a data folder does, the other's. */
export function getEngineParts(engine: { within(patterns: readonly string[]): object }): EngineParts {
  const parts = partsOf.get(engine) ?? partsOf.get(engine.within(["*"]));
  if (parts === undefined) throw new TypeError("expected an engine that openEngine of this package opened");
  return parts;
}
