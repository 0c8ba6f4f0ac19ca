import { dirname } from "node:path";
import { syncFolder } from "@groundrule/node/internal";
import type { ResultFormat } from "../screening/results/result-format.ts";
import { AsideFile, type FileState } from "./aside-file.ts";
import { unwritable } from "./run-error.ts";
import type { RunPaths } from "./run-paths.ts";

/** What a run writes aside: its results, and its error lines where they have a file of their own. */
export class RunFiles {
  readonly #results: AsideFile;
  readonly #refused: AsideFile | undefined;
  /** Whether the names are durable. */
  #isNamed: boolean = false;

  private constructor(results: AsideFile, refused: AsideFile | undefined) {
    this.#results = results;
    this.#refused = refused;
  }

  /** Empty files but for what the format begins with. Fails: `OUTPUT_UNWRITABLE`. */
  static create(paths: RunPaths, format: ResultFormat): RunFiles {
    const results = AsideFile.create(resultsPath(paths, format));
    const refused = paths.errorsPart === undefined ? undefined : AsideFile.create(paths.errorsPart);
    const files = new RunFiles(results, refused);
    results.append(format.header);
    return files;
  }

  /** The files of an earlier run, cut to what it knew of them; undefined where they are not so. Fails: `OUTPUT_UNWRITABLE`. */
  static async reopen(
    paths: RunPaths,
    format: ResultFormat,
    states: { readonly results: FileState; readonly refused: FileState | null },
    signal: AbortSignal,
  ): Promise<RunFiles | undefined> {
    const results = await AsideFile.reopen(resultsPath(paths, format), states.results, signal);
    if (results === undefined) return undefined;
    if (paths.errorsPart === undefined || states.refused === null) return new RunFiles(results, undefined);
    const refused = await AsideFile.reopen(paths.errorsPart, states.refused, signal);
    if (refused !== undefined) return new RunFiles(results, refused);
    results.close();
    return undefined;
  }

  get states(): { readonly results: FileState; readonly refused: FileState | null } {
    return { results: this.#results.state, refused: this.#refused?.state ?? null };
  }

  /** Fails: `OUTPUT_UNWRITABLE`. */
  append(lines: Uint8Array, errors: Uint8Array): void {
    this.#results.append(lines);
    this.#refused?.append(errors);
  }

  /** Waits until what was appended, and the files' names, would outlive a power failure. Fails: `OUTPUT_UNWRITABLE`. */
  async sync(): Promise<void> {
    await Promise.all([this.#results.sync(), this.#refused?.sync()]);
    if (this.#isNamed) return;
    for (const file of [this.#results, this.#refused]) if (file !== undefined) syncNames(file.path);
    this.#isNamed = true;
  }

  close(): void {
    this.#results.close();
    this.#refused?.close();
  }
}

/** Where results are written line by line. */
export function resultsPath(paths: RunPaths, format: ResultFormat): string {
  return format.finish === undefined ? paths.part : paths.rows;
}

function syncNames(path: string): void {
  try {
    syncFolder(dirname(path));
  } catch (error) {
    throw unwritable(error, path);
  }
}
