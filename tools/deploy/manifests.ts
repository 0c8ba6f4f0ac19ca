import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";

export const REPOSITORY: string = join(import.meta.dirname, "../..");

/** A resource of Kubernetes as its manifest has it. */
export interface Manifest {
  readonly file: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  /** All of it. */
  readonly body: Members;
}

export type Members = Readonly<Record<string, unknown>>;

/** The files of manifests, relative to the repository. */
export function listManifestFiles(): string[] {
  return globSync("deploy/kubernetes/**/*.{yaml,yml}", { cwd: REPOSITORY }).sort();
}

/** The resources of the repository. Fails: an `Error` that names the file, for one that is no YAML. */
export function readManifests(files: readonly string[] = listManifestFiles()): Manifest[] {
  return files.flatMap((file) => parseManifests(file, readFileSync(join(REPOSITORY, file), "utf8")));
}

/** The resources of a text, which may hold several documents. */
export function parseManifests(file: string, text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new Error(`${file}: ${error.message}`);
    const body = document.toJS() as Members;
    const metadata = findAtPath(body, "metadata") as { name?: string; namespace?: string } | undefined;
    return {
      file,
      kind: String(body.kind),
      name: String(metadata?.name),
      namespace: metadata?.namespace,
      body,
    };
  });
}

/** The value at a path of names; undefined if there is none. */
export function findAtPath(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Members)[name];
  }
  return found;
}

/** The same, of a list; empty where there is none. */
export function listAtPath(value: unknown, ...path: readonly (string | number)[]): readonly Members[] {
  const found = findAtPath(value, ...path);
  return Array.isArray(found) ? found : [];
}
