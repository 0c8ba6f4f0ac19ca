import { schemaRef } from "@groundrule/contract";
import type { Json } from "./json.ts";

/**
 * Parts of schemas that are components of their own, inner ones before outer ones: the name, where the part stands, and
 * where a narrower or a looser form of it stands that the name serves for. Generators make one class of each, with this
 * name.
 */
const PARTS: readonly (readonly [name: string, ...places: string[]])[] = [
  ["NamedCrs", "Geometry/oneOf/0/properties/crs/anyOf/0"],
  ["Polygon", "Geometry/oneOf/0", "Verdict/properties/input/properties/disc/anyOf/0"],
  ["MultiPolygon", "Geometry/oneOf/1", "Verdict/properties/input/properties/disc/anyOf/1"],
  ["Point", "Geometry/oneOf/2", "OverlapGeometry/oneOf/4"],
  ["MultiPoint", "Geometry/oneOf/3", "OverlapGeometry/oneOf/3"],
  ["LineString", "Geometry/oneOf/4", "OverlapGeometry/oneOf/2"],
  ["MultiLineString", "Geometry/oneOf/5", "OverlapGeometry/oneOf/1"],
  ["PlotGeometry", "PlotFeature/properties/geometry"],
  ["FeaturedGeometry", "Geometry/oneOf/6"],
  ["FeaturedPlot", "Plot/oneOf/4"],
  ["FeaturedProperty", "Property/oneOf/2"],
  ["ValidatedPlots", "ValidateRequest/properties/plots/anyOf/0"],
  ["JobPlots", "CreateJobRequest/properties/plots"],
  ["EvaluateInput", "EvaluateRequest/properties/input"],
  ["EvaluateOptions", "EvaluateRequest/properties/options/anyOf/0"],
  ["IntersectionsInput", "IntersectionsRequest/properties/input"],
  ["DistanceInput", "DistanceRequest/properties/input"],
  ["SubjectsInput", "SubjectsRequest/properties/input"],
  ["RulesetDate", "RulesetFilterArgument/anyOf/3"],
  ["RulesetColumn", "RulesetFilterArgument/anyOf/4"],
  ["RulesetFactOperand", "RulesetFilterArgument/anyOf/5"],
  ["RulesetSum", "RulesetChecks/items/anyOf/0/properties/measure/anyOf/0/anyOf/1"],
  ["RulesetMin", "RulesetChecks/items/anyOf/0/properties/measure/anyOf/0/anyOf/2"],
  ["RulesetMax", "RulesetChecks/items/anyOf/0/properties/measure/anyOf/0/anyOf/3"],
  ["RulesetAvg", "RulesetChecks/items/anyOf/0/properties/measure/anyOf/0/anyOf/4"],
  ["RulesetMean", "RulesetChecks/items/anyOf/0/properties/measure/anyOf/0/anyOf/5"],
  [
    "RulesetMeasure",
    "RulesetChecks/items/anyOf/0/properties/measure/anyOf/0",
    "CheckResult/properties/comparisons/items/properties/measure",
  ],
  ["RulesetFactThreshold", "RulesetChecks/items/anyOf/0/properties/value/anyOf/0/anyOf/1"],
  ["RulesetMeasuredThreshold", "RulesetChecks/items/anyOf/0/properties/value/anyOf/0/anyOf/2"],
  ["RulesetComparison", "RulesetChecks/items/anyOf/2/properties/all/items/anyOf/0"],
  ["RulesetFactComparison", "RulesetChecks/items/anyOf/2/properties/all/items/anyOf/1"],
  ["RulesetCheckOfOne", "RulesetChecks/items/anyOf/0"],
  ["RulesetCheckOfFact", "RulesetChecks/items/anyOf/1"],
  ["RulesetCheckOfAll", "RulesetChecks/items/anyOf/2"],
  ["RulesetCheckOfAny", "RulesetChecks/items/anyOf/3"],
  ["RulesetCheck", "RulesetChecks/items"],
  ["RulesetAreaSet", "RulesetSets/additionalProperties/anyOf/0/anyOf/0"],
  ["RulesetUnion", "RulesetSets/additionalProperties/anyOf/0/anyOf/1"],
  ["RulesetIntersection", "RulesetSets/additionalProperties/anyOf/0/anyOf/2"],
  ["RulesetDifference", "RulesetSets/additionalProperties/anyOf/0/anyOf/3"],
  ["RulesetRegisterSet", "RulesetSets/additionalProperties/anyOf/0/anyOf/4"],
  ["RulesetSet", "RulesetSets/additionalProperties/anyOf/0"],
  ["RulesetFact", "Ruleset/properties/facts/anyOf/0/additionalProperties/anyOf/0"],
  ["ThresholdOfFact", "CheckResult/properties/comparisons/items/properties/threshold_of/anyOf/0"],
  ["ThresholdOfMeasure", "CheckResult/properties/comparisons/items/properties/threshold_of/anyOf/1"],
  ["ThresholdSource", "CheckResult/properties/comparisons/items/properties/threshold_of"],
  ["Comparison", "CheckResult/properties/comparisons/items"],
  ["DeclaredComparison", "CheckResult/properties/declared/items"],
  ["NeededFact", "CheckResult/properties/resolve_by/items/properties/facts/items"],
  ["Resolution", "CheckResult/properties/resolve_by/items"],
  ["DeclaredFact", "Verdict/properties/facts/items"],
  ["Evidence", "CheckResult/properties/evidence/items"],
  ["VerdictRuleset", "Verdict/properties/ruleset"],
  ["VerdictInput", "Verdict/properties/input"],
  ["AreaEvidenceOfCheck", "EvaluateFeatures/properties/features/items/properties/properties/anyOf/0"],
  ["SubjectEvidenceOfCheck", "EvaluateFeatures/properties/features/items/properties/properties/anyOf/1"],
  ["EvidenceFeature", "EvaluateFeatures/properties/features/items"],
  ["IntersectionMatch", "IntersectionsResponse/properties/features/items/properties/properties"],
  ["IntersectionFeature", "IntersectionsResponse/properties/features/items"],
  ["DistanceMatch", "DistanceResponse/properties/data/properties/matches/items"],
  ["DistanceFeature", "DistanceFeatures/properties/features/items"],
  ["DistanceMatches", "DistanceResponse/properties/data"],
  ["SubjectMatches", "SubjectsResponse/properties/data"],
  ["ValidGeometry", "ValidateResponse/properties/data/properties/geometry/anyOf/0"],
  ["InvalidGeometry", "ValidateResponse/properties/data/properties/geometry/anyOf/1"],
  ["ValidateFinding", "ValidateResponse/properties/data/properties/plots/anyOf/0/properties/findings/items"],
  ["CheckedPlots", "ValidateResponse/properties/data/properties/plots/anyOf/0"],
  ["CheckedRuleset", "ValidateResponse/properties/data/properties/ruleset/anyOf/0"],
  ["Validated", "ValidateResponse/properties/data"],
  ["JobRuleset", "Job/properties/ruleset"],
  ["JobEdition", "Job/properties/editions/items"],
  ["JobAnswer", "JobResult/anyOf/0"],
  ["JobError", "JobResult/anyOf/1/properties/error"],
  ["JobFailure", "JobResult/anyOf/1"],
  ["JobNothing", "JobResult/anyOf/2"],
  ["DecisionRecord", "DecisionResponse/properties/data/properties/record/anyOf/0"],
  ["Decision", "DecisionResponse/properties/data"],
  ["SavedRuleset", "RulesetResponse/properties/data"],
  ["CreatedRuleset", "CreateRulesetResponse/properties/data"],
  ["PlanInput", "Plan/properties/input"],
  ["PlanSource", "Plan/properties/sources/items"],
  ["PlanSet", "Plan/properties/sets/items"],
  ["PlanCheck", "Plan/properties/checks/items"],
  ["PlanMeasure", "Plan/properties/steps/items/anyOf/0"],
  ["PlanLookUp", "Plan/properties/steps/items/anyOf/1"],
  ["PlanSelect", "Plan/properties/steps/items/anyOf/2"],
  ["PlanJudge", "Plan/properties/steps/items/anyOf/3"],
  ["PlanStep", "Plan/properties/steps/items"],
  ["Me", "MeResponse/properties/data"],
  ["Usage", "UsageResponse/properties/data"],
];

/** The schemas with their parts as components. What a member says of its part stays at the member. */
export function extractNamedParts(schemas: Json): Json {
  const names = new Map<string, string>();
  const parts: Record<string, unknown> = {};
  for (const [name, ...places] of PARTS) {
    for (const [index, place] of places.entries()) {
      const { description: _, ...part } = getSchemaPart(schemas, place);
      const named = replacePartsByReferences(part, names, false);
      if (index === 0) parts[name] = named;
      names.set(JSON.stringify(named), name);
    }
  }
  return { ...(replacePartsByReferences(schemas, names) as Json), ...parts };
}

function getSchemaPart(schemas: Json, place: string): Json {
  const part = place.split("/").reduce<unknown>((within, key) => (within as Json)[key], schemas);
  if (typeof part !== "object" || part === null) throw new Error(`the description has no ${place}`);
  return part as Json;
}

/** @param isPart whether the value itself may be one of the parts */
function replacePartsByReferences(
  value: unknown,
  names: ReadonlyMap<string, string>,
  isPart = true,
): unknown {
  if (Array.isArray(value)) return value.map((item) => replacePartsByReferences(item, names));
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.fromEntries(
    Object.entries(value).map(([key, of]) => [key, replacePartsByReferences(of, names)]),
  );
  const { description, ...rest } = inner;
  const name = isPart ? names.get(JSON.stringify(rest)) : undefined;
  if (name === undefined) return inner;
  return { ...(description !== undefined && { description }), $ref: schemaRef(name) };
}
