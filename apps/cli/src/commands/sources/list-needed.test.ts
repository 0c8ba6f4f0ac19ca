import { readFileSync } from "node:fs";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { matchFailedExit, runInProcess } from "../../../test/in-process.ts";
import { makeFeature } from "../../../test/plot-texts.ts";

const { at, write } = createSharedFolder();
let data = "";
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS - 1000).toISOString();

const run = (args: readonly string[], columns?: number) =>
  runInProcess([...args, "--data", data], columns === undefined ? {} : { columns });
const list = (ruleset: string, columns?: number) => run(["sources", "list", "--needed-by", ruleset], columns);
const needed = async (ruleset: string) => {
  const { code, lines } = await list(ruleset);
  expect(code).toBe(0);
  return { needs: lines.slice(0, -1), ...(lines.at(-1) as { summary: Summary }) };
};
interface Summary {
  readonly needed: number;
  readonly next: readonly string[];
}

const check = (set: string) => ({ id: set, set, outcome: "WARNING" });

async function build(name: string, ...options: string[]): Promise<void> {
  const built = await run(["snapshot", "build", "--source", name, ...options, at("areas.geojson")]);
  expect(built.err + built.code).toMatch(/0$/);
}

beforeAll(() => {
  write("areas.geojson", makeFeature("a", createSquarePolygon(0, 0, 1), { code: "a", seen: "2024-01-01" }));
});
let count = 0;
beforeEach(() => {
  data = at(`data-${++count}`);
});

const FUNAI = { bytes: 440_976, by: "sync", file: "br_funai_indigenous_lands_2023.geojson.gz" };

describe("sources list --needed-by", () => {
  it("of a preset in a folder that is not there yet names the manifests, their bytes, and one sync for all of them", async () => {
    const { needs, summary } = await needed("preset.eudr@2");
    expect(needs).toContainEqual(
      expect.objectContaining({ source_name: "preset:forest_loss", state: "missing" }),
    );
    // The command writes the file of this one itself: there is none to get.
    const benchmark = needs.find(({ source_name }) => source_name === "preset:country_benchmark");
    expect(benchmark?.sources).toEqual([
      {
        source_name: "eu:country_benchmark",
        state: "missing",
        manifest: { path: expect.any(String), bytes: 4_609_825, by: "sync" },
      },
    ]);
    const mining = await needed("preset.mining");
    expect(mining.needs).toMatchObject([
      {
        source_name: "preset:indigenous_lands",
        kind: "leaf",
        state: "missing",
        sources: [{ source_name: "br:funai", state: "missing", manifest: FUNAI }],
      },
      { source_name: "preset:mining", sources: [{ source_name: "amw:mining_scars" }] },
    ]);
    expect(mining.summary).toEqual({
      ...{ ruleset: "preset.mining", needed: 2, here: 0, unfit: 0, failed: 0, missing: 2 },
      next: [`groundrule sources sync --from FOLDER amw:mining_scars br:funai --data ${data}`],
    });
    expect(summary.next.at(-1)).toContain("--source my:forest_loss --group preset:forest_loss");
  });

  it("reports for rasters in many files that countries or a box are needed, and that their bytes are unknown", async () => {
    const ruleset = write("rasters.json", {
      sets: {
        lost: { sources: ["preset:tree_cover_loss"], where: "to > DATE('2020-12-31')", show: ["from"] },
      },
      checks: [check("lost")],
    });
    const { needs, summary } = await needed(ruleset);
    const manifest = { bytes: null, needs_land: true, untested: true };
    const sources = [{ source_name: "gfc:loss_year", manifest }];
    expect(needs).toMatchObject([{ columns: ["from", "to"], sources }]);
    expect(summary.next).toEqual([`groundrule sources sync --countries ISO3 gfc:loss_year --data ${data}`]);
    const { out } = await list(ruleset, 80);
    expect(out).toMatch(/^ {2}gfc:loss_year +missing +unknown {2}gfc_loss_year_2025$/m);
    expect(out).toContain("gfc:loss_year: many files, of which those that meet the land are fetched");
    expect(out).toContain("--countries ISO3: the countries of your plots, e.g. BRA,COL; or --bounds=W,S,E,N");
  });

  it("names the shipped manifests that fit a group of Whisp's, and for the others what to provide", async () => {
    const of = async (preset: string) =>
      Object.fromEntries(
        (await needed(preset)).needs.map(({ source_name, sources }) => [
          String(source_name).replace("preset:", ""),
          (sources as readonly { source_name: string }[]).map((each) => each.source_name),
        ]),
      );
    const known = { tree_cover_2020: ["jrc:gfc2020"], disturbances: ["gfc:loss_year"] };
    expect(await of("preset.whisp-perennial")).toEqual({ ...known, commodities_2020: [] });
    expect(await of("preset.whisp-annual")).toEqual({ ...known, commodities_2020: [] });
    expect(await of("preset.whisp-timber")).toEqual({
      ...{ disturbances: known.disturbances, commodities_2020: [], forest_types_2020: [] },
      ...{ agriculture_after_2020: [], tree_cover_after_2020: [], logging_concessions: [] },
    });
    const { out } = await list("preset.whisp-timber", 100);
    expect(out).toContain("needs 6: 0 here, 6 missing, 5 of which no manifest brings. Next:");
    expect(out).toMatch(/^preset:forest_types_2020 +missing +none brings it$/m);
    expect(out).toContain(
      "FILE: one that you have, with the column forest_type; no manifest brings preset:forest_types_2020",
    );
  });

  it("names a manifest once that brings several of the names, and what none brings with its columns", async () => {
    const ruleset = write("several.json", {
      sets: {
        one: { sources: ["br:funai", "br:indigenous", "preset:indigenous_lands"] },
        other: { sources: ["my:own"], where: "depth > 3 AND name <> 'x'" },
        listed: { registers: ["preset:watched"] },
      },
      checks: [
        check("one"),
        { ...check("other"), measure: { max: "height" }, value: { set: "other", measure: { min: "width" } } },
        check("listed"),
      ],
    });
    const { needs, summary } = await needed(ruleset);
    expect(needs.map(({ source_name, columns }) => [source_name, columns])).toEqual([
      ["br:funai", []],
      ["br:indigenous", []],
      ["my:own", ["depth", "height", "width"]],
      ["preset:indigenous_lands", []],
      ["preset:watched", []],
    ]);
    const [sync, own, watched] = summary.next;
    expect(sync).toBe(`groundrule sources sync --from FOLDER br:funai --data ${data}`);
    expect(own).toBe(
      `groundrule snapshot build --source my:own --coverage ISO3 --id COLUMN --collected-at INSTANT --data ${data} FILE`,
    );
    expect(watched).toContain(
      "--source my:watched --group preset:watched --kind subject_register --scheme TYPE --value COLUMN",
    );
    const { out } = await list(ruleset, 80);
    expect(out).toContain(
      "FILE: one that you have, with the columns depth, height, width; no manifest brings my:own",
    );
    const [titles, ...lines] = out.trimEnd().split("\n");
    expect(titles).toContain("source");
    const end = lines.findIndex((line) => line.includes(" needs 5: "));
    expect(lines[end]).toBe(`${ruleset} needs 5: 0 here, 5 missing, 2 of which no manifest brings. Next:`);
    for (const line of lines.slice(0, end)) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("lists the members of a group with their age, which counts from the last day that they cover", async () => {
    const member = ["--coverage", "BRA", "--group", "t:both", "--collected-at"];
    await build("t:new", ...member, daysAgo(3));
    const spoken = daysAgo(40).slice(0, 10);
    await build("t:old", ...member, daysAgo(2), "--observed-until", spoken);
    const ruleset = write("group.json", { sets: { s: { sources: ["t:both"] } }, checks: [check("s")] });
    const { needs, summary } = await needed(ruleset);
    const days = Math.floor((Date.now() - Date.parse(spoken)) / DAY_MS);
    expect(needs).toMatchObject([
      {
        state: "here",
        sources: [
          { source_name: "t:new", state: "here", age_days: 3 },
          { source_name: "t:old", state: "here", age_days: days, observed_until: spoken },
        ],
      },
    ]);
    expect(summary).toMatchObject({ needed: 1, here: 1, next: [] });
    const listed = await run(["sources", "list", "--needed-by", ruleset, "--json"], 80);
    expect(listed.lines).toEqual([...needs, { summary }]);
    const { out } = await list(ruleset, 80);
    expect(out.split("\n").slice(1)).toEqual([
      expect.stringMatching(/^t:both +here$/),
      expect.stringMatching(/^ {2}t:new +here +3 d$/),
      expect.stringMatching(new RegExp(`^ {2}t:old +here +${days} d$`)),
      `${ruleset} needs 1: 1 here. Next:`,
      `  groundrule screen --ruleset ${ruleset} --data ${data} PLOTS`,
      "",
    ]);
  });

  it("distinguishes a source without the columns that the ruleset reads from a fit one, and a removed member from a present one", async () => {
    await build("t:fit", "--coverage", "BRA", "--group", "t:all", "--id", "code");
    await build("t:gone", "--coverage", "BRA", "--group", "t:all", "--id", "code");
    const reading = (where: string) => ({ sets: { s: { sources: ["t:all"], where } }, checks: [check("s")] });
    const fit = await needed(write("fit.json", reading("seen = '2024-01-01'")));
    expect(fit.summary).toMatchObject({ here: 1 });
    const unfit = await needed(write("unfit.json", reading("felled = 1")));
    expect(unfit.summary).toMatchObject({ here: 0, unfit: 1 });
    expect(unfit.needs).toMatchObject([
      { sources: [{ state: "unfit", reason: "has no column felled" }, {}] },
    ]);
    expect(unfit.summary.next[0]).toBe(`groundrule snapshot build --source t:fit --data ${data} FILE`);
    expect((await run(["sources", "remove", "t:gone", "--yes"])).code).toBe(0);
    const failed = await needed(at("fit.json"));
    expect(failed.needs).toMatchObject([
      { state: "failed", sources: [{ state: "here" }, { source_name: "t:gone", state: "missing" }] },
    ]);
    expect(failed.summary.next).toEqual([`groundrule snapshot build --source t:gone --data ${data} FILE`]);
  });

  it("prefers a manifest of the data folder, whose file is there, and its sync then brings it", async () => {
    const manifests = `data-${count}/manifests`;
    write(`${manifests}/lands.geojson`, readFileSync(at("areas.geojson")));
    write(`${manifests}/lands.json`, {
      ...{ source_name: "br:funai", kind: "leaf", coverage: ["BRA"], groups: ["preset:indigenous_lands"] },
      fetch: { file: "lands.geojson" },
    });
    const byHand = write(`${manifests}/by-hand.json`, { source_name: "t:by_hand", kind: "leaf" });
    const ruleset = write("own.json", {
      sets: { s: { sources: ["preset:indigenous_lands", "t:by_hand"] } },
      checks: [check("s")],
    });
    const { summary } = await needed(ruleset);
    expect(summary.next).toEqual([
      `groundrule sources sync br:funai --data ${data}`,
      `groundrule snapshot build --manifest ${byHand} --data ${data} FILE`,
    ]);
    const [, ...words] = summary.next[0]!.split(" ");
    expect((await runInProcess(words)).lines).toMatchObject([{ outcome: "installed" }]);
    expect((await needed(ruleset)).summary).toMatchObject({ here: 1, missing: 1 });
  });

  it("finds nothing to bring where a ruleset names no source", async () => {
    const ruleset = write("none.json", {
      facts: { modules: { type: "number", question: { en: "How many?" } } },
      sets: {},
      checks: [{ id: "large", fact: "modules", op: ">", value: 4, outcome: "WARNING" }],
    });
    expect(await needed(ruleset)).toMatchObject({ needs: [], summary: { needed: 0, next: [] } });
    const { out } = await list(ruleset, 80);
    expect(out).toBe(
      `${ruleset} needs no source. Next:\n  groundrule screen --ruleset ${ruleset} --data ${data} PLOTS\n`,
    );
  });

  it("refuses what is no ruleset, and a preset that there is not", async () => {
    expect(await list("preset.eudrr")).toMatchObject(matchFailedExit(3, "did you mean preset.eudr?"));
    expect(await list(write("broken.json", { sets: {} }))).toMatchObject(
      matchFailedExit(3, "RULESET_INVALID"),
    );
  });
});
