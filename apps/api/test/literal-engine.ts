import type { Engine, SourceOutcome } from "@groundrule/engine";

const sources: SourceOutcome[] = [{ source_name: "demo:parks", status: "ok", matched: 1 }];

/**
 * An engine whose answers are written down, for tests of what lies around it: negotiation, limits,
 * problems. What engines really answer is tested with one.
 */
export function makeLiteralEngine(changes: Partial<Engine> = {}): Engine {
  return {
    kernel: "default",
    semantics: 1,
    sources: () => [
      {
        source_name: "demo:parks",
        source_dataset: "Parks",
        kind: "leaf",
        feature_count: 1,
        country_coverage: ["BRA"],
      },
    ],
    groups: () => ({}),
    failures: () => [],
    within: () => makeLiteralEngine(changes),
    intersections: (_geometry, options) => ({
      matches: [
        {
          source_name: "demo:parks",
          source_id: "7",
          name: "Jaú",
          country_iso3: "BRA",
          properties: { category: "II" },
          overlap_area_m2: 12.5,
          overlap_ratio: 0.5,
          area_overlap_ratio: 0.001,
          ...(options?.geometry === "none"
            ? {}
            : {
                geometry: {
                  type: "MultiPolygon" as const,
                  coordinates: [
                    [
                      [
                        [0, 0],
                        [1, 0],
                        [1, 1],
                        [0, 0],
                      ],
                    ],
                  ],
                },
              }),
        },
      ],
      sources,
      warnings: [],
    }),
    distance: () => ({ matches: [], sources, warnings: [] }),
    liveNeeds: () => [],
    subjects: () => ({ matches: [], sources, warnings: [] }),
    compile: () => {
      throw new Error("no test compiles a literal ruleset");
    },
    ...changes,
  };
}
