import type { CellsManifest, CrsTable, SourceManifest } from "@groundrule/engine";
import {
  createRasterWriter,
  type RasterAreaInput,
  type SnapshotFile,
  type WriterOptions,
} from "@groundrule/engine/build";
import {
  BACKGROUND,
  isSameCrs,
  NODATA,
  type RasterGrid,
  TILE_CELLS,
  tilingOf,
} from "@groundrule/engine/internal";
import type { LocalFile } from "@groundrule/formats";
import { openGeoTiff } from "@groundrule/formats/geotiff";
import { coverageReport, declaredCoverage, type OpenPolygons } from "../coverage.ts";
import { IngestError, refusal } from "../ingest-error.ts";
import { ColumnReader } from "../manifest/columns.ts";
import { parseManifest } from "../manifest/manifest.ts";
import { type Findings, type MaskFile, nodataOf, type RasterInput, readBands } from "./band-reader.ts";
import { type Granule, Layer, type Lying, openGranule } from "./granule.ts";
import { boundsOf, type KeepOptions, KeptTiles, keptTiles } from "./kept-tiles.ts";
import { checkedGrid, gridOf, type Lattice, latticeOf, type Placed, snapMeters, spotOf } from "./lattice.ts";
import { PatchSieve } from "./patches.ts";
import type { RasterReport } from "./raster-report.ts";
import { type Cells, rangeText, runEnd, UNNAMED } from "./value-table.ts";

/** How far the build of a raster has got. */
export interface RasterProgress {
  /** Cells of the grid read so far; with patches each counts twice. */
  readonly cellsDone: number;
  /** Cells to be read, counted likewise. */
  readonly cellsInAll: number;
}

/** What the build of a raster is told beside its files and manifest. */
export interface RasterOptions extends Pick<WriterOptions, "sha256" | "crc32" | "spill"> {
  /** The files of the manifest's mask, where they are other than it names. */
  readonly maskFiles?: readonly LocalFile[] | undefined;
  /** Opens a file of the manifest's mask, by its path as the manifest has it. */
  readonly openFile?: ((path: string) => Promise<LocalFile>) | undefined;
  /** Opens the `.msk` file beside a file, where there is one. */
  readonly openMaskBeside?: ((file: LocalFile) => Promise<LocalFile | undefined>) | undefined;
  /** Which part is kept; absent: all. */
  readonly keep?: KeepOptions | undefined;
  /** As in `BuildOptions`. */
  readonly openPolygons?: OpenPolygons | undefined;
  readonly crs?: CrsTable | undefined;
  /** Called after each row of tiles. */
  readonly onProgress?: ((progress: RasterProgress) => void) | undefined;
}

/**
 * Builds the snapshot of a raster from GeoTIFF files on one grid, in any order: the same cells give the same edition,
 * whether they come in strips or tiles, in one file or in several.
 *
 * Each value that occurs must be named by `cells` of the manifest. Files are left open. Memory: one row of tiles of the
 * grid, and the strips or tiles that reach beyond it; with `patches` 12 bytes for each beginning of a patch. The
 * snapshot's tiles go to `spill`.
 *
 * Fails: {@link IngestError} for files that do not match the manifest or each other (`BAND_UNKNOWN`, `CELLS_DISAGREE`,
 * `GRID_MISMATCH`, `NODATA_UNREPEATED`, `RANGES_MISSING`, `VALUE_UNNAMED`), and `NOTHING_STORED` where every cell is
 * nodata; `FormatError` for a file that cannot be read.
 */
export async function buildRaster(
  files: readonly LocalFile[],
  manifest: SourceManifest,
  options: RasterOptions = {},
): Promise<{ file: SnapshotFile; report: RasterReport }> {
  const checked = parseManifest(manifest);
  const { cells: table } = checked;
  if (table === undefined || files.length === 0) {
    const [found, expected] =
      table === undefined ? ['no "cells"', "the table of a raster's values"] : ["no file", "GeoTIFF files"];
    throw refusal("MANIFEST_INVALID", found, expected);
  }
  const declared = await declaredCoverage(checked, options.openPolygons, options.crs);
  const isGeographic = checked.crs !== undefined && isSameCrs(checked.crs, "OGC:CRS84");
  const opened: Granule[] = [];
  const masksBeside: LocalFile[] = [];
  try {
    for (const file of files) {
      const beside = table.file_mask === "ignored" ? undefined : await options.openMaskBeside?.(file);
      if (beside !== undefined) masksBeside.push(beside);
      opened.push(await openGranule(file, table, isGeographic, beside));
    }
    const masks = await openMaskFiles(table, isGeographic, options);
    for (const file of masks.opened) masksBeside.push(file);
    const lattice = latticeOf([...opened, ...masks.files]);
    const lay = <Of extends Placed>(of: Of) => ({ of, spot: spotOf(lattice, of) });
    const laid = opened.map(lay);
    const whole = gridOf(
      lattice,
      laid.map(({ of, spot }) => ({ ...spot, columns: of.columns, rows: of.rows })),
    );
    const granules = shifted(laid, lattice, whole);
    const kept = await keptTiles(whole, options.keep ?? {});
    const extent = kept.extent();
    if (extent === undefined) {
      const [w, s, e, n] = boundsOf(whole);
      const found = `files from ${w}, ${s} to ${e}, ${n}`;
      const expected = "some that meet the box or the countries to keep";
      throw refusal("NOTHING_STORED", found, expected);
    }
    const grid = checkedGrid(whole, extent.column, extent.row, extent.columns, extent.rows);
    const { file, ...built } = await writeCells(checked, table, declared?.coverage, options, {
      whole,
      grid,
      granules,
      maskFiles: shifted(masks.files.map(lay), lattice, whole),
    });
    const report: RasterReport = {
      source_name: checked.source_name,
      kind: "leaf",
      format: "geotiff",
      files: files.length,
      bytes_read: files.reduce((sum, { size }) => sum + size, 0),
      stored: table.values.length,
      columns: Object.entries(file.meta.manifest.columns ?? {}).map(([name, type]) => ({ name, type })),
      grid: {
        columns: grid.columns,
        rows: grid.rows,
        bounds: boundsOf(grid),
        step_degrees: [grid.s / grid.n, grid.t / grid.n],
        ...(grid.n !== 1 && { steps_per_degree: [grid.n / grid.s, grid.n / grid.t] as const }),
        snap_m: snapMeters(lattice, opened),
      },
      ...(declared !== undefined && {
        coverage: coverageReport(declared.coverage, declared.repaired, {
          counts: new Map(),
          withoutCountry: 0,
        }),
      }),
      ...built,
    };
    return { file, report };
  } finally {
    for (const file of masksBeside) await file.close();
  }
}

interface Laid {
  /** Of all files, and the part of it that is kept. */
  readonly whole: RasterGrid;
  readonly grid: RasterGrid;
  readonly granules: readonly Lying<Granule>[];
  readonly maskFiles: readonly Lying<MaskFile>[];
}

async function writeCells(
  manifest: SourceManifest,
  table: CellsManifest,
  coverage: Parameters<ReturnType<typeof createRasterWriter>["finish"]>[0],
  options: RasterOptions,
  { whole, grid, granules, maskFiles }: Laid,
): Promise<Pick<RasterReport, "cells" | "tiles" | "masked" | "patches_dropped"> & { file: SnapshotFile }> {
  const areas = areasOf(manifest, table);
  const { mask, ...rest } = table;
  const { files: _, ...told } = mask ?? { nodata: [] };
  const stored = { ...manifest, cells: { ...rest, ...(mask !== undefined && { mask: told }) } };
  const { sha256, crc32, spill } = options;
  const writer = createRasterWriter(stored, grid, areas, {
    ...(sha256 && { sha256 }),
    ...(crc32 && { crc32 }),
    ...(spill && { spill }),
  });
  const bytes = areas.length <= MOST_BYTE_AREAS ? 1 : 2;
  const findings: Findings = { masked: 0, unsaidMasked: 0 };
  const obeysOwnMasks = table.file_mask === "nodata";
  const tally = new CellTally(areas.length);
  // Patches are those of the whole grid, whatever part of it is kept.
  const sieve = table.patches && new PatchSieve(whole, areas.length, table.patches);
  const read = sieve === undefined ? grid : whole;
  const kept = await keptTiles(grid, options.keep ?? {});
  const input: RasterInput = {
    grid: read,
    granules: shifted(granules, whole, read),
    maskFiles: shifted(maskFiles, whole, read),
    kept: sieve === undefined ? kept : new KeptTiles(read),
    obeysOwnMasks,
  };
  const cellsInAll = read.columns * read.rows * (sieve === undefined ? 1 : 2);
  let cellsDone = 0;
  const progress = (rows: number) => {
    cellsDone += rows * read.columns;
    options.onProgress?.({ cellsDone, cellsInAll });
  };
  if (sieve !== undefined) {
    for await (const band of readBands(input, bytes, findings)) {
      sieve.measure(band);
      progress(band.rows);
    }
    checkValues(granules, table, findings);
    sieve.turn();
  }
  const cropped = sieve && new Crop(whole, grid, kept, bytes);
  // Everything was counted in the first pass already.
  const later = sieve === undefined ? findings : { masked: 0, unsaidMasked: 0 };
  for await (const band of readBands(input, bytes, later)) {
    sieve?.drop(band);
    const cells = cropped === undefined ? band.cells : cropped.take(band.cells, band.firstRow, band.rows);
    if (cells !== undefined) {
      tally.add(cells);
      writer.add(cells);
    }
    progress(band.rows);
  }
  if (sieve === undefined) checkValues(granules, table, findings);
  const counts = tally.report(table);
  if (counts.nodata === grid.columns * grid.rows) {
    throw new IngestError(
      "NOTHING_STORED",
      "every cell is nodata, so no edition was built and the current one stays; see nodata and mask of the manifest's cells",
    );
  }
  return {
    file: writer.finish(coverage),
    cells: counts,
    tiles: tileCounts(grid, kept, shifted(granules, whole, grid)),
    masked: findings.masked,
    patches_dropped: sieve?.dropped ?? 0,
  };
}

/** Most areas that a byte a cell can tell apart. */
const MOST_BYTE_AREAS = 254;

/** The areas of a table, in its order. */
function areasOf(manifest: SourceManifest, { values }: CellsManifest): RasterAreaInput[] {
  const reader = new ColumnReader(manifest);
  return values.map((area, row) => {
    const { value, id, name, properties = {} } = area;
    const place = { row: row + 1 };
    const columns = Object.entries(properties).map(
      ([column, found]) => [column, reader.fromJson(column, found, place)] as const,
    );
    return {
      id: id ?? rangeText(area),
      name: name ?? null,
      countryIso3: manifest.country_iso3 ?? null,
      properties: { value, ...Object.fromEntries(columns) },
    };
  });
}

async function openMaskFiles(
  { mask }: CellsManifest,
  isGeographic: boolean,
  { maskFiles, openFile }: RasterOptions,
): Promise<{ files: (MaskFile & Placed)[]; opened: LocalFile[] }> {
  if (mask === undefined || mask.band !== undefined) return { files: [], opened: [] };
  const opened: LocalFile[] = [];
  const given = [...(maskFiles ?? [])];
  if (given.length === 0) {
    for (const path of mask.files ?? []) {
      const file = await openFile?.(path);
      if (file === undefined) break;
      opened.push(file);
    }
    for (const file of opened) given.push(file);
  }
  if (given.length === 0) {
    const message = `found a mask without files and without a band, expected "files" or "band" in it, or --mask FILE`;
    throw new IngestError("MANIFEST_INVALID", message, {
      faults: [{ pointer: "/cells/mask", code: "MEMBER_MISSING", message }],
    });
  }
  const nodata = new Set(mask.nodata);
  const files: (MaskFile & Placed)[] = [];
  for (const file of given) {
    const { image, place } = await openGeoTiff(file, { isGeographic });
    const layer = new Layer(image, 0, file.name);
    const { columns, rows } = image;
    const isHidden = (value: number) => nodata.has(value);
    files.push({ name: file.name, place, columns, rows, mask: { layer, isOwn: false, isHidden } });
  }
  return { files, opened };
}

/** Where files lie on a part of the grid. */
function shifted<Of>(lying: readonly Lying<Of>[], whole: Lattice, grid: RasterGrid): Lying<Of>[] {
  const [column, row] = cornerOf(grid, whole);
  return lying.map(({ of, spot }) => ({ of, spot: { column: spot.column - column, row: spot.row - row } }));
}

/** The column and row of a lattice at which a part of it begins. */
function cornerOf(grid: RasterGrid, { a, b, s, t }: Lattice): [column: number, row: number] {
  return [Math.round((grid.a - a) / s), Math.round((b - grid.b) / t)];
}

/**
 * Fails: `NODATA_UNREPEATED`, `VALUE_UNNAMED`.
 */
function checkValues(
  granules: readonly Lying<Granule>[],
  { nodata_tag }: CellsManifest,
  findings: Findings,
): void {
  if (nodata_tag !== "ignored") {
    for (const { of } of granules) {
      const tag = of.nodataTag;
      const cells = tag === undefined ? 0 : of.counts.of(tag);
      if (tag === undefined || cells === 0 || of.table.codeOf(tag) === NODATA) continue;
      const named = of.counts
        .entries()
        .reduce((sum, [value, count]) => sum + (of.table.codeOf(value) === NODATA ? count : 0), 0);
      const found = `${cells} cells of the value ${tag}, which the file is tagged with as nodata, and ${named} of the values that the manifest calls nodata`;
      const expected = "them to agree";
      const mend = `say "nodata": [${Number.isNaN(tag) ? '"nan"' : tag}] in cells of the manifest, or "nodata_tag": "ignored" if the tag is wrong`;
      throw refusal("NODATA_UNREPEATED", found, expected, { place: { entry: of.name }, mend });
    }
  }
  if (findings.unsaidMasked > 0) {
    const found = `masks of the files that hide ${findings.unsaidMasked} cells, of which the manifest calls none nodata`;
    const expected = `"file_mask": "nodata", or "ignored" if they are wrong, in cells of the manifest`;
    throw refusal("NODATA_UNREPEATED", found, expected);
  }
  const unnamed = new Map<number, number>();
  for (const { of } of granules) {
    for (const [value, count] of of.counts.entries()) {
      if (of.table.codeOf(value) === UNNAMED) unnamed.set(value, (unnamed.get(value) ?? 0) + count);
    }
  }
  if (unnamed.size === 0) return;
  const SHOWN = 12;
  const listed = [...unnamed].slice(0, SHOWN).map(([value, count]) => `${value} in ${count} cells`);
  const more = unnamed.size > SHOWN ? ` and ${unnamed.size - SHOWN} more values` : "";
  const found = `values that cells of the manifest does not name: ${listed.join(", ")}${more}`;
  const expected = "each among values, background or nodata";
  const file = granules[0]!.of.name;
  const mend = `to list all that occur: groundrule snapshot inspect ${file}`;
  throw new IngestError("VALUE_UNNAMED", `found ${found}; expected ${expected}; ${mend}`, {
    found,
    expected,
  });
}

/** How many cells hold what. */
class CellTally {
  readonly #counts: Float64Array;

  constructor(areaCount: number) {
    this.#counts = new Float64Array(areaCount <= MOST_BYTE_AREAS ? 256 : 65_536);
  }

  add(cells: Cells): void {
    const counts = this.#counts;
    for (let i = 0; i < cells.length; ) {
      const next = runEnd(cells, i, cells.length);
      counts[cells[i]!]! += next - i;
      i = next;
    }
  }

  report({ values }: CellsManifest): RasterReport["cells"] {
    const last = this.#counts.length - 1;
    return {
      areas: values.map((area, row) => ({
        id: area.id ?? rangeText(area),
        ...(area.name !== undefined && { name: area.name }),
        count: this.#counts[row]!,
      })),
      background: this.#counts[BACKGROUND & last]!,
      nodata: this.#counts[NODATA & last]!,
      total: this.#counts.reduce((sum, count) => sum + count, 0),
    };
  }
}

/** Cuts the kept part out of bands of the whole grid. */
class Crop {
  readonly #whole: RasterGrid;
  readonly #grid: RasterGrid;
  readonly #kept: KeptTiles;
  readonly #column: number;
  readonly #row: number;
  readonly #cells: Cells;

  constructor(whole: RasterGrid, grid: RasterGrid, kept: KeptTiles, bytes: 1 | 2) {
    this.#whole = whole;
    this.#grid = grid;
    this.#kept = kept;
    [this.#column, this.#row] = cornerOf(grid, whole);
    const length = Math.min(TILE_CELLS, grid.rows) * grid.columns;
    this.#cells = bytes === 1 ? new Uint8Array(length) : new Uint16Array(length);
  }

  /** The kept cells of a band; undefined where none of its rows is kept. */
  take(cells: Cells, firstRow: number, rows: number): Cells | undefined {
    const first = firstRow - this.#row;
    if (first + rows <= 0 || first >= this.#grid.rows) return undefined;
    const { columns } = this.#grid;
    const out = this.#cells.subarray(0, rows * columns);
    out.fill(nodataOf(out));
    const tileRow = Math.floor((first + tilingOf(this.#grid).rowOffset) / TILE_CELLS);
    for (let r = 0; r < rows; r++) {
      const from = r * this.#whole.columns + this.#column;
      for (const stretch of this.#kept.stretches(tileRow))
        out.set(cells.subarray(from + stretch.from, from + stretch.to), r * columns + stretch.from);
    }
    return out;
  }
}

function tileCounts(
  grid: RasterGrid,
  kept: KeptTiles,
  granules: readonly Lying<Granule>[],
): RasterReport["tiles"] {
  const { tileColumns, tileRows, columnOffset, rowOffset } = tilingOf(grid);
  let keptCount = 0;
  let absent = 0;
  for (let tileRow = 0; tileRow < tileRows; tileRow++) {
    const row = tileRow * TILE_CELLS - rowOffset;
    const near = granules.filter(({ of, spot }) => spot.row < row + TILE_CELLS && spot.row + of.rows > row);
    for (const { from, to } of kept.stretches(tileRow)) {
      for (let column = from; column < to; ) {
        const end = Math.min(to, column + TILE_CELLS - ((column + columnOffset) % TILE_CELLS));
        keptCount++;
        if (!near.some(({ of, spot }) => spot.column < end && spot.column + of.columns > column)) absent++;
        column = end;
      }
    }
  }
  return { total: tileColumns * tileRows, kept: keptCount, without_file: absent };
}
