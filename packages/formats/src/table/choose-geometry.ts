import { createFormatError } from "../format-error.ts";
import type { ReadOptions } from "../format-reader.ts";
import { parseAngle } from "./angle.ts";
import type { CellContext, Notation } from "./cell.ts";
import { detectGeometryNotation, isSurePair, orderOfPair, readCellGeometry } from "./cell-geometry.ts";
import {
  type AxisName,
  detectAxisOrder,
  detectColumnAxis,
  detectPositionListShape,
  GEOMETRY_NAMES,
  isGeometryName,
  isOfNegativeSide,
  isPairName,
} from "./column-names.ts";
import type { TableColumn } from "./header.ts";
import { formatCell, formatPlaceCell } from "./table-source.ts";

/** A column whose cells hold whole geometries. */
export interface CellColumn extends CellContext {
  readonly column: TableColumn;
  readonly notation: Notation;
}

/** Two columns of coordinates. */
export interface PositionColumns {
  readonly x: TableColumn;
  readonly y: TableColumn;
  /** True if their names are those of longitude and latitude, so that their numbers are degrees. */
  readonly isDegrees: boolean;
  /** Axes whose name says south or west and whose numbers have no sign: they are read as negative. */
  readonly unsigned?: readonly ("x" | "y")[];
}

/** Where the geometries of a table are: in a cell, else in two columns of coordinates. */
export interface GeometryChoice {
  readonly cell?: CellColumn;
  readonly position?: PositionColumns;
  /** The decision, in words; absent where the columns have the plain names. */
  readonly note?: string;
}

/**
 * Chooses the columns of the geometry by their names and by what the first rows hold: one cell with a polygon or a line,
 * and for rows where that is empty two columns of coordinates, or one cell with a point. Columns that the options name
 * go before.
 *
 * @param rows the first rows
 *
 * Fails: `FORMAT_UNKNOWN` where there are none, and where several would be other geometries; `CSV_MALFORMED` for a named
 * column that the table does not have.
 */
export function chooseGeometryColumns(
  columns: readonly TableColumn[],
  rows: readonly (readonly unknown[])[],
  options: ReadOptions,
): GeometryChoice {
  return markUnsignedColumns(chooseColumnsByNameAndRows(columns, rows, options), rows);
}

/** A choice that states which numbers have their sign in the name of their column, as `Longitud Oeste`. */
function markUnsignedColumns(choice: GeometryChoice, rows: Sampled["rows"]): GeometryChoice {
  const { position } = choice;
  if (position?.isDegrees !== true) return choice;
  const unsigned = (["x", "y"] as const).filter((axis) => {
    const column = position[axis];
    return (
      isOfNegativeSide(column.name) &&
      listColumnTexts(column, rows).every((text) => !/^\s*[-\u2212]/.test(text))
    );
  });
  if (unsigned.length === 0) return choice;
  const names = unsigned.map((axis) => position[axis].name).join(" and ");
  const sides = unsigned.map((axis) => (axis === "x" ? "west" : "south")).join(" and ");
  const note = `numbers of ${names} have no sign and are read as ${sides}, as the ${unsigned.length === 1 ? "name says" : "names say"}`;
  return {
    ...choice,
    position: { ...position, unsigned },
    note: choice.note === undefined ? note : `${note}; ${choice.note}`,
  };
}

function chooseColumnsByNameAndRows(
  columns: readonly TableColumn[],
  rows: readonly (readonly unknown[])[],
  options: ReadOptions,
): GeometryChoice {
  const { wkt, longitude, latitude } = options;
  const named = [wkt, longitude, latitude].map((name) => name && getColumnByName(name, columns));
  const [ofWkt, x, y] = named as [TableColumn?, TableColumn?, TableColumn?];
  const sampled = { columns, rows };
  const position = choosePositionColumns(sampled, x, y);
  if (ofWkt !== undefined)
    return addChoiceNote(
      { cell: analyzeCellColumn(ofWkt, rows), ...(position.one && { position: position.one }) },
      [],
    );
  if (x !== undefined && y !== undefined) {
    const cells = listCellCandidates(sampled).filter(({ notation }) => isOfAreas(notation));
    const exact = cells.filter(({ column }) => isExact(column));
    return addChoiceNote({ ...(exact.length === 1 && { cell: exact[0]! }), position: position.one! }, []);
  }
  const candidates = listCellCandidates(sampled);
  const areas = candidates.filter(({ notation }) => isOfAreas(notation));
  const points = candidates.filter(({ notation }) => !isOfAreas(notation));
  const cell = selectCellColumn(areas, rows, columns);
  if (cell !== undefined) {
    const others = areas.filter((other) => other !== cell).map(({ column }) => column.name);
    return addChoiceNote({ cell, ...(position.one && { position: position.one }) }, others);
  }
  if (position.several !== undefined) throw ambiguousPositionsError(position.several, columns);
  if (position.one !== undefined) return addChoiceNote({ position: position.one }, position.others);
  const point = selectCellColumn(points, rows, columns);
  if (point !== undefined) return addChoiceNote({ cell: point }, []);
  throw geometryNotFoundError(sampled);
}

interface Sampled {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly unknown[])[];
}

/** The column of a name that an option has: to the letter, else the only one that differs in case and spaces. */
function getColumnByName(name: string, columns: readonly TableColumn[]): TableColumn {
  const plain = (text: string): string => text.trim().toLowerCase();
  const exact = columns.find((column) => column.name === name);
  const alike = columns.filter((column) => plain(column.name) === plain(name));
  const found = exact ?? (alike.length === 1 ? alike[0] : undefined);
  if (found !== undefined) return found;
  const names = columns.map((column) => column.name);
  throw createFormatError("CSV_MALFORMED", `no column "${name}"`, `one of ${names.slice(0, 20).join(", ")}`, {
    columns: names,
  });
}

function listColumnTexts(column: TableColumn, rows: Sampled["rows"]): string[] {
  return rows.flatMap((cells) => {
    const cell = cells[column.index];
    return formatPlaceCell(cell) === "" ? [] : [formatCell(cell)];
  });
}

/** Polygons and lines, or anything: a point has a notation of its own. */
function isOfAreas(notation: Notation): boolean {
  return notation !== "pair";
}

function isExact({ name }: TableColumn): boolean {
  return GEOMETRY_NAMES.includes(name.trim().toLowerCase());
}

function analyzeCellColumn(column: TableColumn, rows: Sampled["rows"]): CellColumn {
  const texts = listColumnTexts(column, rows);
  const counts = new Map<Notation, number>();
  for (const text of texts) {
    const notation = detectGeometryNotation(text);
    if (notation !== undefined) counts.set(notation, (counts.get(notation) ?? 0) + 1);
  }
  const [notation = "wkt"] = [...counts.entries()].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  // Values decide where one of two numbers is no latitude, then the name; a web map copies the latitude first.
  const orders = new Set(notation === "pair" ? texts.flatMap((text) => orderOfPair(text) ?? []) : []);
  const [only] = orders.size === 1 ? orders : [];
  return {
    column,
    notation,
    order: only ?? detectAxisOrder(column.name) ?? "latitude",
    openList: detectPositionListShape(column.name) ?? detectOpenList(texts),
  };
}

/** Lists of a column are borders where most of them end where they begin. */
function detectOpenList(texts: readonly string[]): CellContext["openList"] {
  const closed = texts.filter((text) => {
    const positions = text.split(";").filter((piece) => piece.trim() !== "");
    const [latitude, longitude] = (positions[0] ?? "").trim().split(/[ ,]+/);
    return (
      positions.length > 3 && positions[positions.length - 1]!.trim().startsWith(`${latitude} ${longitude}`)
    );
  });
  return closed.length > texts.length / 2 ? "border" : "way";
}

/** The notation of a text; of a list of numbers under a name that speaks of no place, only where it is read to its end. */
export function detectNamedNotation(name: string, text: string): Notation | undefined {
  const notation = detectGeometryNotation(text);
  if (
    notation !== "odk" ||
    isGeometryName(name) ||
    isPairName(name) ||
    detectPositionListShape(name) !== undefined
  ) {
    return notation;
  }
  const { fault } = readCellGeometry(text, "", { order: "latitude", openList: "way" });
  return fault === undefined ? notation : undefined;
}

/** Columns whose cells hold geometries by what the first rows have, or by their names where these have nothing. */
function listCellCandidates({ columns, rows }: Sampled): CellColumn[] {
  return columns.flatMap((column) => {
    const texts = listColumnTexts(column, rows);
    if (isExact(column)) return [analyzeCellColumn(column, rows)];
    const axis = detectColumnAxis(column.name);
    if (texts.length === 0 || axis?.strength === 3) return [];
    if (axis !== undefined && !isGeometryName(column.name)) return [];
    const written = texts.map((text) => detectNamedNotation(column.name, text));
    const found = written.filter((notation) => notation !== undefined).length;
    // A column of texts may have one that looks like a geometry.
    if (found === 0 || found < texts.length / 2) return [];
    const candidate = analyzeCellColumn(column, rows);
    if (candidate.notation !== "pair") return [candidate];
    const isPair = found === texts.length && (isPairName(column.name) || texts.every(isSurePair));
    return isPair ? [candidate] : [];
  });
}

/**
 * The one column of several that is meant: the one with the plain name, or the only one with polygons, or the first of
 * those that hold the same.
 *
 * Fails: `FORMAT_UNKNOWN` where there are several.
 */
function selectCellColumn(
  candidates: readonly CellColumn[],
  rows: Sampled["rows"],
  columns: readonly TableColumn[],
): CellColumn | undefined {
  if (candidates.length <= 1) return candidates[0];
  const filled = candidates.filter(({ column }) => listColumnTexts(column, rows).length > 0);
  const among = filled.length === 0 ? candidates.slice(0, 1) : filled;
  const borders = among.filter((candidate) => hasBorders(candidate, rows));
  const meant = borders.length > 0 ? borders : among;
  const exact = meant
    .filter(({ column }) => isExact(column))
    .sort((a, b) => computeColumnRank(a.column) - computeColumnRank(b.column));
  const [first = meant[0]!] = exact;
  const isPlain = exact.length === 1 || meant.every((other) => other === first || isSame(first, other, rows));
  if (isPlain) return first;
  const names = meant.map(({ column }) => column.name);
  const found = `geometries that differ in the columns ${names.join(" and ")}`;
  throw createFormatError("FORMAT_UNKNOWN", found, "one column of them", {
    mend: `name it: ${names.map((name) => `--wkt ${quoteShellName(name)}`).join(" or ")}`,
    columns: columns.map(({ name }) => name),
  });
}

function computeColumnRank({ name }: TableColumn): number {
  return GEOMETRY_NAMES.indexOf(name.trim().toLowerCase());
}

/** True if most cells hold more than a point. */
function hasBorders({ column, notation }: CellColumn, rows: Sampled["rows"]): boolean {
  const texts = listColumnTexts(column, rows);
  const points = texts.filter((text) => {
    if (notation === "odk") return !/;\s*\S/.test(text);
    if (notation === "wkt") return /^\s*(?:SRID=\d+;\s*)?(?:MULTI)?POINT/i.test(text);
    if (notation === "geojson") return /"(?:Multi)?Point"/.test(text);
    return text.length < 60;
  });
  return points.length < texts.length / 2 || texts.length === 0;
}

function isSame(one: CellColumn, other: CellColumn, rows: Sampled["rows"]): boolean {
  return rows.every((cells) => {
    const [a, b] = [one, other].map(({ column, ...context }) => {
      const text = formatCell(cells[column.index]);
      if (text.trim() === "") return "";
      const { geometry, fault } = readCellGeometry(text, "", context);
      return fault === undefined ? JSON.stringify(toPlainGeometry(geometry), roundNumberMember) : text;
    });
    return a === b;
  });
}

function toPlainGeometry(geometry: unknown): unknown {
  const area = geometry as { readonly toGeoJson?: () => unknown } | null;
  return typeof area?.toGeoJson === "function" ? area.toGeoJson() : geometry;
}

function roundNumberMember(_name: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 1e7) / 1e7 : value;
}

interface Positions {
  readonly one?: PositionColumns;
  /** Pairs that are not read, by the name of one of their columns. */
  readonly others: readonly string[];
  /** Pairs of which none is surer than the others. */
  readonly several?: readonly PositionColumns[];
}

/** The two columns of coordinates, of which options may name one or both. */
function choosePositionColumns(
  sampled: Sampled,
  x: TableColumn | undefined,
  y: TableColumn | undefined,
): Positions {
  if (x !== undefined && y !== undefined) return { one: createPositionColumns(x, y), others: [] };
  const named = sampled.columns.flatMap((column) => {
    const axis = detectColumnAxis(column.name);
    return axis === undefined || (axis.strength < 3 && isGeometryName(column.name))
      ? []
      : [{ column, ...axis }];
  });
  const pairs = listCoordinateColumnPairs(named, x, y);
  const [first, second] = pairs;
  if (first === undefined) return { others: [] };
  const rest = pairs.slice(1).map(({ position }) => position.y.name);
  if (second === undefined || first.rank > second.rank) return { one: first.position, others: rest };
  const equal = pairs.filter(({ rank }) => rank === first.rank);
  if (equal.every(({ position }) => haveSameValues(first.position, position, sampled.rows))) {
    return { one: first.position, others: [] };
  }
  const filled = equal.filter(({ position }) => listColumnTexts(position.y, sampled.rows).length > 0);
  if (filled.length === 1) return { one: filled[0]!.position, others: rest };
  return { others: [], several: equal.map(({ position }) => position) };
}

type NamedAxis = AxisName & { readonly column: TableColumn };

/** Pairs of columns by their names, the surest first. */
function listCoordinateColumnPairs(
  named: readonly NamedAxis[],
  x: TableColumn | undefined,
  y: TableColumn | undefined,
): { readonly position: PositionColumns; readonly rank: number }[] {
  const ofX = named.filter(({ axis, column }) => axis === "x" && column !== y);
  const ofY = named.filter(({ axis, column }) => axis === "y" && column !== x);
  if (x !== undefined || y !== undefined) {
    const other = sortBySurety(x !== undefined ? ofY : ofX)[0];
    if (other === undefined) return [];
    return [{ position: createPositionColumns(x ?? other.column, y ?? other.column), rank: 0 }];
  }
  const pairs = ofY.flatMap((one) =>
    ofX
      .filter((other) => other.key === one.key && other.strength === one.strength)
      .map((other) => ({
        position: createPositionColumns(other.column, one.column),
        rank: 2 * one.strength + (one.key === "" ? 1 : 0),
      })),
  );
  if (pairs.length > 0) return pairs.sort((a, b) => b.rank - a.rank);
  // Names that go together in no other way than that each is the only one.
  const [only, other] = [sortBySurety(ofX), sortBySurety(ofY)];
  if (only.length === 0 || other.length === 0) return [];
  const isSure = [only, other].every((list) => list.length === 1 || list[0]!.strength > list[1]!.strength);
  return isSure ? [{ position: createPositionColumns(only[0]!.column, other[0]!.column), rank: 0 }] : [];
}

function sortBySurety(named: readonly NamedAxis[]): NamedAxis[] {
  return named.toSorted((a, b) => b.strength - a.strength || Number(a.key !== "") - Number(b.key !== ""));
}

function createPositionColumns(x: TableColumn, y: TableColumn): PositionColumns {
  const isDegrees = [x, y].every(({ name }) => detectColumnAxis(name)?.strength === 3);
  return { x, y, isDegrees };
}

function haveSameValues(one: PositionColumns, other: PositionColumns, rows: Sampled["rows"]): boolean {
  return rows.every((cells) =>
    (["x", "y"] as const).every((axis) => {
      const [a, b] = [one, other].map((position) => formatCell(cells[position[axis].index]).trim());
      if (a === b) return true;
      const [first, second] = [parseAngle(a!), parseAngle(b!)];
      return (
        typeof first === "object" &&
        typeof second === "object" &&
        Math.abs(first.degrees - second.degrees) < 1e-7
      );
    }),
  );
}

const PLAIN_AXES = /^(?:longitude|lon|lng|long|decimallongitude|x|latitude|lat|decimallatitude|y)$/i;
const NOTATIONS: Readonly<Record<Notation, string>> = {
  wkt: "WKT",
  wkb: "WKB in hexadecimal digits",
  geojson: "GeoJSON",
  odk: "ODK's positions, latitude first",
  pair: "two coordinates",
};

/** A choice with what people read of it. */
function addChoiceNote(choice: Omit<GeometryChoice, "note">, others: readonly string[]): GeometryChoice {
  const { cell, position } = choice;
  const parts: string[] = [];
  if (cell !== undefined) {
    const how =
      cell.notation === "pair" ? `${NOTATIONS.pair}, ${cell.order} first` : NOTATIONS[cell.notation];
    parts.push(`the geometry is read from the column ${cell.column.name} (${how})`);
  }
  if (position !== undefined) {
    const from = `${position.y.name} and ${position.x.name}`;
    parts.push(
      cell === undefined ? `points are read from the columns ${from}` : `where it is empty, from ${from}`,
    );
  }
  const isPlain =
    others.length === 0 &&
    (cell === undefined || (isExact(cell.column) && cell.notation === "wkt")) &&
    (cell === undefined || position === undefined) &&
    (position === undefined || [position.x, position.y].every(({ name }) => PLAIN_AXES.test(name.trim())));
  if (isPlain) return choice;
  const unread = others.length === 0 ? "" : `, not from ${others.join(", ")}`;
  const swap = cell?.notation === "pair" ? ", and --swap-axes reads the longitude first" : "";
  const options = [
    ...(cell === undefined ? [] : ["--wkt"]),
    ...(position === undefined ? [] : ["--longitude and --latitude"]),
  ].join(", ");
  return { ...choice, note: `${parts.join(", ")}${unread}; to choose others, use ${options}${swap}` };
}

/** A name as a shell takes it. */
export function quoteShellName(name: string): string {
  return /^[\w.:@%+,-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}

function ambiguousPositionsError(several: readonly PositionColumns[], columns: readonly TableColumn[]) {
  const names = several.map(({ x, y }) => `${y.name} and ${x.name}`);
  const mend = several
    .map(({ x, y }) => `--longitude ${quoteShellName(x.name)} --latitude ${quoteShellName(y.name)}`)
    .join(" or ");
  return createFormatError(
    "FORMAT_UNKNOWN",
    `coordinates that differ in ${names.join("; ")}`,
    "one pair of columns",
    {
      mend: `name it: ${mend}`,
      columns: columns.map(({ name }) => name),
    },
  );
}

/** The refusal of a table without a geometry: the columns that might be one by their numbers or names are named. */
function geometryNotFoundError({ columns, rows }: Sampled) {
  const names = columns.map(({ name }) => name);
  const found = `text with the columns ${names.slice(0, 20).join(", ").slice(0, 300)}`;
  const expected =
    "GeoJSON, or a table with a geometry in a column (WKT, GeoJSON, WKB, ODK's positions), or with columns of longitude and latitude";
  const candidates = columns.filter((column) => {
    const texts = listColumnTexts(column, rows);
    const isNamed =
      detectColumnAxis(column.name) !== undefined || isGeometryName(column.name) || isPairName(column.name);
    return isNamed || (texts.length > 0 && texts.every((text) => couldBeDegrees(text.trim())));
  });
  const seen =
    candidates.length === 0
      ? ""
      : `perhaps in ${candidates
          .slice(0, 6)
          .map(
            (column) =>
              `${column.name} (${JSON.stringify((listColumnTexts(column, rows)[0] ?? "").slice(0, 24))})`,
          )
          .join(", ")}: `;
  const mend = `${seen}name the columns with --wkt, or --longitude and --latitude`;
  return createFormatError("FORMAT_UNKNOWN", found, expected, { mend, columns: names });
}

function couldBeDegrees(text: string): boolean {
  const angle = parseAngle(text);
  if (typeof angle !== "object" || Math.abs(angle.degrees) > 180) return false;
  return angle.isMarked || /\.\d{3,}$/.test(text);
}
