import { RunError } from "../../runs/run-error.ts";
import type { Attribute, TableOptions } from "../../tables/attributes.ts";
import { GeoJsonDocument, writeGeoJson } from "../../tables/geojson-document.ts";
import { formatCsvCells } from "../../tables/table-row.ts";
import { MOST_WORKBOOK_PLOTS, writeWorkbookFile } from "../../tables/workbook.ts";
import { figures } from "../../words/figures.ts";
import type { ResultFormatName } from "../format-names.ts";
import { listResultColumns } from "./result-columns.ts";

/** A format in which results are written. */
export interface ResultFormat {
  readonly name: ResultFormatName;
  /** Bytes before the first line. */
  readonly header: Uint8Array;
  /**
   * Makes the output from the temporary lines at the end of a run; absent: the lines are the output.
   *
   * @returns the plots' own attributes, if the output has columns for them
   */
  readonly finish?: (spool: string, output: string) => Promise<readonly Attribute[] | undefined>;
  /** Maximum plots of a file in this format; absent: no limit. */
  readonly mostPlots?: number;
  /** Joins lines as they come, for a reader that cannot wait for the end; absent: they are concatenated. */
  readonly document?: () => { push(lines: Uint8Array): string; end(): string };
}

/** @param options for formats that are tables */
export function createResultFormat(name: ResultFormatName, options: TableOptions): ResultFormat {
  const header = name === "csv" ? formatCsvCells(listResultColumns(options.checks)) : "";
  const plain = { name, header: new TextEncoder().encode(header) };
  switch (name) {
    case "ndjson":
    case "compact":
    case "csv":
      return plain;
    case "geojson":
      return {
        ...plain,
        document: () => new GeoJsonDocument(),
        async finish(spool, output) {
          await writeGeoJson(spool, output);
          return undefined;
        },
      };
    case "gpkg":
      return {
        ...plain,
        async finish(spool, output) {
          // SQLite is loaded only if a GeoPackage is written.
          const { writeGeoPackage } = await import("../../tables/geopackage.ts");
          return writeGeoPackage(spool, output, options);
        },
      };
    case "parquet":
      return {
        ...plain,
        async finish(spool, output) {
          const { writeParquetFile: writeParquet } = await import("../../tables/parquet.ts");
          await writeParquet(spool, output, options);
          return undefined;
        },
      };
    case "geoparquet":
      return {
        ...plain,
        async finish(spool, output) {
          const { writeGeoParquet } = await import("../../tables/parquet.ts");
          return writeGeoParquet(spool, output, options);
        },
      };
    case "xlsx":
      return {
        ...plain,
        mostPlots: MOST_WORKBOOK_PLOTS,
        async finish(spool, output) {
          await writeWorkbookFile(spool, output, options);
          return undefined;
        },
      };
  }
}

/**
 * Stops a run as soon as its output is known to have no room for its plots.
 *
 * @param plots of the run so far
 *
 * Fails: `OUTPUT_INVALID`.
 */
export function assertRoomForPlots({ name, mostPlots = Infinity }: ResultFormat, plots: number): void {
  if (plots <= mostPlots) return;
  throw new RunError(
    "OUTPUT_INVALID",
    `the input has more than ${figures.decimal(mostPlots, 0)} plots, the most that a sheet of ${name} holds; write --output FILE.csv or FILE.parquet, or split the input`,
  );
}
