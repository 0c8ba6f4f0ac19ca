import { createHash } from "node:crypto";
import {
  type Engine,
  EngineError,
  type Kernel,
  type LiveDescription,
  openEngine,
  type SourceInput,
} from "@groundrule/engine";
import { type OpenOptions, openSnapshot, type Snapshot, verifySnapshot } from "@groundrule/engine/build";
import { buildEffectiveGroups, formatEditionPath, readCatalogOrEmpty } from "../../catalog/catalog.ts";
import { DataError } from "../../data-error.ts";
import { readBuildNotes } from "../../files/build-notes.ts";
import { FileRange } from "../../files/file-range.ts";
import { type EditionBytes, readEditionFile } from "../../files/read-edition.ts";
import { ENGINE_OPTIONS } from "../../threads/host.ts";

/** A source as recorded by a verdict. */
export interface ArchivedSource {
  readonly source_name: string;
  /** The state of the source: it answered, failed, or was left out of the evaluation. */
  readonly status: "ok" | "failed" | "without";
  /** Digest of the edition, for a source that answered. */
  readonly edition?: string;
  /** The reason, for a source that failed. */
  readonly reason?: string;
}

/** The editions to open an engine over. */
export interface ArchiveQuestion {
  readonly sources: readonly ArchivedSource[];
  /** Groups with their members at that time; absent: today's groups, limited to members in `sources`. */
  readonly groups?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The live sources among them, by name, as described in the record. */
  readonly live?: Readonly<Record<string, LiveDescription>> | undefined;
  /** Kernel of the engine; absent: the exact kernel. */
  readonly kernel?: Kernel | undefined;
  /** The borders of countries, {@link getSharedBorders}; absent: loaded when an input first names a country. */
  readonly borders?: SharedArrayBuffer | undefined;
}

/**
 * The editions that a data folder stores, current or not, found by their digests. An opened edition is verified down to
 * the digest of its content, once while it stays open.
 */
export class EditionArchive {
  readonly dir: string;
  #open: { readonly key: string; readonly engine: Engine } | undefined;
  /** Verified editions by path: those of the engine that was opened last. */
  #verified: ReadonlyMap<string, EditionBytes> = new Map();

  constructor(dir: string) {
    this.dir = dir;
  }

  /**
   * Opens an engine over exactly these editions. A source that failed in the record fails again. The last opened engine
   * is kept, so that records of the same time share it.
   *
   * Fails: `EDITION_MISSING`, `EDITION_DAMAGED` if a file's content does not match its name; as `readCatalog` does for
   * a damaged catalog.
   */
  open({ sources, groups, live = {}, kernel, borders: sharedBorderBytes }: ArchiveQuestion): Engine {
    const evaluated = sources.filter(({ status }) => status !== "without");
    const identities = evaluated.map((source) =>
      Object.hasOwn(live, source.source_name) ? source.source_name : toIdentity(source),
    );
    const omitted = sources.flatMap(({ source_name, status }) => (status === "without" ? source_name : []));
    const key = JSON.stringify([identities, omitted, groups ?? null, live, kernel?.name]);
    if (this.#open?.key === key) return this.#open.engine;
    const verified = new Map<string, EditionBytes>();
    const inputs = evaluated.map((source): SourceInput => {
      const { source_name, edition } = source;
      if (Object.hasOwn(live, source_name)) return this.#live(source_name, live[source_name]!, verified);
      if (source.status === "failed" || edition === undefined) return this.#failed(source);
      return this.#archived(source_name, edition, verified);
    });
    const named = groups ?? this.#groupsWithin(new Set(sources.map(({ source_name }) => source_name)));
    const members = new Set(Object.values(named).flat());
    for (const source of omitted) if (members.has(source)) inputs.push(createOmittedMember(source));
    const borders = sharedBorderBytes ?? ENGINE_OPTIONS.borders;
    const engine = openEngine(inputs, {
      groups: named,
      kernel,
      ...ENGINE_OPTIONS,
      sha256,
      borders,
    });
    this.#verified = verified;
    this.#open = { key, engine };
    return engine;
  }

  #archived(
    source_name: string,
    edition: string,
    verified: Map<string, EditionBytes>,
  ): ReturnType<typeof readArchivedSource> {
    const path = formatEditionPath(this.dir, source_name, edition);
    const input = readArchivedSource(this.dir, source_name, edition, this.#verified.get(path));
    verified.set(path, input.bytes);
    return input;
  }

  /** A live source of that day. Its answers are in the record. */
  #live(
    source_name: string,
    { manifest, blank }: LiveDescription,
    verified: Map<string, EditionBytes>,
  ): SourceInput {
    if (blank === undefined) return { manifest, live: true };
    return { manifest, live: true, blank: this.#archived(source_name, blank, verified).bytes };
  }

  #failed({ source_name, reason = "it failed" }: ArchivedSource): SourceInput {
    const { sources, removed } = readCatalogOrEmpty(this.dir);
    const manifest = [...sources, ...removed].find(
      (meta) => meta.manifest.source_name === source_name,
    )?.manifest;
    if (manifest === undefined) {
      const message = `source "${source_name}" failed in the recorded evaluation, and ${this.dir} does not contain it`;
      throw new DataError("EDITION_MISSING", message, { source_name });
    }
    return { manifest: manifest, failed: reason };
  }

  #groupsWithin(names: ReadonlySet<string>): Record<string, string[]> {
    const groups: Record<string, string[]> = Object.create(null);
    for (const [name, members] of Object.entries(buildEffectiveGroups(readCatalogOrEmpty(this.dir)))) {
      const kept = members.filter((member) => names.has(member));
      if (kept.length > 0 && !names.has(name)) groups[name] = kept;
    }
    return groups;
  }
}

/** A placeholder for a group's member that was left out of the evaluation; it is used nowhere else. */
function createOmittedMember(source_name: string): SourceInput {
  return { manifest: { source_name, kind: "leaf" }, failed: "it was left out", removed: true };
}

function toIdentity({ source_name, status, edition, reason }: ArchivedSource): unknown {
  return [source_name, status === "ok" ? edition : { reason }];
}

/**
 * An archived edition whose content matches its name.
 *
 * @param verified its bytes, if they were verified before
 *
 * Fails: `EDITION_MISSING`, `EDITION_DAMAGED`.
 */
export function readArchivedSource(
  dir: string,
  source_name: string,
  edition: string,
  verified?: EditionBytes,
): { readonly bytes: EditionBytes; readonly edition: string; readonly leftOut?: number } {
  const path = formatEditionPath(dir, source_name, edition);
  const bytes = verified ?? readAttestedEdition(dir, source_name, edition).bytes;
  const notes = readBuildNotes(path);
  return { bytes, edition, ...(notes?.left_out !== undefined && { leftOut: notes.left_out }) };
}

/** A stored edition, and its bytes. */
interface OpenedEdition {
  readonly bytes: EditionBytes;
  readonly snapshot: Snapshot;
}

/**
 * Reads and opens a stored edition, after checking that its content matches its name.
 *
 * Fails: `EDITION_MISSING`, `EDITION_DAMAGED`.
 */
export function readVerifiedEdition(dir: string, source_name: string, edition: string): OpenedEdition {
  return openStoredEdition(dir, source_name, edition, verifySnapshot);
}

/**
 * Like {@link readVerifiedEdition}, but of a large raster only the digests of its tiles are checked against its name: each
 * tile is checked against its digest when it is first read.
 *
 * @param rasterBytes as in {@link readEditionFile}
 *
 * Fails: `EDITION_MISSING`, `EDITION_DAMAGED`.
 */
export function readAttestedEdition(
  dir: string,
  source_name: string,
  edition: string,
  rasterBytes?: number,
): OpenedEdition {
  const open = (bytes: EditionBytes, options: OpenOptions) =>
    bytes instanceof FileRange ? openSnapshot(bytes, options) : verifySnapshot(bytes, options);
  return openStoredEdition(dir, source_name, edition, open, rasterBytes);
}

const sha256 = () => createHash("sha256");

function openStoredEdition(
  dir: string,
  source_name: string,
  edition: string,
  open: (bytes: EditionBytes, options: OpenOptions) => Snapshot,
  rasterBytes?: number,
): OpenedEdition {
  const path = formatEditionPath(dir, source_name, edition);
  const details = { source_name, edition, path };
  let bytes: EditionBytes;
  try {
    bytes = readEditionFile(path, rasterBytes);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const why = isMissing ? "no such file" : (error as Error).message;
    const message = `edition ${edition} of "${source_name}" is not archived at ${path}: ${why}`;
    throw new DataError("EDITION_MISSING", message, details);
  }
  const damaged = (why: string) =>
    new DataError("EDITION_DAMAGED", `edition ${edition} of "${source_name}": ${why}`, details);
  try {
    const snapshot = open(bytes, { name: path, crc32: ENGINE_OPTIONS.crc32, sha256 });
    const { meta } = snapshot;
    const found = meta.manifest.source_name;
    if (found !== source_name || meta.edition !== edition) {
      throw damaged(`found edition ${meta.edition} of "${found}" in ${path}`);
    }
    return { bytes, snapshot };
  } catch (error) {
    if (error instanceof EngineError) throw damaged(error.message);
    throw error;
  }
}
