import { openEngine } from "@groundrule/engine";
import { DataError } from "./data-error.ts";
import { archivedSource } from "./edition-archive.ts";
import { HOST } from "./host.ts";
import type { OpenData } from "./open-data.ts";

/** An archived edition to be asked in place of its source's current one. */
export interface PinnedEdition {
  readonly source_name: string;
  readonly edition: string;
}

/**
 * The current editions but for these, each verified down to the digest of its content; the current
 * view itself where there are none.
 *
 * Fails: `EDITION_MISSING` also where the data folder has no such source, `EDITION_DAMAGED`.
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
    return archivedSource(dir, name, edition);
  });
  const editions = new Map(
    [...current.editions].map(([name, edition]) => [name, wanted.get(name) ?? edition]),
  );
  const { options } = current;
  return { engine: openEngine(sources, { ...options, ...HOST }), sources, options, editions };
}
