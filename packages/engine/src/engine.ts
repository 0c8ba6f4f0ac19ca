import { ascending } from "./base/ascending.ts";
import { EngineError } from "./base/errors.ts";
import { suggestion } from "./base/nearest-name.ts";
import { WorkMeter } from "./base/work-meter.ts";
import { exactKernel } from "./geometry/kernel/exact-kernel.ts";
import type { BoundPlot, Kernel } from "./geometry/kernel/kernel.ts";
import { parsePlot } from "./geometry/plot/parse-plot.ts";
import type { Warning } from "./geometry/plot/plot.ts";
import { referenceKernel } from "./geometry/reference-kernel.ts";
import { areaGeometry } from "./geometry/trees/area-coordinates.ts";
import type { AreaLayer } from "./geometry/trees/layer.ts";
import type {
  Answer,
  AreaMatch,
  CompiledRuleset,
  DistanceMatch,
  DistanceOptions,
  EngineOptions,
  EvaluateOptions,
  EvaluationInput,
  GeometryInput,
  IntersectionMatch,
  IntersectionsOptions,
  Question,
  Scheme,
  SourceEntry,
  SourceFailure,
  SourceInput,
  SpatialOptions,
  SubjectMatch,
  SubjectsOptions,
} from "./questions.ts";
import { compileRuleset, type RulesetPlan } from "./ruleset/compile.ts";
import { isCountryIso3 } from "./ruleset/country-codes.ts";
import { evaluateRuleset, type RulesetInput } from "./ruleset/evaluate.ts";
import { explainAreas, explainEvaluation, explainSubjects } from "./ruleset/explain.ts";
import { lintRuleset } from "./ruleset/lint.ts";
import type { LintFinding } from "./ruleset/lint-findings.ts";
import type { Explanation } from "./ruleset/plan.ts";
import { openSnapshot } from "./snapshot/read/reader.ts";
import type { AreaSnapshot } from "./snapshot/snapshot.ts";
import { catalogEntries } from "./sources/source-catalog.ts";
import { sourceOutcome } from "./sources/source-outcome.ts";
import { type EngineSource, SourceTable } from "./sources/source-table.ts";
import { findSubjects, prepareLookUp } from "./subjects/look-up.ts";
import { parseSchemes } from "./subjects/schemes.ts";
import { inputDigest, type TextDigest } from "./verdict/digest.ts";
import {
  PRINTED_DISTANCE_SLACK_METERS,
  printedArea,
  printedDistance,
  printedRatio,
  printedShare,
} from "./verdict/rounding.ts";
import type { Evaluation, SourceOutcome } from "./verdict/verdict.ts";

export type * from "./questions.ts";

/** The whole path, from a plot and a ruleset to a verdict. Every method is synchronous and pure. */
export interface Engine {
  readonly kernel: "default" | "reference";
  readonly semantics: number;
  sources(): SourceEntry[];
  /** Group names to their members, ascending. */
  groups(): Readonly<Record<string, readonly string[]>>;
  /**
   * The same engine for somebody to whom only some sources are available: those whose name, or whose
   * group's name, matches a pattern (`*` stands for any characters). The others do not exist in it.
   */
  within(patterns: readonly string[]): Engine;
  /** Sources that could not be opened, ascending by name. */
  failures(): SourceFailure[];
  intersections(geometry: GeometryInput, options?: IntersectionsOptions): Answer<IntersectionMatch>;
  distance(geometry: GeometryInput, options: DistanceOptions): Answer<DistanceMatch>;
  subjects(scheme: Scheme, options?: SubjectsOptions): Answer<SubjectMatch>;
  /** Fails: `RULESET_INVALID` with every fault, `SOURCE_UNKNOWN`. */
  compile(ruleset: unknown, origin?: { readonly name: string; readonly version: number }): CompiledRuleset;
  /** What an author should look at; a ruleset that does not compile is a finding, never an exception. */
  lint(ruleset: unknown): readonly LintFinding[];
  /**
   * How a question would be answered. Refuses what the question itself refuses, except that what an
   * evaluation's input lacks is told in the plan.
   */
  explain(question: Question): Explanation;
  evaluate(compiled: CompiledRuleset, input: EvaluationInput, options: EvaluateOptions): Evaluation;
}

/** Most areas an answer holds unless the question says otherwise. */
export const MAX_RESULTS = 10_000;
/** Farthest distance that can be asked for, metres. */
export const MAX_DISTANCE_METERS = 1_000_000;

/**
 * Opens an engine over sources. Their bytes are used in place and must not change afterwards.
 *
 * Fails: `SNAPSHOT_CORRUPT`, `SNAPSHOT_VERSION_UNSUPPORTED` for a source given by bytes alone that
 * does not open; `VALIDATION_FAILED` when names collide or a group names what does not exist.
 */
export function openEngine(sources: readonly SourceInput[], options: EngineOptions = {}): Engine {
  const table = new SourceTable(
    sources.map((source) => openSource(source, options)),
    options.groups,
  );
  return new SnapshotEngine(table, KERNELS[options.kernel ?? "default"], options.textDigest);
}

const KERNELS: Readonly<Record<"default" | "reference", Kernel>> = {
  default: exactKernel,
  reference: referenceKernel,
};

function openSource(source: SourceInput, { crc32 }: EngineOptions): EngineSource {
  if ("failed" in source) return { manifest: source.manifest, failed: source.failed };
  const { bytes, manifest, edition, leftOut, builtAt } = source;
  try {
    const snapshot = openSnapshot(bytes, {
      ...(crc32 && { crc32 }),
      ...(manifest && { name: manifest.source_name }),
    });
    const { meta } = snapshot;
    const expected = manifest?.source_name ?? meta.manifest.source_name;
    if (meta.manifest.source_name !== expected || meta.edition !== (edition ?? meta.edition)) {
      throw new EngineError(
        "SNAPSHOT_CORRUPT",
        `the snapshot holds "${meta.manifest.source_name}" ${meta.edition}, expected "${expected}" ${edition ?? ""}`,
        { name: expected, found: meta.edition, expected: edition },
      );
    }
    return {
      manifest: meta.manifest,
      snapshot,
      ...(leftOut !== undefined && { leftOut }),
      ...(builtAt !== undefined && { builtAt }),
    };
  } catch (error) {
    if (manifest === undefined || !(error instanceof EngineError)) throw error;
    return { manifest, failed: error.message };
  }
}

class SnapshotEngine implements Engine {
  readonly kernel: "default" | "reference";
  readonly semantics: number;
  readonly #table: SourceTable;
  readonly #kernel: Kernel;
  readonly #textDigest: TextDigest | undefined;

  constructor(table: SourceTable, kernel: Kernel, textDigest: TextDigest | undefined) {
    this.kernel = kernel.name;
    this.semantics = kernel.semantics;
    this.#table = table;
    this.#kernel = kernel;
    this.#textDigest = textDigest;
  }

  sources(): SourceEntry[] {
    return catalogEntries(this.#table);
  }

  groups(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(this.#table.groups());
  }

  within(patterns: readonly string[]): Engine {
    return new SnapshotEngine(this.#table.within(patterns), this.#kernel, this.#textDigest);
  }

  failures(): SourceFailure[] {
    return this.#table
      .all()
      .flatMap((source) =>
        "failed" in source ? [{ source_name: source.manifest.source_name, reason: source.failed }] : [],
      );
  }

  intersections(geometry: GeometryInput, options: IntersectionsOptions = {}): Answer<IntersectionMatch> {
    const shape = options.geometry ?? "none";
    return this.#askAreas(geometry, options, (plot, { layer }) =>
      plot.intersections(layer).map((hit) => ({
        area: hit.area,
        describe: () => ({
          overlap_area_m2: printedArea(hit.overlapSquareMeters),
          overlap_ratio: printedRatio(hit.overlapRatio),
          area_overlap_ratio: printedShare(
            hit.overlapSquareMeters,
            this.#kernel.areaSquareMeters(layer, hit.area),
          ),
          ...(shape === "overlap" && overlapGeometry(plot, layer, hit.area)),
          ...(shape === "area" && { geometry: areaGeometry(layer, hit.area) }),
        }),
      })),
    );
  }

  distance(geometry: GeometryInput, options: DistanceOptions): Answer<DistanceMatch> {
    const { maxDistanceMeters: max, minDistanceMeters: min = 0, geometry: shape = "none" } = options;
    assertDistances(options);
    const answer = this.#askAreas<Pick<DistanceMatch, "distance_m" | "geometry">>(
      geometry,
      options,
      (plot, { layer }) =>
        // Bounds are compared with the printed value, so a little beyond them is asked for.
        plot.distances(layer, max + PRINTED_DISTANCE_SLACK_METERS).flatMap((hit) => {
          const distance_m = printedDistance(hit.distanceMeters);
          return distance_m < min || distance_m > max
            ? []
            : [
                {
                  area: hit.area,
                  describe: () => ({
                    distance_m,
                    ...(shape === "area" && { geometry: areaGeometry(layer, hit.area) }),
                  }),
                },
              ];
        }),
    );
    // The sort is stable: ties keep the order of source and id.
    return { ...answer, matches: answer.matches.toSorted((a, b) => a.distance_m - b.distance_m) };
  }

  subjects(scheme: Scheme, options: SubjectsOptions = {}): Answer<SubjectMatch> {
    return findSubjects(this.#table, scheme, options);
  }

  compile(ruleset: unknown, origin?: { readonly name: string; readonly version: number }): CompiledRuleset {
    return compileRuleset(this.#table, ruleset, origin) as RulesetPlan & CompiledRuleset;
  }

  lint(ruleset: unknown): readonly LintFinding[] {
    return lintRuleset(this.#table, ruleset);
  }

  explain(question: Question): Explanation {
    const kernel = { kernel: this.kernel, semantics: this.semantics };
    const meter = new WorkMeter();
    switch (question.ask) {
      case "evaluate": {
        const plan = compileRuleset(this.#table, question.ruleset, question.origin);
        const { input, warnings } = readInput(question.input, meter, this.#textDigest);
        const lint = lintRuleset(this.#table, question.ruleset);
        return { plan: explainEvaluation(plan, kernel, input, lint, meter), warnings };
      }
      case "subjects": {
        const { scheme, options = {} } = question;
        const { registers, asked, warnings } = prepareLookUp(this.#table, scheme, options);
        return { plan: explainSubjects(registers, kernel, asked), warnings };
      }
      default: {
        const { geometry, options = {} } = question;
        if (question.ask === "distance") assertDistances(question.options);
        const sources = areaSources(this.#table, options.sources);
        const { plot, warnings } = parsePlot(geometry, { crs: options.crs, meter });
        const within = question.ask === "distance" ? question.options.maxDistanceMeters : undefined;
        return { plan: explainAreas(sources, kernel, plot, within, meter), warnings };
      }
    }
  }

  evaluate(compiled: CompiledRuleset, input: EvaluationInput, options: EvaluateOptions): Evaluation {
    const meter = new WorkMeter();
    const { input: read, warnings } = readInput(input, meter, this.#textDigest);
    const evaluated = evaluateRuleset(compiled as RulesetPlan & CompiledRuleset, {
      kernel: this.#kernel,
      input: read,
      meter,
      now: options.now,
      evidenceLimit: options.evidenceLimit,
      geometry: options.geometry,
      textDigest: this.#textDigest,
    });
    return { ...evaluated, warnings };
  }

  /** Asks every source the question names; failed ones are reported, not asked. */
  #askAreas<Measures>(
    geometry: GeometryInput,
    options: SpatialOptions,
    ask: (plot: BoundPlot, source: AreaSnapshot) => { area: number; describe: () => Measures }[],
  ): Answer<AreaMatch & Measures> {
    const sources = areaSources(this.#table, options.sources);
    const country = requireCountry(options.countryIso3);
    const meter = new WorkMeter();
    const { plot, warnings } = parsePlot(geometry, { crs: options.crs, meter });
    const bound = this.#kernel.bind(plot, meter);
    const allowed = options.maxResults ?? MAX_RESULTS;
    const hits: {
      readonly snapshot: AreaSnapshot;
      readonly found: readonly ReturnType<typeof ask>[number][];
    }[] = [];
    const outcomes: SourceOutcome[] = [];
    let counted = 0;
    for (const source of sources) {
      if ("failed" in source) {
        outcomes.push(sourceOutcome(source, { matched: 0 }, options.now));
        continue;
      }
      const snapshot = source.snapshot as AreaSnapshot;
      const { found, withoutCountry } = inCountry(ask(bound, snapshot), snapshot, country);
      outcomes.push(sourceOutcome(source, { matched: found.length, withoutCountry }, options.now));
      counted += found.length;
      hits.push({ snapshot, found });
    }
    if (counted > allowed) {
      throw new EngineError(
        "RESULT_TOO_LARGE",
        `${counted} areas match, an answer holds at most ${allowed}; ask fewer sources, one country or a smaller plot`,
        { counted, allowed },
      );
    }
    // What is described comes after all that can still be refused: geometries take what work is left.
    const matches = hits.flatMap(({ snapshot, found }) =>
      found
        .map(({ area, describe }) => ({ ...describeArea(snapshot, area), ...describe() }))
        .sort((a, b) => ascending(a.source_id, b.source_id)),
    );
    return { matches, sources: outcomes, warnings };
  }
}

/** An evaluation's input, checked. */
function readInput(
  { geometry, crs, scheme }: EvaluationInput,
  meter: WorkMeter,
  textDigest: TextDigest | undefined,
): {
  readonly input: RulesetInput;
  readonly warnings: readonly Warning[];
} {
  const { schemes, pointers, warnings } = parseSchemes(scheme, "/scheme");
  const parsed =
    geometry === undefined || geometry === null
      ? { plot: undefined, crs, warnings: [] }
      : parsePlot(geometry, {
          crs,
          crsPointer: "/crs",
          dimensions: ["polygon"],
          pointer: "/geometry",
          meter,
        });
  const digest = (): string => inputDigest(geometry ?? undefined, parsed.crs, schemes, textDigest);
  return {
    input: { plot: parsed.plot, schemes, schemePointers: pointers, digest },
    warnings: [...parsed.warnings, ...warnings],
  };
}

/**
 * The area sources that names stand for, each once, ascending; all of them where no name is given.
 *
 * Fails: `SOURCE_UNKNOWN` for a name nothing has, or that is a register's.
 */
function areaSources(table: SourceTable, names: readonly string[] | undefined): readonly EngineSource[] {
  const areas = table.all("leaf");
  if (names === undefined) return areas;
  const wanted = new Set<EngineSource>();
  names.forEach((name, i) => {
    const found = table.expand(name);
    const register = found?.find(({ manifest }) => manifest.kind === "subject_register");
    if (found === undefined || register !== undefined) {
      const message =
        register === undefined
          ? `no source is named "${name}"${suggestion(name, table.names())}`
          : `"${name}" ${table.find(name) === undefined ? "holds" : "is"} a subject_register, expected a leaf or a group of leaves`;
      const fault = { pointer: `/sources/${i}`, code: "SOURCE_UNKNOWN", message };
      throw new EngineError("SOURCE_UNKNOWN", message, { name, faults: [fault] });
    }
    for (const source of found) wanted.add(source);
  });
  return areas.filter((source) => wanted.has(source));
}

/** An unknown code would match nothing, and pass for an answer. Letter case does not matter. */
function requireCountry(code: string | undefined): string | undefined {
  const country = code?.toUpperCase();
  if (country === undefined || isCountryIso3(country)) return country;
  const message = `found country ${JSON.stringify(code)}, expected an ISO 3166-1 alpha-3 code`;
  const fault = { pointer: "/country_iso3", code: "VALUE_INVALID", message };
  throw new EngineError("VALIDATION_FAILED", message, { faults: [fault] });
}

/** Those found in a country, and how many were left out because they tell none. */
function inCountry<Found extends { readonly area: number }>(
  found: readonly Found[],
  { attributes }: AreaSnapshot,
  countryIso3: string | undefined,
): { found: readonly Found[]; withoutCountry?: number } {
  if (countryIso3 === undefined) return { found };
  const countries = found.map(({ area }) => attributes.countryIso3(area));
  return {
    found: found.filter((_, i) => countries[i] === countryIso3),
    withoutCountry: countries.filter((country) => country === null).length,
  };
}

function describeArea({ meta, attributes }: AreaSnapshot, area: number): AreaMatch {
  return {
    source_name: meta.manifest.source_name,
    source_id: attributes.id(area),
    name: attributes.name(area),
    country_iso3: attributes.countryIso3(area),
    properties: attributes.properties(area),
  };
}

function overlapGeometry(
  plot: BoundPlot,
  layer: AreaLayer,
  area: number,
): Pick<IntersectionMatch, "geometry" | "geometry_status"> {
  const geometry = plot.overlapGeometry(layer, area);
  return geometry === "too_complex" ? { geometry: null, geometry_status: geometry } : { geometry };
}

function assertDistances({ maxDistanceMeters: max, minDistanceMeters: min = 0 }: DistanceOptions): void {
  const faults = [];
  if (!(max >= 0 && max <= MAX_DISTANCE_METERS)) {
    const message = `found max_distance_m ${max}, expected 0 to ${MAX_DISTANCE_METERS}`;
    faults.push({ pointer: "/max_distance_m", code: "VALUE_OUT_OF_RANGE", message });
  }
  if (!(min >= 0) || min > max) {
    const message = `found min_distance_m ${min}, expected 0 to max_distance_m ${max}`;
    faults.push({ pointer: "/min_distance_m", code: "VALUE_OUT_OF_RANGE", message });
  }
  if (faults.length > 0) throw new EngineError("VALIDATION_FAILED", faults[0]!.message, { faults });
}
