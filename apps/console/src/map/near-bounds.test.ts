import { mulberry32 } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { type Bounds, joinBounds } from "./layers/plot-features.ts";
import { computeNearBounds } from "./near-bounds.ts";

const plotAt = (x: number, y: number, size = 0.01): Bounds => [x, y, x + size, y + size];
const SEEDS = Array.from({ length: 200 }, (_, seed) => seed + 1);

/** Plots within one degree, at a place and of a number that follow from a seed. */
function createCluster(seed: number): { readonly plots: Bounds[]; readonly random: () => number } {
  const random = mulberry32(seed);
  const [x, y] = [300 * random() - 150, 140 * random() - 70];
  const count = 5 + Math.floor(60 * random() ** 2);
  return { plots: Array.from({ length: count }, () => plotAt(x + random(), y + random())), random };
}

describe("computeNearBounds", () => {
  it.each(SEEDS)("leaves out those in another place and no other, in any order, seed %i", (seed) => {
    const { plots, random } = createCluster(seed);
    const most = Math.min(20, Math.ceil(0.1 * plots.length));
    const away = Array.from({ length: Math.ceil(most * random()) }, (_, i) => {
      const [[x, y]] = plots as [Bounds];
      return plotAt(x + (i % 2 === 0 ? 6 : -6) * (1 + random()), y + 12 * random() - 6);
    });
    const all = [...plots, ...away].map((plot) => ({ plot, at: random() })).sort((a, b) => a.at - b.at);
    const found = computeNearBounds(all.map(({ plot }) => plot))!;
    expect(new Set(found.far.map((i) => all[i]!.plot))).toEqual(new Set(away));
    expect(found.bounds).toEqual(joinBounds(plots));
  });

  it.each(SEEDS)("shows all plots that lie together, or too many in the other place, seed %i", (seed) => {
    const { plots } = createCluster(seed);
    expect(computeNearBounds(plots)).toEqual({ bounds: joinBounds(plots), far: [] });
    const both = [...plots, ...plots.map(([x, y]) => plotAt(x / 2, y / 2 + 20))];
    expect(computeNearBounds(both)!.far).toEqual([]);
  });

  it.each(SEEDS)("shows plots across the antimeridian like the same plots elsewhere, seed %i", (seed) => {
    const { plots, random } = createCluster(seed);
    const [[first]] = plots as [Bounds];
    const turn = 180 - first - random();
    const turned = plots.map(([west, south, east, north]): Bounds => {
      const wrapped = west + turn >= 180 ? turn - 360 : turn;
      return [west + wrapped, south, east + wrapped, north];
    });
    const [here, there] = [plots, turned].map((all) => computeNearBounds(all)!);
    expect(there!.far).toEqual(here!.far);
    expect(there!.bounds[2] - there!.bounds[0]).toBeCloseTo(here!.bounds[2] - here!.bounds[0], 9);
  });

  it("shows two plots at both sides of the antimeridian in one small view", () => {
    const { bounds } = computeNearBounds([plotAt(179.9, 0), plotAt(-179.91, 0)])!;
    expect([bounds[0], bounds[2]].map((x) => x.toFixed(2))).toEqual(["179.90", "180.10"]);
  });

  it("never leaves one of a few plots out, nor more than twenty of many", () => {
    const few = [plotAt(0, 0), plotAt(0.1, 0), plotAt(0, 0.1), plotAt(60, 0)];
    expect(computeNearBounds(few)).toEqual({ bounds: [0, 0, 60.01, 0.11], far: [] });
    const many = Array.from({ length: 1000 }, (_, i) => plotAt(i < 979 ? i / 1000 : 60 + i / 10, 0));
    expect(computeNearBounds(many)!.far).toEqual([]);
    expect(computeNearBounds(many.slice(0, -1))!.far).toHaveLength(20);
    expect(computeNearBounds([])).toBeUndefined();
  });
});
