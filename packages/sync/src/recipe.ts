import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openEngine } from "@groundrule/engine";
import { canonicalJson } from "@groundrule/engine/records";
import type { Source } from "@groundrule/ingest";

/** Raised when a build of the same file by the same manifest gives something else, under the same semantics. */
const RECIPE = 1;

/**
 * The digest of all that an edition depends on besides its file: the manifest, how the file is read, the polygons that
 * the manifest names, and the semantics under which areas are repaired and measured.
 */
export function recipeOf({ manifest, read }: Source, folder: string): string {
  const { semantics } = openEngine([]);
  const said = canonicalJson({ recipe: RECIPE, semantics, manifest, read: read ?? {} });
  const hash = createHash("sha256").update(said);
  const { coverage } = manifest;
  if (typeof coverage === "object" && "polygons" in coverage) {
    hash.update(readFileSync(join(folder, coverage.polygons)));
  }
  return hash.digest("hex");
}
