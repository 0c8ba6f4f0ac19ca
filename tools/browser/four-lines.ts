import { type AreaFeatureCollection, snapshotOf } from "../../packages/engine/src/build.ts";
import { openEngine } from "../../packages/engine/src/index.ts";

/** The way into the library, as its users write it: a snapshot, an engine, a policy, a verdict. As JSON. */
export function runLibraryExample(
  featureCollection: AreaFeatureCollection,
  ruleset: object,
  geometry: object,
): string {
  const parks = snapshotOf("my:parks", featureCollection, { id: "code", name: "name" });
  const engine = openEngine([parks]);
  const policy = engine.compile(ruleset); // bound to this engine
  const { verdict, checks } = policy.evaluate({ geometry }, { now: new Date().toISOString() });
  return JSON.stringify({ verdict, checks });
}
