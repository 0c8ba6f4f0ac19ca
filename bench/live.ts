/**
 * Measures the cost of a live source for a question, compared with a snapshot of the same areas: checking its
 * candidates and making their edition, by their number, and the size of its record.
 *
 *   npm run bench -- live [--rounds N]
 *
 * Stars of 60 positions around one plot, all of them candidates. Times are CPU microseconds a question, medians over
 * rounds in which both take turns.
 */
import { parseArgs } from "node:util";
import { openEngine } from "@groundrule/engine";
import { snapshotOf } from "@groundrule/engine/build";
import { verdictRecord } from "@groundrule/engine/records";
import { ENGINE_OPTIONS } from "@groundrule/node";
import { createSeededRandom } from "@groundrule/testing/random";
import { createStarRing, toPositions } from "@groundrule/testing/shapes";
import { formatMarkdownTable, measureCpuMicros, measureInTurns, warmUp } from "./measure.ts";

const POSITIONS = 60;
const COUNTS = [1, 10, 100, 1_000];
const MANIFEST = { source_name: "live:stars", kind: "leaf", columns: { kind: "string" } } as const;
const RULESET = {
  sets: { stars: { sources: ["live:stars"] } },
  checks: [{ id: "stars", set: "stars", measure: "overlap_ratio", value: 0.5, outcome: "WARNING" }],
} as const;
const NOW = "2026-11-22T12:00:00Z";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "9" } } });
const rows: (string | number)[][] = [
  ["candidates", "snapshot", "live", "the difference a candidate", "bytes of the record a candidate"],
];
for (const count of COUNTS) {
  const random = createSeededRandom(count);
  const plot = toGeoJson(createStarRing(random, 10, 50, 0.02, POSITIONS));
  const areas = Array.from({ length: count }, (_, i) => {
    const [lon, lat] = [10 + random.between(-0.03, 0.03), 50 + random.between(-0.03, 0.03)];
    const properties = { kind: "II" };
    return {
      id: String(i),
      geometry: toGeoJson(createStarRing(random, lon, lat, 0.01, POSITIONS)),
      properties,
    };
  });
  const features = areas
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, geometry, properties }) => ({
      type: "Feature",
      geometry,
      properties: { ...properties, id },
    }));
  const stored = openEngine([snapshotOf("live:stars", features, { id: "id" })], ENGINE_OPTIONS).compile(
    RULESET,
  );
  const live = openEngine([{ manifest: MANIFEST, live: true }], ENGINE_OPTIONS).compile(RULESET);
  const provided = { "live:stars": { candidates: areas } };
  const input = { geometry: plot };
  const evaluate = () => live.evaluate(input, { now: NOW, provided });
  const repeats = Math.max(3, Math.round(2_000 / count));
  const ask = {
    stored: () => measureMicros(repeats, () => stored.evaluate(input, { now: NOW })),
    live: () =>
      measureMicros(repeats, () => {
        live.liveNeeds(input);
        return evaluate();
      }),
  };
  warmUp(ask.stored);
  warmUp(ask.live);
  const { stored: without, live: within } = await measureInTurns(Number(values.rounds), ask);
  const record = verdictRecord(
    { input, ruleset: RULESET, policy: live, groups: {}, engineVersion: "0", provided },
    evaluate(),
  );
  const bytes = JSON.stringify(record.request.provided).length / count;
  const cells = [count, without.toFixed(0), within.toFixed(0), ((within - without) / count).toFixed(1)];
  rows.push([...cells, bytes.toFixed(0)]);
}
console.log(formatMarkdownTable(rows));

function toGeoJson(ring: Float64Array): { type: "Polygon"; coordinates: number[][][] } {
  return { type: "Polygon", coordinates: [toPositions(ring)] };
}

function measureMicros(repeats: number, ask: () => unknown): number {
  return (
    measureCpuMicros(() => {
      for (let i = 0; i < repeats; i++) ask();
    }) / repeats
  );
}
