import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findNearestName, MalformedJson, parseStrictJson } from "@groundrule/engine/internal/json";
import { IngestError, parseSource, type Source } from "@groundrule/ingest";
import { SyncError } from "../sync-error.ts";

/** A manifest file, read or refused. */
export interface SourceFile {
  /** Path of the file, as listed or found in a folder. */
  readonly path: string;
  /** Where paths in it begin. */
  readonly folder: string;
  /** Absent: see `fault` for the reason. */
  readonly source?: Source;
  /** `MANIFEST_INVALID`, of a file that is refused. */
  readonly fault?: IngestError;
}

/**
 * Reads manifest files, and every `*.json` of folders. A file that is not a manifest is reported in its place, so that
 * the others can be synchronized all the same.
 *
 * Fails: `SOURCE_REPEATED` where two manifests have one source name; what the system says of a path that is not there.
 */
export function readSourceFiles(paths: readonly string[]): SourceFile[] {
  const files = paths.flatMap((path) =>
    statSync(path).isDirectory()
      ? readdirSync(path)
          .filter((name) => name.endsWith(".json"))
          .sort()
          .map((name) => join(path, name))
      : [path],
  );
  const read = files.map(readSourceFile);
  const owners = new Map<string, string>();
  for (const { path, source } of read) {
    if (source === undefined) continue;
    const name = source.manifest.source_name;
    const other = owners.get(name);
    if (other !== undefined) {
      const message = `${other} and ${path} are both manifests of "${name}", expected one`;
      throw new SyncError("SOURCE_REPEATED", message, { source_name: name, files: [other, path] });
    }
    owners.set(name, path);
  }
  return read;
}

/**
 * The files of these sources, all where no name is given; a file that was refused belongs to every choice, for its
 * source may be meant.
 *
 * Fails: `MANIFEST_MISSING`.
 */
export function chooseSources(files: readonly SourceFile[], names: readonly string[]): readonly SourceFile[] {
  if (names.length === 0) return files;
  const known = new Set(files.flatMap(({ source }) => source?.manifest.source_name ?? []));
  const refused = files.filter(({ source }) => source === undefined);
  for (const name of names) {
    if (known.has(name)) continue;
    if (refused.length > 0) continue;
    const meant = listMeantSources(name, files);
    const among = known.size === 0 ? "none" : [...known].join(", ");
    const hint = meant.length === 0 ? `found ${among}` : `did you mean ${meant.join(", ")}?`;
    const message = `no manifest is of "${name}"; ${hint}`;
    throw new SyncError("MANIFEST_MISSING", message, { source_name: name, known: [...known] });
  }
  const isChosen = ({ source }: SourceFile) =>
    source === undefined || names.includes(source.manifest.source_name);
  return files.filter(isChosen);
}

/** The sources that a name may mean: the members of that group, the nearest name, or those with its last word. */
function listMeantSources(name: string, files: readonly SourceFile[]): readonly string[] {
  const manifests = files.flatMap(({ path, source }) => (source ? [{ path, ...source.manifest }] : []));
  const toNames = (found: typeof manifests) => found.map(({ source_name }) => source_name);
  const members = manifests.filter(({ groups = [] }) => groups.includes(name));
  if (members.length > 0) return toNames(members);
  const nearest = findNearestName(name, toNames(manifests));
  if (nearest !== undefined) return [nearest];
  const word = name.split(/[^a-z0-9]/).at(-1)!;
  if (word.length < 3) return [];
  return toNames(
    manifests.filter(({ path, source_name }) => `${basename(path)} ${source_name}`.includes(word)),
  );
}

function readSourceFile(path: string): SourceFile {
  const folder = dirname(path);
  try {
    return { path, folder, source: parseSource(parseStrictJson(readFileSync(path))) };
  } catch (error) {
    if (error instanceof IngestError) return { path, folder, fault: error };
    if (!(error instanceof MalformedJson)) throw error;
    const { message, pointer, offset } = error;
    const fault = { pointer, code: "JSON_MALFORMED", message: `byte ${offset}: ${message}` };
    const sentence = `manifest at "${pointer}" is not valid JSON, byte ${offset}: ${message}`;
    return { path, folder, fault: new IngestError("MANIFEST_INVALID", sentence, { faults: [fault] }) };
  }
}
