import { describe, expect, it } from "vitest";
import { referenceKernel } from "../../../../reference/src/reference-kernel.ts";
import { planarKernel } from "../../../test/planar-kernel.ts";
import { buildSourceTable, type CaseFile, evaluateOnTable } from "../../../test/ruleset-cases.ts";
import type { Kernel } from "../../geometry/kernel/kernel.ts";

const plot = { boxes: [[0, 0, 10, 10]] as const };
const strips = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `a${i}`, boxes: [[0, 0, 10, i + 1] as const] }));
const data: Pick<CaseFile, "sources"> = {
  sources: { "demo:strips": { areas: strips(30) }, "demo:other": { areas: strips(3) } },
};
const ruleset = {
  sets: {
    s: { sources: ["demo:strips"] },
    near: { sources: ["demo:strips"], within_m: 100 },
    far: { sources: ["demo:strips", "demo:other"], within_m: 9000 },
    both: { union: ["s", "far"] },
  },
  checks: [
    { id: "s", set: "s", outcome: "NON_COMPLIANT" },
    { id: "n", set: "near", outcome: "NOTICE" },
    { id: "f", set: "far", outcome: "NOTICE" },
    { id: "b", set: "both", measure: "overlap_ratio", outcome: "NOTICE" },
  ],
};

describe("evaluateRuleset", () => {
  it("queries each source once for areas that meet the plot and once, at the greatest reach, for near ones", () => {
    const calls: [string, number?][] = [];
    const counting: Kernel = {
      ...planarKernel,
      bind: (bound) => {
        const inner = planarKernel.bind(bound);
        return {
          ...inner,
          intersections: (layer) => {
            calls.push([layer.sourceName]);
            return inner.intersections(layer);
          },
          distances: (layer, maxMeters) => {
            calls.push([layer.sourceName, maxMeters]);
            return inner.distances(layer, maxMeters);
          },
        };
      },
    };
    evaluateOnTable(buildSourceTable(data), counting, ruleset, plot);
    expect(
      calls.map(([name, meters]) => (meters === undefined ? name : `${name} ${Math.floor(meters)}`)).sort(),
    ).toEqual(["demo:other", "demo:other 9000", "demo:strips", "demo:strips 9000"]);
  });

  it("selects by the distance as it is printed, not as it was measured", () => {
    const at = (meters: number): Kernel => ({
      ...planarKernel,
      bind: (bound) => ({
        ...planarKernel.bind(bound),
        intersections: () => [],
        distances: (_, maxMeters) => (meters <= maxMeters ? [{ area: 0, distanceMeters: meters }] : []),
      }),
    });
    const within = {
      sets: { s: { sources: ["demo:other"], within_m: 1000, min_m: 1000 } },
      checks: [{ id: "c", set: "s", measure: "min_distance_m", op: "=", value: 1000, outcome: "NOTICE" }],
    };
    const triggered = (meters: number) =>
      evaluateOnTable(buildSourceTable(data), at(meters), within, plot).checks[0]?.triggered;
    expect([999.9994, 999.9996, 1000, 1000.0004, 1000.0006].map(triggered)).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  it("shows as much evidence as requested, and digests 20 items whatever is shown", () => {
    const shown = (limit?: number) =>
      evaluateOnTable(buildSourceTable(data), planarKernel, ruleset, plot, { evidenceLimit: limit });
    const counts = [undefined, 1, 25, 200].map((limit) =>
      shown(limit).checks.map(({ evidence }) => evidence.length),
    );
    expect(counts).toEqual([
      [20, 20, 20, 20],
      [1, 1, 1, 1],
      [25, 25, 25, 25],
      [30, 30, 33, 33],
    ]);
    expect(new Set([shown(), shown(1), shown(200)].map(({ digest }) => digest)).size).toBe(1);
    expect(shown().checks[0]).toMatchObject({ evidence_total: 30 });
    for (const limit of [0, 201, 1.5, Number.NaN]) {
      expect(() => shown(limit)).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED" }));
    }
  });

  it("gives the same bits again, and a digest unless the kernel is the reference", () => {
    const once = evaluateOnTable(buildSourceTable(data), planarKernel, ruleset, plot);
    expect(JSON.stringify(evaluateOnTable(buildSourceTable(data), planarKernel, ruleset, plot))).toBe(
      JSON.stringify(once),
    );
    expect(once.digest).toMatch(/^[0-9a-f]{64}$/);
    const reference = evaluateOnTable(buildSourceTable(data), referenceKernel, ruleset, plot);
    expect([reference.digest, reference.semantics]).toEqual([null, 0]);
  });

  it("prints the input's area and bbox, and nothing of a geometry that was not sent", () => {
    const verdict = evaluateOnTable(buildSourceTable(data), planarKernel, ruleset, plot);
    expect(verdict.input).toMatchObject({ bbox: [0, 0, 0.01, 0.01] });
    expect(verdict.input.area_m2).toBeCloseTo(1_230_907, -2);
    const subjects = buildSourceTable({ sources: { "demo:l": { schemes: ["demo:code"], records: [] } } });
    const listed = {
      sets: { l: { registers: ["demo:l"] } },
      checks: [{ id: "l", set: "l", outcome: "WARNING" }],
    };
    const { input } = evaluateOnTable(subjects, planarKernel, listed, {
      scheme: { type: "demo:code", value: "1" },
    });
    expect(Object.keys(input)).toEqual(["digest"]);
  });
});
