import type { IdentifierColumn } from "@groundrule/plots";
import { type Signal, signal } from "@preact/signals";
import type { Geometry } from "geojson";
import type { Place } from "../../state/placing.ts";
import { addPlots, choices, evaluatePlots, removePlots, selectedKey } from "../../state/store.ts";
import type { FileOptions, PlaceDoubt, TakenColumns } from "../page-plots.ts";
import { groupPlotSources } from "../plot-sources.ts";
import type { PlotSource, ReadMessage, ReadReply } from "./read-protocol.ts";

/** A problem of a file that the user must see or decide. */
export interface FileProblem {
  readonly file: string;
  /** The reason why it could not be read; absent if it was. */
  readonly fault?: { readonly code: string; readonly message: string };
  /** The layers to choose from. */
  readonly layers: readonly string[];
  /** The doubt about its plots' positions. */
  readonly doubt?: PlaceDoubt | undefined;
  /** True if it has more plots than the list takes. */
  readonly isCut: boolean;
  /** Reads it again with these settings, replacing its plots. */
  again(settings: FileOptions): void;
  /** Closes the problem without a change. */
  dismiss(): void;
}

/** The detected meanings of a file's columns, with functions to change them. */
export interface FileColumns {
  readonly file: string;
  readonly taken: TakenColumns;
  /** All its columns that could contain ids. */
  readonly names: readonly string[];
  /** Reads it again with ids from this column, replacing its plots. */
  take(id: string): void;
  /** Reads it again with exactly these columns of identifiers. */
  readIdentifiers(columns: readonly IdentifierColumn[]): void;
  dismiss(): void;
}

/** The file being read and its number of plots so far; undefined while none is read. */
export const reading: Signal<{ readonly file: string; readonly plots: number } | undefined> =
  signal(undefined);
export const fileProblems: Signal<readonly FileProblem[]> = signal([]);
export const fileColumns: Signal<readonly FileColumns[]> = signal([]);

/** Number of plots from which a file's columns are detected. */
const LOOKED_AT = 100;

/** Maximum plots that are evaluated at once without a question. */
const FEW = 25;

let abort = new AbortController();
/** Files are read one after another, including those added later. */
let before: Promise<void> = Promise.resolve();

/** Reads the plots of files into the list, one file after another. */
export function readPlotsFromFiles(files: readonly File[]): void {
  for (const source of groupPlotSources(files)) queuePlotSource(source, {});
}

/** Reads plots from pasted text into the list. */
export function readPlotsFromText(text: string): void {
  queuePlotSource({ name: "pasted", text }, {});
}

/** Places geometries in the worker that reads plots: it has the table of reference systems, and the page does not. */
export const placeByReader: Place = async (geometries, crs) => {
  const text = geometries.map((each) => JSON.stringify(each)).join("\n");
  const found: (Geometry | undefined)[] = [];
  const message = { source: { name: "", text }, options: { crs } };
  await readInWorker(
    message,
    new AbortController().signal,
    () => {},
    (plots) => {
      for (const { geometry } of plots) found.push(geometry);
    },
  );
  return found;
};

/** Stops reading; plots read so far stay. */
export function cancelReading(): void {
  abort.abort();
  abort = new AbortController();
}

function queuePlotSource(source: PlotSource, options: FileOptions): void {
  const { signal: stopped } = abort;
  before = before.then(() => (stopped.aborted ? undefined : readPlotSource(source, options, stopped)));
}

async function readPlotSource(source: PlotSource, options: FileOptions, stopped: AbortSignal): Promise<void> {
  const keys: string[] = [];
  const names = new Set<string>();
  let taken: TakenColumns | undefined;
  const tellColumns = (columns: TakenColumns): void => {
    taken = columns;
  };
  reading.value = { file: source.name, plots: 0 };
  const end = await readInWorker({ source, options }, stopped, tellColumns, (plots) => {
    if (keys.length === 0) {
      for (const { properties } of plots.slice(0, LOOKED_AT)) {
        for (const name of Object.keys(properties)) names.add(name);
      }
    }
    const added = addPlots(plots);
    for (const each of added.map(({ key }) => key)) keys.push(each);
    reading.value = { file: source.name, plots: keys.length };
  });
  reading.value = undefined;
  // A single plot is selected; for a list the summary is shown.
  if (keys.length > 0) selectedKey.value = keys.length === 1 ? keys[0] : undefined;
  if (end === undefined) return;
  const isDoubtful = end.kind === "failed" || end.doubt !== undefined || end.isCut;
  if (isDoubtful) reportReadingEnd(source, options, end, keys);
  showColumnMeanings(source, options, keys, taken, [...names]);
  if (end.kind !== "end" || end.doubt !== undefined) return;
  // A problem of another of the files stays visible.
  if (keys.length > 0 && fileProblems.value.length === 0) choices.value++;
  if (keys.length <= FEW) evaluatePlots(keys);
}

type End = Exclude<ReadReply, { readonly kind: "columns" | "plots" }>;

/** Shows the meaning of columns, like the command does: nothing for a file with standard names. */
function showColumnMeanings(
  source: PlotSource,
  options: FileOptions,
  keys: readonly string[],
  taken: TakenColumns | undefined,
  names: readonly string[],
): void {
  const others = fileColumns.value.filter(({ file }) => file !== source.name);
  fileColumns.value = others;
  if (taken === undefined || names.length === 0 || (isPlain(taken) && !mayContainIdentifiers(taken, names)))
    return;
  const dismiss = (): void => {
    fileColumns.value = fileColumns.value.filter((each) => each !== shown);
  };
  const shown: FileColumns = {
    file: source.name,
    taken,
    names,
    take: (id) => rereadPlotSource(source, { ...options, id }, keys, dismiss),
    readIdentifiers: (identifiers) => rereadPlotSource(source, { ...options, identifiers }, keys, dismiss),
    dismiss,
  };
  fileColumns.value = [...others, shown];
}

/** True if geometries, ids and areas have the names of GeoJSON and the EU format. */
function isPlain({ id, area, table }: TakenColumns): boolean {
  const isOwn = id === "feature" || (typeof id === "object" && id.column === "id");
  return isOwn && (area === undefined || area.column === "Area") && (table?.notes.length ?? 0) === 0;
}

/** True if identifiers are read from columns, or a table has columns that could contain some. */
function mayContainIdentifiers(
  { id, area, identifiers, table }: TakenColumns,
  names: readonly string[],
): boolean {
  const known = ["id", "scheme", area?.column, typeof id === "object" ? id.column : undefined];
  return identifiers !== undefined || (table !== undefined && names.some((name) => !known.includes(name)));
}

/** Reads a file again, replacing its plots. */
function rereadPlotSource(
  source: PlotSource,
  options: FileOptions,
  keys: readonly string[],
  dismiss: () => void,
): void {
  dismiss();
  removePlots(new Set(keys));
  queuePlotSource(source, options);
}

function reportReadingEnd(source: PlotSource, options: FileOptions, end: End, keys: readonly string[]): void {
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
    again: (settings) => rereadPlotSource(source, { ...options, ...settings }, keys, dismiss),
    dismiss,
  };
  fileProblems.value = [...fileProblems.value.filter(({ file }) => file !== source.name), problem];
}

/** @returns the final message; undefined if reading was stopped */
function readInWorker(
  message: ReadMessage,
  stopped: AbortSignal,
  onColumns: (columns: TakenColumns) => void,
  onPlots: (plots: Extract<ReadReply, { readonly kind: "plots" }>["plots"]) => void,
): Promise<End | undefined> {
  const worker = new Worker(new URL("./read-worker.ts", import.meta.url), { type: "module", name: "plots" });
  return new Promise<End | undefined>((resolve) => {
    stopped.addEventListener("abort", () => resolve(undefined));
    worker.addEventListener("message", ({ data }: MessageEvent<ReadReply>) => {
      if (data.kind === "plots") onPlots(data.plots);
      else if (data.kind === "columns") onColumns(data.columns);
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
