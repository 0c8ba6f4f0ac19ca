import { EngineError } from "../base/errors.ts";
import { isRaster } from "../geometry/layer.ts";
import { DamagedTile } from "../geometry/raster/damaged-tile.ts";
import type { ContentCoverage } from "../snapshot/content-digest.ts";
import type { Coverage } from "../snapshot/coverage.ts";
import type { LeftOutBox } from "../snapshot/left-out.ts";
import type { SourceKind, StoredManifest } from "../snapshot/manifest.ts";
import type { LeafSnapshot, Snapshot } from "../snapshot/snapshot.ts";
import { findAgeStartMs } from "./age.ts";
import { EditionValues } from "./edition-values.ts";
import { Territories } from "./territories.ts";

/** A source as the engine holds it: open, or failed with a reason. Its manifest is known either way. */
export type EngineSource =
  | OpenEngineSource
  | {
      readonly manifest: StoredManifest;
      readonly failed: string;
      /** Present if it is no longer a source, and only groups that remember it still query it: always in vain. */
      readonly removed?: true | undefined;
    }
  | LiveEngineSource
  | SourceDoneWithout;

/** A source that is open; {@link createOpenSource} makes it. */
export interface OpenEngineSource {
  readonly manifest: StoredManifest;
  readonly snapshot: Snapshot;
  /** Summaries of the values of its areas; undefined of a register. */
  readonly values: EditionValues | undefined;
  /** From when its age counts, in milliseconds; absent where that is not known. */
  readonly agesFromMs?: number;
  /** Features or rows that its build could not store; absent: not known. */
  readonly leftOut?: number;
  /** When it was built; absent: not known. */
  readonly builtAt?: string;
}

/** @param manifest as answers describe the source: that of the snapshot, or one in its place */
export function createOpenSource(manifest: StoredManifest, snapshot: Snapshot): OpenEngineSource {
  const values = snapshot.kind === "leaf" ? new EditionValues(snapshot as LeafSnapshot) : undefined;
  const agesFromMs = findAgeStartMs(manifest);
  return { manifest, snapshot, values, ...(agesFromMs !== undefined && { agesFromMs }) };
}

/** A source, or a group, that an evaluation is to do without: it covers nothing. Only its name and kind are known. */
export interface SourceDoneWithout {
  readonly manifest: StoredManifest;
  readonly without: true;
}

/** A source that is queried anew for each question. Until it has answered one, it is a source that failed. */
export interface LiveEngineSource {
  readonly manifest: StoredManifest;
  readonly failed: string;
  readonly live: LiveTerritory;
}

/** Territory of a live source, known before it is queried. */
export interface LiveTerritory {
  readonly coverage: Coverage;
  /** The digest's view of the coverage. */
  readonly content: ContentCoverage | undefined;
  /** Digest of the edition without areas that holds the territory; undefined where the coverage needs none. */
  readonly blank: string | undefined;
}

/** Sources of which damage was found, as sources that failed. */
export type DamagedSources = ReadonlyMap<EngineSource, EngineSource>;

/** True if a source is open and is a raster. */
export function isRasterSource(source: EngineSource): boolean {
  return "snapshot" in source && source.snapshot.kind === "leaf" && isRaster(source.snapshot.layer);
}

/** The coverage of a source of areas; undefined of a register, and of a source that failed. */
export function findSourceCoverage(source: EngineSource): Coverage | undefined {
  return "snapshot" in source && source.snapshot.kind === "leaf" ? source.snapshot.coverage : undefined;
}

/** Boxes of features that the build of a source left out; undefined where there are none. */
export function findLeftOut(source: EngineSource): readonly LeftOutBox[] | undefined {
  return "snapshot" in source ? source.snapshot.meta.left_out : undefined;
}

/** True if nobody declared the coverage of a source: it was assumed from the countries of its areas. */
export function isAssumed(source: EngineSource): boolean {
  const coverage = findSourceCoverage(source);
  return coverage?.extent === "countries" && coverage.known === "derived";
}

/** The sources and groups of one engine, in ascending order of name (UTF-16 code units). */
export class SourceTable {
  readonly #sources: ReadonlyMap<string, EngineSource>;
  readonly #groups: ReadonlyMap<string, readonly string[]>;
  /** The sources of areas. */
  readonly leaves: readonly EngineSource[];
  /** Names of the sources that are queried anew for each question. */
  readonly live: ReadonlySet<string>;
  /** Territories of the sources, shared by every table made from this one. */
  readonly territories: Territories;

  /**
   * Fails: `VALIDATION_FAILED` when two sources share a name, a group has a source's name or no member,
   * or names a member that does not exist or is itself a group.
   */
  constructor(
    sources: readonly EngineSource[],
    groups: Readonly<Record<string, readonly string[]>> = {},
    territories: Territories = new Territories(),
  ) {
    const byName = new Map<string, EngineSource>();
    for (const source of [...sources].sort(bySourceName)) {
      const name = source.manifest.source_name;
      if (byName.has(name)) {
        throw new EngineError("VALIDATION_FAILED", `two sources are named "${name}"`, { name });
      }
      byName.set(name, source);
    }
    const groupMap = new Map<string, readonly string[]>();
    for (const name of Object.keys(groups).sort()) {
      if (byName.has(name)) {
        throw new EngineError("VALIDATION_FAILED", `group "${name}" has the name of a source`, { name });
      }
      const members = [...new Set(groups[name] ?? [])].sort();
      if (members.length === 0) {
        throw new EngineError("VALIDATION_FAILED", `group "${name}" has no members`, { name });
      }
      for (const member of members) {
        if (!byName.has(member)) {
          const found = Object.hasOwn(groups, member) ? "a group" : "not a source of this engine";
          throw new EngineError("VALIDATION_FAILED", `member "${member}" of group "${name}" is ${found}`, {
            name,
            member,
          });
        }
      }
      groupMap.set(name, members);
    }
    this.#sources = byName;
    this.#groups = groupMap;
    this.leaves = this.all("leaf");
    this.live = new Set(this.all().flatMap((one) => ("live" in one ? one.manifest.source_name : [])));
    this.territories = territories;
  }

  /**
   * The part of this table that a caller may see: the sources whose name, or whose group's name, matches a
   * pattern. `*` stands for any characters. A group is visible with all its members or not at all: with some
   * of them missing, the same ruleset would find less and call that compliant.
   */
  within(patterns: readonly string[]): SourceTable {
    const matches = (name: string) => patterns.some((pattern) => nameMatchesPattern(name, pattern));
    const visible = new Set([...this.#sources.keys()].filter(matches));
    for (const [name, members] of this.#groups) {
      if (matches(name)) for (const member of members) visible.add(member);
    }
    const groups: Record<string, readonly string[]> = Object.create(null);
    for (const [name, members] of this.#groups) {
      if (members.every((member) => visible.has(member))) groups[name] = members;
    }
    return new SourceTable(
      [...this.#sources.values()].filter(({ manifest }) => visible.has(manifest.source_name)),
      groups,
      this.territories,
    );
  }

  /** Every source that a question can name. */
  all(kind?: SourceKind): EngineSource[] {
    const all = [...this.#sources.values()].filter(isThere);
    return kind === undefined ? all : all.filter((source) => source.manifest.kind === kind);
  }

  /** Every source that cannot be queried, including those that only groups remember. */
  failed(): EngineSource[] {
    return [...this.#sources.values()].filter((source) => "failed" in source && !("live" in source));
  }

  groups(): ReadonlyMap<string, readonly string[]> {
    return this.#groups;
  }

  /** The source of that name, or undefined; groups are not found here. */
  find(name: string): EngineSource | undefined {
    const source = this.#sources.get(name);
    return source !== undefined && isThere(source) ? source : undefined;
  }

  /** The sources for a name: one source, the members of a group, or undefined for an unknown name. */
  expand(name: string): readonly EngineSource[] | undefined {
    const source = this.find(name);
    if (source !== undefined) return [source];
    return this.#groups.get(name)?.map((member) => {
      const found = this.#sources.get(member);
      if (found === undefined) throw new Error(`group member ${member} vanished`);
      return found;
    });
  }

  /**
   * Answers a question; if a raster is found damaged on the way, once more with that source as failed.
   *
   * @param answer told the sources that failed so
   */
  withoutDamaged<Result>(answer: (damaged: DamagedSources) => Result): Result {
    const damaged = new Map<EngineSource, EngineSource>();
    for (;;) {
      try {
        return answer(damaged);
      } catch (error) {
        const source = error instanceof DamagedTile ? this.#sources.get(error.sourceName) : undefined;
        if (source === undefined || damaged.has(source)) throw error;
        damaged.set(source, { manifest: source.manifest, failed: (error as DamagedTile).message });
      }
    }
  }

  /** Every name a question may use, sources and groups, ascending. */
  names(): string[] {
    return [...this.all().map(({ manifest }) => manifest.source_name), ...this.#groups.keys()].sort();
  }
}

function isThere(source: EngineSource): boolean {
  return !("removed" in source && source.removed === true);
}

/** True if a name matches a pattern; each part between `*` is matched as early as possible. */
function nameMatchesPattern(name: string, pattern: string): boolean {
  const [head = "", ...parts] = pattern.split("*");
  const tail = parts.pop();
  if (tail === undefined) return name === head;
  if (!name.startsWith(head)) return false;
  let from = head.length;
  for (const part of parts) {
    const found = name.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  return name.length - tail.length >= from && name.endsWith(tail);
}

function bySourceName(a: EngineSource, b: EngineSource): number {
  const x = a.manifest.source_name;
  const y = b.manifest.source_name;
  return x < y ? -1 : x > y ? 1 : 0;
}
