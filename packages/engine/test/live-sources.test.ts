import { selectNeededAreas } from "@groundrule/testing/area-provider";
import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { candidateAreas } from "../src/areas/candidate-areas.ts";
import { snapshotOf } from "../src/areas/snapshot-of.ts";
import { EngineError } from "../src/base/errors.ts";
import { openEngine } from "../src/engine.ts";
import type { CandidateArea } from "../src/sources/live-source.ts";
import type { Evaluation } from "../src/verdict/verdict.ts";
import { makeLiveWorld } from "./live-worlds.ts";
import { randomQuestions } from "./random-rulesets.ts";
import { CASE_NOW, toBoxesGeometry } from "./ruleset-cases.ts";

const CASES = process.env.GROUNDRULE_FULL ? 20_000 : 50;

describe("a live source", () => {
  it(`answers ${CASES} random questions as a snapshot of its areas does, but for the editions' names`, () => {
    const counts = { answered: 0, refused: 0, degraded: 0, matched: 0 };
    let world: {
      readonly key: object;
      readonly failed: string;
      readonly engines: ReturnType<typeof makeLiveWorld>;
    };
    let queries = 0;
    for (const { seed, failed = [], ...question } of randomQuestions(500)) {
      if (queries++ === CASES) break;
      if (world! === undefined || world.key !== question.world || world.failed !== failed.join()) {
        world = {
          key: question.world,
          failed: failed.join(),
          engines: makeLiveWorld(question.world, failed),
        };
      }
      const { stored, live, answer } = world.engines;
      const { boxes, scheme } = question.input;
      const input = {
        ...(boxes !== undefined && { geometry: toBoxesGeometry(boxes) }),
        ...(scheme !== undefined && { scheme }),
      };
      const options = { now: question.now ?? CASE_NOW, strictCoverage: question.strict === true };
      const expected = tryAnswer(() =>
        keepInputWarnings(stored.compile(question.ruleset).evaluate(input, options)),
      );
      const found = tryAnswer(() => {
        const policy = live.compile(question.ruleset);
        return keepInputWarnings(
          policy.evaluate(input, { ...options, provided: answer(policy.liveNeeds(input)) }),
        );
      });
      expect(withoutEditions(found), `seed ${seed}`).toEqual(withoutEditions(expected));
      if ("error" in expected) counts.refused++;
      else {
        counts.answered++;
        if (expected.verdict === "DEGRADED") counts.degraded++;
        counts.matched += expected.sources.reduce((sum, { matched }) => sum + matched, 0);
      }
      if (boxes === undefined) continue;
      const geometry = toBoxesGeometry(boxes);
      const asking = { now: CASE_NOW, geometry: "area" } as const;
      expect(
        withoutEditions(
          live.intersections(geometry, { ...asking, provided: answer(live.liveNeeds(geometry, asking)) }),
        ),
      ).toEqual(withoutEditions(stored.intersections(geometry, asking)));
      const near = { ...asking, maxDistanceMeters: 700 };
      expect(
        withoutEditions(
          live.distance(geometry, { ...near, provided: answer(live.liveNeeds(geometry, near)) }),
        ),
      ).toEqual(withoutEditions(stored.distance(geometry, near)));
    }
    // The questions are of every kind.
    expect(counts.answered).toBeGreaterThan(CASES / 2);
    expect(counts.refused).toBeGreaterThan(0);
    expect(counts.degraded).toBeGreaterThan(CASES / 40);
    expect(counts.matched).toBeGreaterThan(CASES / 2);
  });
});

/** Without the warnings about the ruleset, which come from the values of snapshots. */
function keepInputWarnings(evaluation: Evaluation): Evaluation {
  const warnings = evaluation.warnings.filter(({ pointer }) => !pointer.startsWith("/ruleset/"));
  return { ...evaluation, warnings };
}

function tryAnswer<Outcome extends object>(ask: () => Outcome): Outcome | { readonly error: string } {
  try {
    return ask();
  } catch (error) {
    if (error instanceof EngineError) return { error: `${error.code} ${error.message}` };
    throw error;
  }
}

/** Without the names of editions and what covers them, wherever they stand. */
function withoutEditions(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, member: unknown) =>
      name === "edition" || name === "digest" ? undefined : member,
    ),
  );
}

const PLOTS = process.env.GROUNDRULE_FULL ? 4_000 : 120;

describe("the boxes that a question needs", () => {
  it(`leave out no area that ${PLOTS} random plots anywhere on earth meet, or have near`, () => {
    const random = createSeededRandom(11);
    let found = 0;
    for (let i = 0; i < PLOTS; i++) {
      const plot = randomArea(random, random.between(-180, 180), randomLatitude(random), 0.4);
      const within = [0, 1, 500, 20_000, 300_000][random.integer(5)]!;
      const areas = Array.from(
        { length: 30 },
        (_, k): CandidateArea => randomAreaNear(random, plot.center, within, k),
      );
      const features = areas
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, geometry }) => ({ type: "Feature", geometry, properties: { id } }));
      const { bytes, leftOut } = snapshotOf("live:areas", features, {
        id: "id",
        onFault: "leaveOut",
        allow: ["repaired"],
      });
      const stored = openEngine([{ bytes, leftOut }]);
      const live = openEngine(
        [{ manifest: { source_name: "live:areas", kind: "leaf", columns: {} }, live: true }],
        {
          candidates: candidateAreas,
        },
      );
      const options = { maxDistanceMeters: within };
      const needs = tryAnswer(() => live.liveNeeds(plot.geometry, options));
      if ("error" in needs) {
        expect(tryAnswer(() => stored.distance(plot.geometry, options))).toEqual(needs);
        continue;
      }
      const [need] = needs;
      const candidates = selectNeededAreas(areas, need!);
      const provided = { "live:areas": { candidates } };
      const expected = stored.distance(plot.geometry, options);
      const answered = live.distance(plot.geometry, { ...options, provided });
      const bare = ({ source_id, distance_m }: (typeof expected.matches)[number]) => [source_id, distance_m];
      expect(answered.matches.map(bare), `plot ${i}`).toEqual(expected.matches.map(bare));
      found += expected.matches.length;
    }
    expect(found).toBeGreaterThan(PLOTS);
  });
});

/** Often at a pole, or so close that the way round it is short. */
function randomLatitude(random: Random): number {
  const kind = random.integer(4);
  if (kind === 0) return random.between(88, 89.9) * (random.integer(2) === 0 ? 1 : -1);
  return kind === 1 ? random.between(60, 88) : random.between(-60, 60);
}

interface Placed {
  readonly center: readonly [number, number];
  readonly geometry: { readonly type: "Polygon"; readonly coordinates: number[][][] };
}

function randomArea(random: Random, lon: number, lat: number, size: number): Placed {
  const vertices = 3 + random.integer(6);
  const stretch = 1 / Math.max(0.02, Math.cos((lat * Math.PI) / 180));
  const ring = Array.from({ length: vertices }, (_, i) => {
    const angle = ((i + random.between(0, 0.8)) / vertices) * 2 * Math.PI;
    const x = lon + Math.cos(angle) * size * stretch * random.between(0.4, 1);
    const y = lat + Math.sin(angle) * size * random.between(0.4, 1);
    return [x, Math.max(-90, Math.min(90, y))];
  });
  return { center: [lon, lat], geometry: { type: "Polygon", coordinates: [[...ring, ring[0]!]] } };
}

/** An area some way from a place, in any turn of longitudes; some with an edge that means the short way round. */
function randomAreaNear(
  random: Random,
  [lon, lat]: readonly [number, number],
  within: number,
  k: number,
): CandidateArea {
  const away = (within / 111_000) * random.between(0, 1.5) + 0.6 * random.between(0, 1.5);
  const angle = random.between(0, 2 * Math.PI);
  const y = Math.max(-89.9, Math.min(89.9, lat + away * Math.sin(angle)));
  const x = lon + (away * Math.cos(angle)) / Math.max(0.02, Math.cos((y * Math.PI) / 180));
  const { geometry } = randomArea(random, x, y, random.between(0.05, 0.5));
  const turn = 360 * (random.integer(3) - 1);
  const kind = random.integer(3);
  const coordinates = geometry.coordinates.map((ring) =>
    ring.map(([a, b]) => {
      // Every position by itself within ±180, as careless files have it across the antimeridian.
      if (kind === 0) return [((((a! + 180) % 360) + 360) % 360) - 180, b!];
      return [Math.max(-540, Math.min(540, kind === 1 ? a! + turn : a!)), b!];
    }),
  );
  return { id: String(k).padStart(3, "0"), geometry: { type: "Polygon", coordinates } };
}
