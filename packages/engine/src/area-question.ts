import { compareStrings } from "./base/ascending.ts";
import { deepFreeze } from "./base/deep-freeze.ts";
import { EngineError } from "./base/errors.ts";
import { startWorkMeter } from "./base/work-meter.ts";
import type { EngineParts } from "./engine-parts.ts";
import { PlotOnLayers } from "./geometry/kernel/plot-on-layers.ts";
import type { Layer } from "./geometry/layer.ts";
import type { Plot, Warning } from "./geometry/plot/plot.ts";
import { MAX_RESULTS } from "./questions/options.ts";
import type { SpatialOptions } from "./questions/questions.ts";
import { requireCountryCode } from "./questions/read-question.ts";
import type { GeometryInput } from "./ruleset/compile/evaluation-input.ts";
import type { LeafSnapshot } from "./snapshot/snapshot.ts";
import { findFictionalWarnings } from "./sources/fictional.ts";
import { isLive, type Provided, readProvidedAnswers, toAnsweringSource } from "./sources/live-source.ts";
import { PlotCoverage } from "./sources/plot-coverage.ts";
import { findCellSizeAt } from "./sources/raster-sources.ts";
import { createSourceOutcome } from "./sources/source-outcome.ts";
import { type DamagedSources, type EngineSource, findLeftOut } from "./sources/source-table.ts";
import type { Answer, AreaMatch } from "./verdict/match.ts";
import type { SourceOutcome } from "./verdict/verdict.ts";

/** One question about a plot, put to source after source; it gathers what each of them has to the answer. */
export class AreaQuestion<Hit extends { readonly area: number }> {
  /** The plot, ready to be measured on layers. */
  readonly plot: PlotOnLayers;
  readonly #parts: EngineParts;
  readonly #queried: readonly EngineSource[];
  readonly #damaged: DamagedSources;
  readonly #options: SpatialOptions;
  readonly #country: string | undefined;
  readonly #provided: Provided | undefined;
  readonly #parsed: Plot;
  readonly #warnings: readonly Warning[];
  readonly #coverage: PlotCoverage;
  readonly #outcomes: SourceOutcome[] = [];
  readonly #hits: { readonly snapshot: LeafSnapshot; readonly found: readonly Hit[] }[] = [];

  /** Fails: as the question does for its options and its plot. */
  constructor(
    parts: EngineParts,
    queried: readonly EngineSource[],
    geometry: GeometryInput,
    options: SpatialOptions,
    damaged: DamagedSources,
  ) {
    const { table, kernel } = parts;
    this.#parts = parts;
    this.#queried = queried;
    this.#damaged = damaged;
    this.#options = options;
    this.#country = requireCountryCode(options.countryIso3, "/countryIso3");
    this.#provided = readProvidedAnswers(options.provided, table.live);
    const meter = startWorkMeter(parts.options.onMeter);
    const { plot, warnings } = parts.parsePlot(geometry, options.crs, meter);
    this.#parsed = plot;
    this.#warnings = warnings;
    this.plot = new PlotOnLayers(kernel, plot, meter);
    this.#coverage = new PlotCoverage(this.plot, table.territories, false, meter);
  }

  /** Looks for areas in every queried source. One that failed is reported instead. */
  search(find: (layer: Layer) => readonly Hit[]): void {
    for (const queried of this.#queried) {
      const source = this.#answerSource(queried);
      if ("snapshot" in source) this.#search(source, source.snapshot as LeafSnapshot, find);
      else this.#outcomes.push(createSourceOutcome(source, { matched: 0 }, this.#options.now));
    }
  }

  /** A source as it answers this question. */
  #answerSource(source: EngineSource): EngineSource {
    if (!isLive(source)) return this.#damaged.get(source) ?? source;
    const { options } = this.#parts;
    const provided = this.#provided?.[source.manifest.source_name];
    return toAnsweringSource(source, provided, options.candidates, options, this.#options.now);
  }

  #search(source: EngineSource, snapshot: LeafSnapshot, find: (layer: Layer) => readonly Hit[]): void {
    const { found, withoutCountry } = filterByCountry(find(snapshot.layer), snapshot, this.#country);
    const coverage = this.#coverage.of(snapshot.coverage, findLeftOut(source));
    const cell = findCellSizeAt(snapshot.layer, this.#parsed);
    const counts = { matched: found.length, withoutCountry, coverage, cell };
    this.#outcomes.push(createSourceOutcome(source, counts, this.#options.now));
    if (found.length > 0) this.#hits.push({ snapshot, found });
  }

  /**
   * The answer, its matches ascending by source and id. They are described after everything that can refuse the
   * question: their geometries take the work that is left.
   *
   * Fails: `RESULT_TOO_LARGE`.
   */
  answer<Match extends AreaMatch>(describe: (hit: Hit, snapshot: LeafSnapshot) => Match): Answer<Match> {
    this.#refuseTooMany();
    const matches: Match[] = [];
    for (const { snapshot, found } of this.#hits) {
      const described = found.map((hit) => describe(hit, snapshot));
      if (described.length > 1) described.sort((a, b) => compareStrings(a.source_id, b.source_id));
      for (const match of described) matches.push(match);
    }
    const warnings = [...this.#warnings, ...findFictionalWarnings(this.#queried)];
    return deepFreeze({ matches, sources: this.#outcomes, warnings });
  }

  #refuseTooMany(): void {
    const allowed = this.#options.maxResults ?? MAX_RESULTS;
    const counted = this.#hits.reduce((sum, { found }) => sum + found.length, 0);
    if (counted <= allowed) return;
    throw new EngineError(
      "RESULT_TOO_LARGE",
      `${counted} areas match, and an answer contains at most ${allowed}; query fewer sources, one country or a smaller plot`,
      { counted, allowed },
    );
  }
}

/** The hits in a country, and the number of hits left out because they name none. */
function filterByCountry<Found extends { readonly area: number }>(
  found: readonly Found[],
  { attributes }: LeafSnapshot,
  countryIso3: string | undefined,
): { found: readonly Found[]; withoutCountry?: number } {
  if (countryIso3 === undefined) return { found };
  const countries = found.map(({ area }) => attributes.countryIso3(area));
  return {
    found: found.filter((_, i) => countries[i] === countryIso3),
    withoutCountry: countries.filter((country) => country === null).length,
  };
}
