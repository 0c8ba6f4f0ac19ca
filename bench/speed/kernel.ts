/**
 * The kernel alone: intersects and overlap area on real layers, against GEOS in C on prepared areas and on pieces that
 * it cut beforehand; and intersects only, beside areas of 500,000 vertices.
 *
 *   GROUNDRULE_REAL_DATA=… node bench/speed/kernel.ts
 */
import { exactKernel } from "../../packages/engine/src/geometry/kernel/exact-kernel.ts";
import { fractalRing, plotNear, seededRandom } from "../data.ts";
import { ready } from "../kernel/ours.ts";
import { type RealLayerName, timeRealLayers } from "../kernel/real-layers.ts";
import { inTurns, microsAPlot, warm } from "../measure.ts";
import { GEOS_MISSING, startGeos } from "../peers/geos.ts";
import { atLeast, runAlone, type SpeedMissing, type SpeedResult, type SpeedRow } from "./row.ts";

/** Factors over GEOS on whole areas. */
const GOALS: Readonly<Record<RealLayerName, number>> = {
  "countries of Natural Earth 1:10m": 60,
  "Brazilian municipalities": 25,
  "Brazilian layers together": 15,
  "GSHHG high, land with lakes": 150,
};
const OVER_PIECES = 15;
const MEETS = 4;
const PLOTS = 2000;

async function measureKernel(): Promise<SpeedResult> {
  const rows: (SpeedRow | SpeedMissing)[] = [];
  for await (const layer of timeRealLayers()) {
    if ("missing" in layer) {
      rows.push(layer);
      continue;
    }
    const { name, kernel, whole, pieces } = layer;
    const over = ({ name: peer, micros }: typeof whole, goal: number): SpeedRow =>
      atLeast(`kernel alone, ${name}, × ${peer}`, micros / kernel, goal, "×");
    rows.push(over(whole, GOALS[name]), over(pieces, OVER_PIECES));
  }
  return [...rows, await measureMeets()];
}

/** Which of three areas of 500,000 vertices do plots meet? */
async function measureMeets(): Promise<SpeedRow | SpeedMissing> {
  const random = seededRandom(7);
  const rings = [-60, -39, -18].map((lon) => fractalRing(random, lon, -20, 8, 500_000));
  const areas = rings.map((ring) => [[ring]]);
  const plots = Array.from({ length: PLOTS }, () => [[plotNear(random, rings)]]);
  const geos = await startGeos(areas, plots);
  if (geos === undefined) return GEOS_MISSING;
  const { layer, asked } = ready(areas, plots);
  const met = asked.reduce((sum, plot) => sum + exactKernel.bind(plot).meets(layer).length, 0);
  const { hits } = await geos.pass("meets", 0, PLOTS);
  if (met !== hits) throw new Error(`plots meet ${met} areas, by GEOS ${hits}`);
  const meet = (): number => microsAPlot(asked, (plot) => exactKernel.bind(plot).meets(layer));
  warm(meet);
  const { ours, theirs } = await inTurns(7, {
    ours: meet,
    theirs: async () => (await geos.pass("meets", 0, PLOTS)).micros,
  });
  geos.stop();
  const figure = `intersects only, 500,000 vertices an area, × GEOS ${geos.version} prepared`;
  return atLeast(figure, theirs / ours, MEETS, "×");
}

await runAlone(import.meta, measureKernel);
