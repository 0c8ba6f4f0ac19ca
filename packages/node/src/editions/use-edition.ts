import type { SnapshotMeta } from "@groundrule/engine/build";
import { readCatalogOrEmpty, withEdition, withoutPin, withPin } from "../catalog/catalog.ts";
import { type SourceChange, sourceChanges, withContentChange } from "../catalog/source-changes.ts";
import { readVerified } from "./edition-archive.ts";
import { currentMeta, findCurrent } from "./find-edition.ts";
import { changeCatalog, diffOrNone } from "./install-edition.ts";

/**
 * Makes a stored edition the current one of its source, back or forward. The edition is verified down to the
 * digest of its content before.
 *
 * @param edition 64 hex digits; see `resolveEdition` for what people write
 * @returns what is not as it was about the source
 *
 * Fails: `SOURCE_MISSING`, `EDITION_MISSING`, `EDITION_DAMAGED`, `DATA_FOLDER_LOCKED`; `GROUP_INVALID` where the
 * manifest of that edition joins a group that has the name of a source.
 */
export async function useEdition(
  dir: string,
  sourceName: string,
  edition: string,
  {
    pin,
  }: {
    /**
     * Whether the source stays on it until {@link releasePin}, whatever is built later. Without it, a pin that the
     * source has is taken away.
     */
    readonly pin: boolean;
  },
): Promise<readonly SourceChange[]> {
  findCurrent(readCatalogOrEmpty(dir), dir, sourceName);
  const { before, changes } = await changeCatalog<Used>(dir, (catalog) => {
    const before = findCurrent(catalog, dir, sourceName);
    // Within the lock, so that it is not removed meanwhile.
    const meta = verifiedMeta(dir, sourceName, edition);
    const next = withEdition(withoutPin(catalog, sourceName), meta);
    const changes = sourceChanges(catalog, next, sourceName);
    if (!pin) return { catalog: next, result: { before, changes } };
    const earlier = catalog.pins.find(({ source_name }) => source_name === sourceName);
    // What a release goes forward to: what was waiting, else what was current before.
    const waiting = earlier?.next ?? (earlier === undefined ? before : undefined);
    const forward = waiting === edition ? undefined : waiting;
    return {
      catalog: withPin(next, {
        source_name: sourceName,
        edition,
        ...(forward !== undefined && { next: forward }),
      }),
      result: { before, changes },
    };
  });
  return compared(dir, sourceName, before, edition, changes);
}

interface Used {
  /** The edition that was current. */
  readonly before: string | undefined;
  readonly changes: readonly SourceChange[];
}

/** After the lock: it takes as long as the editions are large. */
function compared(
  dir: string,
  sourceName: string,
  before: string | undefined,
  after: string,
  changes: readonly SourceChange[],
): readonly SourceChange[] {
  if (before === undefined || before === after) return changes;
  return withContentChange(changes, diffOrNone(dir, sourceName, before, after));
}

/** What {@link releasePin} did. */
export interface PinRelease {
  /** Whether the source was pinned. */
  readonly released: boolean;
  /** The current edition now. */
  readonly edition: string;
  /** What is not as it was about the source. */
  readonly changes: readonly SourceChange[];
}

/**
 * Takes a source's pin away. The edition that waited becomes current: the one that was current when the source
 * was pinned, or one that was built and passed the guards since.
 *
 * Fails: `SOURCE_MISSING`, `DATA_FOLDER_LOCKED`; `EDITION_MISSING` and `EDITION_DAMAGED` where the edition that
 * waited cannot be used: then the pin stays.
 */
export async function releasePin(dir: string, sourceName: string): Promise<PinRelease> {
  currentMeta(readCatalogOrEmpty(dir), dir, sourceName);
  const { before, ...release } = await changeCatalog<PinRelease & Used>(dir, (catalog) => {
    const { edition } = currentMeta(catalog, dir, sourceName);
    const before = edition;
    const pin = catalog.pins.find(({ source_name }) => source_name === sourceName);
    if (pin === undefined) return { catalog, result: { released: false, before, edition, changes: [] } };
    const released = withoutPin(catalog, sourceName);
    if (pin.next === undefined) {
      return { catalog: released, result: { released: true, before, edition, changes: [] } };
    }
    const next = withEdition(released, verifiedMeta(dir, sourceName, pin.next));
    const changes = sourceChanges(catalog, next, sourceName);
    return { catalog: next, result: { released: true, before, edition: pin.next, changes } };
  });
  return { ...release, changes: compared(dir, sourceName, before, release.edition, release.changes) };
}

function verifiedMeta(dir: string, sourceName: string, edition: string): SnapshotMeta {
  return readVerified(dir, sourceName, edition).snapshot.meta;
}
