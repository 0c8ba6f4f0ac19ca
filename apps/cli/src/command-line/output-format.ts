import { UsageError } from "./arguments.ts";

/** Formats by the ending of a file's name, in lower case; the first of several is the default. */
export type FormatsByEnding<Format extends string> = Readonly<Record<string, readonly Format[]>>;

/** The output file of an option, and the format of `--format`. */
export interface NamedOutput<Format> {
  /** The option, without its dashes. */
  readonly option: string;
  readonly path: string;
  /** Absent: the ending decides. */
  readonly named?: Format | undefined;
}

/**
 * Chooses the format of an output file by the ending of its name. Undefined for a name without an ending if no format
 * is named.
 *
 * Fails: {@link UsageError} for an ending that contradicts the named format; without one, for an unknown ending.
 */
export function chooseOutputFormat<Format extends string>(
  { option, path, named }: NamedOutput<Format>,
  formats: FormatsByEnding<Format>,
): Format | undefined {
  const ending = findFileEnding(path);
  const meant = ending === undefined ? undefined : formats[ending];
  if (named !== undefined) {
    if (meant === undefined || meant.includes(named)) return named;
    throw new UsageError(
      `found --format ${named} with --${option} ${path}, expected ${meant.join(" or ")} as its ending says; leave --format out, or name another file`,
    );
  }
  if (meant !== undefined) return meant[0];
  if (ending === undefined) return undefined;
  const known = Object.keys(formats).map((each) => `.${each}`);
  throw new UsageError(
    `found --${option} ${path}, whose ending .${ending} is of no format that the command writes; expected ${known.join(", ")}`,
  );
}

/** Endings of files with one JSON object per line. */
export const JSON_LINES_ENDINGS: readonly string[] = ["ndjson", "jsonl", "json", "txt", "log"];

/** Endings that imply a format; any other, such as `.errors`, implies nothing. */
const PROMISING =
  "csv doc docx fgb geojson geoparquet gpkg gz htm html json jsonl kml kmz md ndjson ods parquet pdf png shp svg tar tsv xls xlsx xml yaml yml zip".split(
    " ",
  );

/**
 * Rejects a name whose ending implies another format than the file's fixed one.
 *
 * @param endings the endings of that format
 *
 * Fails: {@link UsageError} for the ending of another format.
 */
export function requireFileEnding(
  option: string,
  path: string | undefined,
  endings: readonly string[],
): void {
  const ending = path === undefined ? undefined : findFileEnding(path);
  if (ending === undefined || endings.includes(ending) || !PROMISING.includes(ending)) return;
  throw new UsageError(
    `found --${option} ${path}, expected a name that ends in ${endings.map((each) => `.${each}`).join(" or ")}, as that is what the command writes`,
  );
}

function findFileEnding(path: string): string | undefined {
  return /[^./\\]\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase();
}
