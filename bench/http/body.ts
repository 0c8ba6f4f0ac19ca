/** The body that every server is asked with: a plot of 51 positions, a ruleset of 5 checks. */
export function buildEvaluateBody(plot: { readonly type: string }): string {
  return JSON.stringify({ input: { geometry: buildRoundPlot(findCenter(plot)) }, ruleset: RULESET });
}

const RULESET = {
  sets: {
    protected: { sources: ["demo:parks", "demo:indigenous"] },
    near_park: { sources: ["demo:parks"], within_m: 10_000 },
    cleared: {
      sources: ["demo:clearing"],
      where: { op: ">", args: [{ property: "detected" }, { date: "2020-12-31" }] },
    },
    cleared_in_protected: { intersection: ["cleared", "protected"] },
  },
  checks: [
    { id: "protected", set: "protected", measure: "overlap_ratio", value: 0.001, outcome: "NON_COMPLIANT" },
    { id: "clearing", set: "cleared", measure: "overlap_area_m2", value: 5_000, outcome: "NON_COMPLIANT" },
    { id: "any-clearing", set: "cleared", outcome: "NOTICE" },
    { id: "park-buffer", set: "near_park", outcome: "WARNING" },
    {
      id: "cleared-in-protected",
      set: "cleared_in_protected",
      measure: "overlap_area_m2",
      value: 0,
      outcome: "NON_COMPLIANT",
    },
  ],
};

/** 50 vertices, the first repeated at the end: about 300 m around a centre. */
function buildRoundPlot([longitude, latitude]: readonly [number, number]): object {
  const ring = Array.from({ length: 50 }, (_, i) => {
    const angle = (i / 50) * 2 * Math.PI;
    return [longitude + 0.003 * Math.cos(angle), latitude + 0.003 * Math.sin(angle)];
  });
  return { type: "Polygon", coordinates: [[...ring, ring[0]]] };
}

function findCenter(geometry: { readonly type: string }): [number, number] {
  const { coordinates } = geometry as unknown as { readonly coordinates: unknown };
  let first = coordinates;
  while (Array.isArray(first) && Array.isArray(first[0])) first = first[0];
  return first as [number, number];
}
