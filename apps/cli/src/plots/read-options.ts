import { FORMAT_NAMES, formatDetailedFormats, type ReadOptions } from "@groundrule/formats";
import type { BuildReadOptions, ReadPlan } from "@groundrule/ingest";
import type { PlotReadOptions } from "@groundrule/plot-files";
import { type IdentifierColumn, isFactColumn, MAPPED_NAMES, parseIdentifierKind } from "@groundrule/plots";
import { type Arguments, UsageError } from "../command-line/arguments.ts";
import { defineOption, type OptionSpec } from "../command-line/command-line.ts";
import { MAPPING_OPTION, omitUndefinedOptions, readMappingFile } from "./mapping.ts";

/** Options of every command that reads plots. The format is detected in the file. */
export const READ_OPTIONS: readonly OptionSpec[] = [
  defineOption(
    "layer NAME",
    "layer to read, or file of an archive, where there are several; or a list: A_1,A_2",
  ),
  defineOption("encoding LABEL", "encoding of the text, e.g. windows-1252 (default: detected, else UTF-8)"),
  defineOption("swap-axes", "coordinates have latitude first: swap them"),
  defineOption(
    "wkt COLUMN",
    "table: column of the geometry in WKT, WKB, GeoJSON or ODK's positions (default: found by names and values)",
  ),
  defineOption("longitude COLUMN", "table: column of the longitude or easting"),
  defineOption("latitude COLUMN", "table: column of the latitude or northing"),
  defineOption(
    "corners-of COLUMN",
    "table: rows with the same value here are the corners of one plot; none: each row is a plot",
  ),
  defineOption("corner-order COLUMN", "table: column that counts the corners of a plot"),
  defineOption("decimal SIGN", "CSV: comma if numbers are written as -47,25 (default point)"),
];

/** The column of ids; see `assignPlotIds` of `@groundrule/plot-files` for its detection. */
export const ID_OPTION: OptionSpec = defineOption(
  "id COLUMN",
  "column of the plots' ids (default: plot_id, id, code or a similar name, chosen by the first 100 plots)",
);

const COLUMN_OPTION: OptionSpec = defineOption(
  "column NAME=COLUMN",
  `read a column as another name: ${MAPPED_NAMES.join(", ")}, or fact:NAME`,
  { multiple: true },
);

const IDENTIFIER_OPTION: OptionSpec = defineOption(
  "identifier SCHEME[:ROLE]=COLUMN",
  "read a column of identifiers, e.g. br:cnpj:owner=CNPJ; a cell may list several, and those of a column scheme count too",
  { multiple: true },
);

/** Further options of commands that read plots, in addition to {@link READ_OPTIONS}. */
export const PLOT_READ_OPTIONS: readonly OptionSpec[] = [
  ...READ_OPTIONS,
  ID_OPTION,
  COLUMN_OPTION,
  IDENTIFIER_OPTION,
  defineOption("parent FILE", "CSV of a repeated group: the form that it belongs to, by KEY and PARENT_KEY"),
  defineOption("max-accuracy-m N", "refuse plots whose GPS accuracy is worse than this many metres"),
  MAPPING_OPTION,
];

/** The format, for a file that could have several: JSON lines or GeoJSON. */
export const FORMAT_OPTION: OptionSpec = defineOption(
  "format FORMAT",
  `${FORMAT_NAMES.join(", ")} (default: found in the file)`,
);

const { features, tables } = formatDetailedFormats();

/** Help text on the formats. */
export const READ_DETAIL: string = `Reads ${features}, Esri JSON, and ${tables} with WKT or longitude and latitude, compressed (gzip, zip) or not, from a file or standard input. The format and the CRS are detected from the file.`;

/**
 * Read options from the command line, and from the manifest of a source for the rest.
 *
 * Fails: {@link UsageError} for an unknown format.
 */
export function buildReadOptions(args: Arguments, plan: ReadPlan = {}): BuildReadOptions {
  const format = args.findChoice(FORMAT_OPTION.name, FORMAT_NAMES, `one of ${FORMAT_NAMES.join(", ")}`);
  return { format: format ?? plan.format, rename: plan.rename, ...readOptions(args, plan) };
}

/** All read options except the format. */
function readOptions(args: Arguments, plan: ReadPlan = {}): ReadOptions {
  return {
    layer: args.find("layer") ?? plan.layer,
    encoding: args.find("encoding") ?? plan.encoding,
    swapAxes: args.flag("swap-axes") || plan.swap_axes,
    wkt: args.find("wkt") ?? plan.wkt,
    longitude: args.find("longitude") ?? plan.longitude,
    latitude: args.find("latitude") ?? plan.latitude,
    cornersOf: args.find("corners-of"),
    cornerOrder: args.find("corner-order"),
    decimal: args.findChoice("decimal", ["comma", "point"]) === "comma" ? "comma" : undefined,
  };
}

/**
 * Read options of a file of plots, and its columns.
 *
 * @param idOption name of the option that names the column of ids; absent: the command has none
 */
export function parsePlotReadOptions(
  args: Arguments,
  idOption: string | undefined = ID_OPTION.name,
): PlotReadOptions {
  const pairs = args.all(COLUMN_OPTION.name).map((text) => {
    const at = text.indexOf("=");
    const [name, column] = [text.slice(0, at), text.slice(at + 1)];
    if (at > 0 && column !== "" && isMappedName(name)) return [name, column] as const;
    throw new UsageError(
      `found --column "${text}", expected NAME=COLUMN with a NAME of ${MAPPED_NAMES.join(", ")}, or fact:NAME`,
    );
  });
  const { id: mapped, ...columns } = Object.fromEntries(pairs);
  const id = (idOption === undefined ? undefined : args.find(idOption)) ?? mapped;
  const mapping = args.find(MAPPING_OPTION.name);
  const kept = mapping === undefined ? {} : readMappingFile(mapping);
  const stated = omitUndefinedOptions({
    ...readOptions(args),
    swapAxes: args.flag("swap-axes") || undefined,
    parent: args.find("parent"),
    maxAccuracyMeters: args.findNumber("max-accuracy-m", 0.01, 100_000),
    crs: args.find("crs"),
    id,
  });
  const identifiers = readIdentifierColumns(args);
  const keptIdentifiers = (kept.identifiers ?? []).filter(
    (each) => !identifiers.some(({ type, role }) => type === each.type && role === each.role),
  );
  const allIdentifiers = [...keptIdentifiers, ...identifiers];
  return {
    ...kept,
    ...stated,
    ...(allIdentifiers.length > 0 && { identifiers: allIdentifiers }),
    ...((pairs.length > 0 || kept.columns !== undefined) && { columns: { ...kept.columns, ...columns } }),
  };
}

/** The columns of identifiers named on the command line. Fails: {@link UsageError}. */
export function readIdentifierColumns(args: Arguments): readonly IdentifierColumn[] {
  return args.all(IDENTIFIER_OPTION.name).map((text) => {
    const at = text.indexOf("=");
    const [written, column] = at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
    const kind = parseIdentifierKind(written);
    if ("expected" in kind) {
      throw new UsageError(`found "${written}" in --identifier "${text}", expected ${kind.expected}`);
    }
    if (column === "") {
      throw new UsageError(`found no column in --identifier "${text}", expected ${written}=COLUMN`);
    }
    return { ...kind, column };
  });
}

function isMappedName(name: string): boolean {
  return (MAPPED_NAMES as readonly string[]).includes(name) || isFactColumn(name);
}
