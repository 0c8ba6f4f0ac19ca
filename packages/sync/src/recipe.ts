import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openEngine } from "@groundrule/engine";
import { canonicalJson } from "@groundrule/engine/records";
import type { KeepOptions, Source } from "@groundrule/ingest";

/** Raised when a build of the same file by the same manifest gives something else, under the same semantics. */
const RECIPE = 1;

/**
 * The digest of all that an edition depends on besides its file: the manifest, how the file is read, which land of a
 * raster is kept, the polygons that the manifest names, and the semantics under which areas are repaired and measured.
 */
export function recipeOf({ manifest, read }: Source, folder: string, keep?: KeepOptions): string {
  const { semantics } = openEngine([]);
  const kept = keep !== undefined && manifest.cells !== undefined && { keep };
  const said = canonicalJson({ recipe: RECIPE, semantics, manifest, read: read ?? {}, ...kept });
  const hash = createHash("sha256").update(said);
  const { coverage } = manifest;
  if (typeof coverage === "object" && "polygons" in coverage) {
    hash.update(readFileSync(join(folder, coverage.polygons)));
  }
  return hash.digest("hex");
}
