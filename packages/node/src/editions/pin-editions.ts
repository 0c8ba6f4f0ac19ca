import { openEngine } from "@groundrule/engine";
import { DataError } from "../data-error.ts";
import type { OpenData } from "../open-data.ts";
import { ENGINE_OPTIONS } from "../threads/host.ts";
import { readArchivedSource } from "./contents/edition-archive.ts";

/** An archived edition to use in place of the current edition of its source. */
export interface PinnedEdition {
  readonly source_name: string;
  readonly edition: string;
}

/**
 * The current editions with these in place of their own, each verified down to the digest of its content.
 * Without pinned editions, the current view itself.
 *
 * Fails: `EDITION_MISSING`, also where the data folder has no such source; `EDITION_DAMAGED`.
 */
export function pinEditions(
  { dir, current }: OpenData,
  pinned: readonly PinnedEdition[],
): OpenData["current"] {
  if (pinned.length === 0) return current;
  const wanted = new Map(pinned.map(({ source_name, edition }) => [source_name, edition]));
  for (const [source_name, edition] of wanted) {
    if (current.editions.has(source_name)) continue;
    const message = `${dir} has no source "${source_name}", so its edition ${edition} cannot be used`;
    throw new DataError("EDITION_MISSING", message, { source_name, edition });
  }
  const sources = current.sources.map((source): OpenData["current"]["sources"][number] => {
    const name = source.manifest!.source_name;
    const edition = wanted.get(name);
    if (edition === undefined) return source;
    return readArchivedSource(dir, name, edition);
  });
  const editions = new Map(
    [...current.editions].map(([name, edition]) => [name, wanted.get(name) ?? edition]),
  );
  const { options, live } = current;
  return { engine: openEngine(sources, { ...options, ...ENGINE_OPTIONS }), sources, live, options, editions };
}
