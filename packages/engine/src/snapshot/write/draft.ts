import { EngineError } from "../../base/errors.ts";
import { checkShape } from "../../shape/check-shape.ts";
import { type SourceKind, type SourceManifest, sourceManifestShape } from "../manifest.ts";

/**
 * A manifest for a writer of a kind.
 *
 * Fails: `VALIDATION_FAILED`.
 */
export function checkManifest(manifest: SourceManifest, kind: SourceKind): SourceManifest {
  const checked = checkShape(sourceManifestShape, manifest, { exact: true });
  if (checked.faults !== undefined) {
    const faults = checked.faults.map((fault) => ({ ...fault, code: "MANIFEST_INVALID" }));
    const [{ pointer, message }] = checked.faults;
    throw new EngineError("VALIDATION_FAILED", `the manifest is not valid at "${pointer}": ${message}`, {
      faults,
    });
  }
  if (manifest.kind !== kind) {
    const message = `found source "${manifest.source_name}" of kind ${manifest.kind}, expected kind ${kind} for this writer`;
    throw new EngineError("VALIDATION_FAILED", message, { found: manifest.kind, expected: kind });
  }
  return checked.value;
}

/** The draft of a snapshot that is still being written. */
export function assertUnfinished<Draft>(draft: Draft | undefined): Draft {
  if (draft === undefined) throw new Error("this snapshot is finished; a writer writes one snapshot");
  return draft;
}
