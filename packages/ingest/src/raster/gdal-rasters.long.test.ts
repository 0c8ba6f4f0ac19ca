import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CellsManifest, SourceManifest } from "@groundrule/engine";
import { BACKGROUND, NODATA } from "@groundrule/engine/internal";
import { FormatError, openLocalFile } from "@groundrule/formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  GdalOracle,
  type GdalRaster,
  type GdalSpec,
  hasRasterio,
} from "../../../formats/test/gdal-oracle.ts";
import { randomSpec } from "../../test/gdal-specs.ts";
import { readRasterCells } from "../../test/raster-files.ts";
import { IngestError } from "../ingest-error.ts";
import { buildRaster } from "./build-raster.ts";

if (!hasRasterio) console.warn("Not compared with GDAL: python3 has no rasterio (pip install rasterio).");

const COUNT = process.env.GROUNDRULE_FULL === undefined ? 60 : 2_000;

/** Refusals of files, each with what it must say: a line of GDAL, or what to declare. */
const REFUSALS: Readonly<Record<string, RegExp>> = {
  FORMAT_UNSUPPORTED: /gdal_translate /,
  NODATA_UNREPEATED: /"nodata_tag"|"file_mask"/,
  SCALE_UNDECLARED: /"scale_tag": "ignored".*gdal_translate -unscale/,
};

type Declared = Pick<CellsManifest, "nodata_tag" | "file_mask" | "scale_tag">;
type Outcome = { readonly cells: Uint16Array } | { readonly code: string; readonly message: string };

describe.skipIf(!hasRasterio)("rasters that GDAL wrote by random options", () => {
  let folder: string;
  let gdal: GdalOracle;
  const outcomes: Record<string, number> = {};
  const count = (outcome: string) => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "groundrule-gdal-"));
    gdal = new GdalOracle(folder);
    await gdal.start();
  });
  afterAll(() => {
    gdal.close();
    rmSync(folder, { recursive: true });
    console.log(JSON.stringify(outcomes));
  });

  it(`${COUNT} of them have rasterio's value and mask in every cell, or are refused with what mends it`, async () => {
    const wrong: string[] = [];
    for (let seed = 1; seed <= COUNT; seed++) {
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
      const spec = randomSpec(seed, "in.tif");
      const error = await gdal.write(spec);
      if (error !== undefined) {
        count("not written by GDAL");
        continue;
      }
      await check(spec, `seed ${seed}: ${JSON.stringify({ ...spec, palette: undefined })}`).catch((found) =>
        wrong.push(found instanceof Error ? found.message : String(found)),
      );
    }
    expect(wrong).toEqual([]);
    const { "not written by GDAL": unwritten = 0, "built as it is": bare = 0 } = outcomes;
    expect(unwritten).toBeLessThan(COUNT / 5);
    expect(bare).toBeGreaterThan(COUNT / 10);
    expect(outcomes.NODATA_UNREPEATED).toBeGreaterThan(COUNT / 10);
  });

  async function check(spec: GdalSpec, context: string): Promise<void> {
    let path = spec.path;
    let raster = await gdal.read(path);
    let band = spec.seed % spec.bands;
    if (raster.colors[band] === "alpha") band = 0;
    // Nothing is declared, and hidden cells have values that are named as if they were examined.
    const bare = await build(path, raster, band, {});
    if ("cells" in bare) {
      count("built as it is");
      expectSame(bare.cells, raster, band, raster.masks[band]!, `${context}, nothing declared`);
    } else if (bare.code === "VALUE_UNNAMED" && hasUnnameable(raster, band)) {
      count("with a value beyond all names");
    } else {
      expect(REFUSALS, `${context}: ${bare.message}`).toHaveProperty(bare.code);
      expect(bare.message, context).toMatch(REFUSALS[bare.code]!);
      count(bare.code);
    }
    // The mask as GDAL has it is declared; a file that cannot be read is converted by the line of the refusal.
    const scaled: Declared = spec.seed % 2 === 0 ? { scale_tag: "ignored" } : {};
    for (let round = 0; ; round++) {
      const declared = { ...toDeclared(raster, band), ...scaled };
      const outcome = await build(path, raster, band, declared);
      if ("cells" in outcome) {
        expectSame(
          outcome.cells,
          raster,
          band,
          raster.masks[band]!,
          `${context}, ${JSON.stringify(declared)}`,
        );
        break;
      }
      if (outcome.code === "VALUE_UNNAMED" && hasUnnameable(raster, band)) break;
      const line = /gdal_translate .*$/.exec(outcome.message)?.[0];
      if (line === undefined || round === 4) throw new Error(`${context}: ${outcome.message}`);
      expect(await gdal.run(line), `${context}: ${line}`).toBeUndefined();
      count("converted");
      path = line.split(" ").at(-1)!;
      raster = await gdal.read(path);
      if (raster.types.length === 1) band = 0;
    }
    const alphaBands = [...raster.colors.keys()].filter((each) => raster.colors[each] === "alpha");
    const hasMask = raster.flags[band]!.includes("per_dataset") && !raster.flags[band]!.includes("alpha");
    if (alphaBands.length === 0 || alphaBands.includes(band) || hasMask) return;
    // An alpha band is obeyed where GDAL passes it over too: beside a nodata tag, for floats, as one of three bands.
    const more: Declared = { nodata_tag: "ignored", file_mask: "nodata", scale_tag: "ignored" };
    const outcome = await build(path, raster, band, more);
    if (!("cells" in outcome)) {
      if (hasUnnameable(raster, band)) return;
      throw new Error(`${context}, obeying alpha: ${outcome.message}`);
    }
    count("hidden by alpha");
    const shown = Uint8Array.from(raster.values[band]!, (_, i) =>
      alphaBands.every((each) => raster.values[each]![i] !== 0) ? 1 : 0,
    );
    expectSame(outcome.cells, raster, band, shown, `${context}, obeying alpha`);
  }

  async function build(path: string, raster: GdalRaster, band: number, more: Declared): Promise<Outcome> {
    const file = await openLocalFile(join(folder, path), path);
    const bands = raster.types.length;
    const cells: CellsManifest = {
      ...toValueTable(raster, band),
      ...(bands > 1 && { band: band + 1 }),
      ...more,
    };
    const manifest: SourceManifest = { source_name: "test:gdal", kind: "leaf", cells };
    try {
      const openSibling = async (_: unknown, ending: string) => {
        const sibling = join(folder, `${path}${ending}`);
        return existsSync(sibling) ? openLocalFile(sibling) : undefined;
      };
      const built = await buildRaster([file], manifest, { openSibling });
      return { cells: readRasterCells(built.file).cells };
    } catch (error) {
      if (!(error instanceof FormatError || error instanceof IngestError)) throw error;
      if (error.code === "NOTHING_STORED")
        return { cells: new Uint16Array(raster.width * raster.height).fill(NODATA) };
      return { code: error.code, message: error.message };
    } finally {
      await file.close();
    }
  }
});

/** The declarations that make a build take for the mask what GDAL does. */
function toDeclared({ flags }: GdalRaster, band: number): Declared {
  const found = flags[band]!;
  const isMask = found.includes("per_dataset");
  const isTag = found.includes("nodata") && !isMask;
  return { nodata_tag: isTag ? "nodata" : "ignored", file_mask: isMask ? "nodata" : "ignored" };
}

/** True if a cell holds a value that no table can name: that of the tag, in a file whose mask shows it. */
function hasUnnameable({ values }: GdalRaster, band: number): boolean {
  return values[band]!.some((value) => Math.abs(value) > Number.MAX_SAFE_INTEGER);
}

/** The values that can be named, and what their cells are to hold: every third is background. */
function listNamedValues({ values }: GdalRaster, band: number): number[] {
  const named = new Set<number>();
  for (const value of values[band]!) if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) named.add(value + 0);
  return [...named].sort((a, b) => a - b);
}

function toValueTable(
  raster: GdalRaster,
  band: number,
): Pick<CellsManifest, "values" | "background" | "nodata"> {
  const named = listNamedValues(raster, band).map((value) => ({ value, through: value }));
  const values = named.filter((_, i) => i % 3 !== 0);
  return {
    values: values.length === 0 ? [{ value: 123_456, through: 123_457 }] : values,
    background: named.filter((_, i) => i % 3 === 0),
    nodata: raster.values[band]!.some(Number.isNaN) ? ["nan"] : [],
  };
}

function expectSame(
  cells: Uint16Array,
  raster: GdalRaster,
  band: number,
  mask: Uint8Array,
  context: string,
): void {
  const codes = new Map<number, number>();
  let area = 0;
  for (const [i, value] of listNamedValues(raster, band).entries())
    codes.set(value, i % 3 === 0 ? BACKGROUND : area++);
  const wanted = Uint16Array.from(raster.values[band]!, (value, i) =>
    mask[i] === 0 || Number.isNaN(value) ? NODATA : (codes.get(value + 0) ?? -1),
  );
  const at = wanted.findIndex((code, i) => code !== cells[i]);
  if (at === -1 && cells.length === wanted.length) return;
  const found = `${cells.length} cells; cell ${at} holds ${cells[at]}, not ${wanted[at]}; its value is ${raster.values[band]![at]}, its mask ${mask[at]}`;
  throw new Error(`${context}: ${found}`);
}
