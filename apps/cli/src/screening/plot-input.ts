import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { ReadOptions } from "@groundrule/formats";
import { tellPlots } from "@groundrule/plot-files";
import { isFile, openInput } from "../open-input.ts";
import type { InputIdentity, Shard } from "../runs/run-identity.ts";
import type { RunPosition } from "../runs/run-position.ts";
import type { Terminal } from "../terminal.ts";
import { cutLines, INPUT_START, type PlotChunk, skipPlots } from "./plot-chunks.ts";
import { readInThread } from "./read-thread.ts";

/** What identifies the input of a run; a file's content is not read for it. */
export function inputIdentity(path: string | undefined): InputIdentity {
  if (path === undefined || path === "-") return { name: "-" };
  const name = basename(path);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return { name };
  // A folder stays as it is when a file in it changes.
  const files = stat.isDirectory() ? readdirSync(path).map((file) => statSync(join(path, file))) : [stat];
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const modifiedMs = files.reduce((latest, { mtimeMs }) => Math.max(latest, mtimeMs), stat.mtimeMs);
  return { name, bytes, modified: new Date(modifiedMs).toISOString() };
}

/** The plots of a run's input. */
export interface PlotInput {
  readonly chunks: AsyncIterable<PlotChunk>;
  /** Bytes of a file whose chunks tell how far it was read. */
  readonly bytes?: number;
  close(): Promise<void>;
}

/**
 * Opens the plots of a file, of a folder or of standard input, in any format.
 *
 * @param shard of the plots that are wanted
 * @param from where an earlier run stopped: plain lines of a file go on there, whatever else is read up to there
 *
 * Fails: as `openInput`; chunks, as `readPlotFile`.
 */
export async function openPlotInput(
  path: string | undefined,
  terminal: Terminal,
  options: ReadOptions,
  shard: Shard,
  from?: RunPosition,
): Promise<PlotInput> {
  const input = await openInput(path, terminal, options.layer);
  const close = async (): Promise<void> => {
    if (isFile(input)) await input.close();
  };
  try {
    const { form, bytes, file } = await tellPlots(input, options);
    const read = from?.read ?? 0;
    if (form !== "lines") {
      if (isFile(input)) await bytes.return();
      const chunks = readInThread(isFile(input) ? input.path : bytes, options, terminal.signal);
      return { chunks: skipPlots(chunks, read), close };
    }
    if (file === undefined) return { chunks: skipPlots(cutLines(bytes, INPUT_START, shard), read), close };
    if (from?.inputBytes === undefined) {
      return { chunks: skipPlots(cutLines(bytes, INPUT_START, shard), read), bytes: file.size, close };
    }
    await bytes.return();
    const start = { ...INPUT_START, bytes: from.inputBytes, lines: from.inputLines ?? 0, plots: read };
    return { chunks: cutLines(file.stream(start.bytes), start, shard), bytes: file.size, close };
  } catch (error) {
    await close();
    throw error;
  }
}
