import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { Plan } from "@groundrule/engine/rulesets";
import { layOutDemo } from "@groundrule/testing/demo-folder";
import { createSharedFolder } from "@groundrule/testing/folder";
import { BOW_TIE, createSquarePolygon } from "@groundrule/testing/shapes";
import { beforeAll, describe, expect, it } from "vitest";
import { runGroundrule, startGroundrule } from "../test/groundrule.ts";
import type { Printed } from "../test/in-process.ts";
import { matchFailedExit } from "../test/in-process.ts";
import { formatNdjson } from "../test/plot-texts.ts";

const feature = (geometry: unknown, properties: object = {}, id?: string | number) => ({
  type: "Feature",
  ...(id !== undefined && { id }),
  geometry,
  properties,
});
const collection = (...features: unknown[]) => JSON.stringify({ type: "FeatureCollection", features });

/** Half in the park, next to a clearing that it does not touch. */
const halfIn = feature(createSquarePolygon(10, 0, 0.5), { id: "half" });
const farAway = feature(createSquarePolygon(40, 40, 0.1), {}, "far");

const CLEARING = collection(feature(createSquarePolygon(11, 0.1, 0.01)), feature(BOW_TIE));

const RULESET = {
  sets: {
    protected: { sources: ["demo:parks"] },
    cleared: { sources: ["demo:clearing"] },
    listed: { registers: ["demo:listed"] },
  },
  checks: [
    { id: "protected", set: "protected", measure: "overlap_ratio", value: 0.1, outcome: "NON_COMPLIANT" },
    { id: "cleared", set: "cleared", outcome: "WARNING", title: "Cleared" },
  ],
};

const { at, write } = createSharedFolder();
let built: Record<"parks" | "clearing" | "listed", Printed>;
const snapshotIn = (folder: string) => readdirSync(folder).find((name) => name.endsWith(".snapshot"));
const run = (args: string[], input?: string) => runGroundrule(args, at(), input);

beforeAll(async () => {
  const parks = collection(
    feature(createSquarePolygon(10.25, 0, 1), {
      code: "P1",
      title: "Big Park",
      iso: "BRA",
      since: "01/02/1990",
      size: 7,
    }),
    feature(createSquarePolygon(20, 0, 1), {
      code: "P2",
      title: "Far Park",
      iso: "COL",
      since: null,
      size: 8,
    }),
  );
  write("parks.geojson", parks);
  write("listed.csv", "record,holder,cnpj\n7,Madeiras SA,11.222.333/0001-81\n");
  write("rules.json", RULESET);
  write("manifest.json", { source_name: "demo:clearing", kind: "leaf" });
  const build = (...args: string[]) => run(["snapshot", "build", ...args]);
  built = {
    parks: await build(
      ...["--source", "demo:parks", "--id", "code", "--name", "title", "--country", "iso", "--group", "demo"],
      ...["--date", "since=dd/MM/yyyy", "--dataset", "Parks", "--category", "park", "--coverage", "global"],
      ...["--collected-at", "2026-10-01T00:00:00Z", "parks.geojson"],
    ),
    clearing: await run(["snapshot", "build", "--manifest", "manifest.json", "--json"], CLEARING),
    listed: await build(
      ...["--source", "demo:listed", "--kind", "subject_register", "--id", "record", "--name", "holder"],
      ...["--value", "cnpj", "--scheme", "br:cnpj", "listed.csv"],
    ),
  };
});

describe("groundrule snapshot build", () => {
  it("builds a source by options, prints what it did, and makes the edition current", () => {
    expect(built.parks).toMatchObject({ code: 0, err: "" });
    expect(built.parks.out).toMatch(/^demo:parks: 2 areas stored from 2 features\n/);
    expect(built.parks.out).toMatch(/edition [0-9a-f]{64}\n$/);
    const files = readdirSync(at(".groundrule/editions/demo_parks"));
    const ends = files.map((file) => file.replace(/^[0-9a-f]{64}/, "")).sort();
    expect(ends).toEqual([".build.json", ".snapshot"]);
  });

  it("takes a manifest, reads standard input, reports repairs, and answers in JSON", () => {
    const { code, err, lines } = built.clearing;
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(lines).toMatchObject([{ source_name: "demo:clearing", stored: 2, repaired: [{ number: 2 }] }]);
  });

  it("builds a register from CSV", () => {
    expect(built.listed.out).toMatch(/^demo:listed: 1 record stored from 1 row\n/);
  });

  it("refuses a name that would share another source's folder before it builds anything", async () => {
    const clash = await run(["snapshot", "build", "--source", "demo_parks", "parks.geojson"]);
    expect(clash).toMatchObject({ code: 3, out: "" });
    expect(clash.err).toContain('would share the folder "demo_parks"');
  });

  it("counts in every answer what was left out, and keeps the edition of a source of which nothing is left", async () => {
    const data = ["--data", at("left-out")];
    const command = ["snapshot", "build", "--source", "demo:lands", "--allow", "left-out", ...data];
    const build = (...features: unknown[]) => run(command, collection(...features));
    expect((await build(feature(createSquarePolygon(10, 0, 1)), feature(null), feature(null))).code).toBe(0);
    const ask = async () => {
      const checks = [{ id: "c", set: "s", outcome: "WARNING" }];
      write("lands.json", { sets: { s: { sources: ["demo:lands"] } }, checks });
      const { lines } = await run(["evaluate", "--ruleset", "lands.json", ...data], JSON.stringify(halfIn));
      return (lines[0] as { verdict: { sources: unknown[] } }).verdict.sources;
    };
    const found = [expect.objectContaining({ source_name: "demo:lands", matched: 1, left_out: 2 })];
    expect(await ask()).toEqual(found);

    const nothing = await build(feature(null), feature({ type: "Point", coordinates: [0, 0] }));
    expect(nothing).toMatchObject({ code: 3, out: "" });
    expect(nothing.err).toContain("none of the source's 2 features can be stored");
    expect(nothing.err).toContain("(NOTHING_STORED)");
    expect(await ask()).toEqual(found);
  });

  it("refuses a manifest or a ruleset that names a member twice", async () => {
    write("twice.json", '{"source_name": "demo:x",\n"kind": "leaf", "kind": "leaf"}');
    const built = await run(["snapshot", "build", "--manifest", "twice.json"], "{}");
    const evaluated = await run(["evaluate", "--ruleset", "twice.json"], formatNdjson(halfIn));
    for (const { code, out, err } of [built, evaluated]) {
      expect({ code, out }).toEqual({ code: 3, out: "" });
      expect(err).toContain(
        'twice.json is not valid JSON at line 2, "/kind": the same object already has a member of this name',
      );
    }
  });

  it("reports where a broken source is broken", async () => {
    const cut = '{"type":"FeatureCollection","features":[{]}';
    const broken = await run(["snapshot", "build", "--source", "x"], cut);
    expect(broken).toMatchObject({ code: 3, out: "" });
    expect(broken.err).toMatch(/line 1, byte \d+.*\(JSON_MALFORMED\)/s);
  });
});

describe("groundrule sources", () => {
  it("lists sources and groups, an entry a line", async () => {
    expect((await run(["sources", "group", "mine", "demo:parks", "demo:clearing"])).code).toBe(0);
    const { code, lines } = await run(["sources", "list"]);
    expect((await run(["sources", "group", "mine", "--remove"])).code).toBe(0);
    expect(code).toBe(0);
    expect(lines.map((entry) => [entry.source_name, entry.kind, entry.feature_count])).toEqual([
      ["demo", "group", 2],
      ["demo:clearing", "leaf", 2],
      ["demo:listed", "subject_register", 1],
      ["demo:parks", "leaf", 2],
      ["mine", "group", 4],
    ]);
    expect(lines[3]).toMatchObject({ source_dataset: "Parks", country_coverage: ["BRA", "COL"] });
    expect(lines[2]).toMatchObject({ supported_schemes: ["br:cnpj"] });
  });

  it("refuses members that are no sources", async () => {
    const refused = await run(["sources", "group", "mine", "demo:park"]);
    expect(refused).toMatchObject({ code: 3, out: "" });
    expect(refused.err).toContain('member "demo:park" of group "mine" is not a source');
  });
});

describe("groundrule snapshot inspect and verify", () => {
  it("show a snapshot by source or file", async () => {
    const file = snapshotIn(at(".groundrule/editions/demo_parks"));
    const path = `.groundrule/editions/demo_parks/${file}`;
    const { lines } = await run(["snapshot", "inspect", "demo:parks", path]);
    expect(lines[0]).toEqual(lines[1]);
    const counts = { feature_count: 2, rings: 2, positions: 10 };
    expect(lines[0]).toMatchObject({ edition: file!.slice(0, 64), ...counts });
    expect(lines[0]!.columns).toHaveLength(5);
  });

  it("distinguish sound editions from damaged ones", async () => {
    const sound = await run(["snapshot", "verify"]);
    expect(sound.code).toBe(0);
    expect(sound.lines.map((line) => line.status)).toEqual(["ok", "ok", "ok"]);
    write("bad.snapshot", "not a snapshot");
    const damaged = await run(["snapshot", "verify", "demo:parks", "bad.snapshot"]);
    expect(damaged.code).toBe(3);
    expect(damaged.lines).toMatchObject([
      { status: "ok" },
      { status: "damaged", error: { code: "SNAPSHOT_CORRUPT" } },
    ]);
  });
});

describe("groundrule intersections", () => {
  it("prints a line a plot with the members of the HTTP properties", async () => {
    const { code, lines, err } = await run(["intersections"], collection(halfIn, farAway));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const [match, ...others] = lines[0]!.intersections as Record<string, unknown>[];
    expect(others).toEqual([]);
    expect(Object.keys(match!).sort()).toEqual([
      ...["area_overlap_ratio", "country_iso3", "name", "overlap_area_m2", "overlap_ratio"],
      ...["properties", "source_id", "source_name"],
    ]);
    expect(match).toMatchObject({
      source_name: "demo:parks",
      source_id: "P1",
      name: "Big Park",
      country_iso3: "BRA",
      overlap_ratio: 0.5,
      properties: { since: "1990-02-01", size: 7 },
    });
    expect(lines[0]!.id).toBe("half");
    expect(lines[1]).toEqual({ id: "far", intersections: [] });
  });

  it("limits the question to sources and a country", async () => {
    const ask = async (...options: string[]) => {
      const found = await run(
        ["intersections", ...options],
        formatNdjson(feature(createSquarePolygon(10, 0, 11))),
      );
      return (found.lines[0]!.intersections as { source_id: string }[]).map((match) => match.source_id);
    };
    expect(await ask("--source", "demo:parks")).toEqual(["P1", "P2"]);
    expect(await ask("--country", "col")).toEqual(["P2"]);
    expect(await ask("--source", "demo:clearing")).toEqual(["1"]);
  });

  it("reports a small defect of many plots in one line, on standard error", async () => {
    const [ring] = createSquarePolygon(10, 0, 0.5).coordinates;
    const draw = (...positions: number[][]) => ({
      ...halfIn,
      geometry: { type: "Polygon", coordinates: [positions] },
    });
    const repeated = draw(ring![0]!, ...ring!);
    const wound = draw(...ring!.toReversed()); // as Shapefiles have every plot
    const {
      code,
      lines: results,
      err,
    } = await run(["intersections"], formatNdjson(repeated, wound, repeated, repeated));
    expect({ code, count: results.length }).toEqual({ code: 0, count: 4 });
    expect(err).toMatch(/^plot half: .*repeats.* \(and 2 more like it\)\n$/);
  });

  it("answers the plots around a bad one, which gets an error with its faults", async () => {
    const input = `${formatNdjson(farAway, feature(BOW_TIE, {}, 5))}{oops}\n${formatNdjson(halfIn)}`;
    const { code, lines: results } = await run(["intersections"], input);
    expect(code).toBe(3);
    expect(results).toMatchObject([
      { id: "far", intersections: [] },
      { id: 5, error: { code: "GEOMETRY_INVALID", faults: [{ pointer: expect.any(String) }] } },
      { id: 3, error: { code: "MALFORMED_JSON" } },
      { id: "half", intersections: [{ source_id: "P1" }] },
    ]);
  });
});

describe("groundrule distance", () => {
  it("finds areas nearest first, within both bounds", async () => {
    const input = formatNdjson(feature({ type: "Point", coordinates: [10, 0.5] }));
    const all = await run(["distance", "--max-distance-m", "200000"], input);
    expect(all.code).toBe(0);
    const matches = all.lines[0]!.matches as { source_id: string; distance_m: number }[];
    expect(matches.map((match) => match.source_id)[0]).toBe("P1");
    // A quarter degree of longitude half a degree from the equator.
    expect(Math.abs(matches[0]!.distance_m / 27_829 - 1)).toBeLessThan(0.002);
    const far = await run(["distance", "--max-distance-m", "200000", "--min-distance-m", "30000"], input);
    expect((far.lines[0]!.matches as unknown[]).length).toBe(matches.length - 1);
  });
});

describe("groundrule subjects", () => {
  it("finds an identifier however it is written", async () => {
    const { code, lines } = await run(["subjects", "--scheme", "br:cnpj", "--value", "11222333000181"]);
    expect(code).toBe(0);
    expect(lines).toMatchObject([{ id: 1, matches: [{ source_id: "7", value: "11.222.333/0001-81" }] }]);
    const like = await run(["subjects", "--scheme", "br:cnpj", "--value", "11222%", "--match-op", "ilike"]);
    expect(like.lines).toMatchObject([{ matches: [{ source_id: "7" }] }]);
    // Another establishment of the same company is no match, and a note names the look-up that finds the company.
    const branch = await run(["subjects", "--scheme", "br:cnpj", "--value", "11.222.333/0002-62"]);
    expect(branch.lines).toEqual([{ id: 1, matches: [] }]);
    expect(branch.err).toContain("1 record of its company");
    expect(branch.err).toContain("--match-op ilike --value '11222333%'");
  });

  it("states in its line that the scheme excludes a value, and which value would fit", async () => {
    const { code, lines } = await run(["subjects", "--scheme", "br:cnpj", "--value", "6990590000123"]);
    expect(code).toBe(0);
    expect(lines).toEqual([
      { id: 1, matches: [], malformed: { code: "IDENTIFIER_MALFORMED", proposed: "06990590000123" } },
    ]);
  });

  it("looks up each line of a file as it looks up one value, and a line's id is what the file has", async () => {
    const values = ["11.222.333/0001-81", "6990590000123", "11.222.333/0002-62", "11222333000181"];
    writeFileSync(at("suppliers.txt"), `\ufeff${values.join("\r\n\r\n ")}\n`);
    const ask = (...words: readonly string[]) => run(["subjects", "--scheme", "br:cnpj", ...words]);
    const { code, lines, err } = await ask(at("suppliers.txt"));
    const alone = await Promise.all(values.map((value) => ask("--value", value)));
    expect(code).toBe(0);
    expect(lines).toEqual(alone.map((each, i) => ({ ...each.lines[0], id: values[i] })));
    expect(err).toContain("identifier 11.222.333/0002-62: no register has this establishment");
    expect((await run(["subjects", "--scheme", "br:cnpj", "-"], values.join("\n"))).lines).toEqual(lines);
  });

  it("refuses a file that is not UTF-8 with its line, and both or neither of a file and a value", async () => {
    writeFileSync(at("latin.txt"), Buffer.from("11222333000181\nS\xe3o\n", "latin1"));
    const latin = await run(["subjects", "--scheme", "br:cnpj", at("latin.txt")]);
    expect([latin.code, latin.err]).toEqual([3, expect.stringContaining("line 2: found a byte")]);
    for (const words of [[], ["--value", "1", at("latin.txt")]]) {
      expect((await run(["subjects", "--scheme", "br:cnpj", ...words])).code).toBe(2);
    }
  });
});

describe("groundrule evaluate", () => {
  it("prints the verdict of each plot, as the API has it", async () => {
    const { code, lines } = await run(["evaluate", "--ruleset", "rules.json"], collection(halfIn, farAway));
    expect(code).toBe(0);
    expect(lines).toMatchObject([
      { id: "half", verdict: { verdict: "NON_COMPLIANT", status: "ok", checks: [{ triggered: true }, {}] } },
      { id: "far", verdict: { verdict: "COMPLIANT", checks: [{ triggered: false }, {}] } },
    ]);
  });

  it("exits with 1 where --fail-on requires it", async () => {
    const evaluate = (failOn: string, plot: unknown) =>
      run(["evaluate", "--ruleset", "rules.json", "--fail-on", failOn], formatNdjson(plot));
    expect((await evaluate("non_compliant,degraded", halfIn)).code).toBe(1);
    expect((await evaluate("warning", halfIn)).code).toBe(0);
    expect((await evaluate("nonsense", halfIn)).code).toBe(2);
  });

  it("takes subjects from the plot, and refuses what a check would need but lacks", async () => {
    const ruleset = { ...RULESET, checks: [{ id: "listed", set: "listed", outcome: "NON_COMPLIANT" }] };
    write("listed.json", ruleset);
    const owner = { scheme: { type: "br:cnpj", value: "11.222.333/0001-81" } };
    const cell = feature(null, { scheme: "11.222.333/0001-81" }); // as a column of a table has it
    const input = formatNdjson(feature(null, owner), farAway, cell);
    const { lines: results } = await run(["evaluate", "--ruleset", "listed.json"], input);
    const message = expect.stringContaining("from a column, e.g. --identifier br:cnpj:owner=COLUMN");
    expect(results).toMatchObject([
      { verdict: { verdict: "NON_COMPLIANT" } },
      { error: { code: "INPUT_INCOMPLETE", message } },
      { error: { code: "VALIDATION_FAILED", message } },
    ]);
  });

  it("records each request with its response", async () => {
    const args = ["evaluate", "--ruleset", "rules.json", "--record", "record.ndjson"];
    const { lines: results } = await run(args, formatNdjson(halfIn));
    const record = JSON.parse(readFileSync(at("record.ndjson"), "utf8"));
    expect(record.request).toEqual({ input: { geometry: halfIn.geometry }, ruleset: RULESET });
    expect(record.response.data).toEqual(results[0]!.verdict);
  });

  it("reports a bad ruleset's faults, all at once, before it reads a plot", async () => {
    const checks = [{ id: "c", set: "b", outcome: "WARNING" }];
    write("bad.json", { sets: { a: { sources: ["demo:park"] } }, checks });
    const { code, out, err } = await run(["evaluate", "--ruleset", "bad.json"], formatNdjson(halfIn));
    expect({ code, out }).toEqual({ code: 3, out: "" });
    expect(err).toMatch(/at "\/checks\/0/);
  });
});

describe("groundrule lint", () => {
  const lint = (ruleset: unknown, ...more: string[]) => {
    write("doubtful.json", ruleset);
    return run(["lint", "doubtful.json", ...more]);
  };
  const shares = (value: number) => ({
    sets: { s: { sources: ["demo:parks"] } },
    checks: [{ id: "c", set: "s", measure: "overlap_ratio", value, outcome: "WARNING" }],
  });

  it("prints a finding a line, and exits with 1 only where --fail-on requires it", async () => {
    const found = await lint(shares(5));
    expect(found.lines.map(({ code, pointer }) => [code, pointer])).toEqual([
      ["UNIT_SUSPICIOUS", "/checks/0/value"],
      ["CHECK_NEVER", "/checks/0"],
    ]);
    expect(found.code).toBe(0);
    expect((await lint(shares(5), "--fail-on", "warning")).code).toBe(1);
    expect(await lint(shares(0.05), "--fail-on", "info")).toMatchObject({ code: 0, out: "" });
    expect((await lint(shares(5), "--fail-on", "never")).code).toBe(2);
  });

  it("exits with 3 where the ruleset does not compile", async () => {
    const found = await lint({ ...shares(0.05), sets: { s: { sources: ["demo:park"] } } });
    expect(found.lines).toMatchObject([{ code: "SOURCE_UNKNOWN", severity: "error" }]);
    expect(found.code).toBe(3);
  });
});

describe("groundrule rulesets format", () => {
  const filtered = (where: unknown) =>
    JSON.stringify({ ...RULESET, sets: { ...RULESET.sets, protected: { sources: ["demo:parks"], where } } });
  const json = { op: "not", args: [{ op: "isNull", args: [{ property: "name" }] }] };

  it("prints a ruleset with its filters as text, and back as JSON, whose digest is the same", async () => {
    write("filtered.json", filtered(json));
    const asText = await run(["rulesets", "format", "filtered.json", "--as", "text"]);
    expect(asText).toMatchObject({ code: 0, err: "" });
    expect(asText.out).toContain('{ "sources": ["demo:parks"], "where": "name IS NOT NULL" }');
    const asJson = await run(["rulesets", "format", "--as", "json", "--json", "-"], asText.out);
    expect(asJson.lines).toEqual([JSON.parse(filtered(json))]);
    write("text.json", asText.out);
    const plans = await Promise.all(
      ["text.json", "filtered.json"].map((file) => run(["explain", "--ruleset", file])),
    );
    const [text, written] = plans.map(({ lines: [line] }) => line!.plan as Plan);
    expect(text!.sets).toMatchObject([{ where: "name IS NOT NULL" }, {}]);
    expect(written!.sets).toMatchObject([{ where: "name IS NOT NULL" }, {}]);
    expect(text!.ruleset!.digest).toBe(written!.ruleset!.digest);
  });

  it("takes presets by name, and reports where a filter goes wrong", async () => {
    const preset = await run(["rulesets", "format", "preset.eudr-style", "--as", "text"]);
    expect(preset.out).toMatch(/"where": "\w+ > DATE\('2020-12-31'\)/);
    const wrong = await run(["rulesets", "format", "--as", "text"], filtered("name IS NOT NIL"));
    expect(wrong).toMatchObject({ code: 3, out: "" });
    expect(wrong.err).toContain('at character 13: found "NIL", expected NULL');
    expect((await run(["rulesets", "format", "--as", "yaml"], filtered(json))).code).toBe(2);
    const none = await run(["rulesets", "format", "--as", "text"], "[]");
    expect(none).toMatchObject(matchFailedExit(3, "standard input does not contain a ruleset"));
    expect((await run(["rulesets", "format", "--as", "text"], "{")).err).toContain(
      "standard input is not valid JSON",
    );
  });
});

describe("groundrule explain", () => {
  it("prints the plan of a ruleset, and of each plot with what the index offers for it", async () => {
    const alone = await run(["explain", "--ruleset", "rules.json"]);
    expect(alone.lines).toMatchObject([{ plan: { ask: "evaluate", input: { geometry: null } } }]);
    expect(alone.code).toBe(0);
    const plots = formatNdjson(halfIn, farAway, feature(BOW_TIE, {}, "bad"));
    const each = await run(["explain", "--ruleset", "rules.json", "-"], plots);
    const offered = each.lines.map(({ id, plan, error }) => [
      id,
      (plan as Plan | undefined)?.sources.find(({ source_name }) => source_name === "demo:parks")?.candidates,
      (error as { code: string } | undefined)?.code,
    ]);
    expect(offered).toEqual([
      ["half", 1, undefined],
      ["far", 0, undefined],
      ["bad", undefined, "GEOMETRY_INVALID"],
    ]);
    expect(each.code).toBe(3);
  });
});

describe("groundrule screen", () => {
  it("warns, as evaluate does, where the borders place a plot in another country than its properties", async () => {
    const input = formatNdjson(
      feature(createSquarePolygon(-60, -10, 0.01), { ProducerCountry: "BR" }, "at-home"),
      feature(createSquarePolygon(-1.5, 7, 0.01), { country: "BRA" }, "abroad"),
    );
    for (const command of [["evaluate"], ["screen", "--workers", "2"]]) {
      const { code, err } = await run([...command, "--ruleset", "rules.json"], input);
      expect(code).toBe(0);
      expect(err).toContain("plot abroad: found the country BRA, but the borders place the plot in GHA");
      expect(err).not.toContain("at-home: found the country");
    }
  });

  it("gives evaluate's lines in input order, on threads, whatever stands between", async () => {
    const plots = Array.from({ length: 200 }, (_, i) =>
      feature(createSquarePolygon(9.9 + i / 400, 0, 0.1), {}, i),
    );
    const input = `${formatNdjson(...plots.slice(0, 90))}{oops}\n${formatNdjson(feature(BOW_TIE), ...plots.slice(90))}`;
    const [screened, evaluated] = await Promise.all([
      run(["screen", "--ruleset", "rules.json", "--workers", "2"], input),
      run(["evaluate", "--ruleset", "rules.json"], input),
    ]);
    expect(screened.code).toBe(3);
    expect(screened.lines).toHaveLength(202);
    const withoutTime = (text: string) => text.replaceAll(/"evaluated_at":"[^"]*"/g, "");
    expect(withoutTime(screened.out)).toBe(withoutTime(evaluated.out));
  });

  it("answers each plot of a slow stream as it comes, and ends on SIGINT with what it has", async () => {
    const child = startGroundrule(["screen", "--ruleset", "rules.json"], at());
    const results = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    for (const [id, plot] of Object.entries({ half: halfIn, far: farAway })) {
      child.stdin!.write(formatNdjson(plot));
      const next = await results.next();
      expect(JSON.parse(String(next.value))).toMatchObject({ id });
    }
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    expect(code).toBe(130);
  });

  it("ends on SIGINT in the middle of a document too, with what it has", async () => {
    const child = startGroundrule(["screen", "--ruleset", "rules.json"], at());
    const results = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    // A collection without a CRS so far could name one at its end; plots are answered from there on.
    const crs = { type: "name", properties: { name: "urn:ogc:def:crs:OGC:1.3:CRS84" } };
    const opening = `{"type":"FeatureCollection","crs":${JSON.stringify(crs)},"features":[\n`;
    child.stdin!.write(`${opening}${JSON.stringify(halfIn)},`);
    expect(JSON.parse(String((await results.next()).value))).toMatchObject({ id: "half" });
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    expect(code).toBe(130);
  });

  it.skipIf(!existsSync("/dev/full"))("reports that its output is full, with 4", async () => {
    const full = openSync("/dev/full", "w");
    const args = [join(import.meta.dirname, "main.ts"), "sources", "list", "--json"];
    const child = spawn(process.execPath, args, { cwd: at(), stdio: ["ignore", full, "pipe"] });
    const err = text(child.stderr!);
    const [code] = await once(child, "exit");
    closeSync(full);
    const result = { code, err: await err };
    expect(result).toEqual(matchFailedExit(4, "standard output cannot be written: ENOSPC"));
  });

  it("ends without a word when nobody reads on", async () => {
    const child = startGroundrule(["screen", "--ruleset", "rules.json"], at());
    const err = text(child.stderr!);
    child.stdin!.on("error", () => {});
    child.stdin!.write(formatNdjson(...Array.from({ length: 5000 }, () => halfIn)));
    await once(child.stdout!, "data");
    child.stdout!.destroy();
    const [code] = await once(child, "exit");
    expect({ code, err: await err }).toEqual({ code: 141, err: "" });
  });
});

describe("a broken edition", () => {
  it("fails its source and no other: answers lack it and state that, verdicts are DEGRADED", async () => {
    const folder = at(".groundrule/editions/demo_parks");
    const path = join(folder, snapshotIn(folder)!);
    const good = readFileSync(path);
    const bad = Buffer.from(good);
    bad[bad.length - 9]! ^= 1;
    writeFileSync(path, bad);
    try {
      const input = formatNdjson(feature({ type: "Point", coordinates: [11.005, 0.105] }));
      const found = await run(["intersections"], input);
      expect(found.code).toBe(4);
      expect(found.err).toMatch(
        /^source demo:parks could not be opened, so the answers are without it: .+\n$/,
      );
      expect(found.lines).toMatchObject([{ intersections: [{ source_name: "demo:clearing" }] }]);
      const other = await run(["intersections", "--source", "demo:clearing"], input);
      expect(other).toMatchObject({ code: 0, err: "" });

      const evaluated = await run(["evaluate", "--ruleset", "rules.json"], formatNdjson(halfIn));
      expect(evaluated.code).toBe(0);
      const failed = { source_name: "demo:parks", status: "failed", reason: expect.any(String) };
      expect(evaluated.lines[0]!.verdict).toMatchObject({
        ...{ verdict: "DEGRADED", status: "degraded", at_least: "COMPLIANT" },
        checks: [{ status: "failed", outcome: null }, { status: "ok" }],
        sources: expect.arrayContaining([expect.objectContaining(failed)]),
      });
      expect((await run(["snapshot", "verify"])).code).toBe(3);
      expect((await run(["sources", "list"])).lines).toHaveLength(4);
    } finally {
      writeFileSync(path, good);
    }
  });
});

describe("exit codes", () => {
  it.each([
    [["frobnicate"], 2, 'unknown command "frobnicate"'],
    [["intersection"], 2, "did you mean intersections?"],
    [["snapshot"], 2, "expected one of build, inspect, verify"],
    [["intersections", "--contry", "BRA"], 2, "did you mean --country?"],
    [["distance"], 2, "--max-distance-m N is required"],
    [["intersections", "nowhere.geojson"], 3, "cannot read nowhere.geojson: no such file"],
    [["evaluate", "--ruleset", "nowhere.json"], 3, "cannot read nowhere.json"],
    [["evaluate", "--ruleset", "preset.minning"], 3, "did you mean preset.mining?"],
    [["evaluate", "--ruleset", "preset.mining"], 3, 'found "preset:mining"'],
    [["evaluate", "--ruleset", "preset.eudr-style@1"], 3, 'found "preset:forest_loss"'],
    [["evaluate", "--ruleset", "preset.sanctions@9"], 3, "its versions are 1, 2"],
    [
      ["evaluate", "--ruleset", "preset.mining"],
      3,
      "groundrule:   what it needs, and what brings that: groundrule sources list --needed-by preset.mining\n",
    ],
    [["lint", "preset.mining"], 3, "that: groundrule sources list --needed-by preset.mining"],
    [
      ["evaluate", "--ruleset", "preset.mining", "--data", "else where"],
      4,
      "groundrule sources list --needed-by preset.mining --data 'else where'\n",
    ],
    [["intersections", "--source", "demo:park"], 3, "; the sources that are here: groundrule sources list"],
    [["intersections", "--source", "demo:park"], 3, "SOURCE_UNKNOWN"],
    [["sources", "list", "--data", "elsewhere"], 4, "DATA_FOLDER_MISSING"],
  ])("%j ends with %i and reports why", async (args, code, why) => {
    const result = await run(args, formatNdjson(halfIn));
    expect(result.code).toBe(code);
    expect(result.err + result.out).toContain(why);
  });

  it("of a preset are 3 until what brings its groups has run, as the refusal leads to", async () => {
    const preset = ["evaluate", "--ruleset", "preset.conservation-units", "--data", ".groundrule"];
    const refused = await run(preset, formatNdjson(halfIn));
    const [, needed] = refused.err.match(/what brings that: groundrule (.*)$/m)!;
    expect([refused.code, needed]).toEqual([
      3,
      "sources list --needed-by preset.conservation-units --data .groundrule",
    ]);
    const group = "sources group preset:conservation_units demo:parks --data .groundrule";
    expect((await run(group.split(" "))).code).toBe(0);
    expect((await run(needed!.split(" "))).lines.at(-1)).toMatchObject({
      summary: { needed: 1, here: 1, missing: 0, next: [] },
    });
    expect((await run(preset, formatNdjson(halfIn))).lines).toMatchObject([
      { verdict: { verdict: "NON_COMPLIANT" } },
    ]);
    expect((await run(["sources", "group", "--remove", "preset:conservation_units"])).code).toBe(0);
  });

  it("are 0 for every help page", async () => {
    const help = await run(["screen", "--help"]);
    expect(help).toMatchObject({ code: 0, err: "" });
    expect(help.out).toMatch(/^Usage: groundrule screen --ruleset FILE \[OPTION\]… \[FILE\]\n/);
    expect(await run(["snapshot", "--help"])).toMatchObject({ code: 0, err: "" });
    expect(await run(["--version"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });
});

describe("groundrule serve", () => {
  it("answers over HTTP as the command does, switches editions while it runs, and stops on a signal", async () => {
    await run(["org", "create", "Bank of Plots", "--quota", "1000"]);
    const made = await run(["key", "create", "--org", "Bank of Plots", "--json"]);
    const { key } = made.lines[0] as { key: string };
    const child = startGroundrule(["serve", "--port", "0", "--workers", "1"], at());
    const output = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    const errors = createInterface({ input: child.stderr! })[Symbol.asyncIterator]();
    const url = /http:\S+/.exec(String((await output.next()).value))![0];
    const ask = async () => {
      const response = await fetch(`${url}/v1/evaluate`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ input: { geometry: halfIn.geometry }, ruleset: RULESET }),
      });
      expect(response.status).toBe(200);
      return ((await response.json()) as { data: Record<string, unknown> }).data;
    };
    const printed = await run(["evaluate", "--ruleset", "rules.json"], formatNdjson(halfIn));
    const verdict = printed.lines[0]!.verdict as Record<string, unknown>;
    const served = await ask();
    expect({ ...served, evaluated_at: 0 }).toMatchObject({ ...verdict, evaluated_at: 0 });

    const clearing = collection(feature(createSquarePolygon(10.3, 0.1, 0.01), { name: "new" }));
    await run(["snapshot", "build", "--manifest", "manifest.json", "--allow", "shrunk"], clearing);
    for (;;)
      if (String((await errors.next()).value).match(/now uses \S+ [0-9a-f]{64} instead of [0-9a-f]{64}/))
        break;
    expect((await ask()).sources).not.toEqual(served.sources);
    await run(["snapshot", "build", "--manifest", "manifest.json"], CLEARING);

    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
  });
});

describe("groundrule demo", () => {
  it("keeps its fictional sources and real ones apart, and says so where they meet", async () => {
    const { plots: features } = await layOutDemo(at("demo"));
    expect((await run(["demo", "--build-only", "--data", ".groundrule"])).err).toContain(
      ".groundrule contains real sources",
    );
    // A source that the user adds to the demo's data joins none of its groups, and every answer from both has a
    // warning.
    const build = ["--source", "my:parks", "--country", "iso", "parks.geojson", "--data", "demo"];
    const joining = await run(["snapshot", "build", "--group", "preset:conservation_units", ...build]);
    expect(joining).toMatchObject(matchFailedExit(3, "(GROUP_INVALID)"));
    expect((await run(["snapshot", "build", ...build])).code).toBe(0);
    const mixed = await run(["intersections", "--data", "demo"], formatNdjson(features[0]));
    expect(mixed.err).toMatch(
      /warning: demo:benchmark, .* in one data folder with real sources; groundrule sources remove --fictional --data demo/,
    );
    expect(mixed.err).toContain("among real sources, expected either only fictional or only real sources");
    const removed = await run(["sources", "remove", "--fictional", "--data", "demo"]);
    expect(removed.err).toContain("demo:parks left demo:protected, preset:conservation_units");
    expect((await run(["sources", "list", "--data", "demo"])).lines.map((line) => line.source_name)).toEqual([
      "demo:countries",
      "my:parks",
    ]);
  });
});
