import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { gzipSync } from "node:zlib";
import { openStore } from "@groundrule/api/state";
import { createRasterWriter } from "@groundrule/engine/build";
import { installEdition } from "@groundrule/node";
import { createFolderForEach } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { makeJob } from "../../../../api/test/jobs.ts";
import { createLiveScope, makeSettlement } from "../../../../api/test/settlement.ts";
import { runInProcess } from "../../../test/in-process.ts";
import { addStoredDigests } from "../../data/needed-editions.ts";

const NAME = "demo:parks";
const { at, write } = createFolderForEach();
const run = (...args: string[]) => runInProcess([...args, "--data", at("data")]);
const seen = async (...args: string[]) =>
  stripVTControlCharacters((await runInProcess([...args, "--data", at("data")], { columns: 80 })).out)
    .trimEnd()
    .split("\n");

/** Builds an edition with `count` parks of this width, two degrees apart. */
async function build(count: number, width = 1, ...more: string[]) {
  const features = Array.from({ length: count }, (_, i) => ({
    type: "Feature",
    geometry: createSquarePolygon(10 + 2 * i, 0, width),
    properties: {
      code: `P${i}`,
      title: `Park number ${i} with a title that is too long for any line`,
      width,
    },
  }));
  write("parks.geojson", { type: "FeatureCollection", features });
  const columns = ["--source", NAME, "--id", "code", "--name", "title"];
  const built = await run("snapshot", "build", ...columns, ...more, at("parks.geojson"), "--json");
  return { ...built, edition: built.lines[0]?.edition as string };
}
const current = async () => (await run("sources", "list")).lines[0];
const stored = async () => (await run("sources", "editions", NAME)).lines.map(({ edition }) => edition);

describe("snapshot build", () => {
  it("exits with 1 where a guard keeps the edition back, reports why with what changed, and obeys --allow", async () => {
    const first = await build(4);
    const kept = await build(1);
    expect(kept).toMatchObject({
      code: 1,
      lines: [{ is_current: false, findings: [{ guard: "shrunk" }, {}] }],
    });
    expect(kept.err).toContain("fewer than half of the 4 of the current one");
    expect(kept.err).toContain("0 added, 3 removed, 0 changed");
    expect(kept.err).toContain(
      `--allow shrunk, or groundrule sources use ${NAME} ${kept.edition.slice(0, 12)}`,
    );
    expect(await current()).toMatchObject({ edition: first.edition, is_pinned: false });
    expect((await build(1, 1, "--allow", "left-out,shrunk")).code).toBe(0);
    expect(await current()).toMatchObject({ edition: kept.edition });
    expect(await build(2, 1, "--allow", "shrink")).toMatchObject({ code: 2 });
  });

  it("keeps a file without features back, which is no edition to answer from", async () => {
    const nothing = await build(0);
    expect(nothing).toMatchObject({ code: 1, lines: [{ findings: [{ guard: "empty" }] }] });
    expect((await run("sources", "list")).lines).toEqual([]);
  });
});

describe("sources editions, use, release and remove", () => {
  it("go back and forward, for people and for pipes", async () => {
    const [a, b] = [await build(2), await build(3)];
    expect(await stored()).toEqual([b.edition, a.edition]);
    const back = await run("sources", "use", NAME, a.edition.slice(0, 6));
    expect(back).toMatchObject({ code: 0, lines: [{ edition: a.edition, is_pinned: true }] });
    const c = await build(4);
    expect(c, c.err).toMatchObject({ code: 1 });
    expect(c.err).toContain("sources release demo:parks makes this one current");
    const table = await seen("sources", "editions", NAME);
    expect(table.map((row) => row.match(/(current pinned|next)$/)?.[0])).toEqual([
      ...[undefined, "next", undefined, "current pinned"],
    ]);
    expect((await seen("sources", "list"))[1]).toMatch(/pinned$/);
    expect((await seen("sources", "release", NAME))[0]).toBe(
      `${NAME} is released and now uses ${c.edition.slice(0, 12)}`,
    );
    expect(await run("sources", "remove", NAME, c.edition)).toMatchObject({ code: 3 });
    expect(await run("sources", "remove", NAME, "previous")).toMatchObject({ code: 0 });
    expect(await stored()).toEqual([c.edition, a.edition]);
    await run("sources", "group", "all", NAME);
    const refusal = await run("sources", "remove", NAME);
    expect([refusal.code, refusal.err]).toEqual([2, expect.stringContaining("pass --yes to delete")]);
    const removal = await run("sources", "remove", NAME, "--yes");
    expect(removal).toMatchObject({ code: 0, lines: [{ source_name: NAME, groups: ["all"] }] });
    expect(removal.err).toContain(`${NAME} stays a member of all and fails there`);
    const anew = await run("sources", "group", "all", "--remove");
    expect(anew.err).toContain(`${NAME} left all: rulesets that name the group no longer query it`);
    expect((await run("sources", "list")).lines).toEqual([]);
  });

  it("stay on an edition that a guard refused and that was used, and compare it with the one that waits", async () => {
    const first = await build(4);
    const refused = await build(1);
    const compared = await run("sources", "diff", NAME);
    expect(compared.lines[0]).toMatchObject({ before: first.edition, after: refused.edition });
    expect(await run("sources", "use", NAME, "waiting")).toMatchObject({ code: 0 });
    expect(await run("sources", "release", NAME)).toMatchObject({
      code: 0,
      lines: [{ edition: refused.edition, released: true, findings: [] }],
    });
    expect(await current()).toMatchObject({ edition: refused.edition, is_pinned: false });
    await run("sources", "use", NAME, first.edition);
    const kept = await run("sources", "release", NAME);
    expect(kept).toMatchObject({
      code: 1,
      lines: [{ edition: first.edition, findings: [{ guard: "shrunk" }, {}] }],
    });
    expect(kept.err).toContain(`groundrule sources release ${NAME} --allow shrunk`);
    expect(await run("sources", "release", NAME, "--allow", "shrunk")).toMatchObject({ code: 0 });
    expect(await current()).toMatchObject({ edition: refused.edition });
  });

  it("report what is wrong with the name of an edition", async () => {
    await build(2);
    expect((await run("sources", "use", NAME, "previous")).err).toContain("(EDITION_MISSING)");
    expect((await run("sources", "use", NAME, "xyz")).err).toContain(
      '6 to 64 hex digits, "current", "previous" or "waiting"',
    );
    expect((await run("sources", "editions", "demo:park")).err).toContain('did you mean "demo:parks"');
    expect((await run("sources", "editions", "../../etc")).err).toContain("(SOURCE_MISSING)");
  });
});

describe("sources diff of a raster", () => {
  it("reports what its cells held and hold, for people and for pipes", async () => {
    const grid = { a: 0, b: 2, s: 1, t: 1, n: 100, columns: 20, rows: 10 };
    const areas = [{ id: "7", name: null, countryIso3: null, properties: {} }];
    for (const count of [5, 9]) {
      const writer = createRasterWriter({ source_name: "demo:loss", kind: "leaf" }, grid, areas);
      writer.add(new Uint8Array(200).fill(254).fill(0, 0, count));
      await installEdition(at("data"), writer.finish());
    }
    const table = (await seen("sources", "diff", "demo:loss")).join("\n");
    expect(table).toContain("1 of 1 blocks of 256 × 256 cells differ");
    expect(table).toMatch(/cells were +are +cells +ha/);
    expect(table).toMatch(/\(background\) +7 +4 +492\.\d{4}/);
    const [sums] = (await run("sources", "diff", "demo:loss")).lines;
    expect(sums!.cells).toMatchObject({ blocks: 1, blocks_changed: 1, changes: [{ cells: 4 }] });
  });
});

describe("sources diff", () => {
  it("fits 80 columns, and gives pipes a line of sums and one for each change", async () => {
    const [a, b] = [await build(30), await build(29, 1.2)];
    const table = await seen("sources", "diff", NAME, "--limit", "5");
    for (const line of table) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(table[0]).toBe(`${NAME}: ${a.edition.slice(0, 12)} to ${b.edition.slice(0, 12)}`);
    expect(table[1]).toBe("areas: 30 before, 29 after: 0 added, 1 removed, 29 changed");
    expect(table.at(-1)).toBe("… and 25 more: --limit N, or --json");
    const { lines } = await run("sources", "diff", NAME, a.edition.slice(0, 8), "current");
    expect(lines).toHaveLength(31);
    expect(lines[0]).toMatchObject({ matched_by: "id", counts: { changed: 29 } });
    expect(lines.find(({ change }) => change === "changed")).toMatchObject({
      attributes: { width: { before: 1, after: 1.2 } },
    });
  });

  it("prints a map that parses", async () => {
    await build(3);
    await build(2, 1.2);
    const { out } = await run("sources", "diff", NAME, "--geojson");
    const { type, features } = JSON.parse(out);
    expect(type).toBe("FeatureCollection");
    const changes = features.map((each: { properties: { change: string } }) => each.properties.change);
    expect(changes.sort()).toEqual(["gained", "gained", "lost", "lost", "removed"]);
    expect(
      JSON.parse((await run("sources", "diff", NAME, "current", "current", "--geojson")).out).features,
    ).toEqual([]);
  });
});

describe("sources prune", () => {
  it("keeps what decisions and records need, deletes only with --yes, and nothing where it cannot read", async () => {
    const editions: string[] = [];
    for (const count of [2, 3, 4, 5, 6, 7]) editions.push((await build(count)).edition);
    const [a, b, c, d] = editions as [string, string, string, string];
    write("rules.json", RULESET);
    await run("sources", "use", NAME, a, "--no-pin");
    const command = ["evaluate", "--ruleset", at("rules.json"), "--record", at("records.ndjson")];
    const input = `${JSON.stringify({ type: "Feature", geometry: createSquarePolygon(10, 0, 1), properties: {} })}\n`;
    expect(await runInProcess([...command, "--data", at("data")], { input })).toMatchObject({ code: 0 });
    await run("sources", "use", NAME, editions[5]!, "--no-pin");
    const store = await openStore(`sqlite:${at("data/state.db")}`, { absent: "make" });
    const scope = await createLiveScope(store, 10);
    const response = JSON.stringify({ data: { sources: [{ source_name: NAME, edition: b }] } });
    await store.settle(makeSettlement(scope, { response }));
    await store.close();

    const prune = (...more: string[]) => run("sources", "prune", "--records", at("records.ndjson"), ...more);
    const pruned = await prune();
    expect(pruned.lines.map(({ edition, deleted }) => [edition, deleted])).toEqual([
      [d, false],
      [c, false],
    ]);
    const refused = [
      await prune("--yes", "--store", `sqlite:${at("nowhere.db")}`),
      await prune("--yes", "--store", "postgres://127.0.0.1:1/none"),
    ];
    expect(refused.map(({ code, out }) => [code, out])).toEqual([
      [4, ""],
      [4, ""],
    ]);
    expect((await run("sources", "prune", "--yes", "--records", at("none"))).code).toBe(3);
    expect(await stored()).toHaveLength(6);
    mkdirSync(at("kept/2026"), { recursive: true });
    write("kept/2026/records.ndjson.gz", gzipSync(readFileSync(at("records.ndjson"))));
    expect(await seen("sources", "prune", "--records", at("kept"))).toContainEqual(
      expect.stringMatching(/^would delete 2, 0\.0*[1-9] MB; --yes deletes$/),
    );
    expect((await prune("--yes")).lines.map(({ deleted }) => deleted)).toEqual([true, true]);
    expect(await stored()).toEqual([editions[5], editions[4], b, a]);
    expect((await run("replay", at("records.ndjson"))).lines).toMatchObject([{ result: "identical" }]);
  });
});

describe("sources prune with jobs", () => {
  it("keeps the editions of a job until it has ended", async () => {
    const editions: string[] = [];
    for (const count of [2, 3, 4, 5]) editions.push((await build(count)).edition);
    const [pinned, unneeded] = editions as [string, string];
    const store = await openStore(`sqlite:${at("data/state.db")}`, { absent: "make" });
    const scope = await createLiveScope(store, 10);
    const job = makeJob(scope, { editions: JSON.stringify([{ source_name: NAME, edition: pinned }]) });
    await store.createJob(job);
    const prunable = async () => (await run("sources", "prune")).lines.map(({ edition }) => edition);
    expect(await prunable()).toEqual([unneeded]);
    await store.cancelJob({ scope, jobId: job.id });
    await store.close();
    expect(await prunable()).toEqual([unneeded, pinned]);
  });

  it("keeps those of a job that is created, or ends, while decisions are read", async () => {
    const [created, ended, decided] = ["a", "b", "c"].map((digit) => digit.repeat(64)) as [
      string,
      string,
      string,
    ];
    let jobs = [ended];
    const needed = new Set<string>();
    const store = {
      pinnedEditions: async () => jobs,
      listDecisionTexts: async () => {
        jobs = [created];
        return [{ id: "dec_1", digests: decided, response: null }];
      },
    };
    await addStoredDigests(needed, store, { progress: () => {} });
    expect([...needed].sort()).toEqual([created, ended, decided]);
  });
});

describe("sources recover", () => {
  it("makes a catalog anew that cannot be read, and is named by every command that meets one", async () => {
    await build(2);
    const path = at("data/catalog.json");
    const good = readFileSync(path, "utf8");
    writeFileSync(path, good.replace('"feature_count": 2', '"feature_count": 1e20'));
    const unreadable = await run("sources", "list");
    expect(unreadable).toMatchObject({ code: 4 });
    expect(unreadable.err).toContain("groundrule sources recover");
    expect(await run("sources", "recover")).toMatchObject({
      code: 0,
      lines: [{ recovered: [{ source_name: NAME }], lost: [] }],
    });
    expect(readFileSync(path, "utf8")).toBe(good);
    expect(await seen("sources", "recover")).toEqual(["the catalog can be read; nothing was changed"]);
    writeFileSync(path, "");
    const lines = await seen("sources", "recover");
    expect(lines[1]).toMatch(/^demo:parks uses [0-9a-f]{12}$/);
    expect(lines[2]).toContain("not recovered: pins, live sources, and groups");
    expect(lines[3]).toMatch(/catalog\.[0-9a-f]{12}\.damaged\.json$/);
    expect(await run("sources", "list")).toMatchObject({ code: 0, lines: [{ source_name: NAME }] });
  });
});

describe("sources verify", () => {
  it("names what is damaged, with 3, and what to do is in its help", async () => {
    const [a, b] = [await build(2), await build(3)];
    expect(await run("sources", "verify")).toMatchObject({
      code: 0,
      lines: [{ status: "ok" }, { status: "ok" }],
    });
    const folder = at("data/editions/demo_parks");
    const path = join(folder, readdirSync(folder).find((name) => name === `${a.edition}.snapshot`)!);
    writeFileSync(path, readFileSync(path).subarray(0, -1));
    const { code, lines } = await run("sources", "verify", NAME);
    expect(code).toBe(3);
    expect(lines.filter(({ status }) => status === "damaged")).toMatchObject([
      { edition: a.edition, is_current: false },
    ]);
    expect((await run("sources", "verify", "demo:lands")).code).toBe(3);
    rmSync(join(folder, `${b.edition}.snapshot`));
    expect(await current()).toMatchObject({ failed: "the file of its edition is missing" });
  });
});

const RULESET = {
  sets: { parks: { sources: [NAME] } },
  checks: [{ id: "c", set: "parks", outcome: "WARNING" }],
};
