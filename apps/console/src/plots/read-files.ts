import { iso3Of } from "@groundrule/borders/iso-3166";
import { readPlotInput } from "@groundrule/plots";
import { type Signal, signal } from "@preact/signals";
import type { Geometry } from "geojson";
import type { PagePlot } from "../state/plot.ts";
import { addPlots, ask, selectedKey } from "../state/store.ts";

/** A file that could not be read, or not to its end. */
export interface FileProblem {
  readonly file: string;
  readonly code: string;
  readonly message: string;
}

/** The file that is read now, and how many plots it gave; undefined while none is. */
export const reading: Signal<{ readonly file: string; readonly plots: number } | undefined> =
  signal(undefined);
export const fileProblems: Signal<readonly FileProblem[]> = signal([]);

/** So few plots are asked about at once. */
const FEW = 25;

let abort = new AbortController();

/** Reads the plots of files into the list, one file after another. */
export function takeFiles(files: readonly File[]): void {
  void read(files.map((file) => ({ name: file.name, text: () => file.text() })));
}

/** Reads the plots of a text that was pasted into the list. */
export function takeText(text: string): void {
  void read([{ name: "pasted", text: async () => text }]);
}

/** Stops reading; what was read stays. */
export function cancelReading(): void {
  abort.abort();
}

async function read(sources: readonly { readonly name: string; text(): Promise<string> }[]): Promise<void> {
  abort = new AbortController();
  fileProblems.value = [];
  for (const { name, text } of sources) {
    if (abort.signal.aborted) break;
    reading.value = { file: name, plots: 0 };
    try {
      take(plotsOf(name, await text()));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      fileProblems.value = [...fileProblems.value, { file: name, code: "MALFORMED_JSON", message }];
    }
  }
  reading.value = undefined;
}

function take(found: readonly Omit<PagePlot, "key">[]): void {
  const added = addPlots(found);
  if (added[0] !== undefined) selectedKey.value = added[0].key;
  if (added.length <= FEW) ask(added.map(({ key }) => key));
}

function plotsOf(origin: string, text: string): Omit<PagePlot, "key">[] {
  const value = JSON.parse(text) as { readonly type?: string; readonly features?: readonly object[] };
  const features = value.type === "FeatureCollection" ? (value.features ?? []) : [value];
  return features.map((feature, i) => plotOf(origin, i + 1, feature));
}

function plotOf(origin: string, number: number, value: object): Omit<PagePlot, "key"> {
  const feature = value as {
    readonly type?: string;
    readonly id?: string | number;
    readonly geometry?: Geometry;
    readonly properties?: Record<string, unknown> | null;
  };
  const isFeature = feature.type === "Feature";
  const geometry = isFeature ? feature.geometry : (value as Geometry);
  const properties = (isFeature ? feature.properties : undefined) ?? {};
  const id = String(feature.id ?? properties.id ?? properties.name ?? number);
  const told = readPlotInput({ geometry, properties }, iso3Of);
  const of = { id, geometry, properties, origin };
  if ("error" in told) {
    const { code, message } = told.error;
    return { ...of, input: undefined, state: { kind: "unread", error: { code, message } } };
  }
  const area =
    typeof told.area === "number" && geometry?.type.endsWith("Point") ? { area_ha: told.area } : {};
  return { ...of, input: { ...told.input, ...area }, state: { kind: "new" } };
}
