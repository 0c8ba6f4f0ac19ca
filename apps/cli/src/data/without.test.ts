import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { beforeAll, describe, expect, it } from "vitest";
import { runInProcess } from "../../test/in-process.ts";
import { formatNdjson, makeFeature } from "../../test/plot-texts.ts";

const NOW = "2026-06-30T12:00:00Z";
const MISSING = ["--without", "demo:lands", "--without", "preset:lists"];

const { at, write } = createSharedFolder();
const run = (...args: string[]) => runInProcess([...args, "--data", at("data")]);
const evaluate = (...more: string[]) =>
  run("evaluate", "--ruleset", at("rules.json"), "--now", NOW, ...more, at("plots.ndjson"));
const screen = (...more: string[]) =>
  run("screen", "--ruleset", at("rules.json"), "--now", NOW, "--workers", "1", ...more, at("plots.ndjson"));

interface Answered {
  readonly verdict: string;
  readonly digest: string;
  readonly checks: readonly { readonly id: string; readonly status: string; readonly open?: object[] }[];
  readonly sources: readonly { readonly source_name: string; readonly status: string }[];
}
const verdictsIn = (lines: readonly Record<string, unknown>[]) =>
  lines.map(({ verdict }) => verdict as Answered);

beforeAll(async () => {
  write("parks.geojson", makeFeature("P1", createSquarePolygon(0, 0)));
  const plot = (id: string, west: number) => ({
    ...makeFeature(id, createSquarePolygon(west, 0)),
    properties: { scheme: { type: "us:ein", value: "12-3456789" } },
  });
  write("plots.ndjson", formatNdjson(plot("near", 0), plot("far", 3)));
  const check = (set: string, outcome: string) => ({ id: set, set, outcome });
  write("rules.json", {
    sets: {
      parks: { sources: ["demo:parks", "all:parks"] },
      lands: { sources: ["demo:lands"] },
      listed: { registers: ["preset:lists"] },
    },
    checks: [check("parks", "NON_COMPLIANT"), check("lands", "WARNING"), check("listed", "NON_COMPLIANT")],
  });
  write("parks.json", { sets: { parks: { sources: ["demo:parks"] } }, checks: [check("parks", "WARNING")] });
  for (const name of ["parks", "others"])
    await run("snapshot", "build", "--source", `demo:${name}`, at("parks.geojson"));
  await run("sources", "group", "all:parks", "demo:parks", "demo:others");
});

describe("a command whose ruleset names sources that are missing", () => {
  it.each(["evaluate", "screen", "explain", "backtest", "bundle"])(
    "%s refuses it, and names the options that leave out exactly these",
    async (command) => {
      const wordsByCommand: Record<string, string[]> = {
        backtest: ["--old", at("rules.json"), "--new", at("parks.json"), "--plots", at("plots.ndjson")],
        bundle: ["--ruleset", at("rules.json"), "--output", at("bundles")],
      };
      const words = wordsByCommand[command] ?? ["--ruleset", at("rules.json"), at("plots.ndjson")];
      const { code, out, err } = await run(command, ...words);
      expect({ code, out }).toEqual({ code: 3, out: "" });
      expect(err).toContain(
        "  to evaluate without them, so that checks they could change stay open, add: --without demo:lands --without preset:lists\n",
      );
    },
  );

  it("answers without them: their checks are open, and they are listed", async () => {
    const { code, lines } = await evaluate(...MISSING);
    expect(code).toBe(0);
    for (const [i, { verdict, checks, sources }] of verdictsIn(lines).entries()) {
      expect(verdict).toBe(["NON_COMPLIANT", "WARNING"][i]);
      expect(checks.map(({ status, open = [] }) => [status, open])).toEqual([
        ["ok", []],
        ["not_covered", [{ because: "without", source_name: "demo:lands" }]],
        ["not_covered", [{ because: "without", source_name: "preset:lists" }]],
      ]);
      expect(sources.map(({ source_name, status }) => `${source_name} ${status}`)).toEqual([
        "demo:lands without",
        "demo:others ok",
        "demo:parks ok",
        "preset:lists without",
      ]);
    }
    const text = await runInProcess(
      ["evaluate", "--ruleset", at("rules.json"), ...MISSING, at("plots.ndjson"), "--data", at("data")],
      { columns: 200 },
    );
    expect(text.out).toContain(", without demo:lands, preset:lists\n");
    expect(text.out).toContain("open: The evaluation was to do without demo:lands.\n");
    expect(text.err).not.toContain("could not be opened");
  });

  it("leaves out no more than --without names, and nothing that the ruleset does not name", async () => {
    const some = await evaluate("--without", "demo:lands");
    expect(some.code).toBe(3);
    expect(some.err).toContain("stay open, add: --without preset:lists\n");
    const wrong = await evaluate(...MISSING, "--without", "demo:park");
    expect({ code: wrong.code, out: wrong.out }).toEqual({ code: 3, out: "" });
    expect(wrong.err).toContain('found "demo:park" to leave out');
    expect(wrong.err).toContain('did you mean "demo:parks"?');
    expect((await evaluate("--without", "missing")).err).toContain('found "missing" to leave out');
    const bundle = ["bundle", "--ruleset", at("rules.json"), "--output", at("bundles")];
    expect((await run(...bundle, ...MISSING, "--without", "missing")).err).toContain(
      'found "missing" to leave out',
    );
    const faulty = await run("evaluate", "--ruleset", at("plots.ndjson"), at("plots.ndjson"));
    expect(faulty.err).not.toContain("--without");
  });

  it("explains and lints what is left", async () => {
    const plan = await run("explain", "--ruleset", at("rules.json"), ...MISSING);
    expect(plan.lines[0]).toMatchObject({
      plan: { sources: expect.arrayContaining([expect.objectContaining({ status: "without" })]) },
    });
    const words = ["explain", "--ruleset", at("rules.json"), ...MISSING, "--data", at("data")];
    expect((await runInProcess(words, { columns: 120 })).out).toMatch(/^demo:lands +left out *$/m);
    expect((await run("lint", at("rules.json"))).code).toBe(3);
    const { code, lines } = await run("lint", at("rules.json"), ...MISSING);
    expect(code).toBe(0);
    expect(lines.map(({ severity }) => severity)).not.toContain("error");
  });

  it("compares two rulesets, each without what it names of them", async () => {
    const sides = ["--old", at("rules.json"), "--new", at("parks.json"), "--plots", at("plots.ndjson")];
    const { code, lines } = await run("backtest", ...sides, ...MISSING, "--workers", "1");
    expect(code).toBe(0);
    expect(lines.at(-1)).toMatchObject({ summary: { plots: 2, flipped: 2 } });
    const neither = await run("backtest", ...sides, ...MISSING, "--without", "demo:x", "--workers", "1");
    expect(neither.err).toContain('found "demo:x" to leave out');
  });
});

describe("a record of an evaluation without sources", () => {
  it.each<[string, string[]]>([
    ["missing sources", MISSING],
    ["a member of a group", [...MISSING, "--without", "demo:others"]],
    ["a group", [...MISSING, "--without", "all:parks"]],
    ["every source", [...MISSING, "--without", "all:parks", "--without", "demo:parks"]],
  ])("replays with %s, and its report is confirmed", async (name, without) => {
    const slug = name.replaceAll(" ", "-");
    const one = await evaluate(...without, "--record", at(`${slug}.ndjson`));
    const many = await screen(...without, "--record", at(slug));
    expect(one.code).toBe(0);
    expect(many.out).toBe(one.out);
    for (const path of [`${slug}.ndjson`, slug]) {
      const { code, lines } = await run("replay", at(path));
      expect({ code, results: lines.map(({ result }) => result) }).toEqual({
        code: 0,
        results: ["identical", "identical"],
      });
    }
    const [first] = readFileSync(at(`${slug}.ndjson`), "utf8").split("\n");
    const names = without.filter((word) => word !== "--without").sort();
    expect(JSON.parse(first!).request.options).toEqual({ without: names });
    const { code, out } = await run("report", at(`${slug}.ndjson`), "--id", "near");
    expect(code).toBe(0);
    expect(out).toContain("Left out");
  });

  it("is put together from results of screen, which name what was left out", async () => {
    for (const [i, more] of [[], ["--without", "demo:others"]].entries()) {
      const results = at(`results-${i}.ndjson`);
      expect((await screen(...MISSING, ...more, "--output", results)).code).toBe(0);
      const folder = at(`portfolio-${i}`);
      const named = ["--plots", at("plots.ndjson"), "--ruleset", at("rules.json")];
      const { code, err } = await run("report", results, "--portfolio", folder, ...named);
      expect({ code, err: err.includes("not confirmed") }).toEqual({ code: 0, err: false });
      expect(readdirSync(join(folder, "reports"))).toHaveLength(2);
      expect(readFileSync(join(folder, "index.html"), "utf8")).toMatch(/evaluated without .*demo:lands/);
      expect(readFileSync(join(folder, "plots.csv"), "utf8")).toMatch(/,without,.*\s+near,.*,demo:lands; /);
    }
  });
});

describe("a run without sources", () => {
  it("describes what it did without, and is not gone on with or merged otherwise", async () => {
    const shard = (index: number, ...without: string[]) =>
      screen(...without, "--shard", `${index}/2`, "--output", at(`shards/part-${index}.ndjson`));
    write("shards/.keep", "");
    rmSync(at("shards/.keep"));
    const parts = [...MISSING, "--without", "demo:others"];
    expect((await shard(0, ...parts)).code).toBe(0);
    const described = JSON.parse(readFileSync(at("shards/part-0.ndjson.run.json"), "utf8"));
    expect(described.options).toMatchObject({ without: "demo:lands, demo:others, preset:lists" });
    expect((await shard(1, ...MISSING)).code).toBe(0);
    const merged = await run("merge", at("shards"), "--output", at("merged.ndjson"));
    expect(merged.code).toBe(3);
    expect(merged.err).toContain("options.without");
    expect(existsSync(at("merged.ndjson"))).toBe(false);
    const resumed = await screen(
      ...MISSING,
      "--shard",
      "0/2",
      "--resume",
      "--output",
      at("shards/part-0.ndjson"),
    );
    expect(resumed.code).toBe(3);
    expect(resumed.err).toContain("options.without");
  });
});
