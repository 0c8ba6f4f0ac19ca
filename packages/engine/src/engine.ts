import { ascending } from "./base/ascending.ts";
import { deepFreeze } from "./base/deep-freeze.ts";
import { EngineError, type Fault } from "./base/errors.ts";
import { suggestion } from "./base/nearest-name.ts";
import { KIND, type MemberKinds, nameOfKind, oneOf, readMembers } from "./base/read-members.ts";
import { WorkMeter } from "./base/work-meter.ts";
import { exactKernel } from "./geometry/kernel/exact-kernel.ts";
import type { BoundPlot, Kernel } from "./geometry/kernel/kernel.ts";
import type { CrsTable } from "./geometry/plot/crs.ts";
import { parsePlot } from "./geometry/plot/parse-plot.ts";
import type { Warning } from "./geometry/plot/plot.ts";
import { areaGeometry } from "./geometry/trees/area-coordinates.ts";
import type { AreaLayer } from "./geometry/trees/layer.ts";
import type {
  DistanceOptions,
  EngineOptions,
  IntersectionsOptions,
  Question,
  SpatialOptions,
} from "./questions.ts";
import { compileRuleset } from "./ruleset/compile.ts";
import { evaluateRuleset, type RulesetInput } from "./ruleset/evaluate.ts";
import { explainAreas, explainEvaluation, explainSubjects } from "./ruleset/explain.ts";
import { isCountryIso3 } from "./ruleset/parse/country-codes.ts";
import type { Explanation } from "./ruleset/plan.ts";
import type {
  EvaluateOptions,
  EvaluationInput,
  GeometryInput,
  Policy,
  RulesetOrigin,
} from "./ruleset/policy.ts";
import type { AreaSnapshot } from "./snapshot/snapshot.ts";
import { openSource, type SourceInput } from "./sources/open-source.ts";
import { catalogEntries, type SourceEntry, type SourceFailure } from "./sources/source-catalog.ts";
import { sourceOutcome } from "./sources/source-outcome.ts";
import { type EngineSource, SourceTable } from "./sources/source-table.ts";
import { setSourceTable } from "./sources/source-table-of.ts";
import { findSubjects, prepareLookUp, type SubjectsOptions } from "./subjects/look-up.ts";
import { parseSchemes, type Scheme } from "./subjects/schemes.ts";
import { inputDigest } from "./verdict/digest.ts";
import type { Answer, AreaMatch, DistanceMatch, IntersectionMatch, SubjectMatch } from "./verdict/match.ts";
import {
  PRINTED_DISTANCE_SLACK_METERS,
  printedArea,
  printedDistance,
  printedRatio,
  printedShare,
} from "./verdict/rounding.ts";
import type { SourceOutcome } from "./verdict/verdict.ts";

/**
 * The whole path, from a plot and a ruleset to a verdict. Every method is synchronous and pure, and what
 * it returns is frozen all through. Each fails with `VALIDATION_FAILED` for an option nobody knows.
 */
export interface Engine {
  /** Name of the kernel that measures. */
  readonly kernel: "default" | "reference";
  readonly semantics: number;
  /** The sources and groups that can be asked, as the catalog lists them. */
  sources(): readonly SourceEntry[];
  /** Group names to their members, ascending. */
  groups(): Readonly<Record<string, readonly string[]>>;
  /**
   * The same engine for somebody to whom only some sources are available: those whose name, or whose
   * group's name, matches a pattern (`*` stands for any characters). The others do not exist in it.
   *
   * Fails: `VALIDATION_FAILED` where the patterns are no array of texts.
   */
  within(patterns: readonly string[]): Engine;
  /** Sources that could not be opened, ascending by name. */
  failures(): readonly SourceFailure[];
  /**
   * The areas that share a point with a plot, by source name and id.
   *
   * @param geometry a GeoJSON geometry, or a Feature around one
   *
   * Fails: `VALIDATION_FAILED` for an option that is malformed or that nobody knows; `SOURCE_UNKNOWN`;
   * `GEOMETRY_INVALID`, `CRS_UNKNOWN`, `CRS_MISMATCH`; `GEOMETRY_TOO_COMPLEX`; `RESULT_TOO_LARGE` where more areas
   * match than `maxResults`.
   */
  intersections(geometry: GeometryInput, options?: IntersectionsOptions): Answer<IntersectionMatch>;
  /**
   * The areas that lie within a distance of a plot, nearest first.
   *
   * @param geometry a GeoJSON geometry, or a Feature around one
   *
   * Fails: `VALIDATION_FAILED` for an option that is malformed or that nobody knows; `SOURCE_UNKNOWN`;
   * `GEOMETRY_INVALID`, `CRS_UNKNOWN`, `CRS_MISMATCH`; `GEOMETRY_TOO_COMPLEX`; `RESULT_TOO_LARGE` where more areas
   * match than `maxResults`.
   */
  distance(geometry: GeometryInput, options: DistanceOptions): Answer<DistanceMatch>;
  /**
   * The records of registers that an identifier names.
   *
   * Fails: `SCHEME_UNSUPPORTED` where no register knows the type of the identifier; `SOURCE_UNKNOWN`;
   * `VALIDATION_FAILED`.
   */
  subjects(scheme: Scheme, options?: SubjectsOptions): Answer<SubjectMatch>;
  /**
   * Makes a ruleset ready for the sources of this engine, and for no other.
   *
   * @param ruleset JSON text or value
   * @param origin where in a catalog it came from, as evaluations tell it
   *
   * Fails: `RULESET_INVALID` with every fault, `SOURCE_UNKNOWN`.
   */
  compile(ruleset: unknown, origin?: RulesetOrigin): Policy;
  /**
   * How a question would be answered. Refuses what the question itself refuses, except that what an
   * evaluation's input lacks is told in the plan.
   *
   * Fails: as the question itself does.
   */
  explain(question: Question): Explanation;
}

/** Most areas an answer holds unless the question says otherwise. */
export const MAX_RESULTS = 10_000;
/** Farthest distance that can be asked for, metres. */
export const MAX_DISTANCE_METERS = 1_000_000;

/**
 * Opens an engine over sources. Their bytes are used in place and must not change afterwards.
 *
 * Fails: `SNAPSHOT_CORRUPT`, `SNAPSHOT_VERSION_UNSUPPORTED` for a source given without a manifest that
 * does not open; `VALIDATION_FAILED` for what is no source, an option nobody knows, names that
 * collide, or a group that names what does not exist.
 */
export function openEngine(sources: readonly SourceInput[], options: EngineOptions = {}): Engine {
  if (!Array.isArray(sources)) {
    const message = `found ${nameOfKind(sources)}, expected an array of sources`;
    throw refusal({ pointer: "/sources", code: "TYPE_MISMATCH", message });
  }
  const read = readMembers<EngineOptions>(options, ENGINE_OPTIONS, "option");
  const table = new SourceTable(
    sources.map((source, i) => openSource(source, i, read)),
    read.groups,
  );
  return new SnapshotEngine(table, read);
}

const ENGINE_OPTIONS: MemberKinds<EngineOptions> = {
  groups: {
    is: (value) => KIND.object.is(value) && Object.values(value as object).every(KIND.texts.is),
    expected: "an object of group names to arrays of source names",
  },
  kernel: {
    is: (value) => KIND.object.is(value) && KIND.function.is((value as Partial<Kernel>).bind),
    expected: "a kernel, such as referenceKernel from @groundrule/reference",
  },
  crs: {
    is: (value) => KIND.object.is(value) && KIND.function.is((value as Partial<CrsTable>).find),
    expected: "a table of CRSs, such as crsTable from @groundrule/crs",
  },
  crc32: KIND.function,
  textDigest: KIND.function,
};

class SnapshotEngine implements Engine {
  readonly kernel: "default" | "reference";
  readonly semantics: number;
  readonly #table: SourceTable;
  readonly #options: EngineOptions;
  readonly #kernel: Kernel;

  constructor(table: SourceTable, options: EngineOptions) {
    const { kernel = exactKernel } = options;
    this.kernel = kernel.name;
    this.semantics = kernel.semantics;
    this.#table = table;
    this.#options = options;
    setSourceTable(this, table);
    this.#kernel = kernel;
  }

  sources(): readonly SourceEntry[] {
    return deepFreeze(catalogEntries(this.#table));
  }

  groups(): Readonly<Record<string, readonly string[]>> {
    return deepFreeze(Object.fromEntries(this.#table.groups()));
  }

  within(patterns: readonly string[]): Engine {
    if (!KIND.texts.is(patterns)) {
      const message = `found ${nameOfKind(patterns)} for the source patterns, expected ${KIND.texts.expected}`;
      throw refusal({ pointer: "", code: "TYPE_MISMATCH", message });
    }
    return new SnapshotEngine(this.#table.within(patterns), this.#options);
  }

  failures(): readonly SourceFailure[] {
    return deepFreeze(
      this.#table
        .all()
        .flatMap((source) =>
          "failed" in source ? [{ source_name: source.manifest.source_name, reason: source.failed }] : [],
        ),
    );
  }

  intersections(geometry: GeometryInput, given: IntersectionsOptions = {}): Answer<IntersectionMatch> {
    const options = readMembers<IntersectionsOptions>(given, INTERSECTIONS_OPTIONS, "option");
    const shape = options.geometry ?? "none";
    const answer = this.#askAreas(geometry, options, (plot, { layer }) =>
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
    return deepFreeze(answer);
  }

  distance(geometry: GeometryInput, given: DistanceOptions): Answer<DistanceMatch> {
    const options = readMembers<DistanceOptions>(given, DISTANCE_OPTIONS, "option");
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
    const matches = answer.matches.toSorted((a, b) => a.distance_m - b.distance_m);
    return deepFreeze({ ...answer, matches });
  }

  subjects(scheme: Scheme, given: SubjectsOptions = {}): Answer<SubjectMatch> {
    const options = readMembers<SubjectsOptions>(given, SUBJECTS_OPTIONS, "option");
    return deepFreeze(findSubjects(this.#table, scheme, options));
  }

  compile(ruleset: unknown, givenOrigin?: RulesetOrigin): Policy {
    const origin =
      givenOrigin && readMembers<RulesetOrigin>(givenOrigin, RULESET_ORIGIN, "member of the origin");
    const plan = compileRuleset(this.#table, ruleset, origin);
    const editions = plan.sources.flatMap((source) =>
      "failed" in source ? [] : [[source.manifest.source_name, source.snapshot.meta.edition] as const],
    );
    const [kernel, options] = [this.#kernel, this.#options];
    // The plan is reached by this closure alone: a copy of a policy is the same policy, and none is another engine's.
    return deepFreeze<Policy>({
      ruleset: plan.ruleset,
      digest: plan.digest,
      origin,
      editions: Object.fromEntries(editions),
      evaluate(givenInput, givenOptions) {
        const { now, evidenceLimit, geometry } = readMembers<EvaluateOptions>(
          givenOptions,
          EVALUATE_OPTIONS,
          "option",
        );
        const meter = new WorkMeter();
        const { input, warnings } = readInput(givenInput, meter, options);
        const { verdict, overlaps } = evaluateRuleset(plan, {
          kernel,
          input,
          meter,
          now,
          evidenceLimit,
          geometry,
          textDigest: options.textDigest,
        });
        return deepFreeze({ ...verdict, ...(overlaps && { overlaps }), warnings });
      },
    });
  }

  explain(question: Question): Explanation {
    return deepFreeze(this.#explain(question));
  }

  #explain(question: Question): Explanation {
    const kernel = { kernel: this.kernel, semantics: this.semantics };
    const meter = new WorkMeter();
    switch (question.ask) {
      case "evaluate": {
        const { origin } = question;
        if (origin !== undefined) readMembers<RulesetOrigin>(origin, RULESET_ORIGIN, "member of the origin");
        const plan = compileRuleset(this.#table, question.ruleset, origin);
        const { input, warnings } = readInput(question.input, meter, this.#options);
        return { plan: explainEvaluation(plan, kernel, input, meter), warnings };
      }
      case "subjects": {
        const options = readMembers<SubjectsOptions>(question.options ?? {}, SUBJECTS_OPTIONS, "option");
        const { registers, asked, warnings } = prepareLookUp(this.#table, question.scheme, options);
        return { plan: explainSubjects(registers, kernel, asked), warnings };
      }
      case "intersections": {
        const options = readMembers<IntersectionsOptions>(
          question.options ?? {},
          INTERSECTIONS_OPTIONS,
          "option",
        );
        return this.#explainAreas(question.geometry, options, undefined, meter);
      }
      case "distance": {
        const options = readMembers<DistanceOptions>(question.options, DISTANCE_OPTIONS, "option");
        assertDistances(options);
        return this.#explainAreas(question.geometry, options, options.maxDistanceMeters, meter);
      }
      default: {
        const found = JSON.stringify((question as { readonly ask?: unknown }).ask);
        const message = `found ${found} as the kind of question, expected evaluate, intersections, distance or subjects`;
        throw refusal({ pointer: "/ask", code: "VALUE_INVALID", message });
      }
    }
  }

  #explainAreas(
    geometry: GeometryInput,
    { sources: names, crs }: SpatialOptions,
    withinMeters: number | undefined,
    meter: WorkMeter,
  ): Explanation {
    const sources = areaSources(this.#table, names);
    const { plot, warnings } = parsePlot(geometry, { crs, crsTable: this.#options.crs, meter });
    const kernel = { kernel: this.kernel, semantics: this.semantics };
    return { plan: explainAreas(sources, kernel, plot, withinMeters, meter), warnings };
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
    const { plot, warnings } = parsePlot(geometry, { crs: options.crs, crsTable: this.#options.crs, meter });
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
        `${counted} areas match, and an answer contains at most ${allowed}; query fewer sources, one country or a smaller plot`,
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

const SPATIAL_OPTIONS: MemberKinds<SpatialOptions> = {
  crs: KIND.text,
  sources: KIND.texts,
  countryIso3: KIND.text,
  now: KIND.text,
  maxResults: KIND.count,
};
const INTERSECTIONS_OPTIONS: MemberKinds<IntersectionsOptions> = {
  ...SPATIAL_OPTIONS,
  geometry: oneOf("overlap", "area", "none"),
};
const DISTANCE_OPTIONS: MemberKinds<DistanceOptions> = {
  maxDistanceMeters: { ...KIND.number, isRequired: true },
  minDistanceMeters: KIND.number,
  ...SPATIAL_OPTIONS,
  geometry: oneOf("area", "none"),
};
const SUBJECTS_OPTIONS: MemberKinds<SubjectsOptions> = {
  source: KIND.text,
  matchOp: oneOf("equals", "ilike"),
  now: KIND.text,
};
const RULESET_ORIGIN: MemberKinds<RulesetOrigin> = {
  name: { ...KIND.text, isRequired: true },
  version: { ...KIND.count, isRequired: true },
};
const EVALUATE_OPTIONS: MemberKinds<EvaluateOptions> = {
  now: { ...KIND.text, expected: "an ISO 8601 UTC timestamp", isRequired: true },
  evidenceLimit: KIND.number,
  geometry: oneOf("overlap", "none"),
};
/** What each member may be is told by those who read it. */
const EVALUATION_INPUT: MemberKinds<EvaluationInput> = {
  geometry: KIND.anything,
  crs: KIND.anything,
  scheme: KIND.anything,
};

/** An evaluation's input, checked. */
function readInput(
  given: EvaluationInput,
  meter: WorkMeter,
  { crs: crsTable, textDigest }: EngineOptions,
): {
  readonly input: RulesetInput;
  readonly warnings: readonly Warning[];
} {
  const { geometry, crs, scheme } = readMembers<EvaluationInput>(
    given,
    EVALUATION_INPUT,
    "member of the input",
  );
  const { schemes, pointers, warnings } = parseSchemes(scheme, "/scheme");
  const parsed =
    geometry === undefined || geometry === null
      ? { plot: undefined, crs, warnings: [] }
      : parsePlot(geometry, {
          crs,
          crsPointer: "/crs",
          crsTable,
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
          : `"${name}" ${table.find(name) === undefined ? "contains" : "is"} a subject_register, expected a leaf or a group of leaves`;
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
  throw refusal({ pointer: "/countryIso3", code: "VALUE_INVALID", message });
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
  const faults: Fault[] = [];
  if (!(max >= 0 && max <= MAX_DISTANCE_METERS)) {
    const message = `found a maximum distance of ${max} m, expected 0 to ${MAX_DISTANCE_METERS} m`;
    faults.push({ pointer: "/maxDistanceMeters", code: "VALUE_OUT_OF_RANGE", message });
  }
  if (!(min >= 0) || min > max) {
    const message = `found a minimum distance of ${min} m, expected 0 m to the maximum distance, ${max} m`;
    faults.push({ pointer: "/minDistanceMeters", code: "VALUE_OUT_OF_RANGE", message });
  }
  if (faults.length > 0) throw refusal(...faults);
}

function refusal(...faults: readonly Fault[]): EngineError {
  return new EngineError("VALIDATION_FAILED", faults[0]!.message, { faults });
}
