import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom } from "@groundrule/testing/random";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { runGroundrule } from "./groundrule.ts";

const PARKS = 300;

/** Makes a data folder `data` with a source, and `rules.json`. */
export async function makeRulesetAndData(dir: string): Promise<void> {
  const random = createSeededRandom(41);
  const parks = Array.from({ length: PARKS }, (_, i) => ({
    type: "Feature",
    properties: { code: `P${i}` },
    geometry: createSquarePolygon(random.between(-60, -40), random.between(-20, 0), random.between(0.1, 1)),
  }));
  writeFileSync(join(dir, "parks.geojson"), JSON.stringify({ type: "FeatureCollection", features: parks }));
  const source = ["--source", "demo:parks", "--id", "code", "--data", "data", "parks.geojson"];
  const { code, err } = await runGroundrule(["snapshot", "build", ...source], dir);
  if (code !== 0) throw new Error(err);
  const set = { set: "parks", outcome: "NON_COMPLIANT" };
  const rules = {
    name: "parks",
    sets: { parks: { sources: ["demo:parks"] } },
    checks: [
      { ...set, id: "overlap", measure: "overlap_ratio" },
      { ...set, id: "near", measure: "min_distance_m", op: "<", value: 500, outcome: "WARNING" },
    ],
  };
  writeFileSync(join(dir, "rules.json"), JSON.stringify(rules));
}

/** Makes `plots.ndjson`, and `plots.geojson` with the same plots; some have no answer, some lines are blank or no JSON. */
export function writePlotFiles(dir: string, count: number): void {
  mkdirSync(dir, { recursive: true });
  const random = createSeededRandom(42);
  const features = Array.from({ length: count }, (_, i) => ({
    type: "Feature",
    id: i % 5 === 0 ? `plot, "${i}"\n` : i,
    properties: {},
    geometry:
      i % 11 === 7 ? null : createSquarePolygon(random.between(-60, -40), random.between(-20, 0), 0.05),
  }));
  const lines = features.map((feature, i) => {
    if (i % 97 === 13) return '{"type":';
    return `${i % 31 === 5 ? " \n" : ""}${JSON.stringify(feature)}`;
  });
  writeFileSync(join(dir, "plots.ndjson"), `${lines.join("\n")}\n`);
  writeFileSync(join(dir, "plots.geojson"), JSON.stringify({ type: "FeatureCollection", features }));
}
