import { existsSync, readFileSync } from "node:fs";
import type { PlotColumns, PlotReadOptions } from "@groundrule/plot-files";
import { type IdentifierColumn, parseIdentifierKind } from "@groundrule/plots";
import { type Arguments, UsageError } from "../command-line/arguments.ts";
import { defineOption, type OptionSpec } from "../command-line/command-line.ts";
import { SafeFile } from "../files/safe-file.ts";
import type { Terminal } from "../terminal/terminal.ts";

export const MAPPING_OPTION: OptionSpec = defineOption(
  "mapping FILE",
  "how the columns of the file are read: written by the first run, and followed where it exists",
);

/** Members of a mapping and the read options that they set. */
const TEXTS = {
  layer: "layer",
  encoding: "encoding",
  wkt: "wkt",
  longitude: "longitude",
  latitude: "latitude",
  corners_of: "cornersOf",
  corner_order: "cornerOrder",
  id: "id",
} as const satisfies Readonly<Record<string, keyof PlotReadOptions>>;

/** Rejects a mapping's content. */
type Refuse = (found: string, expected: string) => never;

/** The version of the file's form. */
const VERSION = 1;

/**
 * The options that a mapping states; empty if the file does not exist yet.
 *
 * Fails: {@link UsageError} for a file that is not a mapping.
 */
export function readMappingFile(path: string): PlotReadOptions {
  if (!existsSync(path)) return {};
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(`cannot read --mapping ${path}: ${(error as Error).message}`);
  }
  const refuse: Refuse = (found, expected) => {
    throw new UsageError(`--mapping ${path}: found ${found}, expected ${expected}`);
  };
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse("no object", "a mapping as a run writes it");
  }
  const {
    mapping,
    columns,
    identifiers,
    decimal,
    swap_axes: swapAxes,
    max_accuracy_m: most,
    ...texts
  } = value as Record<string, unknown>;
  if (mapping !== VERSION) refuse(`"mapping": ${JSON.stringify(mapping)}`, `"mapping": ${VERSION}`);
  const options: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(texts)) {
    if (!Object.hasOwn(TEXTS, name))
      refuse(`the member ${JSON.stringify(name)}`, `one of ${Object.keys(TEXTS).join(", ")}`);
    if (typeof text !== "string") refuse(`${name} that is no text`, "the name of a column");
    options[TEXTS[name as keyof typeof TEXTS]] = text;
  }
  if (decimal !== undefined && decimal !== "comma")
    refuse(`"decimal": ${JSON.stringify(decimal)}`, '"comma"');
  if (swapAxes !== undefined && swapAxes !== true) refuse(`"swap_axes": ${JSON.stringify(swapAxes)}`, "true");
  if (most !== undefined && !(typeof most === "number" && most > 0))
    refuse("max_accuracy_m that is no number", "metres");
  if (columns !== undefined && !isTexts(columns))
    refuse("columns that are no names", "columns by the name that they are read as");
  return {
    ...options,
    ...(decimal === "comma" && { decimal }),
    ...(swapAxes === true && { swapAxes }),
    ...(typeof most === "number" && { maxAccuracyMeters: most }),
    ...(columns !== undefined && { columns: columns as Record<string, string> }),
    ...(identifiers !== undefined && { identifiers: parseIdentifierColumns(identifiers, refuse) }),
  };
}

function parseIdentifierColumns(value: unknown, refuse: Refuse): readonly IdentifierColumn[] {
  if (!Array.isArray(value))
    return refuse("identifiers that are no list", "a list of columns of identifiers");
  return value.map((item: unknown) => {
    const { type, role, column, ...others }: { readonly [member: string]: string | undefined } = isTexts(item)
      ? (item as Readonly<Record<string, string>>)
      : {};
    if (type === undefined || column === undefined || Object.keys(others).length > 0) {
      const found = `${JSON.stringify(item).slice(0, 80)} among identifiers`;
      return refuse(
        found,
        '{"type": "br:cnpj", "role": "owner", "column": "CNPJ"}, the role if there is one',
      );
    }
    const written = role === undefined ? type : `${type}:${role}`;
    const kind = parseIdentifierKind(written);
    if ("expected" in kind) return refuse(`${JSON.stringify(written)} among identifiers`, kind.expected);
    return { ...kind, column };
  });
}

function isTexts(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === "string")
  );
}

/**
 * Writes how a file was read, if the command line names a mapping that does not exist.
 *
 * @param columns found in the file
 * @param options from the command line
 */
export function writeNewMapping(
  args: Arguments,
  columns: PlotColumns,
  options: PlotReadOptions,
  terminal: Terminal,
): void {
  const path = args.find(MAPPING_OPTION.name);
  if (path === undefined || existsSync(path)) return;
  const found: PlotReadOptions = {
    ...columns.table?.options,
    ...(typeof columns.id === "object" && { id: columns.id.column }),
  };
  const read = { ...found, ...omitUndefinedOptions(options) };
  const mapping = {
    mapping: VERSION,
    ...Object.fromEntries(
      Object.entries(TEXTS).flatMap(([name, option]) =>
        read[option] === undefined ? [] : [[name, read[option]]],
      ),
    ),
    ...(read.decimal !== undefined && { decimal: read.decimal }),
    ...(read.swapAxes === true && { swap_axes: true }),
    ...(read.maxAccuracyMeters !== undefined && { max_accuracy_m: read.maxAccuracyMeters }),
    ...(Object.keys(columns.columns).length > 0 && { columns: columns.columns }),
    ...(columns.identifiers !== undefined && { identifiers: columns.identifiers }),
  };
  const file = new SafeFile(path, { force: false });
  try {
    file.write(`${JSON.stringify(mapping, undefined, 2)}\n`);
    file.finish();
  } catch (error) {
    file.abandon();
    throw error;
  }
  terminal.note(`how the file was read is written to ${path}: the next is read alike with --mapping ${path}`);
}

/** The stated options only. */
export function omitUndefinedOptions(options: PlotReadOptions): PlotReadOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
