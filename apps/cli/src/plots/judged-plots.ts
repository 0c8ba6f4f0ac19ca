import { MAX_POINT_AREA_HA, MIN_POINT_AREA_HA } from "@groundrule/engine";
import type { UnreadPlot } from "@groundrule/plot-files";
import { isPoints, type PlotFeature, withPointArea } from "@groundrule/plots";
import type { Arguments } from "../command-line/arguments.ts";
import type { OptionSpec } from "../command-line/command-line.ts";
import { fixOptionsOf } from "../plot-fixes/fix-options.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { readPlotFeatures } from "./plot-features.ts";
import { type PlotLine, plotLine } from "./plots.ts";
import { AS_SUBMITTED_OPTION, submittedOptions, submittedPlots } from "./submitted-plots.ts";

export const POINT_AREA_OPTION: OptionSpec = {
  name: "point-area-ha",
  value: "N",
  help: "hectares of land around each point without an Area",
};

/** What commands that judge points say of their areas. */
export const POINT_AREA_DETAIL =
  "A point is evaluated as a disc with its area: the number of hectares in the Area property of its feature, or in --point-area-ha. Area is ignored for polygons. The country that a plot declares is compared with the borders: a warning is given if the plot is in another country.";

/** What the command line says of all plots that are judged, as plain values. */
export interface JudgeOptions {
  /** CRS of their positions, over the one that their file names. */
  readonly crs: string | undefined;
  /** Hectares around each point. */
  readonly pointHectares: number | undefined;
  /** Hectares around each point that tells none, where nobody says. */
  readonly assumedHectares?: number | undefined;
  /** The system whose geometries are judged: what it will hold of each plot. */
  readonly submitted?: string | undefined;
}

/** Fails: `UsageError` for an area that is none, and for an unknown system. */
export function judgeOptions(args: Arguments): JudgeOptions {
  const pointHectares = args.findNumber(POINT_AREA_OPTION.name, MIN_POINT_AREA_HA, MAX_POINT_AREA_HA);
  return { crs: args.find("crs"), pointHectares, submitted: submittedOptions(args)?.profile.name };
}

/**
 * Reads plots that a ruleset is evaluated on; see {@link judgedPlots}.
 *
 * Fails: as `readPlotFeatures` does, and as {@link judgeOptions}.
 */
export async function* readJudgedPlots(
  args: Arguments,
  terminal: Terminal,
  path: string | undefined = args.operands[0],
): AsyncGenerator<PlotLine, void, undefined> {
  const options = judgeOptions(args);
  for await (const plot of readPlotFeatures(args, terminal, path)) yield* judgedPlots(plot, options);
}

/**
 * What a ruleset is evaluated on for a plot: with the CRS that the command line names, the country that its properties
 * tell, points with their areas. One, but where a system will hold the plot as several.
 */
export function* judgedPlots(
  plot: PlotFeature | UnreadPlot,
  options: JudgeOptions,
): Generator<PlotLine, void, undefined> {
  const { submitted, crs } = options;
  if (submitted === undefined) {
    yield judgedPlot(plotLine(plot), options);
    return;
  }
  const fix = fixOptionsOf(submitted, AS_SUBMITTED_OPTION.name);
  const { assumedPointHectares: assumedHectares } = fix.profile;
  // What a system holds is in its CRS, whatever that of the file was.
  const held = { ...options, crs: undefined, assumedHectares };
  for (const line of submittedPlots(plot, crs, fix)) yield judgedPlot(line, held);
}

/** A plot that was read, as a ruleset is evaluated on it: with its CRS, country and area. */
export function judgedPlot(plot: PlotLine, { crs, pointHectares, assumedHectares }: JudgeOptions): PlotLine {
  if ("error" in plot) return plot;
  const { country, submittedAs } = plot;
  const input = {
    ...plot.input,
    ...(crs !== undefined && { crs }),
    ...(country !== undefined && { country_iso3: country }),
  };
  const given = plot.area === undefined ? (pointHectares ?? assumedHectares) : pointHectares;
  const line = withArea({ ...plot, input }, given);
  return "error" in line || submittedAs === undefined ? line : { ...line, submittedAs };
}

type ReadPlot = Exclude<PlotLine, { readonly error: unknown }>;

/** A point with its area: its feature's, else the one that the command line gives for all. */
function withArea({ id, input, area }: ReadPlot, given: number | undefined): PlotLine {
  if (isPoints(input) && given !== undefined) {
    if (area === undefined || area === null) return { id, input: { ...input, area_ha: given } };
    if (typeof area === "number" && area !== given) {
      return refused(
        id,
        `found Area ${area}, expected ${given} as in --${POINT_AREA_OPTION.name}; leave out one of them`,
      );
    }
  }
  return { id, ...withPointArea(input, area) };
}

function refused(id: string | number, message: string): PlotLine {
  const code = "VALIDATION_FAILED";
  return { id, error: { code, message, faults: [{ pointer: "/properties/Area", code, message }] } };
}
