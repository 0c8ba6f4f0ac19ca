import { statSync } from "node:fs";
import { EngineError } from "@groundrule/engine";
import { openSnapshot, type SnapshotMeta } from "@groundrule/engine/build";
import { formatEditionPath, readCatalog } from "../catalog/catalog.ts";
import { type EditionOrigin, readBuildNotes } from "../files/build-notes.ts";
import { readEditionFile } from "../files/read-edition.ts";
import { ENGINE_OPTIONS } from "../threads/host.ts";
import { sumValues } from "./contents/measure-edition.ts";
import { findCurrentEdition, listStoredEditions, resolveNamedEdition } from "./find-edition.ts";

/** A stored edition of a source. */
export interface EditionEntry {
  readonly edition: string;
  /** Time of the build, ISO 8601 UTC; without notes, the time its file was written. */
  readonly built_at: string;
  /** The manifest's collection date. */
  readonly collected_at?: string;
  /** Number of areas or records; absent if the file does not open. */
  readonly feature_count?: number;
  /** For areas: the sum of their square metres. */
  readonly square_meters?: number;
  /** Number of features or rows of its source that are not in it, if known. */
  readonly left_out?: number;
  /** Size of its file. */
  readonly bytes: number;
  /** True if answers use it. */
  readonly is_current: boolean;
  /** True if the source is pinned to it. */
  readonly is_pinned: boolean;
  /** True if it becomes current when the pin is released. */
  readonly is_next: boolean;
  /** The reason why its file does not open. */
  readonly failed?: string;
  /** The file it was built from, if known. */
  readonly origin?: EditionOrigin;
}

/**
 * The stored editions of a source, the one that was built last first. Each is opened, one at a time.
 *
 * Fails: `SOURCE_MISSING`; as {@link readCatalog}.
 */
export function listEditions(dir: string, sourceName: string): EditionEntry[] {
  const catalog = readCatalog(dir);
  const current = findCurrentEdition(catalog, dir, sourceName);
  const pin = catalog.pins.find(({ source_name }) => source_name === sourceName);
  return listEditionsNewestFirst(dir, sourceName).flatMap(({ edition, builtAt }) => {
    const path = formatEditionPath(dir, sourceName, edition);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return []; // removed meanwhile
    const notes = readBuildNotes(path);
    return {
      edition,
      built_at: builtAt,
      ...readEditionContent(path),
      ...(notes?.left_out !== undefined && { left_out: notes.left_out }),
      bytes: stat.size,
      is_current: edition === current,
      is_pinned: edition === pin?.edition,
      is_next: edition === pin?.next,
      ...(notes?.origin && { origin: notes.origin }),
    };
  });
}

/**
 * The stored editions with the times of their builds, newest first; equal times are ordered by those of their files.
 */
export function listEditionsNewestFirst(
  dir: string,
  sourceName: string,
): { edition: string; builtAt: string }[] {
  const editions = listStoredEditions(dir, sourceName).flatMap((edition) => {
    const path = formatEditionPath(dir, sourceName, edition);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return [];
    const builtAt = readBuildNotes(path)?.built_at ?? stat.mtime.toISOString();
    return [{ edition, builtAt, atMs: Date.parse(builtAt), writtenAtMs: stat.mtimeMs }];
  });
  editions.sort(
    (a, b) => b.atMs - a.atMs || b.writtenAtMs - a.writtenAtMs || (a.edition < b.edition ? -1 : 1),
  );
  return editions.map(({ edition, builtAt }) => ({ edition, builtAt }));
}

/**
 * The digest of the edition that a user names.
 *
 * @param named the first hex digits of one edition, at least 6, or `current`, or `previous`: the last edition built
 *   before the current one, or `waiting`: {@link findWaitingEdition}
 *
 * Fails: `SOURCE_MISSING`, `EDITION_MISSING`; `EDITION_AMBIGUOUS` if several begin with these digits; as {@link
 * readCatalog}.
 */
export function resolveEdition(dir: string, sourceName: string, named: string): string {
  const { current, waiting, newestFirst } = findEditionPlaces(dir, sourceName);
  return resolveNamedEdition(sourceName, named, current, waiting, newestFirst);
}

/**
 * The edition that waits to become current: the one that releasing the source's pin would make current, otherwise the
 * last one built, if a guard or a roll-back keeps it from being current; undefined if none waits.
 *
 * Fails: `SOURCE_MISSING`; as {@link readCatalog}.
 */
export function findWaitingEdition(dir: string, sourceName: string): string | undefined {
  return findEditionPlaces(dir, sourceName).waiting;
}

function findEditionPlaces(dir: string, sourceName: string) {
  const catalog = readCatalog(dir);
  const current = findCurrentEdition(catalog, dir, sourceName);
  const newestFirst = listEditionsNewestFirst(dir, sourceName).map(({ edition }) => edition);
  const pin = catalog.pins.find(({ source_name }) => source_name === sourceName);
  const newest = newestFirst[0] === current ? undefined : newestFirst[0];
  return { current, waiting: pin?.next ?? newest, newestFirst };
}

type Content = Pick<EditionEntry, "collected_at" | "feature_count" | "square_meters" | "failed">;

function readEditionContent(path: string): Content {
  try {
    const snapshot = openSnapshot(readEditionFile(path), { name: path, crc32: ENGINE_OPTIONS.crc32 });
    const { manifest, feature_count }: SnapshotMeta = snapshot.meta;
    return {
      ...(manifest.collected_at !== undefined && { collected_at: manifest.collected_at }),
      feature_count,
      ...(snapshot.kind === "leaf" && { square_meters: sumValues(snapshot.layer.areaSquareMeters) }),
    };
  } catch (error) {
    if (error instanceof EngineError || error instanceof Error) return { failed: error.message };
    throw error;
  }
}
