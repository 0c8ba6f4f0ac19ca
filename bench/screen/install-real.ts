import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { crsTable } from "@groundrule/crs";
import { buildSnapshot, parseSource } from "@groundrule/ingest";
import { installEdition } from "@groundrule/node";

const MANIFESTS = join(import.meta.dirname, "../../data/sources");

/**
 * Builds a real source into a data folder, by its manifest.
 *
 * @param folder where the files of the real sources are
 * @param name of the manifest, and of the file
 */
export async function installReal(data: string, folder: string, name: string): Promise<void> {
  const { manifest } = parseSource(JSON.parse(readFileSync(join(MANIFESTS, `${name}.json`), "utf8")));
  const { file, report } = await buildSnapshot(
    createReadStream(join(folder, `${name}.geojson.gz`), { highWaterMark: 1 << 20 }),
    manifest,
    {
      sha256: () => createHash("sha256"),
      crc32,
      crs: crsTable,
      openPolygons: (named) => createReadStream(join(MANIFESTS, named)),
    },
  );
  await installEdition(data, file, { left_out: report.left_out.length });
}
