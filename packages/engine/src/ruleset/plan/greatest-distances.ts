import type { EngineSource } from "../../sources/source-table.ts";
import type { SetPlan } from "../compile/compile.ts";

/** The greatest distance that any set needs from each source. */
export function findGreatestDistances(sets: readonly SetPlan[]): ReadonlyMap<EngineSource, number> {
  const greatest = new Map<EngineSource, number>();
  for (const set of sets) {
    if (set.kind !== "area" || set.within === undefined) continue;
    for (const { source } of set.sources) {
      greatest.set(source, Math.max(greatest.get(source) ?? 0, set.within.maxMeters));
    }
  }
  return greatest;
}
