import { AreaQuestion } from "./area-question.ts";
import { deepFreeze } from "./base/deep-freeze.ts";
import { mismatchError, readUntrusted } from "./base/read-untrusted.ts";
import { startWorkMeter } from "./base/work-meter.ts";
import { CompiledPolicy } from "./compiled-policy.ts";
import { type EngineParts, setEngineParts } from "./engine-parts.ts";
import type { DistanceHit } from "./geometry/distance/distance.ts";
import { exactKernel } from "./geometry/kernel/exact-kernel.ts";
import type { OverlapHit } from "./geometry/kernel/kernel.ts";
import type { PlotOnLayers } from "./geometry/kernel/plot-on-layers.ts";
import { isRaster, type Layer, requireAreaLayer } from "./geometry/layer.ts";
import { parsePlot } from "./geometry/plot/parse-plot.ts";
import { areaGeometry } from "./geometry/trees/area-coordinates.ts";
import type { AreaLayer } from "./geometry/trees/layer.ts";
import {
  compileOptionsShape,
  engineOptionsShape,
  intersectionsOptionsShape,
  liveNeedsShape,
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
} from "./questions/questions.ts";
import { readPlainInput, selectAreaSources } from "./questions/read-question.ts";
import { compileRuleset } from "./ruleset/compile/compile.ts";
import type { GeometryInput } from "./ruleset/compile/evaluation-input.ts";
import { evaluationInputShape } from "./ruleset/compile/evaluation-input.ts";
import type { CompileOptions, Policy, RulesetInput, RulesetOrigin } from "./ruleset/compile/policy.ts";
import { describeValue } from "./shape/describe-value.ts";
import { readShape } from "./shape/read-shape.ts";
import { array, text } from "./shape/shape.ts";
import type { CoveragePieces } from "./snapshot/coverage.ts";
import { TileCache } from "./snapshot/read/tile-cache.ts";
import type { LeafSnapshot } from "./snapshot/snapshot.ts";
import { AreaDescriptions } from "./sources/area-descriptions.ts";
import { buildLiveNeed, isLive, type LiveNeed } from "./sources/live-source.ts";
import { createLazyBorders, openBorders, openSource, type SourceInput } from "./sources/open-source.ts";
import { rasterPassedOverWarning, refuseDistanceTo } from "./sources/raster-sources.ts";
import { listCatalogEntries, type SourceEntry, type SourceFailure } from "./sources/source-catalog.ts";
import { type DamagedSources, isRasterSource, SourceTable } from "./sources/source-table.ts";
import { findSubjects, type SubjectsAnswer, type SubjectsOptions } from "./subjects/look-up.ts";
import type { Scheme } from "./subjects/schemes.ts";
import type { Answer, DistanceMatch, IntersectionMatch } from "./verdict/match.ts";
import {
  computeRoundedShare,
  PRINTED_DISTANCE_SLACK_METERS,
  roundMeters,
  roundRatio,
  roundSquareMeters,
} from "./verdict/rounding.ts";

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
    const queried = selectAreaSources(this.#parts.table, options.sources);
    const question = new AreaQuestion<OverlapHit>(this.#parts, queried, geometry, options, damaged);
    const { plot } = question;
    question.search((layer) => plot.intersections(layer));
    return question.answer((hit, snapshot) => {
      const match = this.#describeOverlap(hit, snapshot, plot);
      switch (options.geometry) {
        case "overlap":
          return { ...match, ...computeOverlapGeometry(plot, snapshot.layer, hit.area) };
        case "area":
          return { ...match, ...describeWholeGeometry(snapshot.layer, hit.area) };
        default:
          return Object.freeze(match);
      }
    });
  }

  #describeOverlap(
    { area, overlapSquareMeters, overlapRatio, cells }: OverlapHit,
    snapshot: LeafSnapshot,
    plot: PlotOnLayers,
  ): IntersectionMatch {
    const { source_name, source_id, name, country_iso3, properties } = this.#descriptions.of(snapshot, area);
    const wholeSquareMeters = plot.wholeSquareMeters(snapshot.layer, area);
    return {
      source_name,
      source_id,
      name,
      country_iso3,
      properties,
      overlap_area_m2: roundSquareMeters(overlapSquareMeters),
      overlap_ratio: roundRatio(overlapRatio),
      area_overlap_ratio: computeRoundedShare(overlapSquareMeters, wholeSquareMeters),
      ...(cells !== undefined && { cells }),
    };
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
    const named = selectAreaSources(this.#parts.table, options.sources);
    const queried = named.filter((source) => !isRasterSource(source));
    const rasters = named.filter(isRasterSource).map(({ manifest }) => manifest.source_name);
    if (options.sources !== undefined && rasters.length > 0 && queried.length === 0) {
      refuseDistanceTo(rasters, "/sources/0");
    }
    const question = new AreaQuestion<DistanceHit>(this.#parts, queried, geometry, options, damaged);
    question.search((layer) => findWithin(question.plot, requireAreaLayer(layer), options));
    const { matches, sources, warnings } = question.answer(
      ({ area, distanceMeters }, snapshot): DistanceMatch => ({
        ...this.#descriptions.of(snapshot, area),
        distance_m: roundMeters(distanceMeters),
        ...(options.geometry === "area" && {
          geometry: areaGeometry(requireAreaLayer(snapshot.layer), area),
        }),
      }),
    );
    return deepFreeze({
      // The sort is stable: ties keep the order of source and id.
      matches: matches.toSorted((a, b) => a.distance_m - b.distance_m),
      sources,
      warnings: [...warnings, ...rasters.map(rasterPassedOverWarning)],
    });
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
    const origin = originInput ? readShape(rulesetOriginShape, originInput, { name: "origin" }) : undefined;
    const options = readShape(compileOptionsShape, optionsInput);
    return new CompiledPolicy(
      this.#parts,
      compileRuleset(this.#parts.table, ruleset, { ...options, origin }),
    );
  }
}

/** The areas between the bounds of a question, as answers print their distances. */
function findWithin(
  plot: PlotOnLayers,
  layer: AreaLayer,
  { maxDistanceMeters: max, minDistanceMeters: min = 0 }: DistanceOptions,
): readonly DistanceHit[] {
  // Bounds are compared with the printed value, so the search goes a little beyond them.
  return plot.distances(layer, max + PRINTED_DISTANCE_SLACK_METERS).filter(({ distanceMeters }) => {
    const printed = roundMeters(distanceMeters);
    return printed >= min && printed <= max;
  });
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
