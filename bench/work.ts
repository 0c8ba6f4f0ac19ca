/**
 * How long a unit of work takes, for every kind of work that an answer's budget counts.
 *
 *   node bench/work.ts
 *
 * Each line does one kind of work and little else, without a limit, and divides its CPU time by the
 * units counted. Units are calibrated where the column shows about the same everywhere; what is far above
 * the others can hold an answer up, what is far below is refused too early.
 */
import { openSnapshot, type RasterSnapshot } from "@groundrule/engine/build";
import {
  createParallelEdges,
  createRegularStar,
  createSlantedComb,
  createWoundBand,
  randomRadii,
} from "@groundrule/testing/hard-rings";
import { createBoxRing, createCombRing, reverseRing, toPlot } from "@groundrule/testing/shapes";
import { ANSWER_WORK, WorkMeter } from "../packages/engine/src/base/work-meter.ts";
import { exactKernel } from "../packages/engine/src/geometry/kernel/exact-kernel.ts";
import type { BoundPlot } from "../packages/engine/src/geometry/kernel/kernel.ts";
import { PlotOnLayers } from "../packages/engine/src/geometry/kernel/plot-on-layers.ts";
import { intersectEvenOdd } from "../packages/engine/src/geometry/noding/even-odd.ts";
import type { Region } from "../packages/engine/src/geometry/overlap/region.ts";
import { uniteDiscs } from "../packages/engine/src/geometry/plot/discs.ts";
import { repairPolygons } from "../packages/engine/src/geometry/plot/mend/repair.ts";
import type { Plot } from "../packages/engine/src/geometry/plot/plot.ts";
import { examineRings } from "../packages/engine/src/geometry/plot/validity/validity.ts";
import type { RasterLayer } from "../packages/engine/src/geometry/raster/raster-layer.ts";
import type { AreaLayer } from "../packages/engine/src/geometry/trees/layer.ts";
import { buildAreaLayer } from "../packages/engine/test/build-layer.ts";
import { makeLatticeWindow, makeRasterFile } from "../packages/engine/test/rasters.ts";
import { fractalRing, randomClearings, seededRandom } from "./data.ts";
import { describeMachine, formatMarkdownTable, measureCpuMicros } from "./measure.ts";

const random = seededRandom(7);
const small = randomClearings(random, 35_628).map((ring) => [[ring]]);
const dense = buildAreaLayer(small);
const rough = buildAreaLayer([[[fractalRing(random, 0, 0, 3.5, 100_000)]]]);
const upright = createCombRing(0, 0, 1, 1, 400);
const lying = reverseRing(upright.map((_, i) => upright[i ^ 1]!));
const crossing = buildAreaLayer([[[lying]]]);
const turned = (ring: Float64Array) => reverseRing(ring.map((_, i) => ring[i ^ 1]!));
const square = (half: number) => toPlot([[createBoxRing(-half, -half, half, half)]]);
const outline = toPlot([[fractalRing(random, 0, 0, 11, 9_000)]]);
const fields = (count: number): Plot => {
  const side = Math.ceil(Math.sqrt(count));
  return toPlot(
    Array.from({ length: count }, (_, i) => {
      const [x, y] = [-3 + (6 * (i % side)) / side, -3 + (6 * Math.floor(i / side)) / side];
      return [createBoxRing(x, y, x + 0.02, y + 0.02)];
    }),
  );
};
const circle = (n: number, radius: number): Float64Array =>
  createRegularStar(n, 1).map((value) => value * radius);
const zigzag = (teeth: number): Float64Array =>
  Float64Array.from({ length: 4 * teeth }, (_, i) =>
    i % 2 === 0 ? -15 + (30 * (i >> 1)) / (2 * teeth) : (i & 2) === 0 ? -15 : 15,
  );

const all = (bound: BoundPlot, layer: AreaLayer) => bound.intersections(layer).map(({ area }) => area);
const bind = (plot: Plot, ask: (bound: BoundPlot) => unknown) => (meter: WorkMeter) =>
  ask(exactKernel.bind(plot, meter));
/** The first query is not counted: areas found for a plot bound for that purpose. */
const of = (plot: Plot, layer: AreaLayer, ask: (bound: BoundPlot, areas: readonly number[]) => unknown) => {
  const areas = all(exactKernel.bind(plot, new WorkMeter(Infinity)), layer);
  return bind(plot, (bound) => ask(bound, areas));
};
const region = (plot: Plot, layer: AreaLayer, count = Infinity) =>
  of(plot, layer, (bound, areas) =>
    bound.regionSquareMeters({ op: "areas", areas: areas.slice(0, count).map((area) => ({ layer, area })) }),
  );
const check = (ring: Float64Array) => (meter: WorkMeter) => examineRings([[ring]], { meter });

/** Rasters of 2,000 × 2,000 cells with one corner, and plots on them that reach over a part of their side. */
const [cells, otherCells] = [20, 3].map((count): RasterLayer => {
  const file = makeRasterFile(makeLatticeWindow(286_208, 432_896, 2_000, 2_000, count));
  return (openSnapshot(file) as RasterSnapshot).layer as RasterLayer;
}) as [RasterLayer, RasterLayer];
const onCells = (
  share: number,
  corners: number,
  times: number,
  ask: (plot: PlotOnLayers, cells: RasterLayer) => unknown,
) => {
  const [x, y] = [(cells.grid.a + 1_000) / 4_000, (cells.grid.b - 1_000) / 4_000];
  const plot = toPlot([[fractalRing(random, x, y, 0.2 * share, corners)]]);
  return (meter: WorkMeter) => {
    for (let i = 0; i < times; i++) ask(new PlotOnLayers(exactKernel, plot, meter), cells);
  };
};
const everyArea = (layer: RasterLayer): Region<RasterLayer> => ({
  op: "areas",
  areas: Array.from({ length: layer.areaCount }, (_, area) => ({ layer, area })),
});

const discs =
  (degrees: number, squareMeters: number, count = 1000) =>
  (meter: WorkMeter) => {
    const points = Array.from({ length: count }, (_, i) =>
      Float64Array.of((i % 40) * degrees, Math.floor(i / 40) * degrees),
    );
    return uniteDiscs(points, { squareMeters, pointer: "", meter });
  };

const kinds: Readonly<Record<string, (meter: WorkMeter) => unknown>> = {
  "check: outline of 100,000": check(fractalRing(random, 0, 0, 3.5, 100_000)),
  "check: slanted comb": check(createSlantedComb(60_000)),
  "check: random radii": check(randomRadii(60_000)),
  "check: parallel edges": check(createParallelEdges(60_000)),
  "check: spiral": check(createWoundBand(60_000)),
  "check: star": check(createRegularStar(20_001, 9_999)),
  "check: 10,000 parts": (meter) =>
    examineRings(
      Array.from({ length: 10_000 }, (_, i) => [
        createBoxRing(i % 100, Math.floor(i / 100), (i % 100) + 0.5, Math.floor(i / 100) + 0.5),
      ]),
      { meter },
    ),
  "repair: star of 300": (meter) => repairPolygons([[createRegularStar(301, 149)]], { meter }),
  "repair: two combs": (meter) => repairPolygons([[upright], [lying]], { meter }),
  "even-odd: two combs": (meter) => intersectEvenOdd([[upright], [lying]], { meter }),
  "discs: 1,000 of 4 ha": discs(0.1, 4e4),
  "discs: 1,000 of 50,000 ha": discs(1, 5e8),
  "discs: 100, all overlapping": discs(1e-5, 4e4, 100),
  "overlap: square, small areas": bind(square(15), (bound) => bound.intersections(dense)),
  "overlap: outline, small areas": bind(outline, (bound) => bound.intersections(dense)),
  "overlap: 3,000 parts": bind(fields(3_000), (bound) => bound.intersections(dense)),
  "overlap: zigzag, small areas": bind(toPlot([[closeLineBelow(zigzag(400))]]), (bound) =>
    bound.intersections(dense),
  ),
  "overlap: outline, outline": bind(toPlot([[fractalRing(random, 0, 0, 3.5, 90_000)]]), (bound) =>
    bound.intersections(rough),
  ),
  "overlap: comb, comb": bind(toPlot([[upright]]), (bound) => bound.intersections(crossing)),
  "overlap: small comb, comb": bind(toPlot([[createCombRing(0, 0, 1, 1, 48)]]), (bound) =>
    bound.intersections(crossing),
  ),
  "relations: square": of(square(15), dense, (bound, areas) =>
    areas.map((area) => bound.relation(dense, area)),
  ),
  "relations: outline": of(outline, dense, (bound, areas) =>
    areas.map((area) => bound.relation(dense, area)),
  ),
  "relations: 3,000 parts": of(fields(3_000), dense, (bound, areas) =>
    areas.map((area) => bound.relation(dense, area)),
  ),
  "relations: comb, comb": of(toPlot([[upright]]), crossing, (bound) => bound.relation(crossing, 0)),
  "region: small areas": region(square(5), dense),
  "region: few, again and again": of(square(5), dense, (bound, areas) =>
    areas.slice(0, 3000).map((area) =>
      bound.regionSquareMeters(
        {
          op: "union",
          operands: [0, 1].map((k) => ({ op: "areas", areas: [{ layer: dense, area: area + k }] })),
        },
        { layer: dense, area },
      ),
    ),
  ),
  "region: combs": region(square(1), buildAreaLayer([[[upright]], [[turned(upright)]]])),
  "geometry: small areas": of(square(5), dense, (bound, areas) =>
    areas.slice(0, 2000).map((area) => bound.overlapGeometry(dense, area)),
  ),
  "geometry: comb, comb": bind(toPlot([[createCombRing(0, 0, 1, 1, 100)]]), (bound) =>
    bound.overlapGeometry(crossing, 0),
  ),
  "geometry: outline, outline": bind(toPlot([[fractalRing(random, 0, 0, 3.5, 90_000)]]), (bound) =>
    bound.overlapGeometry(rough, 0),
  ),
  "distance: point, 1,000 km": bind(toPlot([[Float64Array.of(1, 1)]], "point"), (bound) =>
    bound.distances(dense, 1e6),
  ),
  "distance: circle, 1,000 km": bind(toPlot([[circle(200, 0.1)]]), (bound) => bound.distances(dense, 1e6)),
  "distance: square, 10 km": bind(square(5), (bound) => bound.distances(dense, 1e4)),
  "distance: outline, 10 km": bind(outline, (bound) => bound.distances(dense, 1e4)),
  "distance: 3,000 parts, 10 km": bind(fields(3_000), (bound) => bound.distances(dense, 1e4)),
  "distance: long edges, 10 km": bind(toPlot([[zigzag(40)]], "line"), (bound) => bound.distances(dense, 1e4)),
  "lines: zigzag": bind(toPlot([[zigzag(20)]], "line"), (bound) => bound.intersections(dense)),
  "cells: small plots": onCells(0.01, 12, 1_000, (plot, layer) => plot.intersections(layer)),
  "cells: outline": onCells(1, 9_000, 1, (plot, layer) => plot.intersections(layer)),
  "cells: large plot": onCells(1, 100, 10, (plot, layer) => plot.intersections(layer)),
  "cells: of two rasters": onCells(1, 100, 1, (plot, layer) =>
    plot.regionSquareMeters({ op: "intersection", operands: [everyArea(layer), everyArea(otherCells)] }),
  ),
  "cells: outlines": onCells(0.5, 100, 1, (plot, layer) => plot.overlapGeometry(layer, 1)),
  "points: 3,000": bind(toPlot(splitIntoParts(fields(3_000)), "point"), (bound) =>
    bound.intersections(dense),
  ),
};

const rows = [["kind", "ms", "units", "ns a unit", "budget, ms"]];
const pattern = new RegExp(process.argv[2] ?? "");
for (const [name, work] of Object.entries(kinds)) {
  if (!pattern.test(name)) continue;
  let units = 0;
  const times = Array.from({ length: 5 }, () => {
    const meter = new WorkMeter(Infinity);
    const micros = measureCpuMicros(() => work(meter));
    units = meter.counted;
    return micros / 1000;
  });
  const ms = Math.min(...times.slice(1));
  const each = (ms * 1e6) / units;
  const budgetMs = (each * ANSWER_WORK) / 1e6;
  rows.push([name, ms.toFixed(1), `${Math.round(units)}`, each.toFixed(2), budgetMs.toFixed(0)]);
}
console.log(`${describeMachine()}; budget ${ANSWER_WORK} units\n\n${formatMarkdownTable(rows)}`);

/** A line closed below. */
function closeLineBelow(line: Float64Array): Float64Array {
  return Float64Array.from([...line, 15, -16, -15, -16, line[0]!, line[1]!]);
}

function splitIntoParts({ xy, ringStarts }: Plot): Float64Array[][] {
  return Array.from({ length: ringStarts.length - 1 }, (_, r) => [
    xy.slice(2 * ringStarts[r]!, 2 * ringStarts[r]! + 2),
  ]);
}
