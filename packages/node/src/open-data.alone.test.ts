import { copyFileSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import type { Engine, Policy } from "@groundrule/engine";
import { explainQuestion, lintRuleset } from "@groundrule/engine/rulesets";
import { createFolderForEach } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { createBoxSource, createRegisterFile } from "@groundrule/testing/small-sources";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { formatCatalogPath, formatEditionPath } from "./catalog/catalog.ts";
import { EditionArchive } from "./editions/contents/edition-archive.ts";
import { installEdition, setGroup } from "./editions/install-edition.ts";
import { type OpenData, openData } from "./open-data.ts";

const { at } = createFolderForEach();
beforeEach(async () => {
  await installEdition(at(), createBoxSource("demo:parks", { a: [0, 0, 2, 2] }));
  await installEdition(at(), createBoxSource("demo:lands", { b: [1, 0, 2, 2] }));
});

const found = ({ engine }: Pick<OpenData, "engine">) =>
  engine.intersections(createSquarePolygon(0.5, 0.5)).matches.map((match) => match.source_id);
const failures = ({ engine }: OpenData) =>
  engine
    .intersections(createSquarePolygon(0.5, 0.5))
    .sources.flatMap(({ source_name, reason }) => (reason ? [source_name] : []));
const parksPath = (data: OpenData) => formatEditionPath(at(), "demo:parks", data.editions.get("demo:parks")!);

describe("openData", () => {
  it("opens the current editions in shared memory, with the catalog's groups", async () => {
    await setGroup(at(), "demo", ["demo:parks"]);
    const data = openData(at());
    expect(found(data)).toEqual(["b", "a"]);
    expect([...data.editions.keys()]).toEqual(["demo:lands", "demo:parks"]);
    expect(
      data.engine.intersections(createSquarePolygon(0.5, 0.5), { sources: ["demo"] }).matches,
    ).toHaveLength(1);
    for (const source of data.current.sources) {
      expect("bytes" in source && source.bytes).toBeInstanceOf(SharedArrayBuffer);
    }
    const before = new Date().toISOString();
    const now = data.now();
    const times = [before, now, new Date().toISOString()];
    expect(times).toEqual(times.toSorted());
  });

  it("dates what a register holds: by its collection, else its build, else its file", async () => {
    const notes = { left_out: 0, built_at: "2026-03-01T10:00:00.000Z" };
    const collected_at = "2026-02-01T00:00:00Z";
    await installEdition(at(), createRegisterFile("demo:collected", ["12-3456789"], { collected_at }), notes);
    await installEdition(at(), createRegisterFile("demo:built", ["12-3456789"]), notes);
    const { edition } = (await installEdition(at(), createRegisterFile("demo:old", ["12-3456789"]))).meta;
    const written = new Date("2026-01-05T07:00:00Z");
    utimesSync(formatEditionPath(at(), "demo:old", edition), written, written);
    const { matches } = openData(at()).engine.subjects({ type: "us:ein", value: "123456789" });
    expect(matches.map(({ source_name, indexed_at }) => [source_name, indexed_at])).toEqual([
      ["demo:built", notes.built_at],
      ["demo:collected", collected_at],
      ["demo:old", written.toISOString()],
    ]);
  });

  it("switches at once on reload, while what was taken before keeps its editions", async () => {
    const data = openData(at());
    const before = data.current;
    await installEdition(at(), createBoxSource("demo:parks", { c: [0, 0, 2, 2] }));
    expect(found(data)).toEqual(["b", "a"]);
    expect(data.reload()).toBe(true);
    expect(found(data)).toEqual(["b", "c"]);
    expect(found(before)).toEqual(["b", "a"]);
    // The unchanged edition was not read again.
    expect(bytesOf(data, "demo:lands")).toBe("bytes" in before.sources[0]! && before.sources[0].bytes);
    expect(data.reload()).toBe(false);
  });

  it("is an engine itself, over current editions, while a policy stays on its own and names them", async () => {
    const data = openData(at());
    const checks = [{ id: "park", set: "parks", outcome: "WARNING" }];
    const ruleset = { sets: { parks: { sources: ["demo:parks"] } }, checks };
    const policy = data.compile(ruleset);
    const [before] = [data.editions.get("demo:parks")];
    const evidence = (policy: Policy) =>
      policy
        .evaluate({ geometry: createSquarePolygon(0.5, 0.5) }, { now: data.now() })
        .checks[0]!.evidence.map(({ source_id }) => source_id);
    expect([evidence(policy), policy.editions]).toEqual([["a"], { "demo:parks": before }]);
    await installEdition(at(), createBoxSource("demo:parks", { c: [0, 0, 2, 2] }));
    data.reload();
    expect([evidence(policy), policy.editions]).toEqual([["a"], { "demo:parks": before }]);
    const next = data.compile(ruleset);
    const now = { "demo:parks": data.editions.get("demo:parks") };
    expect([evidence(next), next.editions]).toEqual([["c"], now]);
    for (const ask of [
      (engine: Engine) => engine.sources(),
      (engine: Engine) => engine.groups(),
      (engine: Engine) => engine.failures(),
      (engine: Engine) => engine.intersections(createSquarePolygon(0.5, 0.5)),
      (engine: Engine) => engine.distance(createSquarePolygon(0.5, 0.5), { maxDistanceMeters: 10 }),
      (engine: Engine) => engine.within(["demo:parks"]).sources(),
      (engine: Engine) => [engine.kernel, engine.semantics],
      (engine: Engine) => engine.compile(ruleset, undefined, { without: ["demo:parks"] }).without,
      (engine: Engine) => lintRuleset(engine, ruleset),
      (engine: Engine) => explainQuestion(engine, { ask: "evaluate", ruleset, input: {} }),
    ]) {
      expect(ask(data)).toEqual(ask(data.current.engine));
    }
  });

  it("refuses what is no data folder", () => {
    expect(() => openData(formatCatalogPath(at()))).toThrow(/there is no catalog at/);
    expect(() => openData(new URL("file:///data") as never)).toThrow(/expected the path of a data folder/);
  });

  it("waits for the catalog of an empty folder where it may, without sources until then", async () => {
    const data = openData(at("new"), { absent: "wait" });
    const missing = expect.objectContaining({ code: "DATA_FOLDER_MISSING" });
    expect([data.sources(), data.trouble]).toEqual([[], missing]);
    expect(() => data.reload()).toThrow(missing);
    await installEdition(at("new"), createBoxSource("demo:parks", { a: [0, 0, 2, 2] }));
    expect([data.reload(), data.trouble, found(data)]).toEqual([true, undefined, ["a"]]);
    writeFileSync(formatCatalogPath(at("new")), "{");
    const corrupt = expect.objectContaining({ code: "CATALOG_CORRUPT" });
    expect(() => data.reload()).toThrow(corrupt);
    expect(data.trouble).toEqual(corrupt);
    expect(() => openData(at("new"), { absent: "wait" })).toThrow(corrupt);
  });

  it("refuses options that it does not know, with the one that was meant", () => {
    expect(() => openData(at(), { kernal: undefined, kernl: 1 } as never)).toThrow('did you mean "kernel"?');
    expect(() => openData(at()).watch({ intervalMS: 5 } as never)).toThrow('did you mean "intervalMs"?');
  });

  it("reports for each source how much its build left out, as far as that is known", async () => {
    const boxes = { a: [0, 0, 2, 2] };
    const failureText = ({ engine }: Pick<OpenData, "engine">) =>
      engine.intersections(createSquarePolygon(0.5, 0.5)).sources.map(({ left_out }) => left_out);
    const data = openData(at());
    expect(failureText(data)).toEqual([undefined, undefined]);
    await installEdition(at(), createBoxSource("demo:parks", boxes), { left_out: 3 });
    expect(data.reload()).toBe(true);
    expect(failureText(data)).toEqual([undefined, 3]);
    // The same content from another file: the edition is unchanged, the count is not.
    await installEdition(at(), createBoxSource("demo:parks", boxes), { left_out: 0 });
    expect(data.reload()).toBe(true);
    expect(failureText(data)).toEqual([undefined, 0]);
    const sources = [...data.editions].map(
      ([source_name, edition]) => ({ source_name, edition, status: "ok" }) as const,
    );
    expect(failureText({ engine: new EditionArchive(at()).open({ sources }) })).toEqual([undefined, 0]);
    for (const broken of ["", "{", '{"left_out":-1}', '{"left_out":"3"}']) {
      writeFileSync(parksPath(data).replace(".snapshot", ".build.json"), broken);
      expect(failureText(openData(at()))).toEqual([undefined, undefined]);
    }
  });

  it.each([
    ["missing", (path: string) => rmSync(path)],
    ["cut short", (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 300))],
    ["empty", (path: string) => writeFileSync(path, "")],
    ["flipped", (path: string) => flipLastByte(path)],
    ["another source's", (path: string) => copyFileSync(editionPathOf("demo:lands"), path)],
    ["another edition's", (path: string) => writeOtherEdition(path)],
  ])("takes a source as failed, and no other, when its file is %s, until it is back", (_how, damage) => {
    const path = parksPath(openData(at()));
    const good = readFileSync(path);
    damage(path);
    const data = openData(at());
    expect(found(data)).toEqual(["b"]);
    expect(failures(data)).toEqual(["demo:parks"]);
    writeFileSync(path, good);
    expect(data.reload()).toBe(true);
    expect(found(data)).toEqual(["b", "a"]);
    expect(failures(data)).toEqual([]);
  });

  it("reports to callers that the system refuses a file, not its path", () => {
    const path = parksPath(openData(at()));
    rmSync(path);
    mkdirSync(path);
    expect(openData(at()).engine.failures()).toEqual([
      { source_name: "demo:parks", reason: "the file of its edition cannot be read (EISDIR)" },
    ]);
    rmSync(path, { recursive: true });
  });

  it("stays as it was when the catalog breaks, and reports why once", async () => {
    const data = openData(at());
    const good = readFileSync(formatCatalogPath(at()), "utf8");
    const onError = vi.fn();
    const onSwitch = vi.fn();
    const onRecovery = vi.fn();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const stop = data.watch({ intervalMs: 5, onError, onSwitch, onRecovery });
    writeFileSync(formatCatalogPath(at()), "{");
    vi.advanceTimersByTime(30);
    expect(onError).toHaveBeenCalledOnce();
    expect(found(data)).toEqual(["b", "a"]);
    writeFileSync(formatCatalogPath(at()), good);
    await installEdition(at(), createBoxSource("demo:parks", { d: [0, 0, 2, 2] }));
    expect(onRecovery).not.toHaveBeenCalled();
    vi.advanceTimersByTime(10);
    expect(onRecovery).toHaveBeenCalledOnce();
    expect(onSwitch).toHaveBeenCalledOnce();
    expect(found(data)).toEqual(["b", "d"]);
    stop();
    vi.useRealTimers();
  });

  it("throws an error of onSwitch where nobody takes it, and otherwise passes it on", async () => {
    const data = openData(at());
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const error = new Error("the ruleset no longer compiles");
    const onSwitch = () => {
      throw error;
    };
    const stop = data.watch({ intervalMs: 5, onSwitch });
    await installEdition(at(), createBoxSource("demo:parks", { d: [0, 0, 2, 2] }));
    expect(() => vi.advanceTimersByTime(5)).toThrow(error);
    expect(found(data)).toEqual(["b", "d"]);
    stop();
    const onError = vi.fn();
    const stopAlso = data.watch({ intervalMs: 5, onSwitch, onError });
    await installEdition(at(), createBoxSource("demo:parks", { e: [0, 0, 2, 2] }));
    vi.advanceTimersByTime(30);
    expect(onError.mock.calls).toEqual([[error]]);
    stopAlso();
    vi.useRealTimers();
  });

  const editionPathOf = (source: string) =>
    formatEditionPath(at(), source, openData(at()).editions.get(source)!);

  function bytesOf(data: OpenData, name: string) {
    const source = data.current.sources.find(({ manifest }) => manifest?.source_name === name)!;
    return "bytes" in source && source.bytes;
  }
});

function writeOtherEdition(path: string): void {
  writeFileSync(path, Buffer.concat([...createBoxSource("demo:parks", { other: [0, 0, 2, 2] }).chunks]));
}

function flipLastByte(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(path, bytes);
}
