/**
 * What coverage costs an evaluation, on the path that users call: policy.evaluate.
 *
 *   npm run bench -- coverage [--rounds N]
 *
 * The same areas are told by sources that declare nothing, the whole earth, or Brazil by its borders; a plot lies
 * deep in Brazil, across the border with Colombia, or in Ghana; one source is asked, or ten of one coverage. CPU time
 * of one thread, microseconds an evaluation, medians of rounds; variants take turns.
 */
import { parseArgs } from "node:util";
import { bordersSnapshot } from "@groundrule/borders";
import { openEngine, type Policy } from "@groundrule/engine";
import { snapshotOf } from "@groundrule/engine/build";
import { squarePolygon } from "@groundrule/testing/shapes";

const NOW = "2026-06-30T12:00:00Z";
const EVALUATIONS = 2_000;
const { values } = parseArgs({ options: { rounds: { type: "string", default: "9" } } });
const rounds = Number(values.rounds);

const borders = bordersSnapshot();
const COVERAGES = { undeclared: undefined, global: "global", Brazil: ["BRA"] } as const;
const PLOTS = {
  "deep in Brazil": squarePolygon(-54.2, -9.1, 0.01),
  "across a border": squarePolygon(-69.8, -3, 0.3),
  "in Ghana": squarePolygon(-1.2, 6.6, 0.01),
};

/** A policy of one check on each of some sources, all of one coverage. */
function policyOn(coverage: keyof typeof COVERAGES, count: number): Policy {
  const names = Array.from({ length: count }, (_, i) => `bench:s${i}`);
  const declared = COVERAGES[coverage];
  const area = { type: "Feature", properties: { id: 1 }, geometry: squarePolygon(-54.195, -9.095, 0.02) };
  const sources = names.map((name) =>
    snapshotOf(name, [area], { id: "id", ...(declared !== undefined && { coverage: declared, borders }) }),
  );
  return openEngine(sources).compile({
    sets: Object.fromEntries(names.map((name, i) => [`s${i}`, { sources: [name] }])),
    checks: names.map((_, i) => ({ id: `c${i}`, set: `s${i}`, outcome: "WARNING" })),
  });
}

function microseconds(policy: Policy, geometry: object): number {
  const before = process.cpuUsage();
  for (let i = 0; i < EVALUATIONS; i++) policy.evaluate({ geometry }, { now: NOW });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / EVALUATIONS;
}

const variants = Object.keys(PLOTS).flatMap((plot) =>
  [1, 10].flatMap((count) =>
    (Object.keys(COVERAGES) as (keyof typeof COVERAGES)[]).map((coverage) => {
      const policy = policyOn(coverage, count);
      const geometry = PLOTS[plot as keyof typeof PLOTS];
      return { plot, count, coverage, policy, geometry, times: [] as number[] };
    }),
  ),
);
for (const { policy, geometry } of variants) microseconds(policy, geometry);
for (let round = 0; round < rounds; round++) {
  for (const { policy, geometry, times } of variants) times.push(microseconds(policy, geometry));
}
console.log(`${"plot".padEnd(16)}${"sources".padStart(8)}  ${"coverage".padEnd(12)}${"µs".padStart(8)}`);
for (const { plot, count, coverage, times } of variants) {
  const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
  console.log(
    `${plot.padEnd(16)}${String(count).padStart(8)}  ${coverage.padEnd(12)}${median.toFixed(1).padStart(8)}`,
  );
}
