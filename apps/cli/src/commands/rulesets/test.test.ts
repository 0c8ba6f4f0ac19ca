import { mkdirSync, readFileSync } from "node:fs";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { beforeAll, describe, expect, it } from "vitest";
import { matchFailedExit, runInProcess } from "../../../test/in-process.ts";
import { formatNdjson, makeFeature } from "../../../test/plot-texts.ts";

const RULESET = {
  name: "policy",
  sets: {
    parks: { sources: ["demo:parks"] },
    large: { sources: ["demo:parks"], where: { op: ">", args: [{ property: "size" }, 10] } },
    listed: { registers: ["lists"], match: "root" },
  },
  checks: [
    { id: "park", set: "parks", measure: "overlap_ratio", value: 0.1, outcome: "NON_COMPLIANT" },
    { id: "large", all: [{ set: "large" }, { set: "parks", op: "<", value: 5 }], outcome: "WARNING" },
    { id: "listed", set: "listed", outcome: "NOTICE" },
  ],
};
const PARKS_ALONE = { sets: { parks: RULESET.sets.parks }, checks: [RULESET.checks[0]] };

const HEAD = `now: 2026-06-30T12:00:00Z
groups: {lists: [demo:listed]}
sources:
  demo:parks:
    coverage: {box: [-20, -20, 20, 20]}
    collected_at: 2026-06-20T12:00:00Z
    areas:
      - {id: big, name: Big Park, box: [0, 0, 1, 1], properties: {size: 20}}
      - {id: 7, box: [2, 0, 3, 1], properties: {size: 5}}
      - {id: unknown, geometry: {type: Polygon, coordinates: [[[4, 0], [5, 0], [5, 1], [4, 1], [4, 0]]]}}
  demo:listed:
    scheme: br:cnpj
    columns: {since: date}
    records:
      - {id: 1, name: Madeiras SA, identifiers: 11.222.333/0001-81, properties: {since: 2020-01-31}}
      - {id: 2, identifiers: [{type: "us:ein", value: "12-3456789"}]}
plots:
  in-big: &in-big {box: [0.4, 0.4, 0.5, 0.5]}
  far: {box: [10, 10, 10.1, 10.1]}
`;
const OWNER = 'identifiers: {type: "br:cnpj", value: "99.999.999/0001-91"}';
const passing = `${HEAD}
cases:
  - name: in the big park
    plot: in-big
    ${OWNER}
    expect:
      verdict: NON_COMPLIANT
      at_least: NON_COMPLIANT
      checks:
        park: {outcome: NON_COMPLIANT, triggered: true, status: ok, values: [1], evidence: [big], undetermined: 0}
        large: {triggered: true, values: [{min: 1, max: 1}, 1], evidence: [demo:parks/big]}
        listed: not triggered
      sources:
        demo:parks: {status: ok, matched: 1, age_days: 10}
  - name: in the small park, by a listed company's branch
    plot: {box: [2.1, 0.1, 2.2, 0.2]}
    identifiers: [{type: "br:cnpj", value: "11.222.333/0002-62", role: owner}]
    now: 2026-06-21T12:00:00Z
    expect:
      checks: {large: not triggered, listed: NOTICE, park: {evidence: [7]}}
      sources: {demo:parks: {age_days: 1}}
  - name: far away
    plot: far
    ${OWNER}
    expect: COMPLIANT
  - name: in a park of unknown size
    plot: {geometry: {type: Polygon, coordinates: [[[4, 0], [5, 0], [5, 1], [4, 1], [4, 0]]]}}
    ${OWNER}
    expect: {checks: {large: {triggered: false, undetermined: 1}}}
  - name: half where no source tells of parks
    plot: {box: [19.9, 0, 20.1, 0.1]}
    ${OWNER}
    expect:
      verdict: WARNING
      checks: {park: not_covered, large: {status: not_covered, outcome: WARNING, triggered: false, covered_ratio: {min: 0.49, max: 0.51}}}
      sources: {demo:parks: {coverage: partial}}
  - name: nobody is named
    plot: *in-big
    expect: {error: INPUT_INCOMPLETE}
`;

const { at, write } = createSharedFolder();
const run = (...args: string[]) => runInProcess(["test", ...args, "--data", at("data")]);

beforeAll(() => {
  write("policy.json", RULESET);
  write("policy.test.yaml", passing);
});

/** Runs one test file with these cases after its head. */
const runCases = (name: string, cases: string, ...args: string[]) => {
  write(name, `ruleset: policy.json\n${HEAD}\ncases:\n${cases}`);
  return run(at(name), ...args);
};

describe("groundrule test", () => {
  it("passes the tests beside a policy, and reports what they exercise", async () => {
    const { code, out, err } = await run(at("policy.test.yaml"), "--require-exercised");
    expect(err).toBe("");
    expect(out.split("\n").slice(1)).toEqual([
      "  ok    in the big park",
      "  ok    in the small park, by a listed company's branch",
      "  ok    far away",
      "  ok    in a park of unknown size",
      "  ok    half where no source tells of parks",
      "  ok    nobody is named",
      "",
      expect.stringMatching(/^Parts of .* that the cases exercise/),
      "  checks: 3 of 3 triggered, 3 of 3 not triggered, 2 of 2 open",
      "  conditions of filters: 1 of 1 true, 1 of 1 false, 1 of 1 unknown",
      "",
      "6 of 6 cases passed in 1 file",
      "",
    ]);
    expect(code).toBe(0);
  });

  it("prints of each case that fails its place, what was expected and what was found, and exits with 1", async () => {
    const cases = `  - name: all wrong
    plot: in-big
    ${OWNER}
    expect:
      verdict: COMPLIANT
      at_least: WARNING
      checks:
        park: not triggered
        listed: NOTICE
        large: {outcome: null, triggered: false, status: failed, values: [{min: 2}, null], evidence: [big, demo:parks/9], undetermined: 3}
      sources: {demo:parks: {status: failed, matched: {min: 2}}}
      warnings: [AXES_SWAPPED]
  - {name: refused, plot: in-big, expect: COMPLIANT}
  - {name: refused otherwise, plot: in-big, expect: {error: SCHEME_UNSUPPORTED}}
  - {name: answered, plot: far, ${OWNER}, expect: {error: INPUT_INCOMPLETE}}
`;
    const { code, lines } = await runCases("wrong.test.yaml", cases, "--json");
    expect(code).toBe(1);
    type Difference = Record<"what" | "expected" | "found", string> & Record<"line" | "column", number>;
    const [wrong, ...refused] = lines as unknown as { differences: Difference[] }[];
    expect(wrong!.differences.map(({ what, expected, found }) => [what, expected, found])).toEqual([
      ["verdict", "COMPLIANT", "NON_COMPLIANT"],
      ["at_least", "WARNING", "NON_COMPLIANT"],
      ["check park", "not triggered", "NON_COMPLIANT (parks: overlap_ratio 1 > 0.1)"],
      ["check listed", "NOTICE", "not triggered (listed: count 0 > 0)"],
      ["outcome of check large", "null", "WARNING"],
      ["triggered of check large", "false", "true"],
      ["status of check large", "failed", "ok"],
      ["undetermined of check large", "3", "0"],
      ["large: count of check large", "at least 2", "1"],
      ["parks: count of check large", "null (not known)", "1"],
      ["evidence of check large", "big, demo:parks/9", "demo:parks/big"],
      ["status of source demo:parks", "failed", "ok"],
      ["matched of source demo:parks", "at least 2", "1"],
      ["warnings", "AXES_SWAPPED", "no warnings"],
    ]);
    const source = readFileSync(at("wrong.test.yaml"), "utf8").split("\n");
    const { line, column } = wrong!.differences[10]!;
    expect(source[line - 1]!.slice(column - 1)).toMatch(/^\[big, demo:parks\/9\]/);
    expect(refused.slice(0, 3).map(({ differences: [first] }) => [first!.expected, first!.found])).toEqual([
      ["COMPLIANT", expect.stringMatching(/^the refusal INPUT_INCOMPLETE: /)],
      ["the refusal SCHEME_UNSUPPORTED", expect.stringMatching(/^the refusal INPUT_INCOMPLETE: /)],
      ["the refusal INPUT_INCOMPLETE", "the verdict COMPLIANT"],
    ]);
  });

  it("lists what no case has shown, over all files that test one ruleset, and fails where that is required", async () => {
    const one = `  - {name: far, plot: far, ${OWNER}, expect: COMPLIANT}\n`;
    const { code, out } = await runCases("parts/../far.test.yaml", one);
    expect(code).toBe(0);
    expect(out).toContain("  check park: never triggered or open\n");
    expect(out).toContain("  /sets/large/where: never true, false or unknown\n    size > 10\n");
    expect((await runCases("far.test.yaml", one, "--require-exercised")).code).toBe(1);
    const both = await run(at("far.test.yaml"), at("policy.test.yaml"), at("far.test.yaml"));
    expect(both.out.match(/ that the cases exercise/g)).toHaveLength(1);
    expect(both.out).toContain("7 of 7 cases passed in 2 files");

    const listed = { sets: { listed: RULESET.sets.listed }, checks: [RULESET.checks[2]] };
    write("listed.json", listed);
    const named = (value: string, expected: string) =>
      `  - {name: "${value}", identifiers: {type: "us:ein", value: "${value}"}, expect: {checks: {listed: ${expected}}}}\n`;
    const cases = `${named("12-3456789", "NOTICE")}${named("98-7654321", "not triggered")}`;
    write("listed.test.yaml", `${HEAD}\ncases:\n${cases}`);
    expect(await run(at("listed.test.yaml"), "--require-exercised")).toMatchObject({ code: 0 });
  });

  it("fits 80 columns, whatever the names", async () => {
    const name =
      "a plot, the name of which says at great length where it lies and whose it is, and why that matters";
    const cases = `  - {name: "${name}", plot: far, ${OWNER}, expect: NON_COMPLIANT}\n`;
    const { out } = await runCases("long.test.yaml", cases);
    for (const line of out.split("\n").slice(1)) {
      if (!line.startsWith("Parts of ")) expect(line.length).toBeLessThanOrEqual(80);
    }
    expect(out.replaceAll(/\s+/g, " ")).toContain(name);
  });

  it("writes JUnit XML that a strict parser takes, whatever stands in names", async () => {
    const cases = `  - {name: "<a> & \\"b\\" ]]> \\u0001 \\uD83D\\uDE00", plot: far, ${OWNER}, expect: NON_COMPLIANT}
  - {name: fine, plot: far, ${OWNER}, expect: COMPLIANT}
`;
    write("bad.test.yaml", "cases: 7\n");
    await runCases("xml.test.yaml", cases, at("bad.test.yaml"), "--junit", at("junit.xml"));
    const tags: SaxesTagPlain[] = [];
    const texts: string[] = [];
    const parser = new SaxesParser();
    parser.on("error", (error) => {
      throw error;
    });
    parser.on("opentag", (tag) => void tags.push(tag));
    parser.on("text", (text) => void texts.push(text));
    parser.write(readFileSync(at("junit.xml"), "utf8")).close();
    const named = (name: string) =>
      tags.filter((tag) => tag.name === name).map(({ attributes }) => attributes);
    expect(named("testsuites")).toEqual([
      { name: "groundrule test", tests: "3", failures: "1", errors: "1" },
    ]);
    expect(named("testsuite")).toMatchObject([
      { tests: "2", failures: "1", errors: "0" },
      { tests: "1", failures: "0", errors: "1" },
    ]);
    expect(named("testcase").map(({ name }) => name)).toEqual([
      '<a> & "b" ]]> \u{fffd} 😀',
      "fine",
      "the test file",
    ]);
    expect(named("failure")).toEqual([{ message: "verdict: expected NON_COMPLIANT, found COMPLIANT" }]);
    expect(texts.join("")).toContain("  expected NON_COMPLIANT\n  found    COMPLIANT");
    expect(named("error")[0]!.message).toContain("1:8: cases: found 7, expected an array");
  });

  it("reads the data folder where a file has no sources, and takes plots from files", async () => {
    write("parks.geojson", makeFeature("P1", createSquarePolygon(0, 0)));
    write(
      "plots.ndjson",
      formatNdjson(
        makeFeature("a", createSquarePolygon(0.2, 0, 0.1)),
        makeFeature("b", createSquarePolygon(5, 0)),
      ),
    );
    const build = ["snapshot", "build", "--source", "demo:parks", "--id", "code"];
    const built = await runInProcess([...build, "--json", "--data", at("data"), at("parks.geojson")]);
    expect(built.code).toBe(0);
    write("parks.json", PARKS_ALONE);
    write(
      "parks.test.yaml",
      `cases:
  - {name: in, plot: {file: plots.ndjson, id: a}, expect: {checks: {park: {evidence: [P1]}}}}
  - {name: out, plot: {file: plots.ndjson, id: b}, expect: COMPLIANT}
`,
    );
    const now = ["--now", "2026-06-30T12:00:00Z"];
    const tested = await run(at("parks.test.yaml"), ...now);
    expect(tested).toMatchObject({ code: 0, err: "" });
    const edition = ["--expect-edition", `demo:parks=${"0".repeat(12)}`];
    const other = await run(at("parks.test.yaml"), ...now, ...edition);
    expect(other).toMatchObject({ code: 3, out: "" });
    const clockless = await run(at("parks.test.yaml"));
    expect(clockless.code).toBe(3);
    expect(clockless.out).toContain("found no instant");
  });

  it("runs every test file of a folder, and reports a folder without one", async () => {
    write("folder/deep/policy.json", RULESET);
    write("folder/deep/policy.test.yaml", passing);
    write("folder/other.yaml", "no test file");
    expect((await run(at("folder"))).out).toContain("6 of 6 cases passed in 1 file");
    mkdirSync(at("empty"));
    expect(await run(at("empty"))).toMatchObject(matchFailedExit(3, "contains no *.test.yaml file"));
    expect((await run(at("nowhere.test.yaml"))).err).toContain("no such file");
  });

  it("gives a failed source its verdict", async () => {
    write("failed.json", PARKS_ALONE);
    write(
      "failed.test.yaml",
      `now: 2026-06-30T12:00:00Z
sources: {demo:parks: {failed: it is gone}}
cases:
  - name: not known
    plot: {box: [0, 0, 1, 1]}
    expect: {verdict: DEGRADED, at_least: COMPLIANT, checks: {park: failed}, sources: {demo:parks: {status: failed}}}
`,
    );
    expect((await run(at("failed.test.yaml"))).code).toBe(0);
  });

  it("takes undeclared coverage strictly where the file or the command requires it", async () => {
    write("strict.json", PARKS_ALONE);
    const file = `now: 2026-06-30T12:00:00Z
sources: {demo:parks: {areas: [{id: a, box: [0, 0, 1, 1]}]}}
cases: [{name: far, plot: {box: [5, 5, 6, 6]}, expect: {checks: {park: not_covered}, sources: {demo:parks: {coverage: none}}}}]
`;
    write("strict.test.yaml", file);
    const lax = await run(at("strict.test.yaml"));
    expect(lax.code).toBe(1);
    expect(lax.out).toContain("found    not triggered");
    expect(lax.out).toContain("found    undeclared");
    expect((await run(at("strict.test.yaml"), "--strict-coverage")).code).toBe(0);
    write("strict.test.yaml", `strict_coverage: true\n${file}`);
    expect((await run(at("strict.test.yaml"))).code).toBe(0);
  });

  it("does what its guide shows", async () => {
    const page = new URL("../../../../../docs/guides/test-a-policy.md", import.meta.url);
    const guide = readFileSync(page, "utf8");
    const fence = (opening: string) => guide.split(`${opening}\n`)[1]!.split("```")[0]!;
    write("guide/clearing.json", fence("<!-- file: clearing.json -->\n\n```json"));
    write("guide/clearing.test.yaml", fence("<!-- file: clearing.test.yaml -->\n\n```yaml"));
    const { out } = await run(at("guide/clearing.test.yaml"));
    expect(out.replaceAll(at("guide/"), "")).toBe(fence("```text"));
  });
});

describe("a test file that is not one", () => {
  const CASE = `cases: [{name: a, plot: in-big, ${OWNER}, expect: COMPLIANT}]`;
  const replaced = (from: string, to: string) => `ruleset: policy.json\n${HEAD}${CASE}\n`.replace(from, to);
  const withCase = (text: string) =>
    replaced(CASE, `cases:\n  - §{name: a, ${text}}`.replace(/§(.*§)/, "$1"));
  // A § marks the place that the message must name.
  const WRONG: readonly (readonly [why: string, file: string])[] = [
    ["found null, expected an object with cases", "§"],
    ["expected YAML 1.2", "cases: [§"],
    ['found the name "cases" twice', "cases: []\n§cases: []\n"],
    ["found a second document", "cases: []\n§---\ncases: []\n"],
    ["found 007, which YAML takes for the number 7", "now: §007\n"],
    ["write a text in quotes", "now: §12345678901234567890\n"],
    ["found the tag", "now: !!binary §aGk=\n"],
    ["x", "now: §*x\n"],
    ["expected an instant such as 2026-06-30T12:00:00Z", replaced("now: 2026-06-30T", "now: §2026-02-30T")],
    ["found no instant", replaced("now: 2026-06-30T12:00:00Z\n", "").replace("[{name: a", "[§{name: a")],
    ['unknown member "nov"; did you mean "now"?', replaced("now:", "§nov:")],
    ["expected the ruleset under test", replaced("ruleset: policy.json", "ruleset: §nowhere.json")],
    [
      'policy.json at "/sets/listed/registers/0"',
      replaced("lists:", "list:").replace("policy.json", "§policy.json"),
    ],
    [
      'found "demo:list", expected a source of this file; did you mean demo:listed?',
      replaced("[demo:listed]", "[§demo:list]"),
    ],
    ["expected at least 4", replaced("box: [0, 0, 1, 1]", "box: §[0, 0, 1]")],
    ["encloses no area", replaced("box: [0, 0, 1, 1]", "box: §[0, 0, 0, 1]")],
    [
      "found neither box nor geometry",
      replaced("{id: big, name: Big Park, box: [0, 0, 1, 1], ", "§{id: big, "),
    ],
    [
      "the ring crosses itself",
      replaced("[4, 0], [5, 0], [5, 1], [4, 1]", "[4, 0], §[5, 0], [4, 1], [5, 1]"),
    ],
    ['found the id "big" twice', replaced("{id: 7", "§{id: big").replace("§{id: ", "{id: §")],
    ["expected the area's own name", replaced("{size: 5}", "{size: 5, name: §x}")],
    [
      "expected a calendar day YYYY-MM-DD, as columns say",
      replaced("since: 2020-01-31", "since: §2020-02-31"),
    ],
    [
      "found an identifier without a scheme",
      replaced("    scheme: br:cnpj\n", "").replace("identifiers: 11.", "identifiers: §11."),
    ],
    ['found the id "1" twice', replaced("id: 2,", "id: §1,")],
    ["expected it of areas only", replaced("scheme: br:cnpj", "coverage: §global")],
    ["did you mean in-big?", withCase("plot: §in-bog, expect: COMPLIANT")],
    ["found box and point", withCase("plot: §{box: [0, 0, 1, 1], point: [0, 0]}, expect: COMPLIANT")],
    ["found no file", withCase("plot: {file: §none.geojson}, expect: COMPLIANT")],
    ["expect: found nothing", withCase("plot: far")],
    ["found no expectation", withCase("plot: far, expect: §{}")],
    ["expected one of COMPLIANT", withCase("plot: far, expect: §COMPLIENT")],
    ["did you mean park?", withCase("plot: far, expect: {checks: {parc: §WARNING}}")],
    ["expected one of NON_COMPLIANT", withCase("plot: far, expect: {checks: {park: §triggered}}")],
    ["found 2 values, expected 1", withCase("plot: far, expect: {checks: {park: {values: §[1, 2]}}}")],
    ["did you mean demo:parks?", withCase("plot: far, expect: {sources: {demo:park: §{matched: 1}}}")],
    ["a refusal has no verdict", withCase("plot: far, expect: {error: §X, verdict: COMPLIANT}")],
  ];
  it.each(WRONG)("is refused where it is wrong, with 3: %s", async (why, marked) => {
    const before = marked.slice(0, marked.indexOf("§")).split("\n");
    write("bad.test.yaml", marked.replace("§", ""));
    const { code, lines } = await run(at("bad.test.yaml"), "--json");
    expect(code).toBe(3);
    expect(lines[0]!.faults).toContainEqual({
      line: before.length,
      column: before.at(-1)!.length + 1,
      pointer: expect.any(String),
      message: expect.stringContaining(why),
    });
  });

  it("does not keep the others from being run", async () => {
    write("bad.test.yaml", "cases: 7\n");
    const { code, out } = await run(at("bad.test.yaml"), at("policy.test.yaml"));
    expect(code).toBe(3);
    expect(out).toContain("bad file  line 1, column 8: cases: found 7, expected an array");
    expect(out).toContain("6 of 6 cases passed in 2 files; 1 not run, because it is not valid");
  });
});
