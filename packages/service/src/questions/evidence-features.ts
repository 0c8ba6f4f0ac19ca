import type { EvaluateFeatures, EvidenceFeature, MultiPolygonGeometry } from "@groundrule/contract";
import type { EvidenceOverlap, Verdict } from "@groundrule/engine";
import { palette, parseRuleset } from "@groundrule/engine/rulesets";
import type { Call } from "./question.ts";

type Shape = Pick<EvidenceFeature, "geometry"> & Pick<EvidenceFeature["properties"], "geometry_status">;

/**
 * One feature per evidence item, in the order of checks and their evidence. The numbers are those of the evidence.
 * Geometries for which the answer has no room are left out and marked, so that every request that is answered as JSON
 * is also answered as features.
 *
 * @param call maximum size of the answer, and the host that counts its bytes
 */
export function buildEvidenceFeatures(
  verdict: Verdict,
  overlaps: readonly EvidenceOverlap[] = [],
  ruleset: object,
  { host, limits }: Pick<Call<string>, "host" | "limits">,
): EvaluateFeatures["features"] {
  const overlapOf = new Map(overlaps.map((overlap) => [formatAreaKey(overlap), overlap]));
  const { checks: colors } = palette(parseRuleset(ruleset));
  // Evidence is written twice: in the verdict, and as features with a few more members.
  let left = limits.resultBytes - NUMBERS_SHARE * host.byteLength(JSON.stringify(verdict));
  const shapeOf = (item: { readonly source_name: string; readonly source_id: string }): Shape => {
    const overlap = overlapOf.get(formatAreaKey(item));
    // Plots are polygons, and so are their overlaps.
    const geometry = overlap?.geometry ?? null;
    if (geometry?.type !== "MultiPolygon")
      return overlap?.geometry_status === undefined
        ? NO_SHAPE
        : { geometry: null, geometry_status: "too_complex" };
    left -= POSITION_BYTES * countPositions(geometry.coordinates);
    return left < 0 ? { geometry: null, geometry_status: "too_complex" } : { geometry };
  };
  return verdict.checks.flatMap((check) =>
    check.evidence.map((item): EvidenceFeature => {
      const { geometry, ...status } = shapeOf(item);
      return {
        type: "Feature",
        geometry,
        properties: {
          ...item,
          ...status,
          check_id: check.id,
          outcome: check.outcome,
          color: colors[check.id]!,
        },
      };
    }),
  );
}

const NO_SHAPE: Shape = { geometry: null };
const NUMBERS_SHARE = 3;
/** Two numbers of at most 24 characters, and their separators. */
const POSITION_BYTES = 52;

function countPositions(polygons: MultiPolygonGeometry["coordinates"]): number {
  let positions = 0;
  for (const rings of polygons) for (const ring of rings) positions += ring.length + 1;
  return positions;
}

function formatAreaKey(area: { readonly source_name: string; readonly source_id: string }): string {
  return `${area.source_name} ${area.source_id}`;
}
