/**
 * npm run bench -- plots-fix [--plots N]: what fixing a plot takes of CPU, of valid polygons and of those that the cut
 * breaks, beside GEOS 3.x in WebAssembly, which rounds to the same grid and makes valid (`GEOSGeom_setPrecision`).
 */
import { parseArgs } from "node:util";
import { eudr, fixPlot } from "@groundrule/plots";
import { seededRandom } from "@groundrule/testing/random";
import { type Polygons, positionsOf, star } from "@groundrule/testing/shapes";

const { values } = parseArgs({ options: { plots: { type: "string", default: "20000" } } });
const count = Number(values.plots);

/** Fields of 10 m to 10 km with some twenty corners; every third has a hole. */
function plotsOf(radiusDegrees: (i: number) => number, hasHoles: boolean): Polygons[] {
  const random = seededRandom(63);
  return Array.from({ length: count }, (_, i) => {
    const [x, y, radius] = [random.between(-70, -40), random.between(-30, 5), radiusDegrees(i)];
    const outer = star(random, x, y, radius, 6 + random.integer(30));
    return [hasHoles ? [outer, star(random, x, y, radius / 5, 6)] : [outer]];
  });
}

const kinds: readonly (readonly [string, Polygons[]])[] = [
  ["fields of 100 m to 10 km", plotsOf((i) => 0.0005 * (1 + (i % 100)), false)],
  ["fields of 100 m to 10 km with a hole", plotsOf((i) => 0.0005 * (1 + (i % 100)), true)],
  ["plots of 1 to 10 m, which the cut breaks often", plotsOf((i) => 0.000005 * (1 + (i % 10)), false)],
];

const geos = await loadGeos();
console.log(`${count} plots of each kind; µs of CPU a plot\n`);
console.log(`${"".padEnd(48)}  mended  ours  GEOS (rounds)`);
for (const [name, plots] of kinds) {
  const features = plots.map((polygons, i) => ({
    number: i + 1,
    id: i,
    geometry: { type: "Polygon", coordinates: polygons[0]!.map(positionsOf) },
    properties: {},
  }));
  let mended = 0;
  const ours = cpuOf(() => {
    for (const plot of features) {
      const { changes, findings } = fixPlot(plot, { profile: eudr });
      if (findings.length > 0 || changes.some(({ code }) => code === "CUT_REPAIRED")) mended++;
    }
  });
  const theirs = geos === undefined ? "not installed" : geos(plots).toFixed(0);
  console.log(`${name.padEnd(48)}  ${String(mended).padStart(6)}  ${ours.toFixed(0).padStart(4)}  ${theirs}`);
}

/** Microseconds of CPU a plot. */
function cpuOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

/** Rounds polygons to the grid by GEOS; microseconds of CPU a plot. Undefined where geos-wasm is not installed. */
async function loadGeos(): Promise<((plots: readonly Polygons[]) => number) | undefined> {
  const name = "geos-wasm";
  const found = await import(name).catch(() => undefined);
  if (found === undefined) return undefined;
  const geos = await found.default();
  const linearRing = (ring: Float64Array): number => {
    const sequence = geos.GEOSCoordSeq_create(ring.length / 2, 2);
    for (let i = 0; i < ring.length / 2; i++)
      geos.GEOSCoordSeq_setXY(sequence, i, ring[2 * i], ring[2 * i + 1]);
    return geos.GEOSGeom_createLinearRing(sequence);
  };
  const holes: number = geos.Module._malloc(4);
  return (plots) =>
    cpuOf(() => {
      for (const [[outer, hole]] of plots as readonly [readonly [Float64Array, Float64Array?]][]) {
        if (hole !== undefined) geos.Module.setValue(holes, linearRing(hole), "i32");
        const polygon = geos.GEOSGeom_createPolygon(linearRing(outer), holes, hole === undefined ? 0 : 1);
        const rounded = geos.GEOSGeom_setPrecision(polygon, 1e-6, 0);
        geos.GEOSGeom_destroy(polygon);
        geos.GEOSGeom_destroy(rounded);
      }
    });
}
