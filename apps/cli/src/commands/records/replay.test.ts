import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { VerdictRecord } from "@groundrule/engine/records";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { beforeAll, describe, expect, it } from "vitest";
import { parseJsonLines, runInProcess, splitCommandWords } from "../../../test/in-process.ts";
import { formatNdjson, makeFeature } from "../../../test/plot-texts.ts";

const plots = [0, 0.2, 0.4, 5].map((west, i) => makeFeature(`plot-${i}`, createSquarePolygon(west, 0, 0.3)));
const input = formatNdjson(...plots);
const RULESET = {
  sets: { protected: { sources: ["all:protected"] } },
  checks: [{ id: "overlap", set: "protected", measure: "overlap_ratio", value: 0.5, outcome: "WARNING" }],
};

const { at, write } = createSharedFolder();
const run = (...args: string[]) => runInProcess([...args, "--data", at("data")], { input });
const build = (west: number) => {
  write("parks.geojson", makeFeature("P1", createSquarePolygon(west, 0, 0.3)));
  const options = ["--source", "demo:parks", "--group", "all:protected", "--collected-at"];
  return run("snapshot", "build", ...options, "2026-10-01T00:00:00Z", at("parks.geojson"));
};
const records = () =>
  parseJsonLines(readFileSync(at("records.ndjson"), "utf8")) as unknown[] as VerdictRecord[];
/** Replays the first record after a change. */
const replayChanged = async (change: (record: VerdictRecord) => unknown) => {
  write("changed.json", JSON.stringify(change(structuredClone(records()[0]!)), undefined, 2));
  const { code, lines } = await run("replay", at("changed.json"));
  return { code, ...lines[0] };
};
/** The same where a part of it has other members. */
const replayAltered = (partOf: (record: VerdictRecord) => object, members: object) =>
  replayChanged((record) => {
    Object.assign(partOf(record), members);
    return record;
  });

beforeAll(async () => {
  write("rules.json", RULESET);
  await build(0);
  await run("evaluate", "--ruleset", at("rules.json"), "--record", at("records.ndjson"));
  // Editions and the group's members change afterwards; records are replayed against those of their day.
  await build(0.25);
  write("other.geojson", makeFeature("P2", createSquarePolygon(0, 0, 0.3)));
  await run("snapshot", "build", "--source", "demo:other", "--group", "all:protected", at("other.geojson"));
});

describe("groundrule replay", () => {
  it("finds records identical, from editions that are current no longer", async () => {
    const { code, lines } = await run("replay", at("records.ndjson"));
    expect(code).toBe(0);
    expect(lines.map(({ id, result, differs }) => ({ id, result, differs }))).toEqual(
      plots.map(({ id }) => ({ id, result: "identical", differs: [] })),
    );
    const evaluated = await run("evaluate", "--ruleset", at("rules.json"));
    const digests = evaluated.lines.map((line) => (line.verdict as { digest: string }).digest);
    expect(digests).not.toContain(records()[0]!.response.data.digest);
  });

  it.each(["screen", "evaluate"])("names and counts plots to which %s gave no verdict", async (command) => {
    const plotLines = [
      JSON.stringify(makeFeature("empty", { type: "Polygon", coordinates: [] })),
      JSON.stringify(plots[0]),
      "{",
    ].join("\n");
    const folder = at(`refused-${command}`);
    const more = command === "screen" ? ["--workers", "1"] : [];
    await runInProcess(
      [command, "--ruleset", at("rules.json"), "--record", folder, ...more, "--data", at("data")],
      { input: plotLines },
    );
    const { code, lines } = await run("replay", folder);
    expect(code).toBe(0);
    expect(
      lines.map(({ id, result, error }) => [id, result, (error as { code: string } | undefined)?.code]),
    ).toEqual([
      ["empty", "no_verdict", "VALIDATION_FAILED"],
      ["plot-0", "identical", undefined],
      [3, "no_verdict", "MALFORMED_JSON"],
    ]);
    const { out } = await runInProcess(["replay", folder, "--data", at("data")], { columns: 100 });
    expect(out).toMatch(/^record empty: .*no verdict.*, not a GeoJSON geometry: .* \(VALIDATION_FAILED\)$/m);
  });

  it("replays what screen recorded, folder by folder, and never writes over it", async () => {
    const screened = await run(
      ...splitCommandWords`screen --ruleset ${at("rules.json")} --record ${at("recorded")} --workers 1`,
    );
    expect(screened.code).toBe(0);
    expect(readdirSync(at("recorded"))).toEqual(["records-00001.ndjson"]);
    const { code, lines } = await run("replay", at("recorded"));
    expect(code).toBe(0);
    expect(lines.map(({ id, result }) => ({ id, result }))).toEqual(
      plots.map(({ id }) => ({ id, result: "identical" })),
    );
    const again = await run(
      ...splitCommandWords`screen --ruleset ${at("rules.json")} --record ${at("recorded")} --workers 1`,
    );
    expect(again.code).toBe(3);
    expect(again.err).toContain("never overwrites");
  });

  it("replays strict coverage as it was requested, by evaluate and by screen", async () => {
    const strictly = ["--ruleset", at("rules.json"), "--strict-coverage"];
    const { lines } = await run("evaluate", ...strictly, "--record", at("strict.ndjson"));
    const verdicts = lines.map(({ verdict }) => verdict as VerdictRecord["response"]["data"]);
    const statuses = verdicts.map(({ checks }) => checks[0]!.status);
    expect(statuses).toEqual(["ok", "ok", "not_covered", "not_covered"]);
    const screened = await run("screen", ...strictly, "--record", at("strict"), "--workers", "1");
    expect(screened.lines.map(({ verdict }) => (verdict as { digest: string }).digest)).toEqual(
      verdicts.map(({ digest }) => digest),
    );
    for (const recorded of ["strict.ndjson", "strict"]) {
      const replayed = await run("replay", at(recorded));
      expect(replayed.code).toBe(0);
      expect(replayed.lines.map(({ result }) => result)).toEqual(plots.map(() => "identical"));
    }
  });

  it("takes a record whose members stand in another order, or that lacks its groups and id", async () => {
    const reversed = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(reversed)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([name, member]) => [name, reversed(member)]),
            )
          : value;
    expect(await replayChanged(reversed)).toMatchObject({ code: 0, result: "identical" });
    const bare = await replayChanged(({ request, response }) => ({ request, response }));
    expect(bare).toMatchObject({ code: 0, id: 1, result: "identical" });
  });

  it.each<[string, string, (record: VerdictRecord) => object, object]>([
    [
      "the threshold",
      "ruleset",
      (r) => r.request.ruleset,
      { checks: [{ ...RULESET.checks[0], value: 0.1 }] },
    ],
    ["the plot", "input", (r) => r.request.input, { geometry: createSquarePolygon(0, 0, 0.29) }],
    ["the semantics", "semantics", (r) => r.response.data, { semantics: 999 }],
    ["the verdict", "verdict", (r) => r.response.data, { verdict: "COMPLIANT" }],
    ["a measured value", "verdict", (r) => r.response.data.checks[0]!.comparisons[0]!, { value: 0.25 }],
    [
      "the day of collection",
      "description",
      (r) => r.response.data.sources[0]!,
      { collected_at: "2020-01-01T00:00:00Z" },
    ],
  ])("exits with 1 where %s was altered, and names the %s", async (_what, part, partOf, members) => {
    expect(await replayAltered(partOf, members)).toMatchObject({
      code: 1,
      result: "differs",
      differs: [part],
    });
  });

  it("misses no count of what was left out in records of releases that did not report it", async () => {
    expect(records()[0]!.response.data.sources[0]).toHaveProperty("left_out", 0);
    const changed = (change: (source: object) => void) =>
      replayChanged((record) => {
        for (const source of record.response.data.sources) change(source);
        return record;
      });
    const untold = await changed((source) => Reflect.deleteProperty(source, "left_out"));
    expect(untold).toMatchObject({ code: 0, result: "identical" });
    const other = await changed((source) => Object.assign(source, { left_out: 4 }));
    expect(other).toMatchObject({ code: 1, result: "differs", differs: ["description"] });
  });

  it("takes no record that names a member twice", async () => {
    const [line] = readFileSync(at("records.ndjson"), "utf8").split("\n");
    write("twice.ndjson", line!.replace('"digest":', '"digest":"0","digest":'));
    const { code, lines } = await run("replay", at("twice.ndjson"));
    expect(code).toBe(3);
    expect(JSON.stringify(lines)).toMatch(
      /record 1 is not valid JSON at .*digest.*the same object already has a member of this name/,
    );
  });

  it("reports which edition differs where a record names one that is archived too", async () => {
    const recorded = records()[0]!.response.data.sources[0]!.edition!;
    const archived = [
      ...new Set(readdirSync(at("data/editions/demo_parks")).map((name) => name.split(".")[0]!)),
    ];
    const found = archived.find((edition) => edition !== recorded)!;
    const changed = await replayAltered((record) => record.response.data.sources[0]!, { edition: found });
    // The evidence still names the edition that was asked.
    expect(changed).toMatchObject({ code: 1, result: "differs" });
    expect(JSON.stringify(changed)).toContain(recorded);
  });

  it("names the edition where the record's groups do not lead to its sources", async () => {
    const changed = await replayChanged((record) => ({ ...record, groups: {} }));
    expect(changed).toMatchObject({ code: 1, differs: ["edition"], error: { code: "SOURCE_UNKNOWN" } });
  });

  it("exits with 4 where an edition is not archived or is damaged, and still replays the others", async () => {
    const { edition } = records()[0]!.response.data.sources[0]!;
    const path = at(`data/editions/demo_parks/${edition}.snapshot`);
    const good = readFileSync(path);
    renameSync(path, `${path}.away`);
    const missing = await run("replay", at("records.ndjson"));
    expect(missing.code).toBe(4);
    expect(missing.lines).toMatchObject(plots.map(() => ({ error: { code: "EDITION_MISSING" } })));
    const bad = Buffer.from(good);
    bad[bad.length - 5]! ^= 1;
    writeFileSync(path, bad);
    expect((await run("replay", at("records.ndjson"))).lines).toMatchObject(
      plots.map(() => ({ error: { code: "EDITION_DAMAGED" } })),
    );
    rmSync(path);
    renameSync(`${path}.away`, path);
    expect((await run("replay", at("records.ndjson"))).code).toBe(0);
  });

  it("exits with 3 for a line that is no record, with what it lacks, and goes on", async () => {
    const [line] = readFileSync(at("records.ndjson"), "utf8").split("\n");
    write("mixed.ndjson", `${line}\n{"request":{}}\nnothing\n${line}\n`);
    const { code, lines } = await run("replay", at("mixed.ndjson"));
    expect(code).toBe(3);
    expect(lines).toMatchObject([
      { result: "identical" },
      { id: 2, error: { code: "VALIDATION_FAILED", faults: expect.any(Array) } },
      { id: 3, error: { code: "MALFORMED_JSON" } },
      { result: "identical" },
    ]);
  });

  it("replays a DEGRADED verdict with its source failed again", async () => {
    const { edition } = records()[0]!.response.data.sources[0]!;
    await build(0);
    const path = at(`data/editions/demo_parks/${edition}.snapshot`);
    const good = readFileSync(path);
    writeFileSync(path, good.subarray(0, 100));
    const degraded = await run("evaluate", "--ruleset", at("rules.json"), "--record", at("degraded.ndjson"));
    writeFileSync(path, good);
    expect(degraded.lines[0]).toMatchObject({ verdict: { verdict: "DEGRADED" } });
    const { code, lines } = await run("replay", at("degraded.ndjson"));
    expect({ code, results: lines.map(({ result }) => result) }).toEqual({
      code: 0,
      results: plots.map(() => "identical"),
    });
  });

  it("reports it in words on a terminal", async () => {
    const args = ["replay", at("records.ndjson"), "--data", at("data")];
    const { out, err } = await runInProcess(args, { columns: 80 });
    expect(out).toMatch(/^record plot-0: .*identical.*, WARNING {2}[0-9a-f]{64}\n/);
    expect(err).toBe("4 identical\n");
  });
});
