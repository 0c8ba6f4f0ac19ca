import { dirname } from "node:path";
import { syncFolderToDisk } from "@groundrule/node/internal";
import type { ResultFormat } from "../screening/results/result-format.ts";
import { sumCounts } from "../screening/results/tally.ts";
import { AsideFile, type FileState, readDurableState } from "./aside-file.ts";
import { type Journal, removeJournal, writeJournal } from "./journal.ts";
import type { OutputLock } from "./output-lock.ts";
import { placeRunFiles } from "./place-run.ts";
import {
  advancePosition,
  FIRST_POSITION,
  getVerdictCounts,
  type ResultChunk,
  type RunOptions,
  type RunOutput,
  type RunPosition,
} from "./run.ts";
import { addDescriptionDigest, type RunDescription } from "./run-description.ts";
import { toWriteError } from "./run-error.ts";
import { getRelativeName, type RunPaths } from "./run-paths.ts";

const JOURNAL_MS = 1000;

/** Maximum share of the time for writing journals. */
const JOURNAL_SHARE = 0.05;

/** The output of a run in progress. */
export class RunWriter implements RunOutput {
  readonly isDone = false;
  readonly resumeAt?: RunPosition;
  readonly #paths: RunPaths;
  readonly #options: RunOptions;
  readonly #files: RunFiles;
  readonly #lock: OutputLock;
  #position: RunPosition;
  /** Set after the first failure: from then on only the journal determines the content of the files. */
  #isBroken: boolean = false;
  #isOpen: boolean = true;
  #journalAtMs = performance.now();
  #journalCostMs = 0;

  private constructor(
    paths: RunPaths,
    lock: OutputLock,
    options: RunOptions,
    files: RunFiles,
    resumeAt?: RunPosition,
  ) {
    this.#paths = paths;
    this.#lock = lock;
    this.#options = options;
    this.#files = files;
    this.#position = resumeAt ?? FIRST_POSITION;
    if (resumeAt !== undefined) this.resumeAt = resumeAt;
  }

  /** Starts anew. Fails: `OUTPUT_UNWRITABLE`. */
  static begin(paths: RunPaths, lock: OutputLock, options: RunOptions): RunWriter {
    // The old journal is removed before the files that it describes.
    removeJournal(paths.journal);
    return new RunWriter(paths, lock, options, RunFiles.create(paths, options.format));
  }

  /** Continues where the journal ends; undefined if the files differ from it. Fails: `OUTPUT_UNWRITABLE`. */
  static async goOn(
    paths: RunPaths,
    lock: OutputLock,
    options: RunOptions,
    journal: Journal,
  ): Promise<RunWriter | undefined> {
    const files = await RunFiles.reopen(paths, options.format, journal, options.signal);
    return files && new RunWriter(paths, lock, options, files, journal.position);
  }

  async write(chunk: ResultChunk): Promise<void> {
    await this.#unbroken(async () => {
      this.#files.append(chunk.lines, chunk.errors);
      this.#position = advancePosition(this.#position, chunk);
      const least = this.#options.journalMs ?? Math.max(JOURNAL_MS, this.#journalCostMs / JOURNAL_SHARE);
      if (performance.now() - this.#journalAtMs >= least) await this.#journal(false);
    });
  }

  async finish(): Promise<void> {
    await this.#unbroken(async () => {
      const journal = await this.#journal(true);
      placeRunFiles(this.#paths, journal, await this.#describe());
    });
    this.#close();
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    // A failed sync is not repeated: after it the system may count lost bytes as written.
    if (!this.#isBroken) await this.#journal(false).catch(() => {});
    this.#close();
  }

  async #unbroken(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.#isBroken = true;
      throw error;
    }
  }

  async #journal(isComplete: boolean): Promise<Journal> {
    const begun = performance.now();
    await this.#files.sync();
    const { output, errors } = this.#paths;
    const journal = {
      identity: this.#options.identity,
      errors: errors === undefined ? null : getRelativeName(output, errors),
      position: this.#position,
      ...this.#files.states,
      isComplete,
    };
    writeJournal(this.#paths.journal, journal);
    this.#journalAtMs = performance.now();
    this.#journalCostMs = this.#journalAtMs - begun;
    return journal;
  }

  /** Makes the output from rows if the format needs that, and describes the run. */
  async #describe(): Promise<RunDescription> {
    const { output, errors, part, rows } = this.#paths;
    const { format, identity } = this.#options;
    const { results, refused } = this.#files.states;
    const { plots, read, tally } = this.#position;
    const attributes = await format.finish?.(rows, part);
    const state = format.finish === undefined ? results : await readDurableState(part, this.#options.signal);
    return addDescriptionDigest({
      run: 1,
      ...identity,
      plots,
      read,
      counts: getVerdictCounts(tally),
      errors: sumCounts(tally.errors),
      output: { file: getRelativeName(output, output), ...state },
      ...(attributes !== undefined && { attributes }),
      ...(refused !== null && { errors_output: { file: getRelativeName(output, errors!), ...refused } }),
    });
  }

  #close(): void {
    this.#isOpen = false;
    this.#files.close();
    this.#lock.release();
  }
}

/** The temporary files of a run: its results, and its error lines if they have a file of their own. */
class RunFiles {
  readonly #results: AsideFile;
  readonly #refused: AsideFile | undefined;
  /** True once the names are durable. */
  #isNamed: boolean = false;

  private constructor(results: AsideFile, refused: AsideFile | undefined) {
    this.#results = results;
    this.#refused = refused;
  }

  /** Creates the files, empty except for the format's header. Fails: `OUTPUT_UNWRITABLE`. */
  static create(paths: RunPaths, format: ResultFormat): RunFiles {
    const results = AsideFile.create(getResultsPath(paths, format));
    const refused = paths.errorsPart === undefined ? undefined : AsideFile.create(paths.errorsPart);
    const files = new RunFiles(results, refused);
    results.append(format.header);
    return files;
  }

  /**
   * Opens the files of an earlier run, truncated to the journal's state; undefined if they differ. Fails:
   * `OUTPUT_UNWRITABLE`.
   */
  static async reopen(
    paths: RunPaths,
    format: ResultFormat,
    states: { readonly results: FileState; readonly refused: FileState | null },
    signal: AbortSignal,
  ): Promise<RunFiles | undefined> {
    const results = await AsideFile.reopen(getResultsPath(paths, format), states.results, signal);
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

  /**
   * Waits until the appended bytes, and the files' names, would survive a power failure. Fails: `OUTPUT_UNWRITABLE`.
   */
  async sync(): Promise<void> {
    await Promise.all([this.#results.sync(), this.#refused?.sync()]);
    if (this.#isNamed) return;
    for (const file of [this.#results, this.#refused]) if (file !== undefined) syncParentFolder(file.path);
    this.#isNamed = true;
  }

  close(): void {
    this.#results.close();
    this.#refused?.close();
  }
}

/** The file to which results are written line by line. */
function getResultsPath(paths: RunPaths, format: ResultFormat): string {
  return format.finish === undefined ? paths.part : paths.rows;
}

function syncParentFolder(path: string): void {
  try {
    syncFolderToDisk(dirname(path));
  } catch (error) {
    throw toWriteError(error, path);
  }
}
