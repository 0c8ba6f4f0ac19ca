/**
 * What fixing a plot takes of CPU, of valid polygons and of those that the cut breaks.
 *
 *   npm run bench -- plots-fix [--plots N]
 */
import { parseArgs } from "node:util";
import { eudr, fixPlot } from "@groundrule/plots";
import { seededRandom } from "@groundrule/testing/random";
import { positionsOf, star } from "@groundrule/testing/shapes";
import { cpuMicros, tableOf } from "./measure.ts";

const { values } = parseArgs({ options: { plots: { type: "string", default: "20000" } } });
const count = Number(values.plots);

const rows = [["plots", "mended", "µs of CPU a plot"]];
for (const [name, radiusDegrees, hasHoles] of [
  ["fields of 100 m to 10 km", (i: number) => 0.0005 * (1 + (i % 100)), false],
  ["fields of 100 m to 10 km with a hole", (i: number) => 0.0005 * (1 + (i % 100)), true],
  ["plots of 1 to 10 m, which the cut breaks often", (i: number) => 0.000005 * (1 + (i % 10)), false],
] as const) {
  const random = seededRandom(63);
  // Some twenty corners.
  const features = Array.from({ length: count }, (_, i) => {
    const [x, y, radius] = [random.between(-70, -40), random.between(-30, 5), radiusDegrees(i)];
    const outer = star(random, x, y, radius, 6 + random.integer(30));
    const rings = hasHoles ? [outer, star(random, x, y, radius / 5, 6)] : [outer];
    return {
      number: i + 1,
      id: i,
      geometry: { type: "Polygon", coordinates: rings.map(positionsOf) },
      properties: {},
    };
  });
  let mended = 0;
  const micros = cpuMicros(() => {
    for (const plot of features) {
      const { changes, findings } = fixPlot(plot, { profile: eudr });
      if (findings.length > 0 || changes.some(({ code }) => code === "CUT_REPAIRED")) mended++;
    }
  });
  rows.push([name, `${mended}`, (micros / count).toFixed(0)]);
}
console.log(tableOf(rows));
