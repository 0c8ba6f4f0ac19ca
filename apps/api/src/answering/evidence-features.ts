import type { EvaluateFeatures, EvidenceFeature, MultiPolygonGeometry } from "@groundrule/contract";
import type { CheckResult, EvaluationInput } from "@groundrule/engine";
import { given } from "../given.ts";
import { multiPolygon } from "./answer-parts.ts";
import type { Call } from "./question.ts";

/** One feature an evidence item, in the order of checks and their evidence. */
export function evidenceFeatures(
  checks: readonly CheckResult[],
  ruleset: object,
  input: EvaluationInput,
  call: Call<string>,
): EvaluateFeatures["features"] {
  const geometries = clippedGeometries(checks, input, call);
  const colors = colorsOf(ruleset);
  return checks.flatMap((check) =>
    check.evidence.map(
      (item): EvidenceFeature => ({
        type: "Feature",
        geometry: geometries.get(areaKey(item)) ?? null,
        properties: {
          ...item,
          check_id: check.id,
          outcome: check.outcome,
          color: colors.get(check.id) ?? null,
        },
      }),
    ),
  );
}

/** The parts of the evidence's areas inside the plot, by {@link areaKey}. */
function clippedGeometries(
  checks: readonly CheckResult[],
  input: EvaluationInput,
  call: Call<string>,
): Map<string, MultiPolygonGeometry | null> {
  const areas = checks.flatMap(({ evidence }) => evidence.filter((item) => "overlap_area_m2" in item));
  const sources = [...new Set(areas.map(({ source_name }) => source_name))];
  if (sources.length === 0) return new Map();
  const { matches } = call.engine.intersections(input.geometry, {
    ...given({ crs: input.crs }),
    sources,
    geometry: "overlap",
    maxResults: call.limits.resultAreas,
  });
  return new Map(matches.map((match) => [areaKey(match), multiPolygon(match.geometry)]));
}

function areaKey(area: { readonly source_name: string; readonly source_id: string }): string {
  return `${area.source_name} ${area.source_id}`;
}

/** Colours by check. The ruleset compiled, so its checks have the form that rulesets have. */
function colorsOf(ruleset: object): Map<string, string> {
  const { checks } = ruleset as {
    readonly checks: readonly { readonly id: string; readonly color?: string }[];
  };
  return new Map(checks.flatMap(({ id, color }) => (color === undefined ? [] : [[id, color] as const])));
}
