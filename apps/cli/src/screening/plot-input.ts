import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { detectPlots, type PlotColumns, type PlotReadOptions } from "@groundrule/plot-files";
import { isFile, openInputFile } from "../files/open-input.ts";
import type { InputIdentity, RunPosition, Shard } from "../runs/run.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { INPUT_START, type PlotChunk, skipPlots, splitLinesIntoChunks } from "./plot-chunks.ts";
import { readInThread } from "./read-thread.ts";

/** The identity of a run's input; the file's content is not read for it. */
export function readInputIdentity(path: string | undefined): InputIdentity {
  if (path === undefined || path === "-") return { name: "-" };
  const name = basename(path);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return { name };
  // A folder's own time does not change when a file in it changes.
  const files = stat.isDirectory() ? readdirSync(path).map((file) => statSync(join(path, file))) : [stat];
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const modifiedMs = files.reduce((latest, { mtimeMs }) => Math.max(latest, mtimeMs), stat.mtimeMs);
  return { name, bytes, modified: new Date(modifiedMs).toISOString() };
}

/** The plots of a run's input. */
export interface PlotInput {
  /** The columns common to all plots. */
  readonly columns: PlotColumns;
  /**
   * Its plots; call it once.
   *
   * @param shard the plots to keep
   * @param from where an earlier run stopped: plain lines of a file are resumed there, other input is read up to there
   */
  chunks(shard: Shard, from?: RunPosition): AsyncIterable<PlotChunk>;
  /** Size of a file whose chunks have byte positions. */
  readonly bytes?: number;
  close(): Promise<void>;
}

/**
 * Opens the plots of a file, of a folder or of standard input, in any format.
 *
 * Fails: as `openInputFile`, and as `readPlotFile`, here or as chunks are read.
 */
export async function openPlotInput(
  path: string | undefined,
  terminal: Terminal,
  options: PlotReadOptions,
): Promise<PlotInput> {
  const input = await openInputFile(path, terminal, options.layer);
  const close = async (): Promise<void> => {
    if (isFile(input)) await input.close();
  };
  try {
    const { form, bytes, file, columns: ofLines } = await detectPlots(input, options);
    if (form !== "lines" || ofLines === undefined) {
      if (isFile(input)) await bytes.return();
      const { columns, chunks } = await readInThread(
        isFile(input) ? input.path : bytes,
        options,
        terminal.signal,
      );
      return {
        columns,
        chunks: (_, from) => skipPlots(chunks, from?.read ?? 0),
        async close() {
          await chunks.return();
          await close();
        },
      };
    }
    return {
      columns: ofLines,
      chunks(shard, from) {
        const read = from?.read ?? 0;
        if (file === undefined || from?.inputBytes === undefined) {
          return skipPlots(splitLinesIntoChunks(bytes, INPUT_START, shard), read);
        }
        const start = { bytes: from.inputBytes, lines: from.inputLines ?? 0, plots: read };
        return splitLinesIntoChunks(file.stream(start.bytes), start, shard);
      },
      ...(file !== undefined && { bytes: file.size }),
      async close() {
        await bytes.return();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
