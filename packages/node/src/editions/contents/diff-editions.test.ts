import { createAreaWriter, createRegisterWriter, type SnapshotFile } from "@groundrule/engine/build";
import { createFolderForEach } from "@groundrule/testing/folder";
import { createSeededRandom } from "@groundrule/testing/random";
import { createBoxRing } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { GUARDS } from "../guards.ts";
import { installEdition } from "../install-edition.ts";
import { diffEditions, diffFeatures } from "./diff-editions.ts";

const { at } = createFolderForEach();

type Box = readonly [west: number, south: number, east: number, north: number];
interface Area {
  readonly id: string;
  readonly boxes: readonly Box[];
  readonly country?: string;
  readonly size?: number;
}

function createAreas(list: readonly Area[], id: string | undefined = "code"): SnapshotFile {
  const writer = createAreaWriter({ source_name: "demo:parks", kind: "leaf", ...(id && { id }) });
  for (const { id, boxes, country = null, size = 1 } of list) {
    const polygons = boxes.map((each) => [createBoxRing(...each)]);
    writer.add({ id, name: null, countryIso3: country, polygons, properties: { size } });
  }
  return writer.finish();
}

async function installAndDiff(before: SnapshotFile, after: SnapshotFile) {
  for (const file of [before, after]) await installEdition(at(), file, undefined, { allow: GUARDS });
  const name = before.meta.manifest.source_name;
  const editions = [before.meta.edition, after.meta.edition] as const;
  return {
    diff: diffEditions(at(), name, ...editions),
    features: [...diffFeatures(at(), name, ...editions)],
  };
}

const A = 6378137;
const B = 6356752.314245179;
const E = Math.sqrt(1 - (B * B) / (A * A));

/** Square metres between the equator and a latitude, per degree of longitude: the integral in closed form. */
function computeBandArea(latitude: number): number {
  const s = Math.sin((latitude * Math.PI) / 180);
  const x = E * s;
  return (((B * B) / 2) * (s / (1 - x * x) + Math.log((1 + x) / (1 - x)) / (2 * E)) * Math.PI) / 180;
}

const boxArea = ([w, s, e, n]: Box) => (e - w) * (computeBandArea(n) - computeBandArea(s));

/** Area of a polygon whose sides follow meridians and parallels. */
function computeRingArea(ring: readonly (readonly number[])[]): number {
  let area = 0;
  for (let i = 1; i < ring.length; i++) {
    const [x0, y0] = ring[i - 1]!;
    const [x1, y1] = ring[i]!;
    area += ((x0! - x1!) * (computeBandArea(y0!) + computeBandArea(y1!))) / 2;
  }
  return area;
}

const mapArea = (coordinates: readonly (readonly (readonly (readonly number[])[])[])[]) =>
  coordinates.flat().reduce((sum, ring) => sum + computeRingArea(ring), 0);

function computeCommonArea([w, s, e, n]: Box, [w2, s2, e2, n2]: Box): number {
  const both: Box = [Math.max(w, w2), Math.max(s, s2), Math.min(e, e2), Math.min(n, n2)];
  return both[0] < both[2] && both[1] < both[3] ? boxArea(both) : 0;
}

describe("diffEditions", () => {
  it("gives the square metres of a naive sum over 300 random areas, and shows them on the map", async () => {
    const random = createSeededRandom(20261122);
    const number = (least: number, most: number) => least + (most - least) * random.next();
    const some = (i: number): Box => {
      const [x, y] = [10 * (i % 20), -70 + 9 * Math.floor(i / 20)];
      return [x + number(0, 3), y + number(0, 3), x + number(4, 7), y + number(4, 7)];
    };
    const before = Array.from({ length: 300 }, (_, i): Area => ({ id: `a${i}`, boxes: [some(i)] }));
    const after = before.flatMap((area, i): Area[] => {
      if (i % 10 === 0) return [];
      if (i % 3 === 0) return [{ ...area, boxes: [some(i)] }];
      return [i % 7 === 0 ? { ...area, size: 2 } : area];
    });
    after.push({ id: "new", boxes: [[-20, 0, -19, 1]] });
    const { diff, features } = await installAndDiff(createAreas(before), createAreas(after));

    const was = new Map(before.map(({ id, boxes }) => [id, boxes[0]!]));
    const is = new Map(after.map(({ id, boxes }) => [id, boxes[0]!]));
    const expected = { before: 0, after: 0, gained: 0, lost: 0 };
    for (const id of new Set([...was.keys(), ...is.keys()])) {
      const [old, now] = [was.get(id), is.get(id)];
      const shared = old && now ? computeCommonArea(old, now) : 0;
      expected.before += old ? boxArea(old) : 0;
      expected.after += now ? boxArea(now) : 0;
      expected.gained += now ? boxArea(now) - shared : 0;
      expected.lost += old ? boxArea(old) - shared : 0;
    }
    for (const sum of ["before", "after", "gained", "lost"] as const) {
      expect(diff.square_meters![sum] / expected[sum]).toBeCloseTo(1, 9);
    }
    expect(diff.counts).toMatchObject({ before: 300, after: 271, added: 1, removed: 30 });
    const plain = diff.changed.filter(({ attributes }) => "size" in attributes);
    expect(plain[0]).toMatchObject({ attributes: { size: { before: 1, after: 2 } } });
    expect(plain.every((each) => each.square_meters_gained === undefined)).toBe(true);

    const shown = (...changes: string[]) =>
      features
        .filter(({ properties }) => changes.includes(properties.change))
        .reduce((sum, { geometry }) => sum + mapArea(geometry.coordinates), 0);
    expect(shown("added", "gained") / expected.gained).toBeCloseTo(1, 9);
    expect(shown("removed", "lost") / expected.lost).toBeCloseTo(1, 9);
  });

  it("adds up: before, gained and lost give after, whatever overlaps", async () => {
    const random = createSeededRandom(7);
    const overlapping = () =>
      Array.from({ length: 40 }, (_, i): Area => {
        const [w, s] = [random.next(), random.next()];
        return { id: `a${i}`, boxes: [[w, s, w + 1, s + 1]] };
      });
    const { diff } = await installAndDiff(createAreas(overlapping()), createAreas(overlapping()));
    const { before, after, gained, lost } = diff.square_meters!;
    expect((before + gained - lost) / after).toBeCloseTo(1, 12);
  });

  it("finds nothing in itself, nor where only the order differs", async () => {
    const list = [
      { id: "a", boxes: [[0, 0, 1, 1]] },
      { id: "b", boxes: [[2, 0, 3, 1]] },
    ] as const;
    for (const id of ["code", undefined]) {
      const { diff, features } = await installAndDiff(
        createAreas(list, id),
        createAreas(list.toReversed(), id),
      );
      const square_meters = { gained: 0, lost: 0 };
      expect(diff).toMatchObject({ added: [], removed: [], changed: [], square_meters });
      expect(features).toEqual([]);
    }
  });

  it("compares across the antimeridian, however longitudes are written", async () => {
    const { diff, features } = await installAndDiff(
      createAreas([{ id: "a", boxes: [[179, 0, 181, 1]] }]),
      createAreas([{ id: "a", boxes: [[-181, 0, -178, 1]] }]),
    );
    expect(diff.changed[0]!.square_meters_gained! / boxArea([0, 0, 1, 1])).toBeCloseTo(1, 9);
    expect(diff.changed[0]!.square_meters_lost).toBeCloseTo(0, 3);
    expect(mapArea(features[0]!.geometry.coordinates) / boxArea([0, 0, 1, 1])).toBeCloseTo(1, 9);
  });

  it("matches areas by their rings where the source numbers its rows, and reports it", async () => {
    const boxes = (i: number): Box[] => [[3 * i, 0, 3 * i + 1, 1]];
    const row = (n: number, i: number) => ({ id: String(i + 1), boxes: boxes(n) });
    const { diff } = await installAndDiff(
      createAreas([1, 2, 3, 4].map(row), ""),
      createAreas([9, 1, 2, 3, 4].map(row), ""),
    );
    const counts = { added: 1, removed: 0, changed: 0, unchanged: 4 };
    expect(diff).toMatchObject({ matched_by: "content", counts });
  });

  it("recognizes an area that only got another id", async () => {
    const named = (id: string) => createAreas([{ id, boxes: [[0, 0, 1, 1]] }]);
    const { diff } = await installAndDiff(named("a"), named("z"));
    const changed = [{ id: "z", id_before: "a" }];
    expect(diff).toMatchObject({ matched_by: "id", added: [], removed: [], changed });
  });

  it("notices a country without areas, and areas in other places, where no guard does", async () => {
    const list = (moved: number) =>
      Array.from({ length: 4 }, (_, i): Area => {
        const country = i === 0 && moved > 0 ? "COL" : i === 0 ? "BRA" : "PER";
        return { id: `a${i}`, country, boxes: [[3 * i + moved, 0, 3 * i + moved + 1, 1]] };
      });
    for (const file of [createAreas(list(0)), createAreas(list(0.8))]) {
      expect(await installEdition(at(), file)).toMatchObject({ isCurrent: true });
    }
    const { diff } = await installAndDiff(createAreas(list(0)), createAreas(list(0.8)));
    expect(diff.notices).toEqual([
      { code: "COUNTRY_LOST", message: "no area is left in BRA" },
      { code: "MOSTLY_REPLACED", message: "20.00 % of the area that was there is left" },
    ]);
  });

  it("compares records with their identifiers, and refuses areas against records", async () => {
    const listed = (rows: readonly (readonly [id: string, name: string, ...values: string[]])[]) => {
      const columns = { id: "code", value: "number", scheme: "us:ein" };
      const writer = createRegisterWriter({
        source_name: "demo:parks",
        kind: "subject_register",
        ...columns,
      });
      for (const [id, name, ...values] of rows) {
        const identifiers = values.map((value) => ({ scheme: "us:ein", value }));
        writer.add({ id, name, properties: {}, identifiers });
      }
      return writer.finish();
    };
    const old = [
      ["1", "One", "12-3456789"],
      ["2", "Two", "22-3456789"],
      ["3", "Three"],
    ] as const;
    const now = [
      ["1", "One", "12-3456789", "32-3456789"],
      ["2", "Deux", "22-3456789"],
      ["4", "Four"],
    ] as const;
    const { diff, features } = await installAndDiff(listed(old), listed(now));
    expect(diff.counts).toMatchObject({ added: 0, removed: 0, changed: 3, unchanged: 0 });
    expect(diff.changed).toMatchObject([
      { id: "1", identifiers: { added: ["us:ein 32-3456789"], removed: [] }, attributes: {} },
      { id: "2", attributes: { name: { before: "Two", after: "Deux" } } },
      { id: "4", id_before: "3" },
    ]);
    expect(features).toEqual([]);
    const leaf = createAreas([{ id: "a", boxes: [[0, 0, 1, 1]] }]);
    await expect(installAndDiff(listed(old), leaf)).rejects.toMatchObject({ code: "KIND_CHANGED" });
  });
});
