import type { ColumnType, SourceKind } from "@groundrule/engine";
import type { HiddenColumn } from "@groundrule/engine/internal";
import { FORMATS, type FormatName, type GeoJsonForm } from "@groundrule/formats";
import { englishFigures } from "@groundrule/words/figures";
import { formatCount, formatWholeNumber, replaceControlCharacters } from "./report-words.ts";

/** Report of a build, as plain data: what it read, what it stored and everything it changed. */
export interface IngestReport {
  readonly source_name: string;
  readonly kind: SourceKind;
  /** The format that the source was found to have. */
  readonly format: FormatName | GeoJsonForm;
  /** The layer of a file that has layers. */
  readonly layer?: string;
  /** True if the source was packed, by gzip or zip. */
  readonly gzip: boolean;
  /** Bytes of the source; packed ones where it was packed. */
  readonly bytes_read: number;
  /** CRS of the positions in the source; absent: longitude and latitude. */
  readonly crs?: string;
  /** Features or rows. */
  readonly read: number;
  /** Areas or records. */
  readonly stored: number;
  /** Positions stored, closing ones included. */
  readonly positions: number;
  /** For areas: the land that the source covers, and how that is known. */
  readonly coverage?: CoverageReport;
  /** The columns stored, with the type of their values. */
  readonly columns: readonly {
    /** As the source's header or properties have it. */
    readonly name: string;
    /** The type of its values in the snapshot. */
    readonly type: ColumnType;
  }[];
  /** Columns that were taken for the areas' ids, names or countries by their names; a manifest would name them so. */
  readonly mapped_columns: readonly {
    /** The member of the manifest: `id`, `name` or `country`. */
    readonly member: string;
    /** Name of the column. */
    readonly column: string;
  }[];
  /** Columns that have the name of a property of every area, with other values: filters that read it have no answer there. */
  readonly hidden_columns: readonly HiddenColumn<Where>[];
  /** Areas stored with another shape than the source gave them. In file order. */
  readonly repaired: readonly RepairedArea[];
  /** Corrections that did not change a shape, by kind. */
  readonly mended: readonly Mended[];
  /** Features and rows that are not in the snapshot. In file order. */
  readonly left_out: readonly LeftOut[];
  /** Features with the identifier of an earlier feature; they were stored under another identifier. */
  readonly duplicate_ids: readonly (Where & {
    /** As the source has it. */
    readonly id: string;
    /** As it is in the snapshot: `a#2` for the second `a`. */
    readonly stored_as: string;
  })[];
  /** Features without a value in the id column; their own id or their number was used instead. */
  readonly without_id: number;
  /** Areas stored without a country. */
  readonly without_country: number;
  /** Values of the country column that are not ISO 3166-1 alpha-3 codes; the areas were stored without a country. */
  readonly unknown_countries: readonly Tally[];
  /** Columns that contained arrays or objects, stored as their JSON text. */
  readonly nested_columns: readonly Tally[];
  /** Columns with unpaired surrogates in their texts, replaced by U+FFFD. */
  readonly ill_formed_columns: readonly Tally[];
  /** Rows whose identifier is empty or consists of separators. */
  readonly empty_identifiers: number;
  /** Cells with several identifiers of their scheme; each is stored as an identifier of its own. */
  readonly split_identifiers: number;
  /** Cells whose identifier was separated from the words or signs around it. */
  readonly unwrapped_identifiers: number;
  /** Cells with something that their scheme excludes. It is stored as it is, and a look-up that spells it right misses it. */
  readonly malformed_identifiers: {
    /** How many such cells there are. */
    readonly count: number;
    /** How many cells have an identifier of a scheme whose form is known. */
    readonly of: number;
    /** The first hundred values. */
    readonly first: readonly MalformedIdentifier[];
  };
  /** Records stored without any identifier: no subject will match them. */
  readonly without_identifier: number;
  /** Type names that `schemes` does not map; their identifiers are not in the snapshot. */
  readonly unmapped_schemes: readonly Tally[];
  /** Type names in `schemes` that the source does not use. */
  readonly unused_schemes: readonly string[];
  /** Columns in which rows of one record differ; the first row's value is stored. */
  readonly differing_columns: readonly (Tally & {
    /** Identifier of the first such record. */
    readonly first_id: string;
  })[];
}

/** Where a source speaks, and how that is known. */
export interface CoverageReport {
  /** Everywhere, in countries, in polygons of its own, or nobody knows where. */
  readonly extent: "undeclared" | "global" | "countries" | "polygons";
  /** Absent where undeclared. */
  readonly known?: "declared" | "derived";
  /** ISO 3166-1 alpha-3, ascending. */
  readonly countries?: readonly string[];
  /** Polygons of the coverage that are stored with another shape than their file gave them. */
  readonly repaired?: readonly RepairedArea[];
  /**
   * If the manifest declares none: countries that areas name and that count for nothing, because their borders are not
   * known.
   */
  readonly without_borders?: readonly Tally[];
  /** If the manifest declares none: areas that name no country. */
  readonly without_country?: number;
}

/** A report without the members that only the stream knows. */
export type ContentReport = Omit<IngestReport, "gzip" | "bytes_read" | "source_name" | "kind">;

/** Where in its source a feature or row stands. */
export interface Where {
  /** Number of the feature or row, from 1. */
  readonly number: number;
  /** Line it starts on, from 1; absent: the format has no lines. */
  readonly line?: number;
}

/** An area that was stored with another shape than its feature had. */
export interface RepairedArea extends Where {
  /** Its identifier in the snapshot. */
  readonly id: string;
  /** Its name, where the source has one. */
  readonly name: string | null;
  /** How many faults there are, at most 100; `faults` lists the first few. */
  readonly fault_count: number;
  /** The first few of them, in the order of the coordinates. */
  readonly faults: readonly GeometryFaultEntry[];
  /** Square metres of the outer rings as they came, less their holes; a self-overlap counts as often as the ring winds round it. */
  readonly area_before_m2: number;
  /** Square metres of the area as stored. */
  readonly area_after_m2: number;
  /** Both readings with their areas, where the repair leaves out more than a tenth of the other one. */
  readonly loss?: string;
}

/** A fault of a geometry; indices count from 0 in the feature's own coordinates. */
export interface GeometryFaultEntry {
  /** Stable name of the kind of fault, e.g. `RING_SELF_CROSSING`. */
  readonly code: string;
  readonly message: string;
  /** Number of the polygon, from 0. */
  readonly polygon: number;
  /** Number of the ring in its polygon, from 0, which is the outer one. */
  readonly ring: number;
  /** Number of the position in its ring, from 0. */
  readonly position: number;
  /** `[lon, lat]` in degrees. */
  readonly coordinate: readonly [number, number];
}

/** A feature or row that could not be stored. */
export interface LeftOut extends Where {
  /** Id of the entry in the source, if it could be read. */
  readonly id?: string;
  /** Stable name of the reason. */
  readonly code: string;
  /** The reason, for people. */
  readonly reason: string;
  /** `unknown` if the file does not show how far an area reaches: any plot may lie in it. Absent: its box is stored. */
  readonly place?: "unknown";
}

/** A value of a register that its scheme excludes. */
export interface MalformedIdentifier extends Where {
  /** Identifier of the record in the snapshot. */
  readonly id: string;
  /** The scheme that the cell is of. */
  readonly scheme: string;
  /** As it is stored. */
  readonly value: string;
  /** `IDENTIFIER_MALFORMED` or `CHECK_DIGITS_WRONG`. */
  readonly code: string;
  /** The value found and the one expected, in words. */
  readonly message: string;
  /** The canonical value that fits once lost leading zeros are restored; not stored. */
  readonly proposed?: string;
}

/** A kind of correction, and the areas it was made in. */
export interface Mended {
  /** Stable name of the kind. */
  readonly code: string;
  /** How many areas it was made in. */
  readonly count: number;
  /** The first of these areas. */
  readonly first: Where & {
    /** Its identifier in the snapshot. */
    readonly id: string;
    /** Correction, in words for people. */
    readonly message: string;
  };
}

/** A value, and how often it was found. */
export interface Tally {
  /** The value. */
  readonly value: string;
  /** How often it was found. */
  readonly count: number;
}

/** The counts of a build that the notes of its edition keep, and its guards compare. */
export interface BuildCounts {
  /** Features or rows of the source. */
  readonly read: number;
  /** The number of them that are not in the snapshot. */
  readonly left_out: number;
  /** Rows of a register with an identifier of a scheme whose form is known. */
  readonly identifiers?: number;
  /** The number of them with something that their scheme excludes. */
  readonly malformed?: number;
}

/** The counts of a report. */
export function buildCounts({ kind, read, left_out, malformed_identifiers }: IngestReport): BuildCounts {
  const { of: identifiers, count: malformed } = malformed_identifiers;
  const counts = { read, left_out: left_out.length };
  return kind === "leaf" ? counts : { ...counts, identifiers, malformed };
}

const WIDTH = 80;
const SHOWN = 20;

/** The report as text, in lines of at most 80 columns; of long lists the first 20 entries. */
export function renderReport(report: IngestReport): string {
  const lines: string[] = [];
  const addLine = (text: string, indent = ""): void => {
    for (const each of wrapLines(text, indent)) lines.push(each);
  };
  const section = <Entry>(
    title: string,
    entries: readonly Entry[],
    describe: (entry: Entry) => string,
  ): void => {
    if (entries.length === 0) return;
    addLine(`${title} (${formatWholeNumber(entries.length)})`);
    for (const entry of entries.slice(0, SHOWN)) addLine(describe(entry), "  ");
    if (entries.length > SHOWN) lines.push(`  and ${formatWholeNumber(entries.length - SHOWN)} more`);
  };
  const count = (number: number, one: string, many: string): void => {
    if (number > 0) addLine(`${formatWholeNumber(number)} ${number === 1 ? one : many}`);
  };
  const stored = formatCount(report.stored, report.kind === "leaf" ? "area" : "record");
  const unit = entryName(report.format);
  addLine(`${report.source_name}: ${stored} stored from ${formatCount(report.read, unit)}`);
  const layer = report.layer === undefined ? "" : `, layer "${report.layer}"`;
  const packed = report.gzip ? "packed " : "";
  const read = `${formatCount(report.bytes_read, "byte")} of ${packed}${formatLabel(report.format)}${layer}`;
  const positions = report.kind === "leaf" ? `, ${formatCount(report.positions, "position")}` : "";
  const crs = report.crs === undefined ? "" : `, in ${report.crs}`;
  addLine(`read ${read}${positions}${crs}`, "  ");
  addLine(`columns ${describeColumns(report.columns)}`, "  ");
  if (report.coverage !== undefined) addLine(describeCoverage(report.coverage), "  ");

  for (const { member, column } of report.mapped_columns) {
    addLine(`column "${column}" is the ${MAPPED[member] ?? member} of its areas, as no other is named`, "  ");
  }

  section(
    "columns that filters do not read, because every area has a property of that name",
    report.hidden_columns,
    ({ name, areas, first }) =>
      `"${name}" has other values in ${formatCount(areas, "area")}, first in ${formatEntryPlace(first, undefined, unit)}; there filters that read it have no answer. Give the column another name: "read": {"rename": {"${name}": "NEW_NAME"}} in the manifest`,
  );
  section("left out", report.left_out, ({ id, reason, place: at, ...where }) => {
    return `${formatEntryPlace(where, id, unit)}: ${reason}${at === undefined ? "" : "; it is not known how far it reaches"}`;
  });
  section("repaired", report.repaired, (area) => describeRepairedArea(area, unit));
  section("repaired in the polygons of the coverage", report.coverage?.repaired ?? [], (area) =>
    describeRepairedArea(area, "feature"),
  );
  section("corrected without changing the shape", report.mended, ({ code, count, first }) => {
    return `${code} in ${formatCount(count, unit)}, first in ${formatEntryPlace(first, first.id, unit)}: ${first.message}`;
  });
  section("duplicate ids", report.duplicate_ids, ({ id, stored_as, ...where }) => {
    return `${formatEntryPlace(where, id, unit)}: stored as "${stored_as}"`;
  });
  count(
    report.without_id,
    `${unit} without a value in the id column, stored under its own id or its number`,
    `${unit}s without a value in the id column, stored under their own ids or numbers`,
  );
  count(
    report.without_country,
    "area without a country, which no query limited to countries will find",
    "areas without a country, which no query limited to countries will find",
  );
  section("values that are not ISO 3166-1 alpha-3 codes", report.unknown_countries, formatTally);
  section("arrays and objects stored as JSON text, by column", report.nested_columns, formatTally);
  section("unpaired surrogates replaced, by column", report.ill_formed_columns, formatTally);
  count(
    report.empty_identifiers,
    "row whose identifier is empty or consists of separators",
    "rows whose identifier is empty or consists of separators",
  );
  count(
    report.split_identifiers,
    "row with several identifiers, each of which is stored",
    "rows with several identifiers, each of which is stored",
  );
  count(
    report.unwrapped_identifiers,
    "row whose identifier was separated from words or signs around it",
    "rows whose identifier was separated from words or signs around it",
  );
  const { malformed_identifiers: malformed } = report;
  if (malformed.count > 0) {
    const title = `identifiers that their scheme excludes, stored as they are, in ${formatWholeNumber(malformed.count)} of ${formatCount(malformed.of, "row")}`;
    section(
      title,
      malformed.first,
      ({ id, message, ...where }) => `${formatEntryPlace(where, id, unit)}: ${message}`,
    );
  }
  count(
    report.without_identifier,
    "record without an identifier, which no subject will match",
    "records without an identifier, which no subject will match",
  );
  section(
    "type names without a scheme, whose identifiers were left out",
    report.unmapped_schemes,
    formatTally,
  );
  section(
    "type names given a scheme that do not occur in the source",
    report.unused_schemes,
    (name) => `"${name}"`,
  );
  section(
    "rows that differ from the first row of their record, by column",
    report.differing_columns,
    (column) => {
      return `${formatTally(column)}, first in record "${column.first_id}"`;
    },
  );
  return `${lines.join("\n")}\n`;
}

const MAPPED: Readonly<Record<string, string>> = { id: "identifier", name: "name", country: "country" };

/** The name of a format, or of a form of GeoJSON. */
function formatLabel(format: IngestReport["format"]): string {
  if (format === "ndjson") return "newline-delimited GeoJSON";
  return format === "geojson-seq" ? "GeoJSON text sequence" : FORMATS[format].label;
}

/** Name of one entry in a format. */
export function entryName(format: IngestReport["format"]): "row" | "feature" {
  return format in FORMATS && FORMATS[format as FormatName].holds === "rows" ? "row" : "feature";
}

function describeCoverage({ extent, known, countries = [], ...gaps }: CoverageReport): string {
  const { without_borders = [], without_country = 0 } = gaps;
  const left =
    without_borders.length === 0
      ? ""
      : `; not of ${without_borders.map(({ value }) => value).join(", ")}, whose borders are not known`;
  const silent =
    without_country === 0
      ? ""
      : `; ${formatCount(without_country, "area")} tell${without_country === 1 ? "s" : ""} no country`;
  switch (extent) {
    case "global":
      return "coverage global, as declared";
    case "polygons":
      return "coverage by polygons, as declared";
    case "countries":
      return known === "declared"
        ? `coverage ${countries.join(", ")}, as declared`
        : `coverage ${countries.join(", ")}, derived from the countries that its areas tell${left}${silent}. Elsewhere the source does not cover a plot. If that is wrong, ${DECLARE}`;
    case "undeclared":
      return `coverage undeclared${left}: the source is assumed to cover every plot, and answers warn of it. ${DECLARE[0]!.toUpperCase()}${DECLARE.slice(1)}`;
  }
}

const DECLARE = "declare its coverage: global, country codes or polygons";

function describeRepairedArea(area: RepairedArea, unit: string): string {
  const [first] = area.faults;
  const more = area.fault_count > 1 ? ` (and ${area.fault_count - 1} more)` : "";
  const reason = first === undefined ? "" : `: ${first.message}, at [${first.coordinate.join(", ")}]${more}`;
  const change = area.loss ?? describeSquareMetersChange(area.area_before_m2, area.area_after_m2);
  return `${formatEntryPlace(area, area.id, unit)}${reason}; ${change}`;
}

function describeColumns(columns: IngestReport["columns"]): string {
  if (columns.length === 0) return "none";
  const shown = columns.slice(0, SHOWN).map(({ name, type }) => `${name} (${type})`);
  return shown.join(", ") + (columns.length > SHOWN ? ` and ${columns.length - SHOWN} more` : "");
}

function formatEntryPlace({ number, line }: Where, id: string | undefined, unit: string): string {
  const own = id === undefined || id === String(number) ? "" : ` "${id}"`;
  return `${unit} ${number}${own}${line === undefined ? "" : `, line ${line}`}`;
}

function formatTally({ value, count: times }: Tally): string {
  return `"${value}": ${formatWholeNumber(times)}`;
}

function describeSquareMetersChange(before: number, after: number): string {
  const [was, is] = [formatSquareMeters(before), formatSquareMeters(after)];
  if (was === is) return `${is} before and after`;
  const change = before === 0 ? "" : ` (${formatSignedPercent((after - before) / before)})`;
  return `${was} before, ${is} after${change}`;
}

function formatSquareMeters(area: number): string {
  return `${englishFigures.decimal(area, 2)} m²`;
}

function formatSignedPercent(ratio: number): string {
  return `${ratio > 0 ? "+" : ""}${englishFigures.share(ratio)}`;
}

/** Lines of at most 80 columns, broken at spaces, else within a word; the later ones indented further. */
function wrapLines(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  let empty = true;
  const flush = (): void => {
    lines.push(line);
    line = `${indent}  `;
    empty = true;
  };
  for (const word of replaceControlCharacters(text).split(" ")) {
    let rest = [...word];
    if (!empty && [...line].length + 1 + rest.length > WIDTH) flush();
    line += empty ? "" : " ";
    while ([...line].length + rest.length > WIDTH) {
      const room = WIDTH - [...line].length;
      line += rest.slice(0, room).join("");
      rest = rest.slice(room);
      flush();
    }
    line += rest.join("");
    empty = false;
  }
  lines.push(line);
  return lines;
}
