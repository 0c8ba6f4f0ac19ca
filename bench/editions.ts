/**
 * npm run bench -- editions: lists and compares editions of real layers, if GROUNDRULE_REAL_DATA names their folder.
 * The later edition lacks every 50th area, and every third area is moved by a hundred metres.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, gunzipSync } from "node:zlib";
import { crsTable } from "@groundrule/crs";
import { buildSnapshot, parseSource } from "@groundrule/ingest";
import { diffEditions, installEdition, listEditions } from "@groundrule/node";

const LAYERS = ["br_ibge_municipalities", "amazon_mining_scars_2019_2025"];
const REAL = process.env.GROUNDRULE_REAL_DATA;
if (REAL === undefined) console.log("GROUNDRULE_REAL_DATA is not set: nothing to compare");
else for (const layer of LAYERS) await measure(REAL, layer);

type Positions = number | readonly Positions[];
interface Feature {
  readonly geometry: { readonly coordinates: Positions } | null;
}

async function measure(folder: string, layer: string): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "groundrule-editions-"));
  try {
    const { manifest } = parseSource(
      JSON.parse(readFileSync(new URL(`../data/sources/${layer}.json`, import.meta.url), "utf8")),
    );
    const text = gunzipSync(readFileSync(join(folder, `${layer}.geojson.gz`))).toString();
    const { features } = JSON.parse(text) as { readonly features: readonly Feature[] };
    const editions: string[] = [];
    for (const each of [features, changed(features)]) {
      const collection = { type: "FeatureCollection", features: each };
      const { file, report } = await buildSnapshot(pieces(JSON.stringify(collection)), manifest, {
        sha256: () => createHash("sha256"),
        crc32,
        crs: crsTable,
        openPolygons: (named) =>
          pieces(readFileSync(new URL(`../data/sources/${named}`, import.meta.url), "utf8")),
      });
      const notes = { left_out: report.left_out.length, read: report.read };
      editions.push((await installEdition(dir, file, notes)).meta.edition);
    }
    const name = manifest.source_name;
    const listed = cpuSeconds(() => listEditions(dir, name));
    const same = cpuSeconds(() => diffEditions(dir, name, editions[0]!, editions[0]!));
    const moved = cpuSeconds(() => diffEditions(dir, name, editions[0]!, editions[1]!));
    const { counts, square_meters } = moved.result;
    console.log(`${layer}: ${counts.before} areas, ${counts.changed} changed, ${counts.removed} removed`);
    console.log(`  list two editions        ${listed.seconds.toFixed(2)} s of CPU`);
    console.log(`  diff with itself         ${same.seconds.toFixed(2)} s of CPU`);
    console.log(`  diff with the later one  ${moved.seconds.toFixed(2)} s of CPU`);
    const { before, after, gained, lost } = square_meters!;
    console.log(
      `  before + gained - lost is after, to ${Math.abs((before + gained - lost) / after - 1).toExponential(0)}`,
    );
    console.log(
      `  most memory of this process so far ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function changed(features: readonly Feature[]): Feature[] {
  const moved = (positions: Positions): Positions =>
    typeof positions === "number" ? positions + 0.001 : positions.map(moved);
  return features
    .filter((_, i) => i % 50 !== 7)
    .map((feature, i) => {
      if (i % 3 !== 0 || feature.geometry === null) return feature;
      return {
        ...feature,
        geometry: { ...feature.geometry, coordinates: moved(feature.geometry.coordinates) },
      };
    });
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536);
}

function cpuSeconds<Result>(work: () => Result): { readonly result: Result; readonly seconds: number } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (user + system) / 1e6 };
}
