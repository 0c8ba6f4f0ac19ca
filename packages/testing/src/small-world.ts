import { crsTable } from "@groundrule/crs";
import {
  type Engine,
  type EngineOptions,
  openEngine,
  type SourceInput,
  type SourceManifest,
} from "@groundrule/engine";
import { createAreaWriter, createRegisterWriter, type SnapshotFile } from "@groundrule/engine/build";
import { createBoxPositions, createBoxRing } from "./shapes.ts";
import { joinFileBytes } from "./snapshot-bytes.ts";

// A world small enough to know by heart: squares of 0.1° near the equator, and one listed company.
//
//   lat 0.1 ┌───────────┬───────────┐
//           │ parks/p1  │ parks/p2  │      lands/t1 (no country) covers lon 0.05 to 0.15
//   lat 0.0 └───────────┴───────────┘
//         lon 0.0      0.1         0.2

const parks: SourceManifest = {
  source_name: "demo:parks",
  kind: "leaf",
  source_dataset: "Parks of the small world",
  source_url: "https://example.org/parks",
  category: "national park",
  license_spdx: "CC-BY-4.0",
  collected_at: "2026-10-01T00:00:00Z",
  columns: { category: "string", founded: "date" },
};
const lands: SourceManifest = { source_name: "demo:lands", kind: "leaf", columns: {} };
const sanctions: SourceManifest = {
  source_name: "demo:sanctions",
  kind: "subject_register",
  collected_at: "2026-11-01T00:00:00Z",
  scheme: "br:cnpj",
  columns: { program: "string" },
};

/** A square plot of 0.02° around a centre. */
export function createSquarePlot(
  longitude: number,
  latitude: number,
): { type: string; coordinates: number[][][] } {
  const [west, east] = [longitude - 0.01, longitude + 0.01];
  const [south, north] = [latitude - 0.01, latitude + 0.01];
  return { type: "Polygon", coordinates: [createBoxPositions(west, south, east, north)] };
}

export const LISTED_CNPJ = "11.222.333/0001-81";

/** The sources of the small world; the editions of `damaged` ones do not open. */
export function createSmallWorldSources(damaged: readonly string[] = []): SourceInput[] {
  return createSmallWorldFiles().map((file) => {
    const { manifest } = file.meta;
    const bytes = new Uint8Array(joinFileBytes(file));
    if (damaged.includes(manifest.source_name)) {
      // The middle of the file lies in a section whose checksum then no longer fits.
      const middle = bytes.length >> 1;
      bytes[middle] = bytes[middle]! ^ 0xff;
    }
    return { manifest, bytes: bytes.buffer };
  });
}

export function createSmallWorldFiles(): SnapshotFile[] {
  return [createParksFile(), createLandsFile(), createSanctionsFile()];
}

export const SMALL_WORLD_OPTIONS: EngineOptions = {
  groups: { "demo:all": ["demo:parks", "demo:lands"] },
  crs: crsTable,
};

export function createSmallWorld(damaged?: readonly string[]): Engine {
  return openEngine(createSmallWorldSources(damaged), SMALL_WORLD_OPTIONS);
}

function createParksFile(): SnapshotFile {
  const writer = createAreaWriter(parks);
  for (const [id, west, name] of [
    ["p1", 0, "West park"],
    ["p2", 0.1, "East park"],
  ] as const) {
    const properties = { category: "II", founded: "1990-05-01" };
    writer.add({
      id,
      name,
      countryIso3: "BRA",
      polygons: [[createBoxRing(west, 0, west + 0.1, 0.1)]],
      properties,
    });
  }
  return writer.finish();
}

function createLandsFile(): SnapshotFile {
  const writer = createAreaWriter(lands);
  const polygons = [[createBoxRing(0.05, 0, 0.15, 0.1)]];
  writer.add({ id: "t1", name: null, countryIso3: null, polygons, properties: {} });
  return writer.finish();
}

function createSanctionsFile(): SnapshotFile {
  const writer = createRegisterWriter(sanctions);
  const identifiers = [{ scheme: "br:cnpj", value: LISTED_CNPJ }];
  writer.add({ id: "s1", name: "Madeira Ltda", properties: { program: "embargo" }, identifiers });
  return writer.finish();
}
