import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCatalogOrEmpty } from "@groundrule/node/internal";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { readSourceFiles, type SyncOptions, type SyncOutcome, syncSources } from "../src/index.ts";

/** A GeoJSON file of squares side by side. */
export function createSquaresGeoJson(count: number, note = ""): Buffer {
  const features = Array.from({ length: count }, (_, i) => {
    const [x, y] = [(i % 100) / 10, Math.floor(i / 100) / 10];
    const ring = createBoxPositions(x, y, x + 0.1, y + 0.1);
    return {
      type: "Feature",
      id: i,
      properties: { note },
      geometry: { type: "Polygon", coordinates: [ring] },
    };
  });
  return Buffer.from(JSON.stringify({ type: "FeatureCollection", features }));
}

/** A data folder, a folder of manifests, and syncs of them that wait for nothing. */
export class World {
  readonly folder: string = mkdtempSync(join(tmpdir(), "groundrule-sync-"));
  readonly data: string = join(this.folder, "data");
  readonly pauses: number[] = [];

  file(name: string, bytes: Uint8Array | string): void {
    writeFileSync(join(this.folder, name), bytes);
  }

  manifest(name: string, members: object): void {
    const manifest = { source_name: `t:${name}`, kind: "leaf", coverage: "global", ...members };
    this.file(`${name}.json`, JSON.stringify(manifest));
  }

  async sync(options: Partial<SyncOptions> = {}): Promise<readonly SyncOutcome[]> {
    return syncSources(readSourceFiles([this.folder]), {
      dir: this.data,
      random: () => 0,
      sleep: async (ms, signal) => {
        signal.throwIfAborted();
        this.pauses.push(ms);
      },
      ...options,
    });
  }

  /** The current edition of a source and its areas. */
  current(name: string): { readonly edition: string; readonly areas: number } | undefined {
    const meta = readCatalogOrEmpty(this.data).sources.find(
      ({ manifest }) => manifest.source_name === `t:${name}`,
    );
    return meta && { edition: meta.edition, areas: meta.feature_count };
  }

  /** Bytes of a download under way that are in its file. */
  arrived(name: string): number {
    return statSync(join(this.data, `downloads/t_${name}/part`), { throwIfNoEntry: false })?.size ?? 0;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
