import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { createSharedFolder } from "@groundrule/testing/folder";
import { BOW_TIE, createSquarePolygon } from "@groundrule/testing/shapes";
import { beforeAll, describe, expect, it } from "vitest";
import { matchFailedExit, runInProcess, splitCommandWords } from "../../../test/in-process.ts";
import { formatNdjson, makeFeature } from "../../../test/plot-texts.ts";

const feature = (id: string, geometry: unknown, properties: object = { title: `Park <${id}>` }) =>
  makeFeature(id, geometry, properties);
const RULESET = {
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [
    { id: "parks", set: "parks", measure: "overlap_ratio", outcome: "NON_COMPLIANT", title: "In a park" },
  ],
};

const { at, write } = createSharedFolder();
const report = (...args: string[]) =>
  runInProcess(["report", at("records.ndjson"), ...args, "--data", at("data")]);

beforeAll(async () => {
  const parks = [feature("P1", createSquarePolygon(0.5, 0)), feature("P2", null)];
  write("parks.geojson", formatNdjson(...parks));
  write("rules.json", RULESET);
  const build = splitCommandWords`snapshot build --source demo:parks --name title --dataset ${"Parks & more"} --allow left-out`;
  await runInProcess([...build, "--license", "CC-BY-4.0", at("parks.geojson"), "--data", at("data")]);
  const input = formatNdjson(...["a", "b"].map((id) => feature(id, createSquarePolygon(0, 0))));
  const evaluate = ["evaluate", "--ruleset", at("rules.json"), "--record", at("records.ndjson")];
  await runInProcess([...evaluate, "--data", at("data")], { input });
});
/** A plot between two good ones that cannot be evaluated, and a line that is no plot. */
const TIE = feature("tie", BOW_TIE);
const MIXED = [
  JSON.stringify(feature("a", createSquarePolygon(0, 0))),
  JSON.stringify(TIE),
  "{",
  JSON.stringify(feature("b", createSquarePolygon(0, 0))),
];
const screen = (...args: string[]) =>
  runInProcess(splitCommandWords`screen ${at("mixed.ndjson")} --ruleset ${at("rules.json")}
      --workers 1 --data ${at("data")} ${args}`);

beforeAll(async () => {
  write("mixed.ndjson", `${MIXED.join("\n")}\n`);
  const { out } = await screen("--record", at("mixed"));
  write("mixed-results.ndjson", out);
});

describe("groundrule report", () => {
  it("writes the page of one plot, with the evidence on a map and the sources' licences", async () => {
    const { code, out, err } = await report("--id", "b");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(out).toContain("<h1><bdi>b</bdi></h1>");
    expect(out).toContain("<bdi>Park &lt;P1&gt;</bdi>");
    expect(out).toContain("Parks &amp; more");
    expect(out).toContain("CC-BY-4.0");
    expect(out).toContain("1 feature of the source could not be stored and was not examined");
    expect(out).toContain('stroke-dasharray="5 2"');
    const file = await report("--id", "b", "--out", at("b.html"));
    expect(file).toMatchObject({ code: 0, out: "" });
    expect(readFileSync(at("b.html"), "utf8")).toBe(out);
  });

  it("writes a stamp, and the page beside it only where one is named", async () => {
    const { code, out, err } = await report("--id", "b", "--stamp", at("b.svg"));
    expect({ code, out, err }).toEqual({ code: 0, out: "", err: "" });
    const stamp = readFileSync(at("b.svg"), "utf8");
    expect(stamp).toContain("✕ Not compliant</text>");
    expect(stamp).toMatch(/<path transform="[^"]*" d="M/);
    await report("--id", "b", "--stamp", at("both.svg"), "--out", at("both.html"));
    expect(readFileSync(at("both.svg"), "utf8")).toBe(stamp);
    expect(readFileSync(at("both.html"), "utf8")).toMatch(/^<!doctype html>/);
    const tie = ["report", at("mixed/records-00001.ndjson"), "--id", "tie", "--stamp", at("tie.svg")];
    const refused = await runInProcess([...tie, "--data", at("data")]);
    expect(refused.code).toBe(3);
    expect(refused.err).toContain("a plot without a verdict has no stamp");
    expect(existsSync(at("tie.svg"))).toBe(false);
  });

  it("writes a page that states what failed and what to do for a plot that was given no verdict", async () => {
    const { code, out, err } = await runInProcess(
      splitCommandWords`report ${at("mixed/records-00001.ndjson")} --id tie --language pt --data ${at("data")}`,
    );
    expect({ code, err }).toEqual(matchFailedExit(0, "plot tie got no verdict: the geometry is invalid"));
    expect(out).toContain("<h1><bdi>tie</bdi></h1>");
    expect(out).toContain("Não pode ser verificada.");
    expect(out).toContain("RING_SELF_CROSSING");
    expect(out).toContain("/geometry/coordinates/0/0");
    expect(out).toContain("groundrule plots fix PLOTS --output FILE");
    expect(out).not.toContain("Conforme");
  });

  it("requires --id where there are several plots, and refuses one that is not there", async () => {
    expect(await report()).toMatchObject(matchFailedExit(2, "choose one with --id"));
    expect(await report("--id", "c")).toMatchObject(matchFailedExit(3, 'no record of "c"'));
  });

  it("exits with 1 where the record is not confirmed, which the page states", async () => {
    const [line] = readFileSync(at("records.ndjson"), "utf8").split("\n");
    write("altered.json", line!.replace('"overlap_ratio":0.5', '"overlap_ratio":0.4'));
    const { code, out, err } = await runInProcess(["report", at("altered.json"), "--data", at("data")]);
    expect(code).toBe(1);
    expect(out).toContain("This record is not confirmed.");
    expect(err).toContain("the record is not confirmed, its verdict");
  });

  it("shows the record alone where the editions are not archived, and states that", async () => {
    renameSync(at("data"), at("away"));
    const { code, out, err } = await report("--id", "a");
    renameSync(at("away"), at("data"));
    expect(code).toBe(0);
    expect(out).toContain("Not evaluated again.");
    expect(err).toContain("is not archived");
  });

  it("prints the ruleset as it was sent on request", async () => {
    expect((await report("--id", "a")).out).toContain("<details><summary>Ruleset as sent");
    expect((await report("--id", "a", "--with-ruleset")).out).toContain(
      "<details open><summary>Ruleset as sent",
    );
  });

  it("writes in the requested language, and refuses others", async () => {
    const { out } = await report("--id", "a", "--language", "pt");
    expect(out).toContain('<html lang="pt">');
    expect(out).toContain("Não conforme");
    expect(await report("--id", "a", "--language", "fr")).toMatchObject(
      matchFailedExit(2, 'found --language "fr", expected one of en, pt, es'),
    );
  });

  it("takes a stored decision, and reports why one without a verdict cannot be shown", async () => {
    const [line] = readFileSync(at("records.ndjson"), "utf8").split("\n");
    const { id: _, ...record } = JSON.parse(line!);
    const decision = { decision_id: "dec_1", route: "/v1/evaluate", media_type: "application/json", record };
    const reportDecision = async (data: object) => {
      write("decision.json", JSON.stringify({ data }, null, 1));
      return runInProcess(["report", at("decision.json"), "--data", at("data")]);
    };
    expect(await reportDecision(decision)).toMatchObject({
      code: 0,
      out: expect.stringContaining("Not compliant"),
    });
    for (const [change, message] of [
      [{ record: null }, "decision dec_1 contains neither its request nor its answer"],
      [{ route: "/v1/distance" }, "decision dec_1 answers /v1/distance, expected a verdict of /v1/evaluate"],
      [{ media_type: "application/geo+json" }, "has an answer of type application/geo+json"],
    ] as const) {
      expect(await reportDecision({ ...decision, ...change })).toMatchObject(matchFailedExit(3, message));
    }
  });

  it("takes an answer with the body of its request", async () => {
    const [line] = readFileSync(at("records.ndjson"), "utf8").split("\n");
    const { request, response } = JSON.parse(line!);
    const reportAnswer = async (answer: object, body: object | undefined) => {
      write("answer.json", answer);
      if (body !== undefined) write("body.json", body);
      const named = body === undefined ? [] : ["--request", at("body.json")];
      return runInProcess(["report", at("answer.json"), ...named, "--data", at("data")]);
    };
    expect(await reportAnswer(response, request)).toMatchObject({
      code: 0,
      out: expect.stringContaining("In a park"),
    });
    expect(await reportAnswer(response, undefined)).toMatchObject(
      matchFailedExit(3, "name the body of its request with --request"),
    );
    const { ruleset: __, ...rest } = request;
    expect(await reportAnswer(response, { ...rest, ruleset_id: "f@1" })).toMatchObject(
      matchFailedExit(3, 'names the ruleset "f@1", expected it in full'),
    );
    expect(await reportAnswer({ code: "QUOTA_EXCEEDED", title: "Quota used up" }, request)).toMatchObject(
      matchFailedExit(3, "is a refusal (QUOTA_EXCEEDED: Quota used up)"),
    );
    expect(await reportAnswer({ data: { matches: [] } }, request)).toMatchObject(
      matchFailedExit(3, 'has no verdict at "/data"'),
    );
  });
});

describe("groundrule report --portfolio", () => {
  const portfolio = (file: string, ...args: string[]) =>
    runInProcess(["report", at(file), "--portfolio", at("portfolio"), ...args, "--data", at("data")]);

  it("writes a page on all plots, tables, and the report of each record", async () => {
    const { code, err } = await portfolio("records.ndjson", "--title", "Season <2026>", "--language", "es");
    expect({ code, err }).toMatchObject(matchFailedExit(0, "2 plots in "));
    const index = readFileSync(at("portfolio/index.html"), "utf8");
    expect(index).toContain("Season &lt;2026&gt;");
    expect(index).toContain('<a href="reports/00002.html"><bdi>b</bdi></a>');
    expect(readFileSync(at("portfolio/reports/00002.html"), "utf8")).toContain('<html lang="es">');
    expect(readFileSync(at("portfolio/plots.csv"), "utf8")).toMatch(/^id,name,verdict.*\r\na,,NON_COMPLIANT/);
    expect(readFileSync(at("portfolio/plots.xlsx")).subarray(0, 2).toString()).toBe("PK");
  });

  it("replaces nothing without --force, and then leaves no report of an earlier one", async () => {
    expect(await portfolio("records.ndjson")).toMatchObject(
      matchFailedExit(3, "pass --force to replace its portfolio"),
    );
    const [line] = readFileSync(at("records.ndjson"), "utf8").split("\n");
    write("one.ndjson", line!);
    expect(await portfolio("one.ndjson", "--force")).toMatchObject({ code: 0 });
    expect(readdirSync(at("portfolio/reports"))).toEqual(["00001.html"]);
    expect(readdirSync(at("portfolio")).sort()).toEqual(["index.html", "plots.csv", "plots.xlsx", "reports"]);
  });

  it("takes results of screen with the plots that were screened", async () => {
    const plots = ["a", "b"].map((id) => feature(id, createSquarePolygon(0, 0), { name: `Farm ${id}` }));
    write("plots.ndjson", formatNdjson(...plots, feature("c", { type: "Polygon", coordinates: [] }, {})));
    const evaluate = ["evaluate", "--ruleset", at("rules.json"), "--data", at("data"), "--json"];
    const { out } = await runInProcess([...evaluate, at("plots.ndjson")]);
    const [line = ""] = out.split("\n");
    const doubtful = out.replaceAll('"matched":1', '"matched":1,"fictional":true,"coverage_known":"derived"');
    write("results.ndjson", doubtful + line.replace('"sources":[', '"sources":[7,'));
    const { code, err } = await portfolio("results.ndjson", "--plots", at("plots.ndjson"), "--force");
    expect({ code, err }).toMatchObject(matchFailedExit(0, "2 plots without a verdict"));
    expect(err).toContain("screen with --record");
    const index = readFileSync(at("portfolio/index.html"), "utf8");
    expect(index).toContain("Farm b");
    expect(index).toContain('aria-label="Map of 2 plots"');
    expect(index).toContain("Fictional data: the content of <strong>demo:parks</strong> is invented");
    expect(index).toContain("<strong>demo:parks</strong>, which 2 verdicts depend on");
    expect(existsSync(at("portfolio/reports/00001.html"))).toBe(false);
    const compact = {
      id: "a",
      verdict: "NON_COMPLIANT",
      at_least: "NON_COMPLIANT",
      checks: "!",
      digest: null,
    };
    write("compact.ndjson", compact);
    expect(await portfolio("compact.ndjson", "--force")).toMatchObject(
      matchFailedExit(3, "record 1 is a compact result, which leaves out details of the checks"),
    );
  });

  /** The row of each plot in the table of a portfolio. */
  const readRows = (name: string) =>
    readFileSync(at(`${name}/plots.csv`), "utf8")
      .trimEnd()
      .split("\r\n")
      .slice(1)
      .map((line) => {
        const cells = line.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)!.map((cell) => cell.replace(/,$/, ""));
        return [cells[0], cells[2] || cells.at(-4), cells.at(-2)];
      });
  const portfolioIn = (name: string, ...args: string[]) =>
    runInProcess(["report", ...args, "--portfolio", at(name), "--data", at("data")]);
  const EVERY = [
    ["a", "NON_COMPLIANT", "reports/00001.html"],
    ["tie", "GEOMETRY_INVALID", "reports/00002.html"],
    ["3", "MALFORMED_JSON", "reports/00003.html"],
    ["b", "NON_COMPLIANT", "reports/00004.html"],
  ];

  it("names every plot that was screened, with the error and a page of one without a verdict", async () => {
    const { code, err } = await portfolioIn("of-records", at("mixed"), "--language", "es");
    expect({ code, err }).toMatchObject(matchFailedExit(0, "4 plots in "));
    expect(err).toContain("2 plots without a verdict");
    expect(readRows("of-records")).toEqual(EVERY);
    const index = readFileSync(at("of-records/index.html"), "utf8");
    expect(index).toContain('<a href="reports/00002.html"><bdi>tie</bdi></a>');
    expect(readFileSync(at("of-records/reports/00002.html"), "utf8")).toContain("No se puede verificar");
    // Without its last results, and with what was read of errors alone: the plots are named by the file.
    const [first] = readFileSync(at("mixed-results.ndjson"), "utf8").split("\n");
    write("first.ndjson", `${first}\n`);
    expect(await portfolioIn("of-one", at("first.ndjson"), "--plots", at("mixed.ndjson"))).toMatchObject({
      code: 0,
    });
    expect(readRows("of-one").map(([id, what]) => [id, what])).toEqual([
      ["a", "NON_COMPLIANT"],
      ["tie", "NO_RESULT"],
      ["3", "MALFORMED_JSON"],
      ["b", "NO_RESULT"],
    ]);
  });

  it("has the reports of results, evaluated again, where their plots and their ruleset are named", async () => {
    const results = at("mixed-results.ndjson");
    const named = ["--ruleset", at("rules.json"), "--plots"];
    expect(await portfolioIn("of-results", results, ...named, at("mixed.ndjson"))).toMatchObject({ code: 0 });
    expect(readRows("of-results")).toEqual(EVERY);
    const page = readFileSync(at("of-results/reports/00004.html"), "utf8");
    expect(page).toContain("This was done when the page was made, and the result was identical.");
    expect(readFileSync(at("of-results/index.html"), "utf8")).not.toContain("no report");

    const lacking = await portfolioIn("of-less", results, "--plots", at("mixed.ndjson"));
    expect(lacking.err).toContain("2 plots without a report");
    expect(readRows("of-less").map(([, , page]) => page)).toEqual(["", EVERY[1]![2], EVERY[2]![2], ""]);
    expect(readFileSync(at("of-less/index.html"), "utf8")).toContain("2 plots have no report");

    const moved = MIXED.map((line) =>
      line.includes('"b"') ? JSON.stringify(feature("b", createSquarePolygon(7, 7))) : line,
    );
    write("moved.ndjson", moved.join("\n"));
    const other = await portfolioIn("of-others", results, ...named, at("moved.ndjson"));
    expect(other.err).toContain(
      "1 plot without a report, because the plot with that id in --plots is not the plot that was screened",
    );
    expect(readRows("of-others").at(-1)).toEqual(["b", "NON_COMPLIANT", ""]);
  });

  it("takes the results of a job, and refuses tables that name no checks", async () => {
    const [first, second] = readFileSync(at("records.ndjson"), "utf8").split("\n");
    const line = (number: number, members: object) =>
      JSON.stringify({ number, id: `p${number}`, ...members });
    const answer = (record: string) => ({ status: "answered", response: JSON.parse(record).response });
    const error = { code: "GEOMETRY_INVALID", message: "the ring crosses itself", errors: [] };
    const lines = [
      line(0, answer(first!)),
      line(1, { status: "invalid", error }),
      line(2, { status: "cancelled", id: null }),
      line(3, answer(second!)),
    ];
    write("job.ndjson", lines.join("\n"));
    expect(await portfolioIn("of-job", at("job.ndjson"))).toMatchObject({ code: 0 });
    expect(readRows("of-job").map(([id, what]) => [id, what])).toEqual([
      ["p0", "NON_COMPLIANT"],
      ["p1", "GEOMETRY_INVALID"],
      ["3", "CANCELLED"],
      ["p3", "NON_COMPLIANT"],
    ]);
    for (const format of ["csv", "parquet"]) {
      await screen("--output", at(`table.${format}`), "--format", format);
      expect(await portfolioIn(`of-${format}`, at(`table.${format}`))).toMatchObject(
        matchFailedExit(3, `has results as ${format}, which leave out details of the checks`),
      );
    }
  });

  it("finds errors that screen wrote apart beside its results, and takes those that are named", async () => {
    await screen("--output", at("apart.ndjson"), "--errors", at("apart-errors.ndjson"));
    expect(await portfolioIn("of-apart", at("apart.ndjson"))).toMatchObject({ code: 0 });
    const every = EVERY.map(([id, what]) => [id, what]);
    expect(readRows("of-apart").map(([id, what]) => [id, what])).toEqual(every);
    renameSync(at("apart.ndjson.run.json"), at("gone.json"));
    await portfolioIn("of-named", at("apart.ndjson"), "--errors", at("apart-errors.ndjson"));
    expect(readRows("of-named").map(([id, what]) => [id, what])).toEqual(every);
  });

  it("takes no option of a single page, and a single page none of its", async () => {
    expect(await portfolio("records.ndjson", "--id", "a")).toMatchObject(
      matchFailedExit(2, "found --id beside --portfolio"),
    );
    expect(await report("--title", "x")).toMatchObject(
      matchFailedExit(2, "found --title without --portfolio"),
    );
  });
});
