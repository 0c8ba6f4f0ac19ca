import { type Signal, signal } from "@preact/signals";
import { addPlots, ask, removePlots, selectedKey } from "../state/store.ts";
import type { FileOptions, PlaceDoubt } from "./page-plots.ts";
import { plotSources } from "./plot-sources.ts";
import type { PlotSource, ReadMessage, ReadReply } from "./read-protocol.ts";

/** What people must know or decide about a file. */
export interface FileProblem {
  readonly file: string;
  /** Why it could not be read; absent where it was. */
  readonly fault?: { readonly code: string; readonly message: string };
  /** The layers that one is chosen of. */
  readonly layers: readonly string[];
  /** What is doubtful about the places of its plots. */
  readonly doubt?: PlaceDoubt | undefined;
  /** Whether it has more plots than the list takes. */
  readonly isCut: boolean;
  /** Reads it again, with what people have told of it, in the place of what was read. */
  again(told: FileOptions): void;
  /** Leaves it as it is. */
  dismiss(): void;
}

/** The file that is read now, and how many plots it gave; undefined while none is. */
export const reading: Signal<{ readonly file: string; readonly plots: number } | undefined> =
  signal(undefined);
export const fileProblems: Signal<readonly FileProblem[]> = signal([]);

/** So few plots are asked about at once. */
const FEW = 25;

let abort = new AbortController();
/** Files are read one after another, those that come later too. */
let before: Promise<void> = Promise.resolve();

/** Reads the plots of files into the list, one file after another. */
export function takeFiles(files: readonly File[]): void {
  for (const source of plotSources(files)) take(source, {});
}

/** Reads the plots of a text that was pasted into the list. */
export function takeText(text: string): void {
  take({ name: "pasted", text }, {});
}

/** Stops reading; what was read stays. */
export function cancelReading(): void {
  abort.abort();
  abort = new AbortController();
}

function take(source: PlotSource, options: FileOptions): void {
  const { signal: stopped } = abort;
  before = before.then(() => (stopped.aborted ? undefined : read(source, options, stopped)));
}

async function read(source: PlotSource, options: FileOptions, stopped: AbortSignal): Promise<void> {
  const keys: string[] = [];
  reading.value = { file: source.name, plots: 0 };
  const end = await readInWorker({ source, options }, stopped, (plots) => {
    const added = addPlots(plots);
    if (keys.length === 0 && added[0] !== undefined) selectedKey.value = added[0].key;
    for (const each of added.map(({ key }) => key)) keys.push(each);
    reading.value = { file: source.name, plots: keys.length };
  });
  reading.value = undefined;
  if (end === undefined) return;
  const isDoubtful = end.kind === "failed" || end.doubt !== undefined || end.isCut;
  if (isDoubtful) tell(source, options, end, keys);
  if (end.kind === "end" && end.doubt === undefined && keys.length <= FEW) ask(keys);
}

type End = Exclude<ReadReply, { readonly kind: "plots" }>;

function tell(source: PlotSource, options: FileOptions, end: End, keys: readonly string[]): void {
  const isFailed = end.kind === "failed";
  const dismiss = (): void => {
    fileProblems.value = fileProblems.value.filter((each) => each !== problem);
  };
  const problem: FileProblem = {
    file: source.name,
    ...(isFailed && { fault: { code: end.code, message: end.message } }),
    layers: isFailed ? end.layers : [],
    doubt: isFailed ? (end.code === "CRS_UNSUPPORTED" ? "crs" : undefined) : end.doubt,
    isCut: !isFailed && end.isCut,
    again: (told) => {
      dismiss();
      removePlots(new Set(keys));
      take(source, { ...options, ...told });
    },
    dismiss,
  };
  fileProblems.value = [...fileProblems.value.filter(({ file }) => file !== source.name), problem];
}

/** @returns how it ended; undefined where it was stopped */
function readInWorker(
  message: ReadMessage,
  stopped: AbortSignal,
  onPlots: (plots: Extract<ReadReply, { readonly kind: "plots" }>["plots"]) => void,
): Promise<End | undefined> {
  const worker = new Worker(new URL("./read-worker.ts", import.meta.url), { type: "module", name: "plots" });
  return new Promise<End | undefined>((resolve) => {
    stopped.addEventListener("abort", () => resolve(undefined));
    worker.addEventListener("message", ({ data }: MessageEvent<ReadReply>) => {
      if (data.kind === "plots") onPlots(data.plots);
      else resolve(data);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      const said = event.message === "" ? "the reader could not be loaded" : event.message;
      resolve({ kind: "failed", code: "INTERNAL_ERROR", message: said, layers: [] });
    });
    worker.postMessage(message);
  }).finally(() => worker.terminate());
}
