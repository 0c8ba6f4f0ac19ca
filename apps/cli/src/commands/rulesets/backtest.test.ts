import { readdirSync } from "node:fs";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { beforeAll, describe, expect, it } from "vitest";
import { runInProcess, splitCommandWords } from "../../../test/in-process.ts";
import { formatNdjson, makeFeature } from "../../../test/plot-texts.ts";

/** Plots that cover 100 %, 75 %, 50 %, 25 % and nothing of the park. */
const plots = [0, 0.25, 0.5, 0.75, 3].map((west, i) =>
  makeFeature(`=plot-${i}`, createSquarePolygon(west, 0)),
);
const ruleset = (limit: number, more: object[] = []) => ({
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [
    {
      id: "overlap",
      set: "parks",
      measure: "overlap_ratio",
      op: ">=",
      value: limit,
      outcome: "NON_COMPLIANT",
    },
    ...more,
  ],
});

const { at, write } = createSharedFolder();
const run = (args: string[], columns?: number) =>
  runInProcess([...args, "--data", at("data")], columns === undefined ? {} : { columns });
const backtest = (...args: string[]) =>
  run(["backtest", "--old", at("old.json"), "--plots", at("plots.ndjson"), "--workers", "1", ...args]);
const build = async (west: number) => {
  write("parks.geojson", makeFeature("P1", createSquarePolygon(west, 0)));
  await run(["snapshot", "build", "--source", "demo:parks", at("parks.geojson")]);
};

beforeAll(async () => {
  const touching = { id: "touching", set: "parks", outcome: "WARNING" };
  write("old.json", ruleset(0.7, [touching]));
  write("new.json", ruleset(0.4));
  write("plots.ndjson", formatNdjson(...plots));
  await build(0);
});

describe("groundrule backtest", () => {
  it("reports each flip with the checks that caused it, then how many of each kind", async () => {
    const { code, lines } = await backtest("--new", at("new.json"));
    expect(code).toBe(0);
    const gone = { id: "touching", old: "WARNING", new: "absent", old_comparisons: ["parks count 1 > 0"] };
    const compared = (ratio: number, limit: number) => [`parks overlap_ratio ${ratio} >= ${limit}`];
    expect(lines).toEqual([
      {
        id: "=plot-2",
        old: "WARNING",
        new: "NON_COMPLIANT",
        checks: [
          {
            id: "overlap",
            old: "not triggered",
            new: "NON_COMPLIANT",
            old_comparisons: compared(0.5, 0.7),
            new_comparisons: compared(0.5, 0.4),
          },
          gone,
        ],
      },
      { id: "=plot-3", old: "WARNING", new: "COMPLIANT", checks: [gone] },
      {
        summary: {
          plots: 5,
          unchanged: 3,
          without_verdict: 0,
          flipped: 2,
          flips: [
            { old: "WARNING", new: "COMPLIANT", count: 1 },
            { old: "WARNING", new: "NON_COMPLIANT", count: 1 },
          ],
          // Two more plots had the warning; both are not compliant with either ruleset.
          checks: [
            {
              id: "touching",
              changed: 4,
              in_flips: 2,
              now_triggered: 0,
              no_longer_triggered: 4,
              now_open: {},
            },
            {
              id: "overlap",
              changed: 1,
              in_flips: 1,
              now_triggered: 1,
              no_longer_triggered: 0,
              now_open: {},
            },
          ],
        },
      },
    ]);
  });

  it("states why a check is open on either side, in every form", async () => {
    const undated = (id: string, west: number) => makeFeature(id, createSquarePolygon(west, 5));
    const dated = { ...undated("C2", 3), properties: { detected: "2022-05-01" } };
    write("cleared.geojson", { type: "FeatureCollection", features: [undated("C1", 0), dated] });
    await run(["snapshot", "build", "--source", "demo:cleared", at("cleared.geojson")]);
    const cleared = (unknown?: string) => ({
      sets: { cleared: { sources: ["demo:cleared"], where: "detected > DATE('2020-12-31')", unknown } },
      checks: [{ id: "cleared", set: "cleared", measure: "overlap_area_m2", outcome: "NON_COMPLIANT" }],
    });
    write("exclude.json", cleared("exclude"));
    write("open.json", cleared());
    write(
      "fields.ndjson",
      formatNdjson(...[0, 3].map((west) => makeFeature(`field-${west}`, createSquarePolygon(west, 5)))),
    );
    const between = (old: string, now: string) =>
      splitCommandWords`backtest --old ${at(old)} --new ${at(now)} --plots ${at("fields.ndjson")} --workers 1`;
    const why = "1 area of demo:cleared may count or not";
    const reason = expect.stringContaining(why);
    const { lines } = await run(between("exclude.json", "open.json"));
    expect(lines).toEqual([
      {
        id: "field-0",
        old: "COMPLIANT",
        new: "WARNING",
        checks: [
          expect.objectContaining({
            id: "cleared",
            old: "not triggered",
            new: "WARNING",
            new_open: [reason],
          }),
        ],
      },
      {
        summary: expect.objectContaining({
          flipped: 1,
          checks: [
            {
              ...{ id: "cleared", changed: 1, in_flips: 1 },
              ...{ now_triggered: 0, no_longer_triggered: 0, now_open: { null: 1 } },
            },
          ],
        }),
      },
    ]);
    expect(getFirstCheck(lines)).not.toHaveProperty("old_open");
    const back = await run(between("open.json", "exclude.json"));
    expect(getFirstCheck(back.lines)).toMatchObject({ old_open: [reason] });
    expect(getFirstCheck(back.lines)).not.toHaveProperty("new_open");
    const csv = await run([...between("exclude.json", "open.json"), "--csv"]);
    expect(csv.out).toMatch(new RegExp(`,,"?${why}.*\n$`));
    const table = await run(between("exclude.json", "open.json"), 72);
    expect(table.out.replaceAll(/\s+/g, " ")).toContain(`WARNING open: ${why}`);
    expect(table.out).toContain('now open: 1 because of "null"');
    for (const line of table.out.split("\n")) expect([...line].length).toBeLessThanOrEqual(100);
  });

  it("compares two editions under one ruleset, each named by the first digits of its digest", async () => {
    const folder = at("data/editions/demo_parks");
    const editions = () => readdirSync(folder).filter((name) => name.endsWith(".snapshot"));
    const [first] = editions();
    await build(3);
    const second = editions().find((name) => name !== first)!;
    const digits = (name: string) => `demo:parks=${name.slice(0, 12)}`;
    const forward = await backtest("--old-edition", digits(first!));
    expect(forward.lines.at(-1)).toMatchObject({
      summary: {
        flipped: 5,
        flips: expect.arrayContaining([{ old: "COMPLIANT", new: "NON_COMPLIANT", count: 1 }]),
      },
    });
    const back = await backtest("--old-edition", digits(second), "--new-edition", digits(first!));
    expect(back.lines.at(-1)).toMatchObject({ summary: { flipped: 5 } });
    const same = await backtest("--new-edition", digits(second), "--fail-on-flips");
    expect(same).toMatchObject({
      code: 0,
      lines: [{ summary: { plots: 5, flipped: 0, flips: [], checks: [] } }],
    });
    expect((await backtest("--new-edition", digits(first!), "--fail-on-flips")).code).toBe(1);
    await build(0);
  });

  it("prints CSV that a spreadsheet takes for text", async () => {
    const { out, err } = await backtest("--new", at("new.json"), "--csv");
    expect(out.split("\n")).toEqual([
      "id,old,new,check,check_old,check_new,old_comparisons,new_comparisons,old_open,new_open",
      "'=plot-2,WARNING,NON_COMPLIANT,overlap,not triggered,NON_COMPLIANT,parks overlap_ratio 0.5 >= 0.7,parks overlap_ratio 0.5 >= 0.4,,",
      "'=plot-2,WARNING,NON_COMPLIANT,touching,WARNING,absent,parks count 1 > 0,,,",
      "'=plot-3,WARNING,COMPLIANT,touching,WARNING,absent,parks count 1 > 0,,,",
      "",
    ]);
    expect(err).toContain("The verdict changes for 2 of 5 plots");
  });

  it("prints a table for a person, no wider than the terminal", async () => {
    const args = splitCommandWords`backtest --old ${at("old.json")} --new ${at("new.json")} --plots ${at("plots.ndjson")}`;
    const { out } = await run(args, 72);
    expect(out).toContain("=plot-3  WARNING");
    expect(out).toContain("The verdict changes for 2 of 5 plots");
    expect(out).toContain("touching: now triggered for 0, no longer for 4");
    for (const line of out.split("\n")) expect([...line].length).toBeLessThanOrEqual(80);
  });

  it("names and counts plots that neither side gives a verdict, and exits with 3", async () => {
    const broken = [makeFeature("hole", { type: "Polygon", coordinates: [] }), ...plots].map((plot) =>
      JSON.stringify(plot),
    );
    write("broken.ndjson", [...broken, "{"].join("\n"));
    const args = splitCommandWords`backtest --old ${at("old.json")} --new ${at("new.json")} --plots ${at("broken.ndjson")}`;
    const { code, lines } = await run(args);
    expect(code).toBe(3);
    expect(lines.flatMap(({ id, error }) => (error === undefined ? [] : [[id, error]]))).toEqual([
      ["hole", expect.objectContaining({ code: "VALIDATION_FAILED" })],
      [7, expect.objectContaining({ code: "MALFORMED_JSON" })],
    ]);
    expect(lines.at(-1)).toMatchObject({
      summary: { plots: 7, unchanged: 3, without_verdict: 2, flipped: 2 },
    });
    const csv = await run([...args, "--csv"]);
    expect(csv.out).toContain("\nhole,error VALIDATION_FAILED,error VALIDATION_FAILED,,,,,,,\n");
    expect(csv.err).toContain("2 plots have no verdict on either side");
    expect((await run(args, 100)).out).toMatch(/^hole +error VALIDATION_FAILED/m);
  });

  it("counts a plot that only one ruleset can answer as a flip", async () => {
    const asksWho = {
      sets: { listed: { registers: ["demo:listed"] } },
      checks: [{ id: "listed", set: "listed", outcome: "WARNING" }],
    };
    write("who.json", asksWho);
    write("listed.csv", "id,cnpj\n1,11.222.333/0001-81\n");
    const options = ["--kind", "subject_register", "--id", "id", "--value", "cnpj", "--scheme", "br:cnpj"];
    await run(["snapshot", "build", "--source", "demo:listed", ...options, at("listed.csv")]);
    const { code, lines } = await backtest("--new", at("who.json"));
    expect(code).toBe(0);
    expect(lines[0]).toEqual({
      id: "=plot-0",
      old: "NON_COMPLIANT",
      new: "error INPUT_INCOMPLETE",
      checks: [],
    });
  });

  it.each([
    [[], "the old and the new side are the same"],
    [["--new-edition", "demo:parks"], "expected SOURCE=DIGEST with 8 to 64 digits of 0-9 and a-f"],
    [["--new-edition", "demo:parks=00000000"], "matches no edition"],
    [["--new-edition", "demo:park=00000000"], 'the archived editions of "demo:park" are: none'],
  ])("refuses %j with 2: %s", async (args, why) => {
    const { code, out, err } = await backtest(...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(why);
  });
});

/** The first check of the first line of a backtest. */
function getFirstCheck(lines: readonly Readonly<Record<string, unknown>>[]): unknown {
  return (lines[0]?.checks as readonly unknown[] | undefined)?.[0];
}
