import type { CellsManifest, SourceManifest } from "@groundrule/engine";
import { BACKGROUND, NODATA } from "@groundrule/engine/internal";
import type { LocalFile } from "@groundrule/formats";
import { describe, expect, it } from "vitest";
import { toLocalFile } from "../../../formats/test/local-bytes.ts";
import type { TiffContent } from "../../../formats/test/write-tiff.ts";
import { computeLossValue, createTiffFile, LOSSES, readRasterCells, STEP } from "../../test/raster-files.ts";
import { buildRaster, type RasterOptions } from "./build-raster.ts";
import { inspectRaster, valuesCsv } from "./inspect-raster.ts";
import { readValueTable } from "./value-csv.ts";

const FLOAT: Partial<TiffContent> = { kind: "float", bits: 32 };
const HEIGHTS: CellsManifest = {
  values: [{ value: 5, below: 1000, id: "tall" }],
  background: [{ value: -20_000, below: 5 }],
};

const toManifest = (cells: CellsManifest): SourceManifest => ({
  source_name: "test:heights",
  kind: "leaf",
  cells,
});
const losses = (more: Partial<CellsManifest>) => toManifest({ ...LOSSES.cells!, ...more });
const built = async (file: LocalFile, manifest: SourceManifest, options: RasterOptions = {}) =>
  readRasterCells((await buildRaster([file], manifest, options)).file).cells;
const refusal = async (file: LocalFile, manifest: SourceManifest, options: RasterOptions = {}) => {
  const error = await buildRaster([file], manifest, options).then(
    () => undefined,
    (thrown: { code: string; message: string }) => thrown,
  );
  if (error === undefined) throw new Error("nothing was refused");
  return `${error.code}: ${error.message}`;
};

const auxiliaryFile = (members: string) =>
  toLocalFile(new TextEncoder().encode(`<PAMDataset>${members}</PAMDataset>`), "a.tif.aux.xml");

describe("a nodata tag", () => {
  const tagged = () =>
    createTiffFile("a.tif", [0, 0], [4, 1], (c) => [-9999.9, 3, 10, -9999.9][c]!, {
      ...FLOAT,
      nodata: "-9999.9",
    });

  it("that 32-bit floats cannot hold is cast to them, as GDAL does", async () => {
    expect(await refusal(tagged(), toManifest(HEIGHTS))).toMatch(
      /^NODATA_UNREPEATED: .*2 cells of the value -9999.9.*"nodata_tag"/,
    );
    const wanted = Uint16Array.of(NODATA, BACKGROUND, 0, NODATA);
    expect(await built(tagged(), toManifest({ ...HEIGHTS, nodata_tag: "nodata" }))).toEqual(wanted);
    const named = { ...HEIGHTS, background: [{ value: 0, below: 5 }], nodata: [-9999.9] };
    expect(await built(tagged(), toManifest(named))).toEqual(wanted);
    expect((await built(tagged(), toManifest({ ...HEIGHTS, nodata_tag: "ignored" })))[0]).toBe(BACKGROUND);
    expect((await inspectRaster(tagged(), 1)).values[0]).toMatchObject({ is: "nodata", cells: 2 });
  });

  it("that no manifest can name is obeyed by its name", async () => {
    const most = -3.4028234663852886e38;
    const file = () =>
      createTiffFile("a.tif", [0, 0], [2, 1], (c) => (c === 0 ? most : 10), {
        ...FLOAT,
        nodata: String(most),
      });
    expect(await refusal(file(), toManifest(HEIGHTS))).toContain("NODATA_UNREPEATED");
    expect(await built(file(), toManifest({ ...HEIGHTS, nodata_tag: "nodata" }))).toEqual(
      Uint16Array.of(NODATA, 0),
    );
    const csv = valuesCsv(await inspectRaster(file(), 1));
    expect(csv).toContain("\ntag,nodata,tag,,,1\n10,area,10,,,1");
    const ranged = csv.replace("value,", "value,through,").replace("tag,", "tag,,").replace("10,", "10,11,");
    const cells = await readValueTable(toLocalFile(Buffer.from(ranged), "values.csv"));
    expect(cells).toEqual({
      values: [{ value: 10, through: 11, id: "10" }],
      background: [],
      nodata: [],
      nodata_tag: "nodata",
    });
    expect(await built(file(), toManifest(cells))).toEqual(Uint16Array.of(NODATA, 0));
  });

  it("is counted after 65,536 other values, as are values without a name", async () => {
    const last = (value: number, more: Partial<TiffContent> = {}) =>
      createTiffFile(
        "a.tif",
        [0, 0],
        [300, 300],
        (c, r) => (r === 299 && c > 289 ? value : 1 + (r * 300 + c) / 128),
        {
          ...FLOAT,
          ...more,
        },
      );
    expect(await refusal(last(-9999, { nodata: "-9999" }), toManifest(HEIGHTS))).toContain(
      "10 cells of the value -9999",
    );
    expect(await refusal(last(5000), toManifest(HEIGHTS))).toMatch(/^VALUE_UNNAMED: .*5000 in 10 cells/);
    const contents = await inspectRaster(last(-9999, { nodata: "-9999" }), 1);
    expect(contents.values[0]).toEqual({ value: -9999, cells: 10, is: "nodata" });
    expect([contents.values.length, contents.unlisted]).toEqual([65_537, 300 * 300 - 65_536 - 10]);
  });

  it("that cells cannot hold stops the build where the file leaves cells out", async () => {
    const sparse = { tile: [16, 16] as const, sparse: (block: number) => block === 0, nodata: "-9999" };
    const file = () => createTiffFile("a.tif", [0, 0], [20, 20], computeLossValue, sparse);
    expect(await refusal(file(), LOSSES)).toMatch(/^NODATA_UNREPEATED: .*leaves out.*gdal_translate/);
    expect((await built(file(), losses({ nodata_tag: "ignored" })))[0]).toBe(BACKGROUND);
  });
});

describe("the mask of a file", () => {
  const LENGTH = 40 * 30;
  const values = Array.from({ length: LENGTH }, (_, i) => computeLossValue(i % 40, Math.floor(i / 40)));
  const alpha = values.map((_, i) => (i % 3 === 0 ? 0 : 255));
  const hidden = values.map((value, i) =>
    i % 3 === 0 || value === 255 ? NODATA : value === 0 ? BACKGROUND : value - 1,
  );
  const withAlpha = (more: Partial<TiffContent> = {}) =>
    createTiffFile("a.tif", [0, 0], [40, 30], computeLossValue, {
      bands: 2,
      values: [...values, ...alpha],
      tags: { 338: [3, [2]] },
      ...more,
    });

  it("as an alpha band must be declared", async () => {
    expect(await refusal(withAlpha(), LOSSES)).toMatch(
      /^NODATA_UNREPEATED: .*an alpha band \(band 2\).*"file_mask".*"nodata".*"ignored"/,
    );
    expect([...(await built(withAlpha(), losses({ file_mask: "nodata" })))]).toEqual(hidden);
    expect([...(await built(withAlpha(), losses({ mask: { band: 2, nodata: [0] } })))]).toEqual(hidden);
    const plain = await built(createTiffFile("a.tif", [0, 0], [40, 30], computeLossValue), LOSSES);
    expect(await built(withAlpha(), losses({ file_mask: "ignored" }))).toEqual(plain);
    expect((await inspectRaster(withAlpha(), 1)).alpha).toEqual([2]);
  });

  it("as an alpha band beside another mask stops the build, for they may differ", async () => {
    const both = () => withAlpha({ mask: values.map(() => 1) });
    expect(await refusal(both(), losses({ file_mask: "nodata" }))).toMatch(
      /both a mask.*gdal_translate -b 1 /,
    );
    expect([
      ...(await built(both(), losses({ file_mask: "nodata", mask: { band: 2, nodata: [0] } }))),
    ]).toEqual(hidden);
  });

  it("of several bands, as .msk may be, is that of the band", async () => {
    const bands = { bands: 2, values: [...values.map(() => 7), ...values] };
    const file = createTiffFile("a.tif", [0, 0], [40, 30], computeLossValue, bands);
    const mask = createTiffFile("a.tif.msk", [0, 0], [40, 30], computeLossValue, {
      ...bands,
      values: [...values.map(() => 255), ...alpha],
      geoKeys: null,
    });
    const cells = await built(file, losses({ band: 2, file_mask: "nodata" }), {
      openSibling: async (_, ending) => (ending === ".msk" ? mask : undefined),
    });
    expect([...cells]).toEqual(hidden);
  });

  it("in GDAL's .aux.xml is read as though the file itself stated it, and comes before that", async () => {
    const stating = (members: string, whole = "") => ({
      openSibling: async (_: unknown, ending: string) =>
        ending === ".aux.xml"
          ? auxiliaryFile(`<PAMRasterBand band="1">${members}</PAMRasterBand>${whole}`)
          : undefined,
    });
    const plain = () => createTiffFile("a.tif", [0, 0], [40, 30], computeLossValue, { nodata: "254" });
    const refusedBy = async (members: string, whole?: string) => {
      const building = built(plain(), LOSSES, stating(members, whole));
      return building.then(
        () => "built",
        (error: Error) => error.message,
      );
    };
    expect(await refusedBy("<NoDataValue>3</NoDataValue>")).toMatch(/value 3.*"nodata_tag"/);
    expect(await refusedBy("<Scale>2</Scale>")).toMatch(/a scale of 2 and an offset of 0/);
    expect(await refusedBy("", '<Metadata><MDI key="NODATA_VALUES">7</MDI></Metadata>')).toMatch(
      /NODATA_VALUES/,
    );
    expect(await refusedBy("<ColorInterp>Alpha</ColorInterp>")).toBe("built");
    const statistics = '<Metadata><MDI key="STATISTICS_MAXIMUM">7</MDI></Metadata><Scale>1</Scale>';
    const want = await built(plain(), LOSSES);
    expect(await built(plain(), LOSSES, stating(statistics))).toEqual(want);
    expect(await refusedBy("<NoDataValue>")).toContain("a.tif.aux.xml");
    const ignored = losses({ nodata_tag: "ignored", scale_tag: "ignored" });
    expect(await built(plain(), ignored, stating("<NoDataValue>3</NoDataValue><Scale>2</Scale>"))).toEqual(
      want,
    );
    const contents = await inspectRaster(
      plain(),
      1,
      undefined,
      auxiliaryFile('<PAMRasterBand band="1"><NoDataValue>3</NoDataValue></PAMRasterBand>'),
    );
    expect(contents.nodata).toBe("3");
  });

  it("by the values of all bands together is refused with the line that makes an image of it", async () => {
    const xml = '<GDALMetadata><Item name="NODATA_VALUES">0 0</Item></GDALMetadata>';
    const file = () =>
      createTiffFile("a.tif", [0, 0], [40, 30], computeLossValue, {
        bands: 2,
        values: [...values, ...alpha],
        tags: { 42112: [2, xml] },
      });
    expect(await refusal(file(), losses({ band: 1 }))).toMatch(
      /NODATA_VALUES.*gdal_translate -b 1 -mask mask,1/,
    );
    expect(await built(file(), losses({ band: 1, file_mask: "ignored" }))).toHaveLength(LENGTH);
  });

  it("hides a cell where a file of the manifest's mask has no value itself", async () => {
    const raster = createTiffFile("a.tif", [0, 0], [4, 1], () => 1);
    const mask = createTiffFile("m.tif", [0, 0], [4, 1], (c) => [1, -9999.9, Number.NaN, 0.1][c]!, {
      ...FLOAT,
      nodata: "-9999.9",
    });
    const cells = await built(raster, losses({ mask: { nodata: [0.1] } }), { maskFiles: [mask] });
    expect([...cells]).toEqual([0, NODATA, NODATA, NODATA]);
  });
});

describe("a scale of a file", () => {
  it("must be declared, or applied by the line of the refusal", async () => {
    const xml = '<GDALMetadata><Item name="SCALE" sample="0" role="scale">2</Item></GDALMetadata>';
    const file = () =>
      createTiffFile("a.tif", [0, 0], [40, 30], computeLossValue, { tags: { 42112: [2, xml] } });
    expect(await refusal(file(), LOSSES)).toMatch(
      /^SCALE_UNDECLARED: .*a scale of 2 and an offset of 0.*"scale_tag": "ignored".*gdal_translate -unscale -ot Float64 a.tif/,
    );
    const plain = await built(createTiffFile("a.tif", [0, 0], [40, 30], computeLossValue), LOSSES);
    expect(await built(file(), losses({ scale_tag: "ignored" }))).toEqual(plain);
    expect((await inspectRaster(file(), 1)).scale).toEqual({ scale: 2, offset: 0 });
  });
});

describe("two entries of a table", () => {
  it("that become one value of 32-bit floats are refused", async () => {
    const cells = { values: [{ value: 1, through: 2 }], background: [{ value: 2.00000001, below: 3 }] };
    const file = () => createTiffFile("a.tif", [0, 0], [4, 1], (c) => c, FLOAT);
    expect(await refusal(file(), toManifest(cells))).toMatch(/^MANIFEST_INVALID: .*the value 2 /);
  });
});

describe("files that lie far apart", () => {
  const at = (name: string, corner: readonly [number, number], step: number) =>
    createTiffFile(name, [0, 0], [64, 64], computeLossValue, { corner, step: [step, step] });

  it("cost as much as their own tiles", async () => {
    const files = [at("a.tif", [-70, 10], STEP), at("b.tif", [-35, -30], STEP)];
    const { report, file } = await buildRaster(files, LOSSES);
    expect(report.cells.total).toBeGreaterThan(2e10);
    expect(report.tiles.total - report.tiles.without_file).toBeLessThan(9);
    const known = report.cells.areas.reduce((sum, { count }) => sum + count, report.cells.background);
    const own = await buildRaster([files[0]!], LOSSES);
    const ownKnown = own.report.cells.areas.reduce(
      (sum, { count }) => sum + count,
      own.report.cells.background,
    );
    expect(known).toBe(2 * ownKnown);
    expect(file.byteLength).toBeLessThan(20 * report.tiles.total + 200_000);
  });

  it("are refused where the index of their grid would take gigabytes", async () => {
    const files = [at("a.tif", [-170, 80], 1 / 40_000), at("b.tif", [170, -80], 1 / 40_000)];
    await expect(buildRaster(files, LOSSES)).rejects.toMatchObject({
      code: "GRID_MISMATCH",
      message: expect.stringMatching(/tiles, expected at most 150000000; build sources/),
    });
  });
});

describe("a file of more columns than are read at once", () => {
  it("has its cells, in strips and tiles, with and without patches", async () => {
    const columns = 300_001;
    const file = (more: Partial<TiffContent>) =>
      createTiffFile("a.tif", [100, 250], [columns, 12], computeLossValue, more);
    const edition = async (more: Partial<TiffContent>, cells: Partial<CellsManifest> = {}) =>
      (await buildRaster([file(more)], losses(cells))).file;
    const strips = await edition({ stripRows: 5, codec: "deflate" });
    expect((await edition({ tile: [4096, 16] })).meta.edition).toBe(strips.meta.edition);
    const patches = { neighbours: 4, min_ha: 1e-6 } as const;
    const sieved = readRasterCells(await edition({ stripRows: 12 }, { patches })).cells;
    const { cells } = readRasterCells(strips);
    expect(sieved).toEqual(cells);
    for (let i = 0; i < cells.length; i += 997) {
      const value = computeLossValue(100 + (i % columns), 250 + Math.floor(i / columns));
      expect(cells[i]).toBe(value === 0 ? BACKGROUND : value === 255 ? NODATA : value - 1);
    }
  });
});
