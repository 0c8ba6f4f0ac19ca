import type { ResultChunk } from "../screening/results/result-chunk.ts";
import { totalOf } from "../screening/results/tally.ts";
import { durableState } from "./aside-file.ts";
import { type Journal, removeJournal, writeJournal } from "./journal.ts";
import type { OutputLock } from "./output-lock.ts";
import { placeRun } from "./place-run.ts";
import { describe, type RunDescription } from "./run-description.ts";
import { RunFiles } from "./run-files.ts";
import type { RunOptions, RunOutput } from "./run-options.ts";
import { nameBeside, type RunPaths } from "./run-paths.ts";
import { countsOf, FIRST_POSITION, positionAfter, type RunPosition } from "./run-position.ts";

const JOURNAL_MS = 1000;

/** Journals take at most this part of the time. */
const JOURNAL_SHARE = 0.05;

/** The output of a run that is being written. */
export class RunWriter implements RunOutput {
  readonly isDone = false;
  readonly resumeAt?: RunPosition;
  readonly #paths: RunPaths;
  readonly #options: RunOptions;
  readonly #files: RunFiles;
  readonly #lock: OutputLock;
  #position: RunPosition;
  /** Set after the first failure: what the files hold then is settled by the journal alone. */
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
    // The old journal goes before what it speaks of.
    removeJournal(paths.journal);
    return new RunWriter(paths, lock, options, RunFiles.create(paths, options.format));
  }

  /** Goes on where the journal tells; undefined where the files are not what it tells. Fails: `OUTPUT_UNWRITABLE`. */
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
      this.#position = positionAfter(this.#position, chunk);
      const least = this.#options.journalMs ?? Math.max(JOURNAL_MS, this.#journalCostMs / JOURNAL_SHARE);
      if (performance.now() - this.#journalAtMs >= least) await this.#journal(false);
    });
  }

  async finish(): Promise<void> {
    await this.#unbroken(async () => {
      const journal = await this.#journal(true);
      placeRun(this.#paths, journal, await this.#describe());
    });
    this.#close();
  }

  async abandon(): Promise<void> {
    if (!this.#isOpen) return;
    // What failed once is not asked again: after a failed sync the system may count lost bytes as written.
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
      errors: errors === undefined ? null : nameBeside(output, errors),
      position: this.#position,
      ...this.#files.states,
      isComplete,
    };
    writeJournal(this.#paths.journal, journal);
    this.#journalAtMs = performance.now();
    this.#journalCostMs = this.#journalAtMs - begun;
    return journal;
  }

  /** Turns rows into the output where the format asks for it, and tells of all. */
  async #describe(): Promise<RunDescription> {
    const { output, errors, part, rows } = this.#paths;
    const { format, identity } = this.#options;
    const { results, refused } = this.#files.states;
    const { plots, read, tally } = this.#position;
    const attributes = await format.finish?.(rows, part);
    const state = format.finish === undefined ? results : await durableState(part, this.#options.signal);
    return describe({
      run: 1,
      ...identity,
      plots,
      read,
      counts: countsOf(tally),
      errors: totalOf(tally.errors),
      output: { file: nameBeside(output, output), ...state },
      ...(attributes !== undefined && { attributes }),
      ...(refused !== null && { errors_output: { file: nameBeside(output, errors!), ...refused } }),
    });
  }

  #close(): void {
    this.#isOpen = false;
    this.#files.close();
    this.#lock.release();
  }
}
