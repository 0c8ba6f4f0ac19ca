import type { CellsManifest, SourceManifest } from "@groundrule/engine";
import { BACKGROUND, NODATA } from "@groundrule/engine/internal";
import type { LocalFile } from "@groundrule/formats";
import { describe, expect, it } from "vitest";
import type { TiffContent } from "../../../formats/test/write-tiff.ts";
import { computeLossValue, createTiffFile, LOSSES, readRasterCells, STEP } from "../../test/raster-files.ts";
import { buildSnapshot } from "../build.ts";
import { buildRaster, type RasterOptions } from "./build-raster.ts";
import { inspectRaster } from "./inspect-raster.ts";

const COLUMNS = 700;
const ROWS = 600;
const whole = (more: Partial<TiffContent> = {}) =>
  createTiffFile("whole.tif", [30, 40], [COLUMNS, ROWS], computeLossValue, more);
const withCells = (more: Partial<CellsManifest>): SourceManifest => ({
  ...LOSSES,
  cells: { ...LOSSES.cells!, ...more },
});
const buildEdition = async (files: readonly LocalFile[], manifest = LOSSES, options: RasterOptions = {}) =>
  (await buildRaster(files, manifest, options)).file.meta.edition;
const refusal = async (files: readonly LocalFile[], manifest = LOSSES) => {
  const thrown = await buildRaster(files, manifest).then(
    () => undefined,
    (error: { code: string; message: string; details: { found?: string; expected?: string } }) => error,
  );
  if (thrown === undefined) throw new Error("nothing was refused");
  return thrown;
};
/** Meaning of a raw value. */
const codeOf = (value: number) => (value === 0 ? BACKGROUND : value === 255 ? NODATA : value - 1);
const expected = (columns: number, rows: number, at: (c: number, r: number) => number) =>
  Uint16Array.from({ length: columns * rows }, (_, i) => at(i % columns, Math.floor(i / columns)));

describe("a raster built of GeoTIFFs", () => {
  it("has the meaning of each cell's value, its columns and its grid", async () => {
    const { file, report } = await buildRaster([whole()], LOSSES);
    const { snapshot, cells } = readRasterCells(file);
    expect(cells).toEqual(expected(COLUMNS, ROWS, (c, r) => codeOf(computeLossValue(30 + c, 40 + r))));
    const { grid } = snapshot.layer;
    expect(grid).toEqual({
      a: -72 * 4000 + 30,
      b: 19 * 4000 - 40,
      s: 1,
      t: 1,
      n: 4000,
      columns: COLUMNS,
      rows: ROWS,
    });
    expect([0, 1, 2].map((row) => snapshot.attributes.id(row))).toEqual(["1", "2", "later"]);
    expect(snapshot.attributes.properties(0)).toEqual({ value: 1, from: "2001-01-01" });
    expect(snapshot.meta.manifest.columns).toEqual({ value: "number", from: "date" });
    expect(snapshot.meta.manifest.cells).toEqual(LOSSES.cells);
    const count = (code: number) => cells.filter((cell) => cell === code).length;
    expect(report.cells.areas.map((area) => area.count)).toEqual([count(0), count(1), count(2)]);
    expect([report.cells.background, report.cells.nodata]).toEqual([count(BACKGROUND), count(NODATA)]);
    expect(report.cells.total).toBe(COLUMNS * ROWS);
    expect(report.grid.snap_m).toBeLessThan(1e-8);
  });

  it("is one edition in strips or tiles, 8 or 16 bits, one file or four, in any order", async () => {
    const edition = await buildEdition([whole()]);
    const layouts: Partial<TiffContent>[] = [
      { stripRows: 1, codec: "lzw" },
      { stripRows: 600, codec: "deflate" },
      { tile: [512, 512], codec: "zstd", bits: 16 },
      { tile: [64, 128], codec: "packbits", bits: 16, kind: "int", bigEndian: true, big: true },
    ];
    for (const layout of layouts) expect(await buildEdition([whole(layout)])).toBe(edition);
    const four = [
      createTiffFile("a.tif", [30, 40], [300, 350], computeLossValue, layouts[0]),
      createTiffFile("b.tif", [330, 40], [400, 350], computeLossValue, layouts[2]),
      createTiffFile("c.tif", [30, 390], [300, 250], computeLossValue, layouts[3]),
      createTiffFile("d.tif", [330, 390], [400, 250], computeLossValue),
    ];
    expect(await buildEdition(four)).toBe(edition);
    expect(await buildEdition(four.toReversed())).toBe(edition);
    const overlapping = [
      createTiffFile("e.tif", [30, 40], [500, 600], computeLossValue),
      createTiffFile("f.tif", [100, 40], [630, 600], computeLossValue),
    ];
    expect(await buildEdition(overlapping)).toBe(edition);
    expect(await buildEdition(overlapping.toReversed())).toBe(edition);
  });

  it("maps 300 areas by two bytes, ranges, and floats by ranges alone", async () => {
    const at = (c: number, r: number) => (c * 7 + r * 3) % 400;
    const values = Array.from({ length: 300 }, (_, i) => ({ value: i }));
    const cells: CellsManifest = { values, background: [{ value: 300, through: 400 }] };
    const { file } = await buildRaster([createTiffFile("a.tif", [0, 0], [260, 20], at, { bits: 16 })], {
      ...LOSSES,
      cells,
    });
    const wanted = expected(260, 20, (c, r) => (at(c, r) < 300 ? at(c, r) : BACKGROUND));
    expect(readRasterCells(file).cells).toEqual(wanted);

    const height = (c: number, r: number) => (c === 3 ? Number.NaN : (c + r) / 8);
    const floats: CellsManifest = {
      values: [
        { value: 0.5, below: 2, id: "low" },
        { value: 2, below: 1000 },
      ],
      background: [{ value: 0, below: 0.5 }],
      nodata: ["nan"],
    };
    const tree = createTiffFile("b.tif", [0, 0], [40, 30], height, {
      kind: "float",
      bits: 32,
      predictor: 3,
      codec: "deflate",
    });
    const built = await buildRaster([tree], { ...LOSSES, cells: floats });
    expect(readRasterCells(built.file).cells).toEqual(
      expected(40, 30, (c, r) => {
        const value = height(c, r);
        return Number.isNaN(value) ? NODATA : value < 0.5 ? BACKGROUND : value < 2 ? 0 : 1;
      }),
    );
    expect(readRasterCells(built.file).snapshot.attributes.id(1)).toBe("2-1000");
  });

  it("lies on whole lines where tags lie near them, else where the tags are", async () => {
    const near = {
      corner: [-71.80952381, 18.699404762],
      step: [0.000992063492723495, 0.0009920634919354835],
    } as const;
    const { file, report } = await buildRaster(
      [createTiffFile("a.tif", [0, 0], [20, 10], computeLossValue, near)],
      LOSSES,
    );
    expect(readRasterCells(file).snapshot.layer.grid).toMatchObject({
      a: -72384,
      b: 18849,
      s: 1,
      t: 1,
      n: 1008,
    });
    expect(report.grid.snap_m).toBeGreaterThan(1e-6);
    expect(report.grid.snap_m).toBeLessThan(0.01);
    const odd = { corner: [-71.8, 18.7], step: [8.983152841195215e-5, 8.983152841195215e-5] } as const;
    const built = await buildRaster(
      [createTiffFile("b.tif", [0, 0], [20, 10], computeLossValue, odd)],
      LOSSES,
    );
    expect(readRasterCells(built.file).snapshot.layer.grid).toMatchObject({
      a: -71.8,
      s: 8.983152841195215e-5,
      n: 1,
    });
    const half = { corner: [-71.800125, 18.7], step: [STEP, STEP] } as const;
    const other = await buildRaster(
      [createTiffFile("c.tif", [0, 0], [20, 10], computeLossValue, half)],
      LOSSES,
    );
    expect(readRasterCells(other.file).snapshot.layer.grid).toMatchObject({ s: 2, t: 2, n: 8000 });
  });

  it("hides cells by a band, by files on its grid, by files' own masks", async () => {
    const hides = (c: number, r: number) => (c + r) % 4 === 0;
    const want = expected(90, 50, (c, r) => (hides(c, r) ? NODATA : codeOf(computeLossValue(c, r))));
    const land = (c: number, r: number) => (hides(c, r) ? 0 : 1);
    const spots = [
      [0, 0],
      [90, 50],
    ] as const;
    const bits = Array.from({ length: 90 * 50 }, (_, i) => land(i % 90, Math.floor(i / 90)));
    const losses = Array.from({ length: 90 * 50 }, (_, i) => computeLossValue(i % 90, Math.floor(i / 90)));
    const bands = createTiffFile("a.tif", ...spots, computeLossValue, {
      bands: 2,
      values: [...losses, ...bits],
      tile: [32, 32],
    });
    const byBand = await buildRaster([bands], withCells({ band: 1, mask: { band: 2, nodata: [0] } }));
    expect(readRasterCells(byBand.file).cells).toEqual(want);
    expect(byBand.report.masked).toBe(want.filter((cell, i) => cell === NODATA && losses[i] !== 255).length);

    const plain = () => createTiffFile("a.tif", ...spots, computeLossValue);
    const files = [
      createTiffFile("m1.tif", [0, 0], [50, 50], land),
      createTiffFile("m2.tif", [50, -5], [60, 70], land),
    ];
    const byFiles = await buildRaster([plain()], withCells({ mask: { nodata: [0] } }), { maskFiles: files });
    expect(readRasterCells(byFiles.file).cells).toEqual(want);
    expect(byFiles.file.meta.edition).toBe(byBand.file.meta.edition);
    // Where no file of the mask speaks, nobody knows that the cell was examined.
    const half = await buildRaster([plain()], withCells({ mask: { nodata: [0] } }), {
      maskFiles: files.slice(0, 1),
    });
    expect(readRasterCells(half.file).cells).toEqual(
      expected(90, 50, (c, r) => (c < 50 ? want[r * 90 + c]! : NODATA)),
    );

    const own = () => createTiffFile("a.tif", ...spots, computeLossValue, { mask: bits });
    expect(await buildEdition([own()], withCells({ file_mask: "nodata" }))).toBe(byBand.file.meta.edition);
    expect(await buildEdition([own()], withCells({ file_mask: "ignored" }))).toBe(
      await buildEdition([plain()]),
    );
    const mask = createTiffFile("a.tif.msk", ...spots, land, { bits: 1, geoKeys: null });
    const openSibling = async (_: unknown, ending: string) => (ending === ".msk" ? mask : undefined);
    expect(await buildEdition([plain()], withCells({ file_mask: "nodata" }), { openSibling })).toBe(
      byBand.file.meta.edition,
    );
    expect(await refusal([own()])).toMatchObject({ code: "NODATA_UNREPEATED" });
  });

  it("keeps whole tiles that meet a box or a country, and reports those that no file reaches", async () => {
    const bounds = [-72 + 300 * STEP, 19 - 310 * STEP, -72 + 301 * STEP, 19 - 309 * STEP] as const;
    const { file, report } = await buildRaster([whole()], LOSSES, { keep: { bounds } });
    const { grid } = readRasterCells(file).snapshot.layer;
    // Tiles begin at 180° W and 90° N: 1687 and 1109 tiles on, 128 columns and 96 rows before the files' corner.
    expect([report.tiles.kept, report.tiles.total, grid.columns, grid.rows]).toEqual([1, 1, 256, 256]);
    expect((grid.a + 180 * 4000) % 256).toBe(0);
    const inside = expected(256, 256, (c, r) =>
      codeOf(computeLossValue(grid.a + 72 * 4000 + c, 19 * 4000 - grid.b + r)),
    );
    expect(readRasterCells(file).cells).toEqual(inside);
    // The border of Haiti and the Dominican Republic runs through these two degrees.
    const coarse = { step: [1 / 250, 1 / 250] as const, corner: [-75, 21] as const };
    const map = () => createTiffFile("map.tif", [0, 0], [1800, 900], computeLossValue, coarse);
    const counts = [];
    for (const countries of [["HTI"], ["DOM"], ["HTI", "DOM"], ["BRA"]]) {
      const built = await buildRaster([map()], LOSSES, { keep: { countries } }).catch((error) => error);
      counts.push(built.report?.tiles.kept ?? built.code);
    }
    const [haiti, dominican, both, brazil] = counts;
    expect(haiti).toBeGreaterThan(1);
    expect(dominican).toBeGreaterThan(1);
    expect(both).toBeGreaterThan(Math.max(haiti, dominican) - 1);
    expect(both).toBeLessThanOrEqual(haiti + dominican);
    expect(brazil).toBe("NOTHING_STORED");
    const apart = [
      createTiffFile("a.tif", [0, 0], [10, 10], computeLossValue),
      createTiffFile("b.tif", [1500, 0], [10, 10], computeLossValue),
    ];
    const gap = await buildRaster(apart, LOSSES);
    expect(gap.report.tiles.without_file).toBeGreaterThan(3);
    expect(gap.report.cells.nodata).toBeGreaterThanOrEqual(1490 * 10);
  });

  it("leaves the blocks of an edition as they are when a file is added in the north-west", async () => {
    const later = createTiffFile("later.tif", [30, 40], [COLUMNS, ROWS], computeLossValue);
    const more = createTiffFile("more.tif", [-500, -400], [300, 300], computeLossValue);
    const [one, two] = [await buildRaster([later], LOSSES), await buildRaster([later, more], LOSSES)];
    const [{ snapshot: a }, { snapshot: b }] = [readRasterCells(one.file), readRasterCells(two.file)];
    const [west, north] = [a.layer.grid.a - b.layer.grid.a, b.layer.grid.b - a.layer.grid.b];
    const cells = readRasterCells(two.file).cells;
    const moved = expected(COLUMNS, ROWS, (c, r) => cells[(r + north) * b.layer.grid.columns + c + west]!);
    expect(moved).toEqual(readRasterCells(one.file).cells);
  });

  it("takes what a file leaves out for its nodata, else 0", async () => {
    const sparse = { tile: [16, 16] as const, sparse: () => true };
    const built = await buildRaster(
      [createTiffFile("a.tif", [0, 0], [20, 20], computeLossValue, sparse), whole()],
      LOSSES,
    );
    expect(readRasterCells(built.file).cells[0]).toBe(BACKGROUND);
    const empty = await refusal([
      createTiffFile("a.tif", [0, 0], [20, 20], computeLossValue, { ...sparse, nodata: "255" }),
    ]);
    expect(empty.code).toBe("NOTHING_STORED");
  });

  it.each<[string, () => LocalFile[], SourceManifest, string, string]>([
    [
      "a value that the table does not name",
      () => [createTiffFile("a.tif", [0, 0], [9, 9], (c) => c)],
      LOSSES,
      "VALUE_UNNAMED",
      "4 in 9 cells, 5 in 9 cells, 6 in 9 cells, 7 in 9 cells, 8 in 9 cells",
    ],
    [
      "a tag of nodata that the manifest does not repeat",
      () => [createTiffFile("a.tif", [0, 0], [9, 9], (c) => (c < 2 ? 255 : 0), { nodata: "0" })],
      LOSSES,
      "NODATA_UNREPEATED",
      "63 cells of the value 0, which the file is tagged with as nodata, and 18 of the values that the manifest calls nodata",
    ],
    [
      "files that disagree",
      () => [
        createTiffFile("a.tif", [0, 0], [9, 9], () => 1),
        createTiffFile("b.tif", [8, 8], [9, 9], () => 2),
      ],
      LOSSES,
      "CELLS_DISAGREE",
      "longitude -71.997875, latitude 18.997875",
    ],
    [
      "files of two steps",
      () => [
        createTiffFile("a.tif", [0, 0], [9, 9], () => 1),
        createTiffFile("b.tif", [0, 0], [9, 9], () => 1, { step: [STEP * 2, STEP * 2] }),
      ],
      LOSSES,
      "GRID_MISMATCH",
      "-tr 0.00025 0.00025",
    ],
    [
      "files between each other's lines",
      () => [
        createTiffFile("a.tif", [0, 0], [9, 9], () => 1),
        createTiffFile("b.tif", [9.25, 0], [9, 9], () => 1),
      ],
      LOSSES,
      "GRID_MISMATCH",
      "0.25",
    ],
    [
      "floats without ranges",
      () => [createTiffFile("a.tif", [0, 0], [9, 9], () => 1, { kind: "float", bits: 32 })],
      LOSSES,
      "RANGES_MISSING",
      "below",
    ],
    [
      "several bands of which none is named",
      () => [
        createTiffFile("a.tif", [0, 0], [2, 2], () => 1, { bands: 2, values: [1, 1, 1, 1, 1, 1, 1, 1] }),
      ],
      LOSSES,
      "BAND_UNKNOWN",
      "2 bands",
    ],
    [
      "a band that is not there",
      () => [createTiffFile("a.tif", [0, 0], [2, 2], () => 1)],
      withCells({ band: 3 }),
      "BAND_UNKNOWN",
      "no band 3 among 1",
    ],
    [
      "a mask without files",
      () => [createTiffFile("a.tif", [0, 0], [2, 2], () => 1)],
      withCells({ mask: { nodata: [0] } }),
      "MANIFEST_INVALID",
      "--mask FILE",
    ],
    [
      "nothing but nodata",
      () => [createTiffFile("a.tif", [0, 0], [2, 2], () => 255)],
      LOSSES,
      "NOTHING_STORED",
      "nodata",
    ],
    [
      "files beyond the pole",
      () => [createTiffFile("a.tif", [0, 0], [9, 9], () => 1, { corner: [0, 90.001] })],
      LOSSES,
      "GRID_MISMATCH",
      "latitudes within ±90",
    ],
    ["one value twice", () => [], withCells({ nodata: [2] }), "MANIFEST_INVALID", "the value 2 twice"],
    [
      "ranges that overlap",
      () => [],
      withCells({
        values: [
          { value: 1, through: 5 },
          { value: 5, below: 9 },
        ],
      }),
      "MANIFEST_INVALID",
      "the value 5 twice",
    ],
    [
      "a range that ends before it begins",
      () => [],
      withCells({ values: [{ value: 3, through: 2 }] }),
      "MANIFEST_INVALID",
      "expected at least 3",
    ],
    [
      "one id twice",
      () => [],
      withCells({ values: [{ value: 3 }, { value: 4, id: "3" }] }),
      "MANIFEST_INVALID",
      '"3" a second time',
    ],
    [
      "a property named as the column of values",
      () => [],
      withCells({ values: [{ value: 3, properties: { value: 1 } }] }),
      "MANIFEST_INVALID",
      "every area has",
    ],
    [
      "more areas than cells can tell apart",
      () => [],
      withCells({ values: Array.from({ length: 65_535 }, (_, value) => ({ value })) }),
      "MANIFEST_INVALID",
      "65534",
    ],
    [
      "a projection in the manifest",
      () => [],
      { ...LOSSES, crs: "EPSG:31982" },
      "MANIFEST_INVALID",
      "expected EPSG:4326",
    ],
    ["a column of features", () => [], { ...LOSSES, id: "code" }, "MANIFEST_INVALID", "column of features"],
  ])("is refused for %s", async (_, files, manifest, code, words) => {
    // biome-ignore format: a table
    const error = await refusal(files(), manifest);
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
  });
});

describe("what is built from features", () => {
  it("has no cells", async () => {
    const features = new Blob(['{"type":"FeatureCollection","features":[]}']).stream();
    await expect(buildSnapshot(features, LOSSES)).rejects.toMatchObject({
      code: "MANIFEST_INVALID",
      details: { faults: [{ pointer: "/cells", code: "MEMBER_FOREIGN" }] },
    });
  });
});

describe("the values of a GeoTIFF", () => {
  it("are listed with their cells, colours and what the tag says of them", async () => {
    const at = (c: number) => (c < 4 ? 0 : c < 5 ? 2 : 3);
    const file = createTiffFile("a.tif", [0, 0], [9, 10], at, {
      nodata: "3",
      palette: ["#ffffff", "#000000", "#0a0b0c"],
    });
    const contents = await inspectRaster(file, 1);
    expect(contents).toMatchObject({
      columns: 9,
      rows: 10,
      bands: 1,
      type: "uint8",
      nodata: "3",
      mask: false,
    });
    expect(contents.values).toEqual([
      { value: 0, cells: 40, color: "#ffffff" },
      { value: 2, cells: 10, color: "#0a0b0c" },
      { value: 3, cells: 40, is: "nodata", color: "#000000" },
    ]);
    await expect(inspectRaster(file, 2)).rejects.toMatchObject({ code: "BAND_UNKNOWN" });
    const floats = createTiffFile("b.tif", [0, 0], [4, 1], (c) => c - 1.5, {
      kind: "float",
      bits: 32,
      nodata: "-1.5",
    });
    expect((await inspectRaster(floats, 1)).values).toEqual([
      { value: -1.5, cells: 1, is: "nodata" },
      { value: -0.5, cells: 1 },
      { value: 0.5, cells: 1 },
      { value: 1.5, cells: 1 },
    ]);
  });
});
