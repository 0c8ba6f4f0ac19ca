import { englishFigures } from "@groundrule/words/figures";
import type { CoverageReport, IngestReport } from "../report.ts";
import { formatCount, formatWholeNumber, replaceControlCharacters } from "../report-words.ts";

/** Report of the build of a raster, as plain data. */
export interface RasterReport extends Pick<IngestReport, "source_name" | "columns"> {
  readonly kind: "leaf";
  readonly format: "geotiff";
  /** GeoTIFF files read; those of a mask not counted. */
  readonly files: number;
  /** Bytes of these. */
  readonly bytes_read: number;
  /** Areas: the values of the manifest's table. */
  readonly stored: number;
  /** The grid that is stored. */
  readonly grid: {
    /** Cells of a row. */
    readonly columns: number;
    /** Rows of cells. */
    readonly rows: number;
    /** `[west, south, east, north]`, degrees. */
    readonly bounds: readonly [number, number, number, number];
    /** Degrees of a column and of a row. */
    readonly step_degrees: readonly [number, number];
    /** Columns and rows of a degree; absent where lines lie as the files' tags have them, and on no whole fraction. */
    readonly steps_per_degree?: readonly [number, number];
    /** How far a line lies at most from where the files' tags put it, metres. */
    readonly snap_m: number;
  };
  /** Cells of the stored grid. */
  readonly cells: {
    /** All of them. */
    readonly total: number;
    /** In the order of the table. */
    readonly areas: readonly {
      /** Identifier of the area. */
      readonly id: string;
      /** Its name, where the table has one. */
      readonly name?: string;
      /** Cells that hold it. */
      readonly count: number;
    }[];
    /** Cells that are background. */
    readonly background: number;
    /** Cells that are nodata. */
    readonly nodata: number;
  };
  /** Cells that are nodata because a mask hides them. */
  readonly masked: number;
  /** Tiles of 256 × 256 cells. */
  readonly tiles: {
    /** Tiles of the grid. */
    readonly total: number;
    /** Those that are kept. */
    readonly kept: number;
    /** Kept tiles that no file reaches. */
    readonly without_file: number;
  };
  /** Patches that were too small and became background, on all of the files. */
  readonly patches_dropped: number;
  /** Patches that were too small and became nodata, for they touch cells that are. */
  readonly patches_unknown: number;
  /** Where the manifest declares a coverage. */
  readonly coverage?: CoverageReport;
}

const SHOWN = 20;

/** The report as text. */
export function renderRasterReport(report: RasterReport): string {
  const { grid, cells, tiles } = report;
  const [west, south, east, north] = grid.bounds.map((degrees) => englishFigures.decimal(degrees, 6));
  const step =
    grid.steps_per_degree === undefined
      ? `${grid.step_degrees.join("° × ")}°`
      : grid.steps_per_degree.map((count) => `1/${englishFigures.plain(count)}°`).join(" × ");
  const shown = cells.areas.slice(0, SHOWN);
  const lines = [
    `${report.source_name}: ${formatCount(report.stored, "area")} in ${formatCount(cells.total, "cell")}`,
    `  read ${formatCount(report.bytes_read, "byte")} of ${formatCount(report.files, "GeoTIFF file")}`,
    `  grid of ${formatWholeNumber(grid.columns)} × ${formatWholeNumber(grid.rows)} cells of ${step}`,
    `  from ${west}, ${south} to ${east}, ${north}`,
    `  lines at most ${englishFigures.decimal(grid.snap_m, 6)} m from where the tags put them`,
    `  tiles ${formatWholeNumber(tiles.total)}, kept ${formatWholeNumber(tiles.kept)}, of them without a file ${formatWholeNumber(tiles.without_file)}`,
    `  columns ${report.columns.map(({ name, type }) => `${name} (${type})`).join(", ")}`,
    ...shown.map(
      ({ id, name, count }) =>
        `  ${formatCountAndShare(count, cells.total)}  ${id}${name === undefined ? "" : `  ${name}`}`,
    ),
    ...(cells.areas.length > SHOWN
      ? [`  and ${formatWholeNumber(cells.areas.length - SHOWN)} more areas`]
      : []),
    `  ${formatCountAndShare(cells.background, cells.total)}  background: examined, and nothing there`,
    `  ${formatCountAndShare(cells.nodata, cells.total)}  nodata: not examined`,
    ...(report.masked > 0 ? [`  ${formatCount(report.masked, "cell")} hidden by masks`] : []),
    ...(report.patches_dropped > 0
      ? [`  ${formatCount(report.patches_dropped, "patch", "patches")} too small, now background`]
      : []),
    ...(report.patches_unknown > 0
      ? [`  ${formatCount(report.patches_unknown, "patch", "patches")} too small beside nodata, now nodata`]
      : []),
  ];
  return `${lines.map(replaceControlCharacters).join("\n")}\n`;
}

function formatCountAndShare(count: number, total: number): string {
  return `${formatWholeNumber(count).padStart(14)}  ${englishFigures.share(count / total).padStart(7)}`;
}
