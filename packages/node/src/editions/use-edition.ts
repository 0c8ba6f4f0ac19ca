import type { SnapshotMeta } from "@groundrule/engine/build";
import { readCatalogOrEmpty, withEdition, withoutPin, withPin } from "../catalog/catalog.ts";
import { listSourceChanges, type SourceChange, withContentChange } from "../catalog/source-changes.ts";
import { readVerifiedEdition } from "./contents/edition-archive.ts";
import { findCurrentEdition, getCurrentMeta } from "./find-edition.ts";
import { type Guard, type GuardFinding, listGuardFindings } from "./guards.ts";
import { changeCatalog, tryDiffEditions } from "./install-edition.ts";
import { listEditionsNewestFirst } from "./list-editions.ts";
import { getStoredExtent } from "./stored-extent.ts";

/**
 * Makes a stored edition the current one of its source, back or forward. The edition is first verified down to the
 * digest of its content.
 *
 * @param edition 64 hex digits; see `resolveEdition` for the forms that people write
 * @returns the changes of the source
 *
 * Fails: `SOURCE_MISSING`, `EDITION_MISSING`, `EDITION_DAMAGED`, `DATA_FOLDER_LOCKED`; `GROUP_INVALID` if the manifest
 * of that edition names a group that has the name of a source.
 */
export async function useEdition(
  dir: string,
  sourceName: string,
  edition: string,
  {
    pin,
  }: {
    /**
     * True to keep the source on it until {@link releasePin}, whatever is built later. False removes an existing pin.
     */
    readonly pin: boolean;
  },
): Promise<readonly SourceChange[]> {
  findCurrentEdition(readCatalogOrEmpty(dir), dir, sourceName);
  const { before, changes } = await changeCatalog<Used>(dir, (catalog) => {
    const before = findCurrentEdition(catalog, dir, sourceName);
    // Within the lock, so that it is not removed meanwhile.
    const meta = readVerifiedMeta(dir, sourceName, edition);
    const next = withEdition(withoutPin(catalog, sourceName), meta);
    const changes = listSourceChanges(catalog, next, sourceName);
    if (!pin) return { catalog: next, result: { before, changes } };
    const earlier = catalog.pins.find(({ source_name }) => source_name === sourceName);
    // A release goes forward: to the edition that was waiting, otherwise to the one that was current before. It never
    // goes back, since the edition in use was accepted in place of all those built before it.
    const waiting = earlier?.next ?? (earlier === undefined ? before : undefined);
    const forward = waiting !== undefined && isNewer(dir, sourceName, waiting, edition) ? waiting : undefined;
    return {
      catalog: withPin(next, {
        source_name: sourceName,
        edition,
        ...(forward !== undefined && { next: forward }),
      }),
      result: { before, changes },
    };
  });
  return addContentChanges(dir, sourceName, before, edition, changes);
}

interface Used {
  /** The edition that was current. */
  readonly before: string | undefined;
  readonly changes: readonly SourceChange[];
}

/** After releasing the lock: the comparison of large editions takes long. */
function addContentChanges(
  dir: string,
  sourceName: string,
  before: string | undefined,
  after: string,
  changes: readonly SourceChange[],
): readonly SourceChange[] {
  if (before === undefined || before === after) return changes;
  return withContentChange(changes, tryDiffEditions(dir, sourceName, before, after));
}

function isNewer(dir: string, sourceName: string, edition: string, than: string): boolean {
  const newestFirst = listEditionsNewestFirst(dir, sourceName).map((each) => each.edition);
  // An edition with a missing file keeps waiting: the release reports it.
  return newestFirst.indexOf(edition) < newestFirst.indexOf(than);
}

/** The result of {@link releasePin}. */
export interface PinRelease {
  /** True if the source was pinned, and is no more. */
  readonly released: boolean;
  /** Findings that stop the waiting edition from becoming current and were not allowed: then the pin stays. */
  readonly findings: readonly GuardFinding[];
  /** The current edition now. */
  readonly edition: string;
  /** The changes of the source. */
  readonly changes: readonly SourceChange[];
}

/**
 * Removes a source's pin. The waiting edition becomes current: the one that was current when the source was pinned, or
 * one that was built and passed the guards since. If the guards reject it in place of the edition in use, the pin
 * stays.
 *
 * Fails: `SOURCE_MISSING`, `DATA_FOLDER_LOCKED`; `EDITION_MISSING` and `EDITION_DAMAGED` if the waiting edition cannot
 * be used: then the pin stays.
 */
export async function releasePin(
  dir: string,
  sourceName: string,
  {
    allow = [],
  }: {
    /** Guards that are switched off. */
    readonly allow?: readonly Guard[] | undefined;
  } = {},
): Promise<PinRelease> {
  getCurrentMeta(readCatalogOrEmpty(dir), dir, sourceName);
  const { before, ...release } = await changeCatalog<PinRelease & Used>(dir, (catalog) => {
    const meta = getCurrentMeta(catalog, dir, sourceName);
    const { edition } = meta;
    const same = { before: edition, edition, findings: [], changes: [] };
    const pin = catalog.pins.find(({ source_name }) => source_name === sourceName);
    if (pin === undefined) return { catalog, result: { ...same, released: false } };
    const released = withoutPin(catalog, sourceName);
    if (pin.next === undefined) return { catalog: released, result: { ...same, released: true } };
    const waiting = readVerifiedMeta(dir, sourceName, pin.next);
    const findings = listGuardFindings(getStoredExtent(dir, waiting), getStoredExtent(dir, meta)).filter(
      ({ guard }) => !allow.includes(guard),
    );
    if (findings.length > 0) return { catalog, result: { ...same, released: false, findings } };
    const next = withEdition(released, waiting);
    const changes = listSourceChanges(catalog, next, sourceName);
    return { catalog: next, result: { ...same, released: true, edition: pin.next, changes } };
  });
  return {
    ...release,
    changes: addContentChanges(dir, sourceName, before, release.edition, release.changes),
  };
}

function readVerifiedMeta(dir: string, sourceName: string, edition: string): SnapshotMeta {
  return readVerifiedEdition(dir, sourceName, edition).snapshot.meta;
}
