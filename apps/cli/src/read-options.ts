import { FORMAT_NAMES, type FormatName, type ReadOptions } from "@groundrule/formats";
import type { ReadPlan } from "@groundrule/ingest";
import { type Arguments, UsageError } from "./arguments.ts";
import type { OptionSpec } from "./command-line.ts";

/** What every command takes that reads plots. The format is found in the file. */
export const READ_OPTIONS: readonly OptionSpec[] = [
  { name: "layer", value: "NAME", help: "layer of a file, or file of an archive, that has several" },
  {
    name: "encoding",
    value: "LABEL",
    help: "encoding of the text, e.g. windows-1252 (default: found, or UTF-8)",
  },
  { name: "swap-axes", help: "positions stand latitude first: swap them" },
  { name: "wkt", value: "COLUMN", help: "CSV: column of the geometry in WKT (default: found by name)" },
  { name: "longitude", value: "COLUMN", help: "CSV: column of the longitude or easting" },
  { name: "latitude", value: "COLUMN", help: "CSV: column of the latitude or northing" },
];

/** The format, where a file could be of several: JSON lines or GeoJSON. */
export const FORMAT_OPTION: OptionSpec = {
  name: "format",
  value: "FORMAT",
  help: `${FORMAT_NAMES.join(", ")} (default: found in the file)`,
};

/** What commands say of the formats that they read. */
export const READ_DETAIL =
  "Reads GeoJSON (a FeatureCollection, one feature a line, or a text sequence), GeoPackage, Shapefile (zipped, or its folder), FlatGeobuf, GeoParquet, KML, KMZ, and CSV or TSV with WKT or longitude and latitude, gzipped or zipped or not, from a file or standard input. The format is found in the file, and so is the CRS.";

/**
 * How a file is read: what the command line says, over what the manifest of a source does.
 *
 * Fails: {@link UsageError} for a format that there is not.
 */
export function buildReadOptions(args: Arguments, plan: ReadPlan = {}): ReadOptions {
  const format = args.find(FORMAT_OPTION.name);
  if (format !== undefined && !isFormat(format)) {
    throw new UsageError(`found --format "${format}", expected one of ${FORMAT_NAMES.join(", ")}`);
  }
  return { format: format ?? plan.format, ...readOptions(args, plan) };
}

/** How a file of plots is read. */
export function readOptions(args: Arguments, plan: ReadPlan = {}): ReadOptions {
  return {
    layer: args.find("layer") ?? plan.layer,
    encoding: args.find("encoding") ?? plan.encoding,
    swapAxes: args.flag("swap-axes") || plan.swap_axes,
    wkt: args.find("wkt") ?? plan.wkt,
    longitude: args.find("longitude") ?? plan.longitude,
    latitude: args.find("latitude") ?? plan.latitude,
  };
}

function isFormat(name: string): name is FormatName {
  return (FORMAT_NAMES as readonly string[]).includes(name);
}
