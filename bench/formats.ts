/**
 * What reading a file costs a feature, and the most memory it takes, by format: a layer of random plots as GeoPackage,
 * GeoParquet, FlatGeobuf, Shapefile and KML, each read in a process of its own; and GDAL reading the same file, where
 * `ogr2ogr` is installed (it writes the last three).
 *
 * npm run bench -- formats [--features 1000000]
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeGeoPackage, writeGeoParquet } from "./formats/layers.ts";

const { values } = parseArgs({ options: { features: { type: "string", default: "1000000" } } });
const features = Number(values.features);
const hasGdal = spawnSync("ogr2ogr", ["--version"]).status === 0;
const folder = mkdtempSync(join(tmpdir(), "groundrule-bench-formats-"));

interface Cost {
  readonly features: number;
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

function read(path: string): Cost {
  const script = join(import.meta.dirname, "formats/read.ts");
  return JSON.parse(execFileSync(process.execPath, [script, path], { encoding: "utf8" }));
}

/** CPU seconds of GDAL reading a file into its memory. */
function readByGdal(path: string): string {
  if (!hasGdal) return "not installed";
  const timed = `TIMEFORMAT='%U %S'; time ogr2ogr -f Memory copy "${path}"`;
  const { stderr, status } = spawnSync("bash", ["-c", timed], { encoding: "utf8" });
  if (status !== 0) return "cannot read it";
  const [user, system] = stderr.trim().split("\n").at(-1)!.split(" ").map(Number);
  return `${(((user! + system!) / features) * 1e6).toFixed(2)} µs`;
}

try {
  const geopackage = join(folder, "plots.gpkg");
  const geoparquet = join(folder, "plots.parquet");
  const flatgeobuf = join(folder, "plots.fgb");
  writeGeoPackage(geopackage, features);
  await writeGeoParquet(geoparquet, features);
  const written = [
    [flatgeobuf, "FlatGeobuf"],
    [join(folder, "plots.shp"), "ESRI Shapefile"],
    [join(folder, "plots.kml"), "KML"],
  ] as const;
  if (hasGdal)
    for (const [path, format] of written) execFileSync("ogr2ogr", ["-f", format, path, geopackage]);
  else console.log("FlatGeobuf, Shapefile, KML: not measured, for there is no ogr2ogr to write them");
  console.log(`${features} features, CPU a feature and the process's peak memory`);
  for (const path of [geopackage, geoparquet, ...(hasGdal ? written.map(([path]) => path) : [])]) {
    const cost = read(path);
    if (cost.features !== features) throw new Error(`${cost.features} features in ${path}`);
    const name = path.slice(path.lastIndexOf(".") + 1).padEnd(8);
    const size = `${Math.round(statSync(path).size / 2 ** 20)} MiB`.padStart(9);
    const own = `${((cost.cpuSeconds / features) * 1e6).toFixed(2)} µs`;
    console.log(
      `${name} ${size}   ${own.padStart(9)}   ${String(cost.megabytes).padStart(5)} MB   GDAL ${readByGdal(path)}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
