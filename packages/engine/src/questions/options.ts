import { EngineError, type Fault } from "../base/errors.ts";
import type { MeterListener } from "../base/work-meter.ts";
import type { Kernel } from "../geometry/kernel/kernel.ts";
import type { CrsTable } from "../geometry/plot/crs.ts";
import type { CompileOptions, EvaluateOptions, RulesetOrigin } from "../ruleset/compile/policy.ts";
import { readShape } from "../shape/read-shape.ts";
import {
  anything,
  array,
  boolean,
  choice,
  fitting,
  type MembersOf,
  number,
  object,
  optional,
  record,
  type Shape,
  text,
} from "../shape/shape.ts";
import type { Crc32, Sha256 } from "../snapshot/snapshot.ts";
import type { CandidateReader, Provided } from "../sources/live-source.ts";
import type { SubjectsOptions } from "../subjects/look-up.ts";
import type { TextDigest } from "../verdict/digest.ts";
import type {
  DistanceOptions,
  EngineOptions,
  IntersectionsOptions,
  LiveNeedsOptions,
  SpatialOptions,
} from "./questions.ts";

/** Most areas an answer contains unless the question sets another limit. */
export const MAX_RESULTS = 10_000;
/** Name, in errors, of the option that passes a table of CRSs to an engine. */
export const TABLE_OPTION = "crs to openEngine";
/** Greatest distance of a question, metres. */
export const MAX_DISTANCE_METERS = 1_000_000;

// Each shape names every option. An unknown option is refused, and the message suggests the nearest name.

const OPTIONS = { words: "an object of options" };

export const crsTableShape: Shape<CrsTable> = objectWithMethod<CrsTable>(
  "find",
  "a table of CRSs, such as crsTable from @groundrule/crs",
);

export const engineOptionsShape: Shape<EngineOptions> = object<EngineOptions>(
  {
    groups: optional(record(text(), array(text()))),
    kernel: optional(
      objectWithMethod<Kernel>("bind", "a kernel, such as referenceKernel from @groundrule/reference"),
    ),
    crs: optional(crsTableShape),
    borders: optional(anything() as Shape<NonNullable<EngineOptions["borders"]>>), // openBorders checks it
    candidates: optional(fitting<CandidateReader>(isFunction, "a function, as candidateAreas is one")),
    crc32: optional(fitting<Crc32>(isFunction, "a function")),
    tileBytes: optional(number({ whole: true, min: 0 })),
    sha256: optional(fitting<() => Sha256>(isFunction, "a function")),
    textDigest: optional(fitting<TextDigest>(isFunction, "a function")),
    onMeter: optional(fitting<MeterListener>(isFunction, "a function")),
  },
  OPTIONS,
);

const spatial: MembersOf<SpatialOptions> = {
  crs: optional(text()),
  sources: optional(array(text())),
  countryIso3: optional(text()),
  now: optional(text()),
  maxResults: optional(number({ whole: true, min: 0 })),
  provided: optional(anything() as Shape<Provided>), // readProvidedAnswers checks it
};

export const intersectionsOptionsShape: Shape<IntersectionsOptions> = object<IntersectionsOptions>(
  { ...spatial, geometry: optional(choice("overlap", "area", "none")) },
  OPTIONS,
);

export const subjectsOptionsShape: Shape<SubjectsOptions> = object<SubjectsOptions>(
  { source: optional(text()), matchOp: optional(choice("equals", "ilike")), now: optional(text()) },
  OPTIONS,
);

export const evaluateOptionsShape: Shape<EvaluateOptions> = object<EvaluateOptions>(
  {
    now: text({ words: "an ISO 8601 UTC timestamp (toISOString())" }),
    evidenceLimit: optional(number()),
    strictCoverage: optional(boolean()),
    geometry: optional(choice("overlap", "none")),
    provided: optional(anything() as Shape<Provided>), // readProvidedAnswers checks it
  },
  OPTIONS,
);

export const liveNeedsShape: Shape<LiveNeedsOptions> = object<LiveNeedsOptions>(
  {
    ...spatial,
    maxDistanceMeters: optional(number({ min: 0, max: MAX_DISTANCE_METERS })),
    minDistanceMeters: optional(number()),
    geometry: optional(choice("overlap", "area", "none")),
  },
  OPTIONS,
);

export const rulesetOriginShape: Shape<RulesetOrigin> = object<RulesetOrigin>({
  name: text(),
  version: number({ whole: true, min: 0 }),
});

export const compileOptionsShape: Shape<CompileOptions> = object<CompileOptions>(
  { without: optional(array(text())), isAccepted: optional(boolean()) },
  OPTIONS,
);

const distanceOptionsShape: Shape<DistanceOptions> = object<DistanceOptions>(
  {
    maxDistanceMeters: number(),
    minDistanceMeters: optional(number()),
    ...spatial,
    geometry: optional(choice("area", "none")),
  },
  OPTIONS,
);

/** Fails: `VALIDATION_FAILED`, also where no distance lies between the bounds. */
export function readDistanceOptions(input: unknown): DistanceOptions {
  const options = readShape(distanceOptionsShape, input);
  const { maxDistanceMeters: max, minDistanceMeters: min = 0 } = options;
  const faults: Fault[] = [];
  if (max < 0 || max > MAX_DISTANCE_METERS) {
    const message = `found a maximum distance of ${max} m, expected 0 to ${MAX_DISTANCE_METERS} m`;
    faults.push({ pointer: "/maxDistanceMeters", code: "VALUE_OUT_OF_RANGE", message });
  }
  if (min < 0 || min > max) {
    const message = `found a minimum distance of ${min} m, expected 0 m to the maximum distance of ${max} m`;
    faults.push({ pointer: "/minDistanceMeters", code: "VALUE_OUT_OF_RANGE", message });
  }
  if (faults.length > 0) throw new EngineError("VALIDATION_FAILED", faults[0]!.message, { faults });
  return options;
}

function objectWithMethod<Value>(method: keyof Value & string, words: string): Shape<Value> {
  return fitting(
    (value) =>
      typeof value === "object" && value !== null && isFunction((value as Record<string, unknown>)[method]),
    words,
  );
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}
