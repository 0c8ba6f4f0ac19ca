import type { SnapshotMeta } from "@groundrule/engine/build";
import { formatEditionPath } from "../catalog/catalog.ts";
import { readBuildNotes } from "../files/build-notes.ts";
import { measureEdition } from "./contents/measure-edition.ts";
import type { EditionExtent } from "./guards.ts";

/**
 * The measures of a stored edition: from the notes of its build, or computed if those lack them.
 *
 * @param meta of the edition; its manifest may be the one in the catalog
 */
export function getStoredExtent(
  dir: string,
  { manifest, edition, feature_count }: SnapshotMeta,
): EditionExtent {
  const path = formatEditionPath(dir, manifest.source_name, edition);
  const notes = readBuildNotes(path);
  const { square_meters, filled } =
    notes?.filled === undefined ? { ...notes, ...measureEdition(path) } : notes;
  return {
    kind: manifest.kind,
    featureCount: feature_count,
    squareMeters: square_meters,
    filled,
    manifest,
    read: notes?.read,
    leftOut: notes?.left_out,
    identifiers: notes?.identifiers,
    malformed: notes?.malformed,
  };
}
