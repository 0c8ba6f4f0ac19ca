import { EngineError, type EvaluationInput, MAX_POINT_AREA_HA, MIN_POINT_AREA_HA } from "@groundrule/engine";
import { isSameCrs } from "@groundrule/engine/internal";
import type { PlotColumns, UnreadPlot } from "@groundrule/plot-files";
import {
  type FactDeclarations,
  isPoints,
  meantFact,
  type PlotFeature,
  requireKnownFacts,
  withFactColumns,
  withPointArea,
} from "@groundrule/plots";
import type { Arguments } from "../command-line/arguments.ts";
import { defineOption, type OptionSpec } from "../command-line/command-line.ts";
import { RunError } from "../runs/run-error.ts";
import { type Terminal, toPrintable } from "../terminal/terminal.ts";
import { getFixOptions } from "./fix-options.ts";
import { type PlotLine, readPlotFeatures, toPlotLine } from "./plots.ts";
import { AS_SUBMITTED_OPTION, readSubmittedOptions, toSubmittedPlots } from "./submitted-plots.ts";

export const POINT_AREA_OPTION: OptionSpec = defineOption(
  "point-area-ha N",
  "hectares of land around each point without an Area",
);

/** Help text on the areas of points, for commands that evaluate plots. */
export const POINT_AREA_DETAIL =
  "A point is evaluated as a disc with its area: the number of hectares in the Area property of its feature, or in --point-area-ha. Area is ignored for polygons. The country that a plot declares is compared with the borders: a warning is given if the plot is in another country.";

/** The command line's statements about all evaluated plots, as plain values. */
export interface JudgeOptions {
  /** CRS of their positions, in place of the one in their file. */
  readonly crs: string | undefined;
  /** Hectares around each point. */
  readonly pointHectares: number | undefined;
  /** Hectares around each point that declares none, if no option does. */
  readonly assumedHectares?: number | undefined;
  /** The system whose geometries are evaluated: the form in which it will store each plot. */
  readonly submitted?: string | undefined;
  /** The facts that the ruleset declares; absent: columns of facts stay `rawFacts`, see {@link withColumnFacts}. */
  readonly facts?: FactDeclarations | undefined;
  /** Declarations for every plot that does not have its own. */
  readonly declared?: Declared | undefined;
}

/** Declarations of the command line about plots. */
export interface Declared {
  readonly facts?: EvaluationInput["facts"];
  readonly property?: DeclaredProperty;
}

/** A property, and the CRS of its file. */
export interface DeclaredProperty {
  readonly geometry: object;
  readonly crs: string | undefined;
}

/**
 * @param facts that the ruleset declares
 *
 * Fails: `UsageError` for a malformed area, and for an unknown system.
 */
export function readJudgeOptions<Facts extends FactDeclarations | undefined = undefined>(
  args: Arguments,
  facts?: Facts,
): JudgeOptions & { readonly facts: Facts } {
  const pointHectares = args.findNumber(POINT_AREA_OPTION.name, MIN_POINT_AREA_HA, MAX_POINT_AREA_HA);
  return {
    crs: args.find("crs"),
    pointHectares,
    submitted: readSubmittedOptions(args)?.profile.name,
    facts: facts as Facts,
  };
}

/**
 * Refuses a file whose plots declare facts that no ruleset uses, once for the file, and names the columns that are
 * matched by truncated names.
 *
 * @param others facts of a second ruleset by which the plots are evaluated as well
 *
 * Fails: `RunError` `FACT_UNKNOWN`.
 */
export function requireKnownColumns(
  { facts = [] }: PlotColumns,
  terminal: Terminal,
  declarations: FactDeclarations,
  others: FactDeclarations = {},
): void {
  try {
    requireKnownFacts(
      facts.filter((reference) => meantFact(reference, others) === undefined),
      { ...others, ...declarations },
    );
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const messages = (error.details.faults ?? []).map(({ message }) => message);
    throw new RunError("FACT_UNKNOWN", messages.join("; "));
  }
  const cut = facts.flatMap((reference) =>
    [others, declarations].flatMap((declaration) => {
      const meant = meantFact(reference, declaration) ?? reference;
      return meant === reference ? [] : `the fact ${meant} is read from the column fact:${reference}`;
    }),
  );
  for (const line of new Set(cut)) terminal.note(toPrintable(line));
}

/**
 * Reads plots for evaluation; see {@link preparePlotLines}.
 *
 * Fails: as `readPlotFeatures` and {@link requireKnownColumns} do.
 */
export async function* readJudgedPlots(
  args: Arguments,
  terminal: Terminal,
  options: JudgeOptions & { readonly facts: FactDeclarations },
): AsyncGenerator<PlotLine, void, undefined> {
  const tell = (columns: PlotColumns): void => requireKnownColumns(columns, terminal, options.facts);
  for await (const plot of readPlotFeatures(args, terminal, args.operands[0], tell)) {
    yield* preparePlotLines(plot, options);
  }
}

/**
 * Prepares a plot for evaluation: with the CRS of the command line, the country in its properties, and areas of points.
 * Yields one plot, or several if a system will store it so.
 */
export function* preparePlotLines(
  plot: PlotFeature | UnreadPlot,
  options: JudgeOptions,
): Generator<PlotLine, void, undefined> {
  const { submitted, crs } = options;
  if (submitted === undefined) {
    yield preparePlotLine(toPlotLine(plot), options);
    return;
  }
  const fix = getFixOptions(submitted, AS_SUBMITTED_OPTION.name);
  const { assumedPointHectares: assumedHectares } = fix.profile;
  // The stored form is in the system's CRS, whatever that of the file was.
  const stored = { ...options, crs: undefined, assumedHectares };
  for (const line of toSubmittedPlots(plot, crs, fix)) yield preparePlotLine(line, stored);
}

/** A plot prepared for evaluation: with its CRS, country, area and declarations. */
export function preparePlotLine(plot: PlotLine, options: JudgeOptions): PlotLine {
  if ("error" in plot) return plot;
  const { crs, pointHectares, assumedHectares, facts, declared } = options;
  const { id, country, submittedAs } = plot;
  const read = facts === undefined ? plot : withColumnFacts(plot, facts);
  if ("error" in read) return read;
  const { property } = declared ?? {};
  if (property !== undefined && read.input.property === undefined && crs === undefined) {
    const [its, own] = [property.crs ?? LONGITUDE_LATITUDE, read.input.crs ?? LONGITUDE_LATITUDE];
    if (!isSameCrs(its, own)) {
      return createRefusedPlot(
        id,
        "/property",
        `found the property in ${its}, expected ${own}, as the plot is`,
      );
    }
  }
  const input = {
    ...(declared === undefined ? read.input : addDeclarations(read.input, declared)),
    ...(crs !== undefined && { crs }),
    ...(country !== undefined && { country_iso3: country }),
  };
  const hectares = plot.area === undefined ? (pointHectares ?? assumedHectares) : pointHectares;
  const line = addPointArea({ ...plot, input }, hectares);
  if ("error" in line) return line;
  const { rawFacts } = read;
  return {
    ...line,
    ...(submittedAs !== undefined && { submittedAs }),
    ...(rawFacts !== undefined && { rawFacts }),
  };
}

/**
 * Reads a plot's facts from its columns, each with the type that a ruleset declares.
 *
 * @param others facts of a second ruleset by which the plot is evaluated as well: facts only of that are left out
 */
export function withColumnFacts(
  plot: PlotLine,
  facts: FactDeclarations,
  others: FactDeclarations = {},
): PlotLine {
  if ("error" in plot) return plot;
  const { rawFacts, ...line } = plot;
  const isLeftOut = (reference: string): boolean =>
    meantFact(reference, others) !== undefined && meantFact(reference, facts) === undefined;
  const input =
    line.input.facts === undefined
      ? line.input
      : { ...line.input, facts: omitMembers(line.input.facts, isLeftOut) };
  if (rawFacts === undefined) return { ...line, input };
  const read = withFactColumns(input, omitMembers(rawFacts, isLeftOut), facts);
  return "error" in read ? { id: line.id, error: read.error } : { ...line, input: read.input };
}

function omitMembers<Value>(
  members: Readonly<Record<string, Value>>,
  isLeftOut: (name: string) => boolean,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !isLeftOut(name)));
}

const LONGITUDE_LATITUDE = "OGC:CRS84";

/** A plot's own declarations take precedence over those for all. */
function addDeclarations(input: EvaluationInput, { facts, property }: Declared): EvaluationInput {
  const own = Object.entries(input.facts ?? {}).filter(([, value]) => value !== null);
  return {
    ...(property !== undefined && { property: property.geometry }),
    ...input,
    ...(facts !== undefined && { facts: { ...facts, ...Object.fromEntries(own) } }),
  };
}

type ReadPlot = Exclude<PlotLine, { readonly error: unknown }>;

/** A point with its area: its feature's, otherwise the one that the command line sets for all. */
function addPointArea({ id, input, area }: ReadPlot, hectares: number | undefined): PlotLine {
  if (isPoints(input) && hectares !== undefined) {
    if (area === undefined || area === null) return { id, input: { ...input, area_ha: hectares } };
    if (typeof area === "number" && area !== hectares) {
      return createRefusedPlot(
        id,
        "/properties/Area",
        `found Area ${area}, expected ${hectares} as in --${POINT_AREA_OPTION.name}; leave out one of them`,
      );
    }
  }
  return { id, ...withPointArea(input, area) };
}

function createRefusedPlot(id: string | number, pointer: string, message: string): PlotLine {
  const code = "VALIDATION_FAILED";
  return { id, error: { code, message, faults: [{ pointer, code, message }] } };
}
