import { readCatalog } from "../catalog/catalog.ts";
import { DataError } from "../data-error.ts";
import { readVerifiedEdition } from "./contents/edition-archive.ts";
import { listStoredEditions } from "./find-edition.ts";

/** The result of verifying a stored edition. */
export interface EditionState {
  readonly source_name: string;
  readonly edition: string;
  /** True if the catalog names it as the current one of its source. */
  readonly is_current: boolean;
  /** `missing`: the catalog names it, and there is no file. */
  readonly status: "ok" | "damaged" | "missing";
  /** The fault. */
  readonly reason?: string;
}

/**
 * Examines every stored edition down to the digest of its content, and those that the catalog names. One at a
 * time is in memory.
 *
 * @param sourceNames default every source
 *
 * Fails: as {@link readCatalog}.
 */
export function* verifyEditions(dir: string, sourceNames?: readonly string[]): Generator<EditionState> {
  const { sources, pins } = readCatalog(dir);
  for (const { manifest, edition: current } of sources) {
    const { source_name } = manifest;
    if (sourceNames !== undefined && !sourceNames.includes(source_name)) continue;
    const named = pins.flatMap((pin) => (pin.source_name === source_name ? (pin.next ?? []) : []));
    for (const edition of new Set([...listStoredEditions(dir, source_name), current, ...named].sort())) {
      const entry = { source_name, edition, is_current: edition === current };
      try {
        readVerifiedEdition(dir, source_name, edition);
        yield { ...entry, status: "ok" };
      } catch (error) {
        if (!(error instanceof DataError)) throw error;
        const status = error.code === "EDITION_MISSING" ? "missing" : "damaged";
        yield { ...entry, status, reason: error.message };
      }
    }
  }
}
