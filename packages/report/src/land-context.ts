import {
  type AreaSet,
  type CompileOptions,
  type Engine,
  EngineError,
  type EvaluateOptions,
  type EvaluationInput,
  type Ruleset,
} from "@groundrule/engine";
import type { VerdictRecord } from "@groundrule/engine/records";
import { parseRuleset } from "@groundrule/engine/rulesets";
import type { Tongue } from "@groundrule/words";

/** Land of a plot on a map of one year: shown with a verdict, and no part of it. */
export interface LandContext {
  /** The source or group, such as `preset:forest_2020`. */
  readonly source_name: string;
  /** Square metres of the plot; null where it is not known. */
  readonly squareMeters: number | null;
  /** Share of the plot, 0 to 1; null where it is not known. */
  readonly share: number | null;
  /** True if there may be more: the source does not tell of all of the plot. */
  readonly isOpen: boolean;
}

/** Measures what a ruleset's maps of one year show of plots. */
export interface ContextMeter {
  /** Nothing where the input cannot be measured: a verdict does not depend on it. */
  measure(input: EvaluationInput, options: EvaluateOptions): readonly LandContext[];
}

/**
 * A meter of the maps that a ruleset uses: sources and groups whose names end in a year, with neither filter nor
 * distance. Whether their land was lost may be a check; how much there was is no check's value.
 *
 * @param engine over the data of the verdict
 * @returns undefined where the ruleset uses none
 *
 * Fails: never; what the engine refuses has no context.
 */
export function createContextMeter(
  engine: Engine,
  { sets }: Pick<Ruleset, "sets">,
  options: CompileOptions = {},
): ContextMeter | undefined {
  const maps = Object.entries(sets).flatMap(([name, set]) => (isMap(set) ? [[name, set] as const] : []));
  if (maps.length === 0) return undefined;
  const above = (set: string, measure: string) => ({ set, measure, op: ">", value: 0 });
  const ruleset = {
    sets: Object.fromEntries(maps),
    checks: maps.map(([set], i) => ({
      id: `map-${i}`,
      all: [above(set, "overlap_area_m2"), above(set, "overlap_ratio")],
      outcome: "NOTICE",
    })),
  };
  const policy = callOrUndefinedIfRefused(() => engine.compile(ruleset, undefined, options));
  if (policy === undefined) return undefined;
  return {
    measure: ({ geometry, crs, area_ha }, { now, strictCoverage, provided }) => {
      const input = { geometry, crs, area_ha };
      const evaluated = { now, strictCoverage, provided, evidenceLimit: 1 };
      const { checks = [] } = callOrUndefinedIfRefused(() => policy.evaluate(input, evaluated)) ?? {};
      return checks.map(({ status, comparisons: [area, share] }, i) => ({
        source_name: maps[i]![1].sources[0]!,
        squareMeters: area?.value ?? null,
        share: share?.value ?? null,
        isOpen: status !== "ok",
      }));
    },
  };
}

/**
 * Measures the maps of a record's ruleset on its plot, at the instant of its verdict.
 *
 * @param engine over the editions that the record names
 *
 * Fails: never; what the engine refuses has no context.
 */
export function measureContext({ request, response }: VerdictRecord, engine: Engine): readonly LandContext[] {
  const { input, ruleset, options, provided } = request;
  const parsed = callOrUndefinedIfRefused(() => parseRuleset(ruleset));
  if (parsed === undefined) return [];
  const compiled = { isAccepted: true, ...(options?.without !== undefined && { without: options.without }) };
  const now = response.data.evaluated_at;
  const evaluated = { now, strictCoverage: options?.strict_coverage, provided };
  return createContextMeter(engine, parsed, compiled)?.measure(input, evaluated) ?? [];
}

/** The name of a source whose data show one year. */
const YEAR = /:[a-z0-9_]+_\d{4}$/;

function isMap(set: Ruleset["sets"][string]): set is AreaSet {
  if (!("sources" in set)) return false;
  const { sources, relation, where, within_m, min_m, country_iso3 } = set;
  const isWhole = [relation, where, within_m, min_m, country_iso3].every((member) => member === undefined);
  return isWhole && sources.length === 1 && YEAR.test(sources[0]!);
}

/** Undefined where the engine refuses: a line beside a verdict never keeps the verdict from being shown. */
function callOrUndefinedIfRefused<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

/** The maps as a line of text: `Forest of 2020 on the plot: 24.00 ha, 94.00 %`; undefined where there are none. */
export function formatLandContext(maps: readonly LandContext[], tongue: Tongue): string | undefined {
  if (maps.length === 0) return undefined;
  const { words, formats } = tongue;
  const { titles, onPlot, unknown, atLeast } = words.context;
  return maps
    .map(({ source_name, squareMeters, share, isOpen }) => {
      const title = titles[source_name] ?? source_name;
      if (squareMeters === null || share === null || (isOpen && squareMeters === 0)) {
        return `${title} ${onPlot}: ${unknown}`;
      }
      const figures = `${formats.area(squareMeters)}, ${formats.share(share)}`;
      return `${title} ${onPlot}: ${isOpen ? `${atLeast} ${figures}` : figures}`;
    })
    .join("; ");
}
