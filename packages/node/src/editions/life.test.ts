import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createFolderForEach } from "@groundrule/testing/folder";
import { createBoxSource, createRegisterFile } from "@groundrule/testing/small-sources";
import { describe, expect, it } from "vitest";
import { formatCatalogPath, formatEditionPath, readCatalog } from "../catalog/catalog.ts";
import { openData } from "../open-data.ts";
import { installEdition, setGroup } from "./install-edition.ts";
import { listEditions, resolveEdition } from "./list-editions.ts";
import { findPrunableItems, pruneEditions } from "./prune-editions.ts";
import { removeEdition, removeSource } from "./remove-edition.ts";
import { releasePin, useEdition } from "./use-edition.ts";
import { verifyEditions } from "./verify-editions.ts";

const { at } = createFolderForEach();

const NAME = "demo:parks";
const notesOf = (day: number) => ({ left_out: 0, built_at: `2026-01-0${day}T00:00:00Z` });

/** Builds an edition with `count` boxes of one degree, from this longitude on, on this day of January. */
async function build(day: number, count: number, west = 0): Promise<string> {
  const boxes = Array.from({ length: count }, (_, i) => [`b${i}`, [west + 2 * i, 0, west + 2 * i + 1, 1]]);
  const { meta } = await installEdition(at(), createBoxSource(NAME, Object.fromEntries(boxes)), notesOf(day));
  return meta.edition;
}
const current = () => readCatalog(at()).sources[0]?.edition;

describe("installEdition", () => {
  it("stores an edition that has shrunk and leaves the current one, until it is allowed", async () => {
    const first = await build(1, 4);
    const boxes = { b0: [0, 0, 1, 1] };
    const kept = await installEdition(at(), createBoxSource(NAME, boxes), notesOf(2));
    const findings = [{ guard: "shrunk", found: 1, allowed: 2 }, {}];
    expect(kept).toMatchObject({ isCurrent: false, findings });
    expect(kept.diff?.counts).toMatchObject({ before: 4, after: 1, removed: 3, unchanged: 1 });
    expect(current()).toBe(first);
    expect(listEditions(at(), NAME).map(({ edition }) => edition)).toEqual([kept.meta.edition, first]);
    const allowed = await installEdition(at(), createBoxSource(NAME, boxes), notesOf(2), {
      allow: ["shrunk"],
    });
    expect(allowed).toMatchObject({ isCurrent: true, findings: [] });
    expect(current()).toBe(kept.meta.edition);
  });

  it("finds areas that are as many and as small as dust", async () => {
    const first = await build(1, 2);
    const dust = createBoxSource(NAME, { b0: [0, 0, 0.1, 0.1], b1: [2, 0, 2.1, 0.1] });
    const { isCurrent, findings } = await installEdition(at(), dust);
    expect([isCurrent, findings]).toMatchObject([false, [{ guard: "shrunk" }]]);
    expect(current()).toBe(first);
  });

  it("keeps a source without areas, and a register without records, from its first edition", async () => {
    expect(await installEdition(at(), createBoxSource(NAME, {}))).toMatchObject({
      findings: [{ guard: "empty" }],
    });
    expect(await installEdition(at(), createRegisterFile("demo:listed", []))).toMatchObject({
      isCurrent: false,
    });
    expect(readCatalog(at()).sources).toEqual([]);
    // A user who looked at it may use it, though the source has no current edition.
    const edition = resolveEdition(at(), NAME, listEditions(at(), NAME)[0]!.edition.slice(0, 8));
    expect(() => resolveEdition(at(), NAME, "current")).toThrow("none became current");
    await useEdition(at(), NAME, edition, { pin: false });
    expect(current()).toBe(edition);
  });

  it("leaves what is current current when the same content is built again, whatever was left out", async () => {
    await build(1, 3);
    const again = createBoxSource(NAME, { b0: [0, 0, 1, 1], b1: [2, 0, 3, 1], b2: [4, 0, 5, 1] });
    const installed = await installEdition(at(), again, { left_out: 50, read: 53 });
    expect(installed).toMatchObject({ isCurrent: true, findings: [] });
  });

  it("measures a current edition whose notes have no square metres, and skips a damaged one", async () => {
    const first = await build(1, 2);
    writeFileSync(formatEditionPath(at(), NAME, first).replace(".snapshot", ".build.json"), "{}");
    const small = () => createBoxSource(NAME, { b0: [0, 0, 0.1, 0.1], b1: [2, 0, 2.1, 0.1] });
    expect(await installEdition(at(), small())).toMatchObject({ isCurrent: false });
    writeFileSync(formatEditionPath(at(), NAME, first), "");
    expect(await installEdition(at(), small())).toMatchObject({ isCurrent: true });
  });
});

describe("useEdition and releasePin", () => {
  it("roll back, hold against later builds, and go forward to what waited", async () => {
    const [a, b] = [await build(1, 2), await build(2, 3)];
    await useEdition(at(), NAME, a, { pin: true });
    expect(readCatalog(at()).pins).toEqual([{ source_name: NAME, edition: a, next: b }]);
    const c = await build(3, 4);
    expect(current()).toBe(a);
    expect(listEditions(at(), NAME)).toMatchObject([
      { edition: c, is_current: false, is_pinned: false, is_next: true },
      { edition: b, is_next: false },
      { edition: a, is_current: true, is_pinned: true },
    ]);
    expect(await releasePin(at(), NAME)).toMatchObject({
      released: true,
      edition: c,
      changes: [{ member: "areas", before: "2", after: "4 (2 added, 0 removed, 0 changed)" }],
    });
    expect(current()).toBe(c);
    expect(await releasePin(at(), NAME)).toEqual({
      ...{ released: false, edition: c },
      ...{ findings: [], changes: [] },
    });
  });

  it("do not go forward to an edition that a guard objected to", async () => {
    const [a, b] = [await build(1, 5), await build(2, 6)];
    await useEdition(at(), NAME, a, { pin: true });
    await build(3, 1);
    expect(await releasePin(at(), NAME)).toMatchObject({ released: true, edition: b });
  });

  it("stay on an edition that a guard refused, where it was used nevertheless", async () => {
    const [a, b] = [await build(1, 5), await build(2, 1)];
    expect(current()).toBe(a);
    await useEdition(at(), NAME, b, { pin: true });
    expect(readCatalog(at()).pins).toEqual([{ source_name: NAME, edition: b }]);
    expect(await releasePin(at(), NAME)).toMatchObject({ released: true, edition: b, findings: [] });
    // Later builds are compared with it.
    const c = await build(3, 2);
    expect(current()).toBe(c);
  });

  it("do not go forward to an edition that the guards object to in place of the one in use, until it is allowed", async () => {
    const [a] = [await build(1, 5)];
    const boxes = { b0: [0, 0, 1, 1] };
    const allowed = { allow: ["shrunk"] } as const;
    const { meta } = await installEdition(at(), createBoxSource(NAME, boxes), notesOf(2), allowed);
    await useEdition(at(), NAME, a, { pin: true });
    const pins = [{ source_name: NAME, edition: a, next: meta.edition }];
    expect(readCatalog(at()).pins).toEqual(pins);
    expect(await releasePin(at(), NAME)).toMatchObject({
      ...{ released: false, edition: a, changes: [] },
      findings: [{ guard: "shrunk", found: 1, allowed: 3 }, { guard: "shrunk" }],
    });
    expect([current(), readCatalog(at()).pins]).toEqual([a, pins]);
    expect(await releasePin(at(), NAME, allowed)).toMatchObject({ released: true, edition: meta.edition });
  });

  it("verify the edition first, and leave all as it was where it is damaged", async () => {
    const [a, b] = [await build(1, 2), await build(2, 3)];
    const path = formatEditionPath(at(), NAME, a);
    const bytes = readFileSync(path);
    bytes[bytes.length - 9]! ^= 1;
    writeFileSync(path, bytes);
    const before = readFileSync(formatCatalogPath(at()), "utf8");
    await expect(useEdition(at(), NAME, a, { pin: true })).rejects.toMatchObject({ code: "EDITION_DAMAGED" });
    expect(readFileSync(formatCatalogPath(at()), "utf8")).toBe(before);
    const stateOf = (digest: string) => [...verifyEditions(at())].find(({ edition }) => edition === digest);
    expect([stateOf(a), stateOf(b)]).toMatchObject([{ status: "damaged" }, { status: "ok" }]);
    rmSync(formatEditionPath(at(), NAME, b));
    expect(stateOf(b)).toMatchObject({ is_current: true, status: "missing" });
  });
});

describe("resolveEdition", () => {
  it("takes digits that one edition begins with, and the words current, previous and waiting", async () => {
    const [a, b] = [await build(1, 2), await build(2, 3)];
    expect(resolveEdition(at(), NAME, a.slice(0, 6))).toBe(a);
    expect(resolveEdition(at(), NAME, "current")).toBe(b);
    expect(resolveEdition(at(), NAME, "previous")).toBe(a);
    expect(() => resolveEdition(at(), NAME, "waiting")).toThrow("no edition was built after the current one");
    const refused = await build(3, 1);
    expect(resolveEdition(at(), NAME, "waiting")).toBe(refused);
    await removeEdition(at(), NAME, refused);
    await useEdition(at(), NAME, a, { pin: true });
    await build(3, 0);
    expect(resolveEdition(at(), NAME, "waiting")).toBe(b);
    expect(() => resolveEdition(at(), NAME, "previous")).toThrow(
      "no edition was built before the current one",
    );
    expect(() => resolveEdition(at(), NAME, a.slice(0, 5))).toThrow("6 to 64 hex digits");
    expect(() => resolveEdition(at(), NAME, "ffffff0")).toThrow("3 editions are stored, and none begins so");
    expect(() => resolveEdition(at(), "demo:park", "current")).toThrow('did you mean "demo:parks"?');
  });
});

describe("pruneEditions", () => {
  it("keeps what is current, pinned, waiting, new or needed, and lists what it would delete", async () => {
    const editions: string[] = [];
    for (const day of [1, 2, 3, 4, 5, 6]) editions.push(await build(day, day + 3));
    const [a, b, c, d, e, f] = editions;
    await useEdition(at(), NAME, b!, { pin: true });
    const leftover = formatEditionPath(at(), NAME, "0".repeat(64)).replace(".snapshot", ".build.json");
    for (const path of [leftover, `${formatCatalogPath(at())}.tmp`]) writeFileSync(path, "{");
    const options = { keep: 2, isNeeded: (edition: string) => edition === d };
    const found = findPrunableItems(at(), options);
    expect(found.map((each) => (each.what === "edition" ? each.edition : each.path))).toEqual([
      ...[c, a, leftover],
      `${formatCatalogPath(at())}.tmp`,
    ]);
    expect(existsSync(formatEditionPath(at(), NAME, a!))).toBe(true);
    expect(await pruneEditions(at(), options)).toEqual(found);
    expect(listEditions(at(), NAME).map(({ edition }) => edition)).toEqual([f, e, d, b]);
    expect(findPrunableItems(at(), options)).toEqual([]);
    expect(readdirSync(at()).sort()).toEqual(["catalog.json", "catalog.lock", "editions"]);
    expect(openData(at()).failures()).toEqual([]);
  });

  it("clears the folder of a source that is gone, but for what is needed", async () => {
    const [a, b] = [await build(1, 2), await build(2, 3)];
    await removeSource(at(), NAME, { keepEditions: true });
    expect(await pruneEditions(at(), { keep: 5, isNeeded: (edition) => edition === a })).toMatchObject([
      { edition: b },
    ]);
    await pruneEditions(at(), { keep: 5, isNeeded: () => false });
    expect(readdirSync(at("editions"))).toEqual([]);
  });
});

describe("removal", () => {
  it("refuses the current edition, and takes any other", async () => {
    const [a, b] = [await build(1, 2), await build(2, 3)];
    await expect(removeEdition(at(), NAME, b)).rejects.toMatchObject({ code: "EDITION_IN_USE" });
    await useEdition(at(), NAME, a, { pin: true });
    await removeEdition(at(), NAME, b);
    expect(readCatalog(at()).pins).toEqual([{ source_name: NAME, edition: a }]);
    await expect(removeEdition(at(), NAME, b)).rejects.toMatchObject({ code: "EDITION_MISSING" });
    expect(readdirSync(at("editions/demo_parks")).sort()).toEqual([`${a}.build.json`, `${a}.snapshot`]);
  });

  it("of a source degrades verdicts through its groups, until they are defined anew or it comes back", async () => {
    await build(1, 2);
    await setGroup(at(), "all", [NAME]);
    const checks = [{ id: "c", set: "s", outcome: "WARNING" }];
    const ruleset = { sets: { s: { sources: ["all"] } }, checks };
    const data = openData(at());
    const word = () => {
      data.reload();
      const geometry = { type: "Point", coordinates: [50.5, 50.5] };
      return data.compile(ruleset).evaluate({ geometry, area_ha: 1 }, { now: data.now() }).verdict;
    };
    expect(word()).toBe("COMPLIANT");
    expect(await removeSource(at(), NAME)).toMatchObject({ groups: ["all"] });
    expect(word()).toBe("DEGRADED");
    expect(data.failures()).toMatchObject([{ source_name: NAME, reason: /removed from the data folder/ }]);
    await build(1, 2);
    expect(word()).toBe("COMPLIANT");
    await removeSource(at(), NAME, { leaveGroups: true });
    expect(readCatalog(at())).toMatchObject({ sources: [], groups: [], pins: [], removed: [] });
    expect(() => word()).toThrow(expect.objectContaining({ code: "SOURCE_UNKNOWN" }));
    expect(readdirSync(at("editions"))).toEqual([]);
  });

  it("leaves the edition to readers that have it open", async () => {
    const a = await build(1, 2);
    const data = openData(at());
    await build(2, 3);
    await removeEdition(at(), NAME, a);
    const point = { type: "Point", coordinates: [0.5, 0.5] };
    expect(data.intersections(point, { now: data.now() }).matches).toHaveLength(1);
    expect(data.reload()).toBe(true);
    expect(data.failures()).toEqual([]);
  });
});
