import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { boxSource, register } from "@groundrule/testing/small-sources";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { catalogPath, editionPath, readCatalog } from "../catalog/catalog.ts";
import { openData } from "../open-data.ts";
import { installEdition, setGroup } from "./install-edition.ts";
import { listEditions, resolveEdition } from "./list-editions.ts";
import { findPrunable, pruneEditions } from "./prune-editions.ts";
import { removeEdition, removeSource } from "./remove-edition.ts";
import { releasePin, useEdition } from "./use-edition.ts";
import { verifyEditions } from "./verify-editions.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "groundrule-life-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const NAME = "demo:parks";
const notesOf = (day: number) => ({ left_out: 0, built_at: `2026-01-0${day}T00:00:00Z` });

/** An edition of so many boxes of one degree, from this longitude on, built on this day of January. */
async function build(day: number, count: number, west = 0): Promise<string> {
  const boxes = Array.from({ length: count }, (_, i) => [`b${i}`, [west + 2 * i, 0, west + 2 * i + 1, 1]]);
  const { meta } = await installEdition(dir, boxSource(NAME, Object.fromEntries(boxes)), notesOf(day));
  return meta.edition;
}
const current = () => readCatalog(dir).sources[0]?.edition;

describe("installEdition", () => {
  it("stores an edition that has shrunk and leaves the current one, until it is allowed", async () => {
    const first = await build(1, 4);
    const boxes = { b0: [0, 0, 1, 1] };
    const kept = await installEdition(dir, boxSource(NAME, boxes), notesOf(2));
    expect(kept).toMatchObject({
      isCurrent: false,
      findings: [{ guard: "shrunk", found: 1, allowed: 2 }, {}],
    });
    expect(kept.diff?.counts).toMatchObject({ before: 4, after: 1, removed: 3, unchanged: 1 });
    expect(current()).toBe(first);
    expect(listEditions(dir, NAME).map(({ edition }) => edition)).toEqual([kept.meta.edition, first]);
    const allowed = await installEdition(dir, boxSource(NAME, boxes), notesOf(2), { allow: ["shrunk"] });
    expect(allowed).toMatchObject({ isCurrent: true, findings: [] });
    expect(current()).toBe(kept.meta.edition);
  });

  it("finds areas that are as many and as small as dust", async () => {
    const first = await build(1, 2);
    const dust = boxSource(NAME, { b0: [0, 0, 0.1, 0.1], b1: [2, 0, 2.1, 0.1] });
    expect(await installEdition(dir, dust)).toMatchObject({
      isCurrent: false,
      findings: [{ guard: "shrunk" }],
    });
    expect(current()).toBe(first);
  });

  it("keeps a source without areas, and a register without records, from its first edition", async () => {
    expect(await installEdition(dir, boxSource(NAME, {}))).toMatchObject({ findings: [{ guard: "empty" }] });
    expect(await installEdition(dir, register("demo:listed", []))).toMatchObject({ isCurrent: false });
    expect(readCatalog(dir).sources).toEqual([]);
    // Whoever looked at it may use it, though the source has no current edition.
    const edition = resolveEdition(dir, NAME, listEditions(dir, NAME)[0]!.edition.slice(0, 8));
    expect(() => resolveEdition(dir, NAME, "current")).toThrow("none became current");
    await useEdition(dir, NAME, edition, { pin: false });
    expect(current()).toBe(edition);
  });

  it("leaves what is current current when the same content is built again, whatever was left out", async () => {
    await build(1, 3);
    const again = boxSource(NAME, { b0: [0, 0, 1, 1], b1: [2, 0, 3, 1], b2: [4, 0, 5, 1] });
    expect(await installEdition(dir, again, { left_out: 50, read: 53 })).toMatchObject({
      isCurrent: true,
      findings: [],
    });
  });

  it("measures a current edition whose notes tell no square metres, and passes over one that is damaged", async () => {
    const first = await build(1, 2);
    writeFileSync(editionPath(dir, NAME, first).replace(".snapshot", ".build.json"), "{}");
    const small = () => boxSource(NAME, { b0: [0, 0, 0.1, 0.1], b1: [2, 0, 2.1, 0.1] });
    expect(await installEdition(dir, small())).toMatchObject({ isCurrent: false });
    writeFileSync(editionPath(dir, NAME, first), "");
    expect(await installEdition(dir, small())).toMatchObject({ isCurrent: true });
  });
});

describe("useEdition and releasePin", () => {
  it("roll back, hold against later builds, and go forward to what waited", async () => {
    const [a, b] = [await build(1, 2), await build(2, 3)];
    await useEdition(dir, NAME, a, { pin: true });
    expect(readCatalog(dir).pins).toEqual([{ source_name: NAME, edition: a, next: b }]);
    const c = await build(3, 4);
    expect(current()).toBe(a);
    expect(listEditions(dir, NAME)).toMatchObject([
      { edition: c, is_current: false, is_pinned: false, is_next: true },
      { edition: b, is_next: false },
      { edition: a, is_current: true, is_pinned: true },
    ]);
    expect(await releasePin(dir, NAME)).toMatchObject({
      released: true,
      edition: c,
      changes: [{ member: "areas", before: "2", after: "4 (2 added, 0 removed, 0 changed)" }],
    });
    expect(current()).toBe(c);
    expect(await releasePin(dir, NAME)).toEqual({ released: false, edition: c, changes: [] });
  });

  it("do not go forward to an edition that a guard objected to", async () => {
    const [a, b] = [await build(1, 5), await build(2, 6)];
    await useEdition(dir, NAME, a, { pin: true });
    await build(3, 1);
    expect(await releasePin(dir, NAME)).toMatchObject({ released: true, edition: b });
  });

  it("verify the edition first, and leave all as it was where it is damaged", async () => {
    const [a, b] = [await build(1, 2), await build(2, 3)];
    const path = editionPath(dir, NAME, a);
    const bytes = readFileSync(path);
    bytes[bytes.length - 9]! ^= 1;
    writeFileSync(path, bytes);
    const before = readFileSync(catalogPath(dir), "utf8");
    await expect(useEdition(dir, NAME, a, { pin: true })).rejects.toMatchObject({ code: "EDITION_DAMAGED" });
    expect(readFileSync(catalogPath(dir), "utf8")).toBe(before);
    expect([...verifyEditions(dir)].map(({ edition, status }) => [edition, status]).sort()).toEqual(
      [
        [a, "damaged"],
        [b, "ok"],
      ].sort(),
    );
    rmSync(editionPath(dir, NAME, b));
    expect([...verifyEditions(dir)].find(({ edition }) => edition === b)).toMatchObject({
      is_current: true,
      status: "missing",
    });
  });
});

describe("resolveEdition", () => {
  it("takes digits that one edition begins with, and the words current and previous", async () => {
    const [a, b] = [await build(1, 2), await build(2, 3)];
    expect(resolveEdition(dir, NAME, a.slice(0, 6))).toBe(a);
    expect(resolveEdition(dir, NAME, "current")).toBe(b);
    expect(resolveEdition(dir, NAME, "previous")).toBe(a);
    await useEdition(dir, NAME, a, { pin: true });
    expect(() => resolveEdition(dir, NAME, "previous")).toThrow(
      "no edition was built before the current one",
    );
    expect(() => resolveEdition(dir, NAME, a.slice(0, 5))).toThrow("6 to 64 hex digits");
    expect(() => resolveEdition(dir, NAME, "ffffff0")).toThrow("2 editions are stored, and none begins so");
    expect(() => resolveEdition(dir, "demo:park", "current")).toThrow('did you mean "demo:parks"?');
  });
});

describe("pruneEditions", () => {
  it("keeps what is current, pinned, waiting, new or needed, and says what it would delete", async () => {
    const editions: string[] = [];
    for (const day of [1, 2, 3, 4, 5, 6]) editions.push(await build(day, day + 3));
    const [a, b, c, d, e, f] = editions;
    await useEdition(dir, NAME, b!, { pin: true });
    const leftover = editionPath(dir, NAME, "0".repeat(64)).replace(".snapshot", ".build.json");
    for (const path of [leftover, `${catalogPath(dir)}.tmp`]) writeFileSync(path, "{");
    const options = { keep: 2, isNeeded: (edition: string) => edition === d };
    const found = findPrunable(dir, options);
    expect(found.map((each) => (each.what === "edition" ? each.edition : each.path))).toEqual([
      ...[c, a, leftover],
      `${catalogPath(dir)}.tmp`,
    ]);
    expect(existsSync(editionPath(dir, NAME, a!))).toBe(true);
    expect(await pruneEditions(dir, options)).toEqual(found);
    expect(listEditions(dir, NAME).map(({ edition }) => edition)).toEqual([f, e, d, b]);
    expect(findPrunable(dir, options)).toEqual([]);
    expect(readdirSync(dir).sort()).toEqual(["catalog.json", "catalog.lock", "editions"]);
    expect(openData(dir).failures()).toEqual([]);
  });

  it("clears the folder of a source that is gone, but for what is needed", async () => {
    const [a, b] = [await build(1, 2), await build(2, 3)];
    await removeSource(dir, NAME, { keepEditions: true });
    expect(await pruneEditions(dir, { keep: 5, isNeeded: (edition) => edition === a })).toMatchObject([
      { edition: b },
    ]);
    await pruneEditions(dir, { keep: 5, isNeeded: () => false });
    expect(readdirSync(join(dir, "editions"))).toEqual([]);
  });
});

describe("removal", () => {
  it("refuses the current edition, and takes any other", async () => {
    const [a, b] = [await build(1, 2), await build(2, 3)];
    await expect(removeEdition(dir, NAME, b)).rejects.toMatchObject({ code: "EDITION_IN_USE" });
    await useEdition(dir, NAME, a, { pin: true });
    await removeEdition(dir, NAME, b);
    expect(readCatalog(dir).pins).toEqual([{ source_name: NAME, edition: a }]);
    await expect(removeEdition(dir, NAME, b)).rejects.toMatchObject({ code: "EDITION_MISSING" });
    expect(readdirSync(join(dir, "editions/demo_parks")).sort()).toEqual([
      `${a}.build.json`,
      `${a}.snapshot`,
    ]);
  });

  it("of a source degrades verdicts through its groups, until they are defined anew or it comes back", async () => {
    await build(1, 2);
    await setGroup(dir, "all", [NAME]);
    const ruleset = {
      sets: { s: { sources: ["all"] } },
      checks: [{ id: "c", set: "s", outcome: "WARNING" }],
    };
    const data = openData(dir);
    const word = () => {
      data.reload();
      const geometry = { type: "Point", coordinates: [50.5, 50.5] };
      return data.compile(ruleset).evaluate({ geometry, area_ha: 1 }, { now: data.now() }).verdict;
    };
    expect(word()).toBe("COMPLIANT");
    expect(await removeSource(dir, NAME)).toMatchObject({ groups: ["all"] });
    expect(word()).toBe("DEGRADED");
    expect(data.failures()).toMatchObject([{ source_name: NAME, reason: /removed from the data folder/ }]);
    await build(1, 2);
    expect(word()).toBe("COMPLIANT");
    await removeSource(dir, NAME, { leaveGroups: true });
    expect(readCatalog(dir)).toMatchObject({ sources: [], groups: [], pins: [], removed: [] });
    expect(() => word()).toThrow(expect.objectContaining({ code: "SOURCE_UNKNOWN" }));
    expect(readdirSync(join(dir, "editions"))).toEqual([]);
  });

  it("leaves whoever has the edition open with it", async () => {
    const a = await build(1, 2);
    const data = openData(dir);
    await build(2, 3);
    await removeEdition(dir, NAME, a);
    const point = { type: "Point", coordinates: [0.5, 0.5] };
    expect(data.intersections(point, { now: data.now() }).matches).toHaveLength(1);
    expect(data.reload()).toBe(true);
    expect(data.failures()).toEqual([]);
  });
});
