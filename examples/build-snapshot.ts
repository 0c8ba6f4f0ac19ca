// Writes parks.snapshot, which the page, the workers and the route open: node build-snapshot.ts OUT
import { readFileSync, writeFileSync } from "node:fs";
import { createAreaWriter, prepareArea } from "@groundrule/engine/build";

const parks = JSON.parse(readFileSync(new URL("parks.geojson", import.meta.url), "utf8"));
const writer = createAreaWriter({ source_name: "my:parks", kind: "leaf" });
for (const { properties, geometry } of parks.features) {
  const { polygons } = prepareArea(geometry);
  writer.add({ id: properties.code, name: properties.name, countryIso3: null, polygons, properties: {} });
}
writeFileSync(process.argv[2] ?? "parks.snapshot", Buffer.concat([...writer.finish().chunks]));
