import { bordersSnapshot } from "@groundrule/borders";
import { describe, expect, it } from "vitest";
import { runPolicyTests } from "./run-policy-tests.ts";

const RULESET = {
  sets: { parks: { sources: ["my:parks"] } },
  checks: [{ id: "in-park", set: "parks", outcome: "NON_COMPLIANT" }],
};
const SOURCES = `now: 2026-06-30T12:00:00Z
sources:
  my:parks:
    coverage: global
    collected_at: 2026-06-01T00:00:00Z
    areas:
      - id: p1
        box: [-59.1, -9.1, -59.0, -9.0]
`;
const NO_BORDERS = (): never => {
  throw new Error("no case here covers a country");
};
const IN_PARK = `cases:
  - name: in a park
    plot: { box: [-59.05, -9.05, -59.04, -9.04] }
    expect: NON_COMPLIANT
`;
type TestsInput = Parameters<typeof runPolicyTests>;
const runAll = (yaml: string, borders: TestsInput[1] = NO_BORDERS, plots?: TestsInput[0]["plots"]) =>
  runPolicyTests({ name: "parks", ruleset: RULESET, yaml, ...(plots && { plots }) }, borders);
const run = (cases: string) => runAll(SOURCES + cases);

describe("tests of a ruleset in the page", () => {
  it("report each case, what a failed one found, and what none has exercised", async () => {
    const outcome = await run(`${IN_PARK}  - name: beside it
    plot: { box: [-59.08, -9.08, -59.07, -9.07] }
    expect: COMPLIANT
`);
    expect(outcome).toEqual({
      cases: [
        { name: "in a park", line: 10, differences: [] },
        {
          name: "beside it",
          line: 13,
          differences: [{ what: "verdict", expected: "COMPLIANT", found: "NON_COMPLIANT" }],
        },
      ],
      gaps: [{ of: "in-park", never: ["not triggered", "open"] }],
    });
  });

  it.each([
    ["cases: [", "expected YAML 1.2"],
    [
      "cases:\n  - name: a\n    plot: { file: plots.geojson }\n    expect: COMPLIANT\n",
      "found 0 plots of plots.geojson",
    ],
    [
      "cases:\n  - name: a\n    plot: { box: [0, 0, 1, 1] }\n    expect: { checks: { other: triggered } }\n",
      "other",
    ],
  ])("report the place of what is wrong with the file: %j", async (cases, message) => {
    const outcome = await run(cases);
    expect(outcome).toMatchObject({
      faults: [{ line: expect.any(Number), message: expect.stringContaining(message) }],
    });
  });

  it("require sources of their own", async () => {
    const outcome = await runAll("cases:\n  - name: a\n    expect: COMPLIANT\n");
    expect(outcome).toMatchObject({ faults: [{ message: expect.stringContaining("found no sources") }] });
  });

  it.each([
    ["coverage: [BRA]", 1],
    ['"coverage": [BRA]', 1],
    ["coverage: # on land\n      - BRA", 1],
    ["coverage: &where [BRA]", 1],
    ["coverage: global # not [BRA]", 0],
  ])(
    "ask for borders where a source covers countries, however it is written: %j",
    async (coverage, times) => {
      let calls = 0;
      const outcome = await runAll(SOURCES.replace("coverage: global", coverage) + IN_PARK, async () => {
        calls++;
        return bordersSnapshot;
      });
      expect(outcome).toMatchObject({ cases: [{ name: "in a park", differences: [] }] });
      expect(calls).toBe(times);
    },
  );

  it("take plots of the page's list by their names, or by their file and id, the file's own first", async () => {
    const square = (x: number) => {
      const ring = [[x, -9.05], [x + 0.01, -9.05], [x + 0.01, -9.04], [x, -9.04], [x, -9.05]]; // biome-ignore format: a ring
      return { geometry: { type: "Polygon", coordinates: [ring] } };
    };
    const borders = async () => bordersSnapshot;
    const plots = [
      { id: "Drawn 1", origin: "drawn", input: square(-59.05) },
      { id: "7", origin: "farm.geojson", input: square(-61) },
      { id: "own", origin: "drawn", input: square(-59.05) },
    ];
    const yaml = `${SOURCES}plots:
  own: { box: [-61.05, -9.05, -61.04, -9.04] }
cases:
  - { name: by name, plot: Drawn 1, expect: NON_COMPLIANT }
  - { name: by file, plot: { file: farm.geojson, id: 7 }, expect: COMPLIANT }
  - { name: of the file, plot: own, expect: COMPLIANT }
`;
    const outcome = await runAll(yaml, borders, plots);
    expect("cases" in outcome && outcome.cases.map(({ differences }) => differences)).toEqual([[], [], []]);
    const lost = yaml.replace("id: 7", "id: 8").replace("Drawn 1", "Drawn 2");
    const refused = await runAll(lost, borders, plots);
    expect("faults" in refused && refused.faults.map(({ message }) => message)).toEqual([
      expect.stringContaining('found the plot "Drawn 2", expected one of plots'),
      expect.stringContaining("found 0 plots of farm.geojson with the id 8 in the list of this page"),
    ]);
  });

  it("refuse a file that the command would not read for its length", async () => {
    expect(await run(`# ${"é".repeat(512 * 1024)}`)).toMatchObject({
      faults: [{ line: 1, message: expect.stringContaining("expected at most 1048576; split the file") }],
    });
  });
});
