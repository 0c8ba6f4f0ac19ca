import { readdirSync } from "node:fs";
import { findNearestName } from "@groundrule/engine/internal/json";
import { type Catalog, editionsFolder } from "../catalog/catalog.ts";
import { DataError } from "../data-error.ts";

const SNAPSHOT_NAME = /^([0-9a-f]{64})\.snapshot$/;
const LEAST_DIGITS = 6;

/** The editions whose files a source's folder has, ascending. */
export function listStoredEditions(dir: string, sourceName: string): string[] {
  try {
    const names = readdirSync(editionsFolder(dir, sourceName));
    return names.flatMap((name) => SNAPSHOT_NAME.exec(name)?.[1] ?? []).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Fails: `SOURCE_MISSING` if the data folder has no source of this name with editions. */
export function getCurrentMeta(
  catalog: Catalog,
  dir: string,
  sourceName: string,
): Catalog["sources"][number] {
  const found = catalog.sources.find(({ manifest }) => manifest.source_name === sourceName);
  if (found !== undefined) return found;
  const names = catalog.sources.map(({ manifest }) => manifest.source_name);
  const nearest = findNearestName(sourceName, names);
  const hint = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
  throw new DataError("SOURCE_MISSING", `found no source "${sourceName}" with editions in ${dir}${hint}`, {
    source_name: sourceName,
  });
}

/**
 * The current edition of a source; undefined if editions are stored and none became current.
 *
 * Fails: `SOURCE_MISSING` if there are none.
 */
export function findCurrentEdition(catalog: Catalog, dir: string, sourceName: string): string | undefined {
  const found = catalog.sources.find(({ manifest }) => manifest.source_name === sourceName);
  if (
    found === undefined &&
    /^[a-z0-9_:]+$/.test(sourceName) &&
    listStoredEditions(dir, sourceName).length > 0
  ) {
    return undefined;
  }
  return found?.edition ?? getCurrentMeta(catalog, dir, sourceName).edition;
}

/**
 * Finds the edition that a user names.
 *
 * @param named the first hex digits of one edition, at least 6, or `current`, or `previous`: the last edition built
 *   before the current one, or `waiting`
 * @param waiting the edition that releasing the pin would make current, otherwise the newest if it is not current
 * @param newestFirst the stored editions, in the order of their builds
 *
 * Fails: `EDITION_MISSING` if there is none, `EDITION_AMBIGUOUS` if several begin with these digits.
 */
export function resolveNamedEdition(
  sourceName: string,
  named: string,
  current: string | undefined,
  waiting: string | undefined,
  newestFirst: readonly string[],
): string {
  const details = { source_name: sourceName, edition: named };
  const missing = (why: string) =>
    new DataError("EDITION_MISSING", `found no edition "${named}" of "${sourceName}": ${why}`, details);
  if (named === "current") {
    if (current !== undefined) return current;
    throw missing("none became current");
  }
  if (named === "waiting") {
    if (waiting !== undefined) return waiting;
    throw missing("no edition was built after the current one");
  }
  if (named === "previous") {
    if (current === undefined) throw missing("none became current");
    const previous = newestFirst[newestFirst.indexOf(current) + 1];
    if (previous !== undefined) return previous;
    throw missing("no edition was built before the current one");
  }
  if (!/^[0-9a-f]{6,64}$/.test(named)) {
    throw missing(`expected ${LEAST_DIGITS} to 64 hex digits, "current", "previous" or "waiting"`);
  }
  const found = newestFirst.filter((edition) => edition.startsWith(named));
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw missing(`${newestFirst.length} editions are stored, and none begins so`);
  throw new DataError(
    "EDITION_AMBIGUOUS",
    `${found.length} editions of "${sourceName}" begin with ${named}: ${found.map((each) => each.slice(0, named.length + 6)).join(", ")}; expected one`,
    { ...details, found },
  );
}
