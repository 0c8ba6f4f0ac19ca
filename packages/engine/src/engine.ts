import { compareStrings } from "./base/ascending.ts";
import { deepFreeze } from "./base/deep-freeze.ts";
import { EngineError } from "./base/errors.ts";
import { mismatchError, readUntrusted } from "./base/read-untrusted.ts";
import { startWorkMeter } from "./base/work-meter.ts";
import { type EngineParts, type PolicyRun, setEngineParts, setPolicyRun } from "./engine-parts.ts";
import type { DistanceHit } from "./geometry/distance/distance.ts";
import { exactKernel } from "./geometry/kernel/exact-kernel.ts";
import type { OverlapHit } from "./geometry/kernel/kernel.ts";
import { PlotOnLayers } from "./geometry/kernel/plot-on-layers.ts";
import { isRaster, type Layer, requireAreaLayer } from "./geometry/layer.ts";
import { parsePlot } from "./geometry/plot/parse-plot.ts";
import type { Warning } from "./geometry/plot/plot.ts";
import { areaGeometry } from "./geometry/trees/area-coordinates.ts";
import {
  compileOptionsShape,
  engineOptionsShape,
  evaluateOptionsShape,
  evaluationInputShape,
  intersectionsOptionsShape,
  liveNeedsShape,
  MAX_RESULTS,
  readDistanceOptions,
  rulesetOriginShape,
  subjectsOptionsShape,
  TABLE_OPTION,
} from "./questions/options.ts";
import type {
  DistanceOptions,
  EngineOptions,
  IntersectionsOptions,
  LiveNeedsOptions,
  SpatialOptions,
} from "./questions/questions.ts";
import { readPlainInput, requireCountryCode, selectAreaSources } from "./questions/read-question.ts";
import { listPolicyWarnings } from "./ruleset/certain/policy-warnings.ts";
import { findCarriedOrigin } from "./ruleset/compile/carried-origin.ts";
import { compileRuleset, type RulesetPlan } from "./ruleset/compile/compile.ts";
import type {
  CompileOptions,
  EvaluateOptions,
  GeometryInput,
  Policy,
  RulesetInput,
  RulesetOrigin,
} from "./ruleset/compile/policy.ts";
import { evaluateRuleset } from "./ruleset/evaluate/evaluate.ts";
import { buildAnsweringPlan } from "./ruleset/plan/answering-plan.ts";
import { listEvaluationNeeds } from "./ruleset/plan/live-needs.ts";
import type { CheckedInput } from "./ruleset/select/checked-input.ts";
import { describeValue } from "./shape/describe-value.ts";
import { readShape } from "./shape/read-shape.ts";
import { array, text } from "./shape/shape.ts";
import type { CoveragePieces } from "./snapshot/coverage.ts";
import { TileCache } from "./snapshot/read/tile-cache.ts";
import type { LeafSnapshot } from "./snapshot/snapshot.ts";
import { AreaDescriptions } from "./sources/area-descriptions.ts";
import { findFictionalWarnings } from "./sources/fictional.ts";
import {
  buildLiveNeed,
  describeLiveSource,
  isLive,
  type LiveNeed,
  type ProvidedAreas,
  readProvidedAnswers,
  toAnsweringSource,
} from "./sources/live-source.ts";
import { createLazyBorders, openBorders, openSource, type SourceInput } from "./sources/open-source.ts";
import { PlotCoverage } from "./sources/plot-coverage.ts";
import { findCellSizeAt, rasterPassedOverWarning, refuseDistanceTo } from "./sources/raster-sources.ts";
import { listCatalogEntries, type SourceEntry, type SourceFailure } from "./sources/source-catalog.ts";
import { createSourceOutcome } from "./sources/source-outcome.ts";
import {
  type DamagedSources,
  type EngineSource,
  findLeftOut,
  isRasterSource,
  SourceTable,
} from "./sources/source-table.ts";
import { findSubjects, type SubjectsAnswer, type SubjectsOptions } from "./subjects/look-up.ts";
import type { Scheme } from "./subjects/schemes.ts";
import type { Answer, AreaMatch, DistanceMatch, IntersectionMatch } from "./verdict/match.ts";
import {
  computeRoundedShare,
  PRINTED_DISTANCE_SLACK_METERS,
  roundMeters,
  roundRatio,
  roundSquareMeters,
} from "./verdict/rounding.ts";
import type { SourceOutcome } from "./verdict/verdict.ts";

/**
 * The whole path, from a plot and a ruleset to a verdict. Every method is synchronous and pure, and what
 * it returns is frozen all through, but for the coordinates of geometries. Each fails with `VALIDATION_FAILED` for an unknown option.
 */
export interface Engine {
  /** Name of the kernel that measures. */
  readonly kernel: "default" | "reference";
  readonly semantics: number;
  /** The sources and groups that can be queried, as the catalog lists them. */
  sources(): readonly SourceEntry[];
  /** Group names to their members, ascending. */
  groups(): Readonly<Record<string, readonly string[]>>;
  /**
   * The same engine for a caller to whom only some sources are available: those whose name, or whose group's name,
   * matches a pattern (`*` matches any characters). The others do not exist in it.
   *
   * Fails: `VALIDATION_FAILED` where the patterns are no array of texts.
   */
  within(patterns: readonly string[]): Engine;
  /** Sources that could not be opened, ascending by name; a live one is none of them. */
  failures(): readonly SourceFailure[];
  /**
   * The areas that share a point with a plot, by source name and id.
   *
   * @param geometry a GeoJSON geometry, or a Feature around one
   *
   * Fails: `VALIDATION_FAILED` for a malformed or unknown option; `SOURCE_UNKNOWN`;
   * `GEOMETRY_INVALID`, `CRS_UNKNOWN`, `CRS_MISMATCH`; `GEOMETRY_TOO_COMPLEX`; `RESULT_TOO_LARGE` where more areas
   * match than `maxResults`.
   */
  intersections(geometry: GeometryInput, options?: IntersectionsOptions): Answer<IntersectionMatch>;
  /**
   * The areas that lie within a distance of a plot, nearest first.
   *
   * @param geometry a GeoJSON geometry, or a Feature around one
   *
   * Fails: `VALIDATION_FAILED` for a malformed or unknown option; `SOURCE_UNKNOWN`;
   * `GEOMETRY_INVALID`, `CRS_UNKNOWN`, `CRS_MISMATCH`; `GEOMETRY_TOO_COMPLEX`; `RESULT_TOO_LARGE` where more areas
   * match than `maxResults`.
   */
  distance(geometry: GeometryInput, options: DistanceOptions): Answer<DistanceMatch>;
  /**
   * Lists the queries that live sources must answer before a question about a plot; the answers are passed in as its
   * `provided`. Empty if the question uses no live source.
   *
   * @param options those of the question
   *
   * Fails: as the question does for its plot and sources.
   */
  liveNeeds(geometry: GeometryInput, options?: LiveNeedsOptions): readonly LiveNeed[];
  /**
   * The records of registers that an identifier names. If its scheme excludes the value, the answer is marked
   * `malformed`: no match then does not mean that the subject is on no list.
   *
   * Fails: `SCHEME_UNSUPPORTED` where no register knows the type of the identifier; `SOURCE_UNKNOWN`;
   * `VALIDATION_FAILED`.
   */
  subjects(scheme: Scheme, options?: SubjectsOptions): SubjectsAnswer;
  /**
   * Makes a ruleset ready for the sources of this engine, and for no other.
   *
   * @param ruleset JSON text or value
   * @param origin where in a catalog it came from, as evaluations report it; absent: what it carries, as presets do
   *
   * Fails: `RULESET_INVALID` with every fault, `SOURCE_UNKNOWN`.
   */
  compile(ruleset: RulesetInput, origin?: RulesetOrigin, options?: CompileOptions): Policy;
}

/**
 * Opens an engine over sources. Their bytes are used in place and must not change afterwards.
 *
 * Fails: `SNAPSHOT_CORRUPT`, `SNAPSHOT_VERSION_UNSUPPORTED` for a source given without a manifest that
 * does not open, and for borders that do not; `VALIDATION_FAILED` for what is no source, an unknown option, names that
 * collide, or a group that names what does not exist.
 */
export function openEngine(sources: readonly SourceInput[], options: EngineOptions = {}): Engine {
  // A copy, because holes in the array count as missing entries.
  const openSources = readUntrusted(sources, "/sources", () =>
    Array.isArray(sources) ? [...sources] : undefined,
  );
  if (openSources === undefined) {
    const message = `found ${describeValue(sources)}, expected an array of sources; snapshotOf makes one, openData opens a folder`;
    throw mismatchError("/sources", message);
  }
  const read = readShape(engineOptionsShape, options);
  const tiles = new TileCache(read.tileBytes);
  const table = new SourceTable(
    openSources.map((source, i) => openSource(source, i, { ...read, tiles })),
    read.groups,
  );
  const borders =
    typeof read.borders === "function"
      ? createLazyBorders(read.borders, read)
      : read.borders && openBorders(read.borders, read);
  return new SnapshotEngine(table, read, borders);
}

const NOTHING: readonly LiveNeed[] = Object.freeze([]);
const NO_AREAS: ProvidedAreas = { candidates: [] };
const NO_OPTIONS: IntersectionsOptions = Object.freeze({});

class SnapshotEngine implements Engine {
  readonly kernel: "default" | "reference";
  readonly semantics: number;
  readonly #parts: EngineParts;
  readonly #descriptions: AreaDescriptions;

  constructor(
    table: SourceTable,
    options: EngineOptions,
    borders: CoveragePieces | undefined,
    descriptions = new AreaDescriptions(),
  ) {
    const { kernel = exactKernel } = options;
    this.kernel = kernel.name;
    this.semantics = kernel.semantics;
    this.#parts = {
      table,
      options,
      borders,
      kernel,
      parsePlot: (geometry, crs, meter) =>
        parsePlot(geometry, { crs, crsTable: options.crs, tableOption: TABLE_OPTION, meter }),
      readInput: (input, meter) => readPlainInput(readShape(evaluationInputShape, input), meter, options),
    };
    setEngineParts(this, this.#parts);
    this.#descriptions = descriptions;
  }

  sources(): readonly SourceEntry[] {
    return deepFreeze(listCatalogEntries(this.#parts.table));
  }

  groups(): Readonly<Record<string, readonly string[]>> {
    return deepFreeze(Object.fromEntries(this.#parts.table.groups()));
  }

  within(patterns: readonly string[]): Engine {
    const read = readShape(array(text()), patterns, { name: "source patterns" });
    const { table, options, borders } = this.#parts;
    return new SnapshotEngine(table.within(read), options, borders, this.#descriptions);
  }

  failures(): readonly SourceFailure[] {
    return deepFreeze(
      this.#parts.table
        .failed()
        .flatMap((source) =>
          "failed" in source ? [{ source_name: source.manifest.source_name, reason: source.failed }] : [],
        ),
    );
  }

  intersections(
    geometry: GeometryInput,
    optionsInput: IntersectionsOptions = NO_OPTIONS,
  ): Answer<IntersectionMatch> {
    const options =
      optionsInput === NO_OPTIONS ? NO_OPTIONS : readShape(intersectionsOptionsShape, optionsInput);
    return this.#parts.table.withoutDamaged((damaged) => this.#intersections(geometry, options, damaged));
  }

  #intersections(
    geometry: GeometryInput,
    options: IntersectionsOptions,
    damaged: DamagedSources,
  ): Answer<IntersectionMatch> {
    const { geometry: shape = "none" } = options;
    const find = (plot: PlotOnLayers, layer: Layer): OverlapHit[] => plot.intersections(layer);
    const { plot, hits, sources, warnings } = this.#askAreas(geometry, options, damaged, find);
    return toAnswer(sources, warnings, hits, (hit, snapshot) => {
      const { layer } = snapshot;
      const { source_name, source_id, name, country_iso3, properties } = this.#descriptions.of(
        snapshot,
        hit.area,
      );
      const match: IntersectionMatch = {
        source_name,
        source_id,
        name,
        country_iso3,
        properties,
        overlap_area_m2: roundSquareMeters(hit.overlapSquareMeters),
        overlap_ratio: roundRatio(hit.overlapRatio),
        area_overlap_ratio: computeRoundedShare(
          hit.overlapSquareMeters,
          plot.wholeSquareMeters(layer, hit.area),
        ),
        ...(hit.cells !== undefined && { cells: hit.cells }),
      };
      if (shape === "none") return Object.freeze(match);
      return shape === "overlap"
        ? { ...match, ...computeOverlapGeometry(plot, layer, hit.area) }
        : { ...match, ...describeWholeGeometry(layer, hit.area) };
    });
  }

  distance(geometry: GeometryInput, optionsInput: DistanceOptions): Answer<DistanceMatch> {
    const options = readDistanceOptions(optionsInput);
    return this.#parts.table.withoutDamaged((damaged) => this.#distance(geometry, options, damaged));
  }

  #distance(
    geometry: GeometryInput,
    options: DistanceOptions,
    damaged: DamagedSources,
  ): Answer<DistanceMatch> {
    const { maxDistanceMeters: max, minDistanceMeters: min = 0, geometry: shape = "none" } = options;
    const queried = selectAreaSources(this.#parts.table, options.sources);
    const rasters = queried.filter(isRasterSource).map(({ manifest }) => manifest.source_name);
    if (options.sources !== undefined && rasters.length > 0 && rasters.length === queried.length) {
      refuseDistanceTo(rasters, "/sources/0");
    }
    // Bounds are compared with the printed value, so the search goes a little beyond them.
    const find = (plot: PlotOnLayers, layer: Layer): DistanceHit[] =>
      plot
        .distances(requireAreaLayer(layer), max + PRINTED_DISTANCE_SLACK_METERS)
        .filter(({ distanceMeters }) => {
          const printed = roundMeters(distanceMeters);
          return printed >= min && printed <= max;
        });
    const { hits, sources, warnings } = this.#askAreas(geometry, options, damaged, find, rasters);
    const answer = toAnswer(
      sources,
      [...warnings, ...rasters.map(rasterPassedOverWarning)],
      hits,
      (hit, snapshot): DistanceMatch => ({
        ...this.#descriptions.of(snapshot, hit.area),
        distance_m: roundMeters(hit.distanceMeters),
        ...(shape === "area" && { geometry: areaGeometry(requireAreaLayer(snapshot.layer), hit.area) }),
      }),
    );
    // The sort is stable: ties keep the order of source and id.
    const matches = answer.matches.toSorted((a, b) => a.distance_m - b.distance_m);
    return deepFreeze({ ...answer, matches });
  }

  liveNeeds(geometry: GeometryInput, optionsInput: LiveNeedsOptions = {}): readonly LiveNeed[] {
    const { sources, crs, maxDistanceMeters = 0 } = readShape(liveNeedsShape, optionsInput);
    const { table, options, parsePlot } = this.#parts;
    const live = selectAreaSources(table, sources).filter(isLive);
    if (live.length === 0) return NOTHING;
    const { plot } = parsePlot(geometry, crs, startWorkMeter(options.onMeter));
    return deepFreeze(
      live.map(({ manifest }) => buildLiveNeed(manifest.source_name, plot, maxDistanceMeters)),
    );
  }

  subjects(scheme: Scheme, optionsInput: SubjectsOptions = {}): SubjectsAnswer {
    const options = readShape(subjectsOptionsShape, optionsInput);
    return deepFreeze(findSubjects(this.#parts.table, scheme, options));
  }

  compile(ruleset: RulesetInput, originInput?: RulesetOrigin, optionsInput: CompileOptions = {}): Policy {
    const origin = originInput
      ? readShape(rulesetOriginShape, originInput, { name: "origin" })
      : findCarriedOrigin(ruleset);
    const { without = [], isAccepted = origin !== undefined } = readShape(compileOptionsShape, optionsInput);
    const { table, kernel, options, borders, readInput } = this.#parts;
    const plan = compileRuleset(table, ruleset, { origin, without, isAccepted });
    const editions = plan.sources.flatMap((source) =>
      "snapshot" in source ? [[source.manifest.source_name, source.snapshot.meta.edition] as const] : [],
    );
    const live = plan.sources.filter(isLive);
    const answering = (
      input: CheckedInput,
      { provided: providedInput, now }: EvaluateOptions,
      damaged: DamagedSources,
    ): RulesetPlan => {
      const provided = readProvidedAnswers(providedInput, table.live);
      if (live.length === 0 && damaged.size === 0) return plan;
      const { plot } = input;
      return buildAnsweringPlan(
        plan,
        new Map([
          ...damaged,
          ...live.map((source): [EngineSource, EngineSource] => {
            // Without a plot, no area matters.
            const areas = plot === undefined ? NO_AREAS : provided?.[source.manifest.source_name];
            return [source, toAnsweringSource(source, areas, options.candidates, options, now)];
          }),
        ]),
      );
    };
    // Only this closure reaches the plan. So a copy of a policy is the same policy, and no engine can run another's.
    const run: PolicyRun = (...question) => table.withoutDamaged((damaged) => evaluate(damaged, ...question));
    const evaluate = (
      damaged: DamagedSources,
      ...[providedInput, evaluateOptions, written]: Parameters<PolicyRun>
    ) => {
      const meter = startWorkMeter(options.onMeter);
      const { input, warnings } = readPlainInput(providedInput, meter, options, written);
      const { textDigest } = options;
      const evaluated = evaluateRuleset(answering(input, evaluateOptions, damaged), {
        ...evaluateOptions,
        kernel,
        input,
        meter,
        borders,
        textDigest,
      });
      const { verdict, overlaps, warnings: doubts } = evaluated;
      const ofPolicy = listPolicyWarnings(plan);
      return { ...verdict, ...(overlaps && { overlaps }), warnings: [...warnings, ...doubts, ...ofPolicy] };
    };
    const policy = deepFreeze<Policy>({
      ruleset: plan.ruleset,
      digest: plan.digest,
      origin,
      without: plan.without,
      editions: Object.fromEntries(editions),
      live: Object.fromEntries(
        live.map((source) => [source.manifest.source_name, describeLiveSource(source)]),
      ),
      liveNeeds(providedInput) {
        if (live.length === 0) return NOTHING;
        const { input } = readInput(providedInput, startWorkMeter(options.onMeter));
        return deepFreeze(listEvaluationNeeds(plan, live, input));
      },
      evaluate(input, evaluateOptions) {
        const read = readShape(evaluateOptionsShape, evaluateOptions);
        return deepFreeze(run(readShape(evaluationInputShape, input), read));
      },
    });
    setPolicyRun(policy, run);
    return policy;
  }

  /** Queries every source that the question names. A source that failed is reported instead. */
  #askAreas<Hit extends { readonly area: number }>(
    geometry: GeometryInput,
    options: SpatialOptions,
    damaged: DamagedSources,
    find: (plot: PlotOnLayers, layer: Layer) => readonly Hit[],
    passedOver: readonly string[] = [],
  ): {
    readonly plot: PlotOnLayers;
    readonly hits: readonly HitsOf<Hit>[];
    readonly sources: readonly SourceOutcome[];
    readonly warnings: readonly Warning[];
  } {
    const { table, kernel, options: engineOptions, parsePlot } = this.#parts;
    const queried = selectAreaSources(table, options.sources).filter(
      ({ manifest }) => !passedOver.includes(manifest.source_name),
    );
    const country = requireCountryCode(options.countryIso3, "/countryIso3");
    const provided = readProvidedAnswers(options.provided, table.live);
    const meter = startWorkMeter(engineOptions.onMeter);
    const { plot, warnings } = parsePlot(geometry, options.crs, meter);
    const bound = new PlotOnLayers(kernel, plot, meter);
    const covered = new PlotCoverage(bound, table.territories, false, meter);
    const allowed = options.maxResults ?? MAX_RESULTS;
    const hits: HitsOf<Hit>[] = [];
    const sources: SourceOutcome[] = [];
    let counted = 0;
    for (const known of queried) {
      const source = isLive(known)
        ? toAnsweringSource(
            known,
            provided?.[known.manifest.source_name],
            engineOptions.candidates,
            engineOptions,
            options.now,
          )
        : (damaged.get(known) ?? known);
      if (!("snapshot" in source)) {
        sources.push(createSourceOutcome(source, { matched: 0 }, options.now));
        continue;
      }
      const snapshot = source.snapshot as LeafSnapshot;
      const { found, withoutCountry } = filterByCountry(find(bound, snapshot.layer), snapshot, country);
      const coverage = covered.of(snapshot.coverage, findLeftOut(source));
      const cell = findCellSizeAt(snapshot.layer, plot);
      const counts = { matched: found.length, withoutCountry, coverage, cell };
      sources.push(createSourceOutcome(source, counts, options.now));
      counted += found.length;
      if (found.length > 0) hits.push({ snapshot, found });
    }
    if (counted > allowed) {
      throw new EngineError(
        "RESULT_TOO_LARGE",
        `${counted} areas match, and an answer contains at most ${allowed}; query fewer sources, one country or a smaller plot`,
        { counted, allowed },
      );
    }
    return { plot: bound, hits, sources, warnings: [...warnings, ...findFictionalWarnings(queried)] };
  }
}

/** Areas of one source that a question found. */
interface HitsOf<Hit> {
  readonly snapshot: LeafSnapshot;
  readonly found: readonly Hit[];
}

/**
 * Puts an answer together. Matches are described after everything that can refuse the question: their
 * geometries take the work that is left.
 */
function toAnswer<Hit, Match extends AreaMatch>(
  sources: readonly SourceOutcome[],
  warnings: readonly Warning[],
  hits: readonly HitsOf<Hit>[],
  describe: (hit: Hit, snapshot: LeafSnapshot) => Match,
): Answer<Match> {
  const matches: Match[] = [];
  for (const { snapshot, found } of hits) {
    const described = found.map((hit) => describe(hit, snapshot));
    if (described.length > 1) described.sort((a, b) => compareStrings(a.source_id, b.source_id));
    for (const match of described) matches.push(match);
  }
  return deepFreeze({ matches, sources, warnings });
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

/** An area of cells has no rings, and as many corners as there are cells at its edge. */
function describeWholeGeometry(
  layer: Layer,
  area: number,
): Pick<IntersectionMatch, "geometry" | "geometry_status"> {
  return isRaster(layer)
    ? { geometry: null, geometry_status: "too_complex" }
    : { geometry: areaGeometry(layer, area) };
}

function computeOverlapGeometry(
  plot: PlotOnLayers,
  layer: Layer,
  area: number,
): Pick<IntersectionMatch, "geometry" | "geometry_status"> {
  const geometry = plot.overlapGeometry(layer, area);
  return geometry === "too_complex" ? { geometry: null, geometry_status: geometry } : { geometry };
}
