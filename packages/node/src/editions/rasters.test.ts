import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createRasterWriter, isRaster, openSnapshot, type SnapshotFile } from "@groundrule/engine/build";
import { createFolderForEach } from "@groundrule/testing/folder";
import { describe, expect, it } from "vitest";
import { formatEditionPath } from "../catalog/catalog.ts";
import { EnginePool } from "../engine-pool.ts";
import { FileRange } from "../files/file-range.ts";
import { readEditionFile } from "../files/read-edition.ts";
import { openData } from "../open-data.ts";
import { openEngineFromSettings } from "../threads/engine-settings.ts";
import { diffEditions, diffFeatures } from "./contents/diff-editions.ts";
import { readAttestedEdition } from "./contents/edition-archive.ts";
import { installEdition } from "./install-edition.ts";
import { listEditions } from "./list-editions.ts";
import { verifyEditions } from "./verify-editions.ts";

const NAME = "test:raster";
const GRID = { a: 0, b: 20, s: 1, t: 1, n: 100, columns: 600, rows: 300 };

const { at } = createFolderForEach();

describe("the editions of a raster", () => {
  it("are installed, listed, verified, and distinguished by what their cells held and hold", async () => {
    const first = createRaster(["1", "2"], (row, column) => (row < 100 && column < 50 ? 0 : 254));
    const second = createRaster(["1", "2", "3"], (row, column) => {
      if (row < 100 && column < 50) return row < 10 ? 2 : 0;
      return row === 299 ? 1 : row === 298 ? 255 : 254;
    });
    await installEdition(at(), first);
    const { diff } = await installEdition(at(), second, undefined, { allow: [] });
    expect(
      listEditions(at(), NAME)
        .map(({ feature_count }) => feature_count)
        .sort(),
    ).toEqual([2, 3]);
    expect([...verifyEditions(at())].map(({ status }) => status)).toEqual(["ok", "ok"]);
    expect(diff).toEqual(diffEditions(at(), NAME, first.meta.edition, second.meta.edition));
    expect(diff!.counts).toEqual({ before: 2, after: 3, added: 1, removed: 0, changed: 2, unchanged: 0 });
    const area = (id: string) => ({ is: "area", id });
    expect(diff!.cells).toMatchObject({
      blocks: 6,
      blocks_changed: 4,
      changes: [
        { before: { is: "background" }, after: area("2"), cells: 600 },
        { before: { is: "background" }, after: { is: "nodata" }, cells: 600 },
        { before: area("1"), after: area("3"), cells: 500 },
      ],
    });
    const { before, after, gained, lost } = diff!.square_meters!;
    expect(Math.abs(after - (before + gained - lost))).toBeLessThan(1e-9 * after);
    expect(diff!.changed[0]).toMatchObject({ id: "1", square_meters_gained: 0 });
    expect(diff!.changed[0]!.square_meters_lost).toBe(diff!.cells!.changes[2]!.square_meters);
    expect([...diffFeatures(at(), NAME, first.meta.edition, second.meta.edition)]).toEqual([]);
  });

  it("are not distinguished where one is damaged", async () => {
    const files = [1, 2].map((bit) => createRaster(["1"], (row) => (row & bit ? 0 : 254)));
    for (const file of files) await installEdition(at(), file);
    const [first, second] = files.map(({ meta }) => meta.edition) as [string, string];
    const path = formatEditionPath(at(), NAME, second);
    const bytes = readFileSync(path);
    bytes[bytes.length - 40]! ^= 1;
    writeFileSync(path, bytes);
    for (const rasterBytes of [0, undefined]) {
      expect(() => diffEditions(at(), NAME, first, second, rasterBytes)).toThrow(
        expect.objectContaining({ code: "EDITION_DAMAGED" }),
      );
    }
  });

  it("on two lattices are distinguished by their values alone, with a notice", async () => {
    const first = createRaster(["1"], () => 0);
    const second = createRaster(["1", "2"], () => 0, { ...GRID, a: 0.5 });
    await installEdition(at(), first);
    await installEdition(at(), second);
    const diff = diffEditions(at(), NAME, first.meta.edition, second.meta.edition);
    expect(diff.cells).toBeUndefined();
    expect(diff.square_meters).toBeUndefined();
    expect(diff.notices).toEqual([expect.objectContaining({ code: "GRID_CHANGED" })]);
  });
});

describe("the file of a large raster", () => {
  it("is read on demand, in this thread and in others", async () => {
    const { edition } = await installRaster();
    const path = formatEditionPath(at(), NAME, edition);
    expect(readEditionFile(path)).toBeInstanceOf(SharedArrayBuffer);
    const bytes = readEditionFile(path, 0);
    expect(bytes).toBeInstanceOf(FileRange);
    const snapshot = openSnapshot(bytes);
    if (!isRaster(snapshot)) throw new Error("not a raster");
    const inMemory = openSnapshot(readEditionFile(path));
    if (!isRaster(inMemory)) throw new Error("not a raster");
    expect(snapshot.layer.cells.sums(1, 1)).toEqual(inMemory.layer.cells.sums(1, 1));
    const sent = structuredClone({ sources: [{ bytes, manifest: snapshot.meta.manifest }], options: {} });
    expect(sent.sources[0]!.bytes).toEqual({ path, length: readFileSync(path).length });
    const engine = await openEngineFromSettings(sent);
    expect(engine.sources().map(({ source_name }) => source_name)).toEqual([NAME]);
    rmSync(path);
    const without = await openEngineFromSettings(sent);
    expect(without.failures()).toEqual([
      expect.objectContaining({ reason: "the file of its edition cannot be read (ENOENT)" }),
    ]);
  });

  it("that is no raster is read into memory, whatever its size", () => {
    const path = at("other");
    writeFileSync(path, "no snapshot");
    expect(readEditionFile(path, 0)).toBeInstanceOf(SharedArrayBuffer);
  });

  it("is held to its digests, and each tile that is touched to its digest", async () => {
    const { edition } = await installRaster();
    const path = formatEditionPath(at(), NAME, edition);
    const { snapshot } = readAttestedEdition(at(), NAME, edition, 0);
    if (!isRaster(snapshot)) throw new Error("not a raster");
    expect(() => snapshot.layer.cells.sums(1, 2)).not.toThrow();
    const file = readFileSync(path);
    file[file.length - 40]! ^= 1;
    writeFileSync(path, file);
    const damaged = readAttestedEdition(at(), NAME, edition, 0).snapshot;
    if (!isRaster(damaged)) throw new Error("not a raster");
    expect(() => damaged.layer.cells.sums(1, 2)).toThrow("the tile in row 1, column 2");
    expect(() => readAttestedEdition(at(), NAME, edition)).toThrow(
      expect.objectContaining({ code: "EDITION_DAMAGED" }),
    );
    truncateSync(path, 1000);
    expect(() => readAttestedEdition(at(), NAME, edition, 0)).toThrow(
      expect.objectContaining({ code: "EDITION_DAMAGED" }),
    );
  });
});

describe("a data folder with a large raster", () => {
  const RULESET = {
    sets: { cells: { sources: [NAME] } },
    checks: [{ id: "cells", set: "cells", measure: "overlap_ratio", value: 0.1, outcome: "NON_COMPLIANT" }],
  };
  const [west, south, east, north] = [0.505, -2.495, 5.495, 0.103];
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
  const plot = { type: "Polygon", coordinates: [[...corners, corners[0]]] };

  it("answers as one in memory does, in this thread and in workers", async () => {
    await installRaster();
    const inMemory = openData(at());
    const byRange = openData(at(), { rasterBytes: 0, tileBytes: 0 });
    const answer = inMemory.intersections(plot);
    expect(answer.matches).toHaveLength(1);
    expect(byRange.intersections(plot)).toEqual(answer);
    const pool = new EnginePool(byRange.current, { size: 1 });
    try {
      const now = "2026-11-27T00:00:00Z";
      const [evaluation] = await pool.evaluateAll(RULESET, [{ geometry: plot }], { now });
      expect(evaluation).toEqual(inMemory.compile(RULESET).evaluate({ geometry: plot }, { now }));
    } finally {
      await pool.close();
    }
  });

  it("answers without it where a tile is damaged", async () => {
    const { edition } = await installRaster();
    const path = formatEditionPath(at(), NAME, edition);
    const file = readFileSync(path);
    file[file.length - 40]! ^= 1;
    writeFileSync(path, file);
    const data = openData(at(), { rasterBytes: 0 });
    expect(data.failures()).toEqual([]);
    const { sources } = data.intersections(plot);
    expect(sources).toEqual([
      expect.objectContaining({ status: "failed", reason: expect.stringContaining("row 1, column 2") }),
    ]);
  });
});

async function installRaster(): Promise<{ readonly edition: string }> {
  const file = createRaster(["1"], (row, column) => ((row ^ column) & 64 ? 0 : 254));
  await installEdition(at(), file);
  return file.meta;
}

function createRaster(
  ids: readonly string[],
  cellAt: (row: number, column: number) => number,
  grid: typeof GRID = GRID,
): SnapshotFile {
  const areas = ids.map((id) => ({ id, name: null, countryIso3: null, properties: { value: Number(id) } }));
  const writer = createRasterWriter({ source_name: NAME, kind: "leaf" }, grid, areas);
  for (let row = 0; writer.nextRows > 0; ) {
    const rows = writer.nextRows;
    const cells = Uint8Array.from({ length: rows * grid.columns }, (_, i) =>
      cellAt(row + Math.floor(i / grid.columns), i % grid.columns),
    );
    writer.add(cells);
    row += rows;
  }
  return writer.finish();
}
