/** Reads the features of a file, touches every ring, and prints what that took: CPU, and the most memory. */
import { AreaGeometry, openLocalFile, openTable } from "@groundrule/formats";

const file = await openLocalFile(process.argv[2]!);
const before = process.cpuUsage();
const table = await openTable(file);
let features = 0;
let positions = 0;
let peak = 0;
for await (const { geometry } of table.features()) {
  features++;
  // Not `resourceUsage`: on Linux its peak begins with that of the process that started this one.
  if (features % 1000 === 0) peak = Math.max(peak, process.memoryUsage.rss());
  if (geometry instanceof AreaGeometry)
    for (const rings of geometry.polygons) for (const ring of rings) positions += ring.length / 2;
}
const { user, system } = process.cpuUsage(before);
await table.close();
await file.close();
const megabytes = Math.round(peak / 1e6);
console.log(JSON.stringify({ features, positions, cpuSeconds: (user + system) / 1e6, megabytes }));
