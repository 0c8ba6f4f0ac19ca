// Writes parks.snapshot, which the page, the workers and the route open: node build-snapshot.ts OUT
import { readFileSync, writeFileSync } from "node:fs";
import { snapshotOf } from "@groundrule/engine/build";

const parks = JSON.parse(readFileSync(new URL("parks.geojson", import.meta.url), "utf8"));
const { bytes } = snapshotOf("my:parks", parks, { id: "code", name: "name" });
writeFileSync(process.argv[2] ?? "parks.snapshot", bytes);
