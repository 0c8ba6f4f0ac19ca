import { crsTable } from "@groundrule/crs";
import type { PlotFeature } from "@groundrule/plots";
import { plotOutline } from "@groundrule/report";
import type { Arguments } from "../command-line/arguments.ts";
import { type JudgeOptions, preparePlotLines } from "../plots/judged-plots.ts";
import type { PlotLine } from "../plots/plots.ts";
import { readPlotFeatures } from "../plots/plots.ts";
import { findPlotName } from "../screening/results/plot-name.ts";
import type { LineError } from "../terminal/line-error.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A plot of the screened file. */
export interface ScreenedPlot {
  readonly id: string | number;
  readonly name?: string | undefined;
  /** GeoJSON in longitude and latitude on WGS 84. */
  readonly geometry?: unknown;
  /** The plot as evaluated, after the ruleset's facts were read from its columns. */
  readonly judged?: Exclude<PlotLine, { readonly error: unknown }>;
  /** The reason why it cannot be evaluated. */
  readonly error?: LineError;
}

/** The plots of a file, taken one by one for results by id: two plots with one id are two. */
export class ScreenedPlots {
  readonly #plots = new Map<string, ScreenedPlot[]>();

  add(plot: ScreenedPlot): void {
    const id = String(plot.id);
    const known = this.#plots.get(id);
    if (known === undefined) this.#plots.set(id, [plot]);
    else known.push(plot);
  }

  /** The next plot with an id. */
  take(id: string | number): ScreenedPlot | undefined {
    const left = this.#plots.get(String(id));
    const plot = left?.shift();
    if (left?.length === 0) this.#plots.delete(String(id));
    return plot;
  }

  /** The plots that were not taken, in the order of the file. */
  *rest(): Generator<ScreenedPlot, void, undefined> {
    for (const left of this.#plots.values()) yield* left;
  }
}

/** Reads the plots of a file as `screen` does. */
export async function readScreenedPlots(
  path: string,
  judge: JudgeOptions,
  args: Arguments,
  terminal: Terminal,
): Promise<ScreenedPlots> {
  const plots = new ScreenedPlots();
  for await (const plot of readPlotFeatures(args, terminal, path)) {
    const geometry = "error" in plot ? {} : toDrawnPlot(plot, judge.crs);
    for (const line of preparePlotLines(plot, judge)) {
      const of = { id: line.id, ...geometry };
      plots.add("error" in line ? { ...of, error: line.error } : { ...of, judged: line });
    }
  }
  return plots;
}

function toDrawnPlot({ properties, geometry, crs }: PlotFeature, crsOption: string | undefined): object {
  return { name: findPlotName(properties), geometry: toDrawnGeometry(geometry, crsOption ?? crs) };
}

/** A geometry for the map; undefined if the map cannot place it. */
export function toDrawnGeometry(geometry: unknown, crs: string | undefined | null): unknown {
  if (crs === undefined || crs === null || geometry === undefined || geometry === null) return geometry;
  const coordinates = plotOutline(geometry as object, { crs, crsTable });
  return coordinates === undefined ? undefined : { type: "MultiPolygon", coordinates };
}
