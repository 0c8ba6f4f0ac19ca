import { readFileSync } from "node:fs";
import type { CheckResult, Fault, Verdict } from "@groundrule/engine";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { beforeAll, describe, expect, it } from "vitest";
import { matchFailedExit, runInProcess, splitCommandWords } from "../../test/in-process.ts";
import { formatNdjson, formatPolygonWkt, formatQuotedCsv, makeFeature } from "../../test/plot-texts.ts";

const question = { en: "?" };
const MODULES = { modules: { type: "number", min: 0, question } };
const FACTS = {
  ...MODULES,
  community: { type: "boolean", question },
  permit: { type: "document", question },
};
const check = (id: string, comparison: object) => ({ id, outcome: "NON_COMPLIANT", ...comparison });
const RULESET = {
  facts: FACTS,
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [
    check("large", { all: [{ set: "parks" }, { fact: "modules", op: ">", value: 4 }] }),
    check("unlawful", { all: [{ set: "parks" }, { fact: "permit", op: "not_valid" }] }),
    check("outsider", { fact: "community", value: false }),
  ],
};
const ON_PROPERTY = {
  sets: RULESET.sets,
  checks: [check("half", { set: "parks", measure: "overlap_ratio", on: "property", op: ">=", value: 0.5 })],
};
const PERMIT = { id: "P-1", issuer: "State", issued_on: "2024-01-01", valid_until: "2027-01-01" };
/** Properties of which the whole, half and a quarter are in the park. */
const PROPERTIES = [0.1, 0.6, 0.8].map((west) => createSquarePolygon(west, 0, 0.8));
const PLOT = createSquarePolygon(0.8, 0.1, 0.01);

const { at, write } = createSharedFolder();
const run = (...args: string[]) =>
  runInProcess([...args, "--data", at("data"), "--now", "2026-11-27T12:00:00Z"]);
const feature = (id: string, properties: object, geometry: object = PLOT) =>
  makeFeature(id, geometry, properties);
interface Line {
  readonly verdict?: Verdict;
  readonly error?: { readonly faults: readonly Fault[] };
}
/** State of each check of each plot, or the code and place of its error. */
const statesOf = (lines: readonly unknown[]) =>
  (lines as readonly Line[]).map(({ verdict, error }) => {
    const [fault] = error?.faults ?? [];
    if (fault !== undefined) return `${fault.code} ${fault.pointer}`;
    const stateOf = ({ status, triggered }: CheckResult) =>
      status === "ok" ? (triggered ? "yes" : "no") : status;
    return verdict!.checks.map(stateOf).join(" ");
  });

beforeAll(async () => {
  write("rules.json", RULESET);
  write("property.json", ON_PROPERTY);
  write("parks.geojson", feature("P1", {}, createSquarePolygon(0, 0)));
  await runInProcess(
    splitCommandWords`snapshot build --source demo:parks ${at("parks.geojson")} --data ${at("data")}`,
  );
});

const screen = (path: string, rules = "rules.json", ...more: string[]) =>
  run("screen", "--ruleset", at(rules), path, "--workers", "1", ...more);

const judge = (path: string, rules = "rules.json", ...more: string[]) =>
  run("evaluate", "--ruleset", at(rules), path, ...more);

const EXPECTED = ["yes no no", "no yes yes", "not_declared yes not_declared", "FACT_UNSUITED"];

describe("facts of plots in files", () => {
  it("are an object in GeoJSON, a line a plot or one document", async () => {
    const features = [
      feature("a", { facts: { modules: 5, community: true, permit: PERMIT } }),
      feature("b", {
        facts: { modules: 4, community: false, permit: { ...PERMIT, valid_until: "2026-11-26" } },
      }),
      feature("c", { facts: null }),
      feature("d", { facts: { modules: "5" } }),
    ];
    const expected = [...EXPECTED.slice(0, 3), `${EXPECTED[3]} /facts/modules`];
    expect(statesOf((await screen(write("plots.ndjson", formatNdjson(...features)))).lines)).toEqual(
      expected,
    );
    const collection = write("plots.geojson", { type: "FeatureCollection", features });
    expect(statesOf((await screen(collection)).lines)).toEqual(expected);
  });

  it("have a column each in a table, a document one for each member", async () => {
    const members = ["id", "issuer", "issued_on", "valid_until"].map((name) => `fact:permit.${name}`);
    const path = write(
      "plots.csv",
      formatQuotedCsv([
        ["id", "wkt", "fact:modules", "fact:community", ...members],
        ["a", formatPolygonWkt(PLOT), "5", "1", ...Object.values(PERMIT)],
        [
          "b",
          formatPolygonWkt(PLOT),
          "4",
          "false",
          ...Object.values({ ...PERMIT, valid_until: "2026-11-26" }),
        ],
        ["c", formatPolygonWkt(PLOT), "", "", "", "", "", ""],
        ["d", formatPolygonWkt(PLOT), "five", "1", "", "", "", ""],
      ]),
    );
    const expected = [...EXPECTED.slice(0, 3), `${EXPECTED[3]} /properties/fact:modules`];
    expect(statesOf((await screen(path)).lines)).toEqual(expected);
    expect(statesOf((await judge(path)).lines)).toEqual(expected);
  });

  it("are read from columns of other names, and with decimal commas", async () => {
    const columns = ["id", "wkt", "MOD", "fact:permit"];
    const path = write(
      "named.csv",
      formatQuotedCsv([columns, ["a", formatPolygonWkt(PLOT), "4,5", JSON.stringify(PERMIT)]]),
    );
    const { lines } = await judge(path, "rules.json", "--column", "fact:modules=MOD", "--decimal", "comma");
    expect(statesOf(lines)).toEqual(["yes no not_declared"]);
  });

  it("refuse the run once where the ruleset does not declare them, and list those that it declares", async () => {
    const rows = ["a", "b"].map((id) => [id, formatPolygonWkt(PLOT), "5"]);
    const csv = write("unasked.csv", formatQuotedCsv([["id", "wkt", "fact:modulos"], ...rows]));
    const json = write("unasked.ndjson", formatNdjson(feature("a", { facts: { land: 5 } })));
    const backtest = ["backtest", "--old", at("rules.json"), "--new", at("property.json"), "--plots"];
    for (const [args, words] of [
      [["screen", "--ruleset", at("rules.json"), csv], 'did you mean "modules"'],
      [["screen", "--ruleset", at("rules.json"), json], "modules, community, permit"],
      [["evaluate", "--ruleset", at("rules.json"), csv], 'did you mean "modules"'],
      [["evaluate", "--ruleset", at("property.json"), csv], "asks for no facts"],
      [[...backtest, csv], 'did you mean "modules"'],
    ] as const) {
      const { code, lines, err } = await run(...args);
      expect([code, lines], args.join(" ")).toEqual([3, []]);
      expect(err).toContain("FACT_UNKNOWN");
      expect(err).toContain(words);
    }
  });

  it("are in the plan of each plot", async () => {
    const path = write("x.ndjson", formatNdjson(feature("a", { facts: { modules: 5 } })));
    const { lines } = await runInProcess(
      splitCommandWords`explain --ruleset ${at("rules.json")} ${path} --data ${at("data")}`,
    );
    expect(lines).toMatchObject([{ plan: { checks: [{ facts: ["modules"] }, {}, {}], refusals: [] } }]);
  });

  it("report for a later plot only what it alone has", async () => {
    const path = write("later.ndjson", formatNdjson(feature("a", {}), feature("b", { "fact:modulos": 5 })));
    expect(statesOf((await judge(path)).lines)).toEqual([
      "not_declared yes not_declared",
      "FACT_UNKNOWN /properties/fact:modulos",
    ]);
  });

  it("go to the side of a backtest that declares them", async () => {
    const fewer = write("fewer.json", { ...RULESET, facts: MODULES, checks: RULESET.checks.slice(0, 1) });
    const path = write("both.ndjson", formatNdjson(feature("a", { facts: { modules: 5, community: true } })));
    const args = ["backtest", "--old", at("rules.json"), "--new", fewer, "--plots", path, "--workers", "1"];
    const { lines } = await run(...args);
    expect(lines).toMatchObject([{ summary: { plots: 1, flipped: 0, without_verdict: 0 } }]);
  });

  it("are read by each side of a backtest as its ruleset has them", async () => {
    const sized = (id: string, facts: object, comparison: object) =>
      write(id, { facts, sets: RULESET.sets, checks: [check("size", { fact: "size", ...comparison })] });
    const old = sized(
      "old.json",
      { size: { type: "number", question }, permit: FACTS.permit },
      { op: ">", value: 4 },
    );
    const text = { type: "text", values: ["5", "small"], question };
    const changed = sized("new.json", { size: text, permit: text }, { value: "5" });
    const sides = ["backtest", "--old", old, "--new", changed, "--workers", "1", "--plots"];
    const columns = write(
      "sizes.csv",
      formatQuotedCsv([
        ["id", "wkt", "fact:size", "fact:permit.area_m2"],
        ["a", formatPolygonWkt(PLOT), "5", ""],
        ["b", formatPolygonWkt(PLOT), "small", ""],
      ]),
    );
    const flip = { id: "b", old: "error VALIDATION_FAILED", new: "COMPLIANT", checks: [] };
    const summary = { plots: 2, unchanged: 1, flipped: 1, without_verdict: 0 };
    expect((await run(...sides, columns)).lines).toMatchObject([flip, { summary }]);
    const plots = [feature("a", { facts: { size: 5 } }), feature("b", { facts: { size: "small" } })];
    const lines = write("sizes.ndjson", formatNdjson(...plots));
    expect((await run(...sides, lines)).lines).toMatchObject([
      { id: "a", old: "NON_COMPLIANT", new: "error VALIDATION_FAILED" },
      flip,
      { summary: { flipped: 2 } },
    ]);
  });

  it("are in the reports of results, evaluated again with the plots that were screened", async () => {
    const rows = [
      ["id", "wkt", "fact:modules", "fact:permit", "property"],
      ["a", formatPolygonWkt(PLOT), "5", JSON.stringify(PERMIT), formatPolygonWkt(PROPERTIES[0]!)],
      ["b", formatPolygonWkt(PLOT), "", "", ""],
    ];
    const path = write("reported.csv", formatQuotedCsv(rows));
    const results = write("reported.ndjson", (await screen(path, "rules.json", "--json")).out);
    const report = ["report", results, "--plots", path, "--ruleset", at("rules.json"), "--data", at("data")];
    const { code, err } = await runInProcess([...report, "--portfolio", at("portfolio")]);
    expect({ code, err }).toEqual(matchFailedExit(0, "2 pages of single plots"));
    expect(err).not.toMatch(/without a report|not confirmed/);
    const page = readFileSync(at("portfolio/reports/00001.html"), "utf8");
    expect(page).toContain("the result was identical");
    expect(page).toContain("P-1");
  });

  it("are in the records of a run, which replay to the same verdicts", async () => {
    const plot = feature("a", { facts: { modules: 5 }, property: PROPERTIES[0] });
    const path = write("kept.ndjson", formatNdjson(plot));
    await run("evaluate", "--ruleset", at("rules.json"), path, "--record", at("record.ndjson"));
    const { code, lines } = await runInProcess(["replay", at("record.ndjson"), "--data", at("data")]);
    expect(code).toBe(0);
    expect(JSON.stringify(lines)).toContain('"identical"');
  });
});

describe("the property of plots in files", () => {
  const expected = ["yes", "yes", "no"];

  it("is a geometry in GeoJSON, and WKT or GeoJSON in a column of a table", async () => {
    const features = PROPERTIES.map((property, i) => feature(`${i}`, { property }));
    expect(
      statesOf((await judge(write("p.ndjson", formatNdjson(...features)), "property.json")).lines),
    ).toEqual(expected);
    const rows = PROPERTIES.map((property, i) => [
      i,
      formatPolygonWkt(PLOT),
      i === 1 ? JSON.stringify(property) : formatPolygonWkt(property),
    ]);
    const csv = write("p.csv", formatQuotedCsv([["id", "wkt", "property"], ...rows]));
    expect(statesOf((await judge(csv, "property.json")).lines)).toEqual(expected);
    const other = write("q.csv", formatQuotedCsv([["id", "wkt", "imovel"], ...rows]));
    const mapped = await judge(other, "property.json", "--column", "property=imovel");
    expect(statesOf(mapped.lines)).toEqual(expected);
  });

  it("is turned with the plot where latitude stands first", async () => {
    const turned = ({ type, coordinates }: ReturnType<typeof createSquarePolygon>) => ({
      type,
      coordinates: coordinates.map((ring) => ring.map(([x, y]) => [y!, x!])),
    });
    const swap = ["property.json", "--swap-axes"] as const;
    const features = PROPERTIES.map((property, i) =>
      feature(`${i}`, { property: turned(property) }, turned(PLOT)),
    );
    const rows = PROPERTIES.map((property, i) => [
      i,
      formatPolygonWkt(turned(PLOT)),
      formatPolygonWkt(turned(property)),
    ]);
    for (const path of [
      write("t.ndjson", formatNdjson(...features)),
      write("t.geojson", { type: "FeatureCollection", features }),
      write("t.csv", formatQuotedCsv([["id", "wkt", "property"], ...rows])),
    ]) {
      expect(statesOf((await judge(path, ...swap)).lines), path).toEqual(expected);
    }
  });

  it("is refused at its place where it cannot be read, and not declared where there is none", async () => {
    const unread = ["POLYGON((0 0, 1 0", `SRID=3857;${formatPolygonWkt(PROPERTIES[0]!)}`, '{"type":'];
    const names = [...unread, "Fazenda", formatPolygonWkt(createSquarePolygon(5, 5, 0.5))];
    const rows = names.map((property, i) => [i, formatPolygonWkt(PLOT), property]);
    const path = write("bad.csv", formatQuotedCsv([["id", "wkt", "property"], ...rows]));
    expect(statesOf((await judge(path, "property.json")).lines)).toEqual([
      ...unread.map(() => "VALIDATION_FAILED /properties/property"),
      "not_declared",
      "PROPERTY_NOT_AROUND_PLOT /property",
    ]);
  });

  it("is no reason to refuse plots that are judged as submitted, in degrees", async () => {
    const path = write("s.ndjson", formatNdjson(feature("a", { property: PROPERTIES[1] })));
    const { lines } = await judge(path, "property.json", "--as-submitted", "eudr");
    expect(statesOf(lines)).toEqual(["yes"]);
    const metres = await judge(path, "property.json", "--as-submitted", "eudr", "--crs", "EPSG:3857");
    expect(statesOf(metres.lines)).toEqual(["VALIDATION_FAILED /properties/property"]);
  });
});

describe("groundrule evaluate --fact and --property", () => {
  it("apply to every plot that does not declare them itself", async () => {
    const own = { facts: { modules: 4, permit: null } };
    const path = write("e.ndjson", formatNdjson(feature("a", {}), feature("b", own)));
    const permit = ["--fact", `permit=${JSON.stringify(PERMIT)}`];
    const facts = ["--fact", "modules=5", "--fact", "community=true", ...permit];
    const { lines } = await judge(path, "rules.json", ...facts);
    expect(statesOf(lines)).toEqual(["yes no no", "no no no"]);
  });

  it("take the property of all plots from a file", async () => {
    const path = write("f.ndjson", formatNdjson(feature("a", {}), feature("b", { property: PROPERTIES[2] })));
    const file = write("farm.geojson", feature("farm", {}, PROPERTIES[1]!));
    const { lines } = await judge(path, "property.json", "--property", file);
    expect(statesOf(lines)).toEqual(["yes", "no"]);
  });

  it("are refused before any plot is read", async () => {
    const path = write("g.ndjson", formatNdjson(feature("a", {})));
    const two = write("two.ndjson", formatNdjson(feature("a", {}), feature("b", {})));
    const none = write("none.ndjson", formatNdjson({ type: "Feature", geometry: null, properties: {} }));
    for (const [more, words, expected] of [
      [["--fact", "modules"], "NAME=VALUE", 2],
      [["--fact", "modules=many"], "a number of at least 0", 2],
      [["--fact", "modulos=5"], 'did you mean "modules"', 2],
      [["--property", two], "several features", 2],
      [["--property", none], "without a geometry", 2],
    ] as const) {
      const { code, lines, err } = await judge(path, "rules.json", ...more);
      expect([code, lines], more.join(" ")).toEqual([expected, []]);
      expect(err).toContain(words);
    }
  });
});
