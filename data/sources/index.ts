import { fileURLToPath } from "node:url";

const toPath = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/**
 * The folders with the manifests of real sources, for `groundrule sources sync`: vectors and registers, rasters, and
 * the sources of rulesets on laws.
 */
export const MANIFEST_FOLDERS: readonly string[] = ["./", "./rasters/", "./law/"].map(toPath);

/**
 * The content of files that manifests in these folders name and that nobody publishes: it is written from data that
 * come with the package. The key is the path at which the manifest expects the file.
 */
export const WRITTEN_FILES: ReadonlyMap<string, () => Promise<Iterable<string>>> = new Map([
  [
    toPath("./law/eu_country_benchmark.geojsonl"),
    // Loaded on demand: few commands need borders.
    async () => (await import("./law/country-benchmark.ts")).generateCountryBenchmark(),
  ],
]);
