/**
 * Plots a second that geoblaze asks of a GeoTIFF whose cells it holds in memory, by their centres; CPU, best of rounds.
 *
 *   node geoblaze.mjs FOLDER_WITH_GEOBLAZE FILE.tif ROUNDS PLOTS.json…
 *
 * The last line of the output is an array of a rate for each file of plots.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [folder, tif, rounds, ...files] = process.argv.slice(2);
const geoblaze = createRequire(join(folder, "package.json"))("geoblaze");
const bytes = readFileSync(tif);
const raster = await geoblaze.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
const rates = [];
for (const file of files) {
  const plots = JSON.parse(readFileSync(file, "utf8"));
  let best = Infinity;
  for (let round = 0; round < Number(rounds); round++) {
    const before = process.cpuUsage();
    for (const plot of plots) await geoblaze.histogram(raster, plot, { scaleType: "nominal" });
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, user + system);
  }
  rates.push((1e6 * plots.length) / best);
}
console.log(JSON.stringify(rates));
