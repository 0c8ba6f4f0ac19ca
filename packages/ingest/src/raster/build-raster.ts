import type { CellsManifest, CrsTable, SourceManifest } from "@groundrule/engine";
import {
  createRasterWriter,
  type RasterAreaInput,
  type SnapshotFile,
  type WriterOptions,
} from "@groundrule/engine/build";
import {
  BACKGROUND,
  computeTiling,
  isSameCrs,
  NODATA,
  type RasterGrid,
  TILE_CELLS,
} from "@groundrule/engine/internal";
import type { LocalFile } from "@groundrule/formats";
import { buildCoverageReport, type OpenPolygons, resolveDeclaredCoverage } from "../coverage.ts";
import { createIngestError, IngestError } from "../ingest-error.ts";
import { ColumnReader } from "../manifest/columns.ts";
import { parseManifest } from "../manifest/manifest.ts";
import { type Cells, findRunEnd, formatCellRange } from "../manifest/value-table.ts";
import { type Band, type Findings, type RasterInput, readGridBands } from "./band-reader.ts";
import { checkCellValues } from "./check-values.ts";
import { type Granule, type Lying, openGranule } from "./granule.ts";
import { checkGranuleSquare, type GranuleSquare } from "./granule-square.ts";
import { computeGridBounds, type KeepOptions, KeptTiles, selectKeptTiles } from "./kept-tiles.ts";
import {
  createCheckedGrid,
  createGrid,
  deriveLattice,
  type Lattice,
  locateOnLattice,
  measureSnapMeters,
  type Placed,
} from "./lattice.ts";
import { type MaskFile, openMaskFiles } from "./masks.ts";
import { countTilesBetween, splitTileRows } from "./parts.ts";
import { PatchSieve } from "./patches.ts";
import type { RasterReport } from "./raster-report.ts";

/** How far the build of a raster has got. */
export interface RasterProgress {
  /** Cells of the grid read so far; with patches each counts twice. */
  readonly cellsDone: number;
  /** Cells to be read, counted likewise. */
  readonly cellsInAll: number;
}

/** Endings that GDAL adds to the name of an image: for its mask, and for what the image cannot hold. */
export type SiblingEnding = ".msk" | ".aux.xml";

/** Options of the build of a raster. */
export interface RasterOptions extends Pick<WriterOptions, "sha256" | "crc32" | "spill"> {
  /** The files of the manifest's mask, where they are other than it names. */
  readonly maskFiles?: readonly LocalFile[] | undefined;
  /** Where each of the files must lie, in their order. */
  readonly squares?: readonly GranuleSquare[] | undefined;
  /** Likewise of `maskFiles`. */
  readonly maskSquares?: readonly GranuleSquare[] | undefined;
  /** Opens a file of the manifest's mask, by its path as the manifest has it. */
  readonly openFile?: ((path: string) => Promise<LocalFile>) | undefined;
  /** Opens the file next to a file, under its name with one of the endings that GDAL writes, where there is one. */
  readonly openSibling?:
    | ((file: LocalFile, ending: SiblingEnding) => Promise<LocalFile | undefined>)
    | undefined;
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
 * Each value that occurs must be named by `cells` of the manifest. Files are left open. Tiles that no file reaches cost
 * neither time nor memory but for their entry in the index. Memory: what files have of one row of tiles of the grid, at
 * most 2¹⁸ columns at once, and the strips or tiles that reach beyond it; with `patches` whole rows, and 13 bytes for each
 * beginning of a patch. The snapshot's tiles go to `spill`.
 *
 * Fails: {@link IngestError} for files that do not match the manifest or each other (`BAND_UNKNOWN`, `CELLS_DISAGREE`,
 * `GRID_MISMATCH`, `NODATA_UNREPEATED`, `RANGES_MISSING`, `SCALE_UNDECLARED`, `VALUE_UNNAMED`), and `NOTHING_STORED` where every cell is
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
    throw createIngestError("MANIFEST_INVALID", found, expected);
  }
  const declared = await resolveDeclaredCoverage(checked, options.openPolygons, options.crs);
  const isGeographic = checked.crs !== undefined && isSameCrs(checked.crs, "OGC:CRS84");
  const opened: Granule[] = [];
  const openedSiblings: LocalFile[] = [];
  const sibling = async (file: LocalFile, ending: SiblingEnding): Promise<LocalFile | undefined> => {
    const found = await options.openSibling?.(file, ending);
    if (found !== undefined) openedSiblings.push(found);
    return found;
  };
  try {
    for (const file of files) {
      const mask = table.file_mask === "ignored" ? undefined : await sibling(file, ".msk");
      const auxiliary = await sibling(file, ".aux.xml");
      opened.push(await openGranule(file, table, isGeographic, { mask, auxiliary }));
    }
    const masks = await openMaskFiles(
      table,
      isGeographic,
      options.maskFiles,
      options.openFile,
      (file) => void openedSiblings.push(file),
      (file) => sibling(file, ".aux.xml"),
    );
    for (const [i, square] of options.squares?.entries() ?? []) checkGranuleSquare(opened[i]!, square);
    for (const [i, square] of options.maskSquares?.entries() ?? []) checkGranuleSquare(masks[i]!, square);
    const lattice = deriveLattice([...opened, ...masks]);
    const lay = <Of extends Placed>(of: Of) => ({ of, spot: locateOnLattice(lattice, of) });
    const laid = opened.map(lay);
    const whole = createGrid(
      lattice,
      laid.map(({ of, spot }) => ({ ...spot, columns: of.columns, rows: of.rows })),
    );
    const granules = shiftToGrid(laid, lattice, whole);
    const kept = await selectKeptTiles(whole, options.keep ?? {});
    const extent = kept.extent();
    if (extent === undefined) {
      const [w, s, e, n] = computeGridBounds(whole);
      const found = `files from ${w}, ${s} to ${e}, ${n}`;
      const expected = "some that meet the box or the countries to keep";
      throw createIngestError("NOTHING_STORED", found, expected);
    }
    const grid = createCheckedGrid(whole, extent.column, extent.row, extent.columns, extent.rows);
    const { file, ...built } = await writeCells(checked, table, declared?.coverage, options, {
      whole,
      grid,
      granules,
      maskFiles: shiftToGrid(masks.map(lay), lattice, whole),
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
        bounds: computeGridBounds(grid),
        step_degrees: [grid.s / grid.n, grid.t / grid.n],
        ...(grid.n !== 1 && { steps_per_degree: [grid.n / grid.s, grid.n / grid.t] as const }),
        snap_m: measureSnapMeters(lattice, opened),
      },
      ...(declared !== undefined && {
        coverage: buildCoverageReport(declared.coverage, declared.repaired, {
          counts: new Map(),
          withoutCountry: 0,
        }),
      }),
      ...built,
    };
    return { file, report };
  } finally {
    for (const file of openedSiblings) await file.close();
  }
}

interface Laid {
  /** Grid of all files together, and the part of it that is kept. */
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
): Promise<
  Pick<RasterReport, "cells" | "tiles" | "masked" | "patches_dropped" | "patches_unknown"> & {
    file: SnapshotFile;
  }
> {
  const areas = toAreas(manifest, table);
  const { mask, ...rest } = table;
  const { files: _, ...storedMask } = mask ?? { nodata: [] };
  const stored = { ...manifest, cells: { ...rest, ...(mask !== undefined && { mask: storedMask }) } };
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
  const kept = await selectKeptTiles(grid, options.keep ?? {});
  const input: RasterInput = {
    grid: read,
    granules: shiftToGrid(granules, whole, read),
    maskFiles: shiftToGrid(maskFiles, whole, read),
    kept: sieve === undefined ? kept : new KeptTiles(read),
    obeysOwnMasks,
    needsWholeRows: sieve !== undefined,
  };
  const cellsInAll = read.columns * read.rows * (sieve === undefined ? 1 : 2);
  let cellsDone = 0;
  const progress = ({ rows, isLast }: Band) => {
    if (!isLast) return;
    cellsDone += rows * read.columns;
    options.onProgress?.({ cellsDone, cellsInAll });
  };
  if (sieve !== undefined) {
    for await (const band of readGridBands(input, bytes, findings)) {
      sieve.measure(band);
      progress(band);
    }
    checkCellValues(granules, table, findings);
    sieve.turn();
  }
  const cropped = new Crop(read, grid, kept);
  // Everything was counted in the first pass already.
  const later = sieve === undefined ? findings : { masked: 0, unsaidMasked: 0 };
  for await (const band of readGridBands(input, bytes, later)) {
    sieve?.drop(band);
    if (cropped.hasRows(band)) {
      for (const { cells, from, to } of cropped.parts(band)) {
        tally.add(cells);
        writer.addPart(cells, from, to);
      }
      if (band.isLast) writer.endBand();
    }
    progress(band);
  }
  if (sieve === undefined) checkCellValues(granules, table, findings);
  const total = grid.columns * grid.rows;
  const counts = tally.report(table, total);
  if (counts.nodata === total) {
    throw new IngestError(
      "NOTHING_STORED",
      "every cell is nodata, so no edition was built and the current one stays; see nodata and mask of the manifest's cells",
    );
  }
  return {
    file: writer.finish(coverage),
    cells: counts,
    tiles: countTiles(grid, kept, shiftToGrid(granules, whole, grid)),
    masked: findings.masked,
    patches_dropped: sieve?.dropped ?? 0,
    patches_unknown: sieve?.unknown ?? 0,
  };
}

/** Most areas that one byte a cell can distinguish. */
const MOST_BYTE_AREAS = 254;

/** The areas of a table, in its order. */
function toAreas(manifest: SourceManifest, { values }: CellsManifest): RasterAreaInput[] {
  const reader = new ColumnReader(manifest);
  return values.map((area, row) => {
    const { value, id, name, properties = {} } = area;
    const place = { row: row + 1 };
    const columns = Object.entries(properties).map(
      ([column, found]) => [column, reader.fromJson(column, found, place)] as const,
    );
    return {
      id: id ?? formatCellRange(area),
      name: name ?? null,
      countryIso3: manifest.country_iso3 ?? null,
      properties: { value, ...Object.fromEntries(columns) },
    };
  });
}

/** Where files lie on a part of the grid. */
function shiftToGrid<Of>(lying: readonly Lying<Of>[], whole: Lattice, grid: RasterGrid): Lying<Of>[] {
  const [column, row] = computeCornerOnLattice(grid, whole);
  return lying.map(({ of, spot }) => ({ of, spot: { column: spot.column - column, row: spot.row - row } }));
}

/** The column and row of a lattice at which a part of it begins. */
function computeCornerOnLattice(grid: RasterGrid, { a, b, s, t }: Lattice): [column: number, row: number] {
  return [Math.round((grid.a - a) / s), Math.round((b - grid.b) / t)];
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
      const next = findRunEnd(cells, i, cells.length);
      counts[cells[i]!]! += next - i;
      i = next;
    }
  }

  /** @param total cells of the grid: those that were not added are nodata */
  report({ values }: CellsManifest, total: number): RasterReport["cells"] {
    const last = this.#counts.length - 1;
    const known = this.#counts.reduce((sum, count) => sum + count, 0) - this.#counts[NODATA & last]!;
    return {
      areas: values.map((area, row) => ({
        id: area.id ?? formatCellRange(area),
        ...(area.name !== undefined && { name: area.name }),
        count: this.#counts[row]!,
      })),
      background: this.#counts[BACKGROUND & last]!,
      nodata: total - known,
      total,
    };
  }
}

/** Cuts the kept part out of bands of a grid. */
class Crop {
  readonly #grid: RasterGrid;
  readonly #kept: KeptTiles;
  readonly #column: number;
  readonly #row: number;

  constructor(read: RasterGrid, grid: RasterGrid, kept: KeptTiles) {
    this.#grid = grid;
    this.#kept = kept;
    [this.#column, this.#row] = computeCornerOnLattice(grid, read);
  }

  hasRows({ firstRow, rows }: Band): boolean {
    const first = firstRow - this.#row;
    return first + rows > 0 && first < this.#grid.rows;
  }

  /** The cells that are kept of the parts of a band, by columns of the kept grid. */
  *parts({ firstRow, rows, parts }: Band): Generator<{ cells: Cells; from: number; to: number }> {
    if (parts.length === 0) return;
    const tileRow = Math.floor((firstRow - this.#row + computeTiling(this.#grid).rowOffset) / TILE_CELLS);
    const stretches = this.#kept.stretches(tileRow);
    for (const { cells, ...part } of parts) {
      const [west, east] = [part.from - this.#column, part.to - this.#column];
      for (const stretch of stretches) {
        const from = Math.max(stretch.from, west);
        const to = Math.min(stretch.to, east);
        if (from >= to) continue;
        yield {
          cells: from === west && to === east ? cells : sliceCellColumns(cells, rows, from - west, to - west),
          from,
          to,
        };
      }
    }
  }
}

/** Some columns of cells. */
function sliceCellColumns(cells: Cells, rows: number, from: number, to: number): Cells {
  const columns = cells.length / rows;
  const out = cells.slice(0, rows * (to - from));
  for (let r = 0; r < rows; r++) {
    out.set(cells.subarray(r * columns + from, r * columns + to), r * (to - from));
  }
  return out;
}

function countTiles(
  grid: RasterGrid,
  kept: KeptTiles,
  granules: readonly Lying<Granule>[],
): RasterReport["tiles"] {
  const { tileColumns, tileRows } = computeTiling(grid);
  let [keptCount, reached] = [0, 0];
  for (let tileRow = 0; tileRow < tileRows; tileRow++) {
    for (const stretch of kept.stretches(tileRow)) keptCount += countTilesBetween(grid, stretch);
  }
  for (const { parts } of splitTileRows(grid, granules, kept)) {
    for (const part of parts) reached += countTilesBetween(grid, part);
  }
  return { total: tileColumns * tileRows, kept: keptCount, without_file: keptCount - reached };
}
