// Writes the file of the source eu:country_benchmark.
//   node data/sources/law/write-country-benchmark.ts FOLDER
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { countryBenchmark } from "./country-benchmark.ts";

const path = join(process.argv[2] ?? ".", "eu_country_benchmark.geojsonl");
writeFileSync(path, [...countryBenchmark()].join(""));
process.stdout.write(`${path}\n`);
