import { createFormatError, type FormatError } from "../format-error.ts";
import type { Feature, ReadOptions } from "../format-reader.ts";
import { ACCURACY_PROPERTY } from "./cell.ts";
import { quoteShellName } from "./choose-geometry.ts";
import { isCornerName, isOrderName, rateIdColumnName } from "./column-names.ts";
import { isBlank, type TableColumn } from "./header.ts";
import { isSimpleRing, measureSpreadMeters } from "./ring-of-corners.ts";
import { formatCell, type TableRow } from "./table-source.ts";

/** The columns by which rows are the corners of plots. */
export interface CornerColumns {
  readonly id: TableColumn;
  /** The column that counts corners; absent: their order is that of the rows. */
  readonly order?: TableColumn;
  /** True if ids are in the first row of each plot alone, as in merged cells: an empty one is that of the row above. */
  readonly isFilledDown?: boolean;
  /** True if the options named them, so that nothing is left to guess. */
  readonly isNamed: boolean;
}

/** A row with its position, as it was read. */
export interface CornerRow {
  readonly row: TableRow;
  readonly feature: Feature;
}

/** Least rows of each id, on average, where rows may be corners. */
const LEAST_CORNERS = 3;
/** Farthest that the corners of a plot may lie apart. */
const FARTHEST_METERS = 10_000;
/** Most rows of a table of corners, which are kept until its last was read. */
const MOST_ROWS = 2_000_000;

/** The value of `cornersOf` that reads every row as a plot of its own. */
const NO_CORNERS = "none";

/**
 * The columns by which the first rows seem to be corners: those that the options name, else the surest column of ids
 * where its values come again in row after row. Undefined where every row is a plot of its own.
 *
 * Fails: `COLUMN_UNKNOWN` for a column that the table does not have; `ROWS_ARE_CORNERS` where rows are counted as corners
 * and no column has the id of their plot.
 */
export function findCornerColumns(
  columns: readonly TableColumn[],
  rows: readonly (readonly unknown[])[],
  options: ReadOptions,
): CornerColumns | undefined {
  const { cornersOf, cornerOrder } = options;
  const orders = columns.filter(({ name }) => isOrderName(name));
  if (cornersOf === NO_CORNERS) return undefined;
  const named = cornerOrder === undefined ? undefined : getNamedColumn(cornerOrder, columns);
  if (cornersOf !== undefined) {
    const order = named ?? (orders.length === 1 ? orders[0] : undefined);
    const id = getNamedColumn(cornersOf, columns);
    return {
      id,
      ...(order && { order }),
      ...(isFilledDown(id, rows) && { isFilledDown: true }),
      isNamed: true,
    };
  }
  const corners = orders.find((order) => isCornerName(order.name) && isCornerCountColumn(order, rows));
  const ids = columns
    .map((column) => ({ column, strength: rateIdColumnName(column.name) }))
    .filter(({ column, strength }) => strength > 0 && !orders.includes(column))
    .sort((a, b) => b.strength - a.strength);
  for (const { column } of ids) {
    const values = rows
      .map((cells) => formatCell(cells[column.index]).trim())
      .filter((value) => value !== "");
    const distinct = new Set(values).size;
    if (corners !== undefined && isFilledDown(column, rows) && rows.length >= LEAST_CORNERS * distinct) {
      return { id: column, order: corners, isFilledDown: true, isNamed: false };
    }
    // If the ids differ on every row, each row is a plot of its own, unless another column counts its corners.
    if (distinct === values.length && values.length > 1) {
      if (corners === undefined) return undefined;
      continue;
    }
    const order = named ?? findCornerOrderColumn(orders, column, rows);
    const isOften = values.length >= LEAST_CORNERS * distinct;
    if (distinct > 0 && (isOften || (order !== undefined && values.length >= 2 * distinct))) {
      return { id: column, ...(order && { order }), isNamed: false };
    }
  }
  if (corners !== undefined) throw cornersWithoutPlotError(corners);
  return undefined;
}

/** True if the first row has an id, and others have none. */
function isFilledDown({ index }: TableColumn, rows: readonly (readonly unknown[])[]): boolean {
  return rows.length > 0 && !isBlank(rows[0]![index]) && rows.some((cells) => isBlank(cells[index]));
}

/** True if a column counts from 0 or 1 on, and again from there behind three rows or more. */
function isCornerCountColumn({ index }: TableColumn, rows: readonly (readonly unknown[])[]): boolean {
  const numbers = rows.map((cells) =>
    Number(/^\D*(\d{1,9})$/.exec(formatCell(cells[index]).trim())?.[1] ?? Number.NaN),
  );
  const [first = Number.NaN] = numbers;
  let length = 0;
  for (const [i, number] of numbers.entries()) {
    if (i > 0 && number === numbers[i - 1]! + 1) length++;
    else if (number === first && (i === 0 || length >= LEAST_CORNERS)) length = 1;
    else return false;
  }
  return first <= 1 && numbers.length >= LEAST_CORNERS;
}

function cornersWithoutPlotError({ name }: TableColumn): FormatError {
  return createFormatError(
    "ROWS_ARE_CORNERS",
    `rows that seem to be corners: ${name} counts them, and no column has the id of their plot`,
    "one row a plot, or a column with the same id in each row of a plot",
    {
      mend: `add that column and name it, --corners-of COLUMN --corner-order ${quoteShellName(name)}, or read each row as a plot with --corners-of ${NO_CORNERS}`,
    },
  );
}

function getNamedColumn(name: string, columns: readonly TableColumn[]): TableColumn {
  const plain = (text: string): string => text.trim().toLowerCase();
  const found =
    columns.find((column) => column.name === name) ??
    columns.find((column) => plain(column.name) === plain(name));
  if (found !== undefined) return found;
  const names = columns.map((column) => column.name);
  throw createFormatError(
    "COLUMN_UNKNOWN",
    `no column "${name}"`,
    `one of ${names.slice(0, 20).join(", ")}`,
    {
      columns: names,
    },
  );
}

/** The first column that counts within each id, where at most the row that closes a ring has a number again. */
function findCornerOrderColumn(
  orders: readonly TableColumn[],
  id: TableColumn,
  rows: readonly (readonly unknown[])[],
): TableColumn | undefined {
  return orders.find((order) => {
    const seen = new Set<string>();
    const closed = new Set<string>();
    return rows.every((cells) => {
      if (isBlank(cells[order.index])) return false;
      const of = formatCell(cells[id.index]);
      const place = JSON.stringify([of, formatCell(cells[order.index])]);
      const isClosing = seen.has(place) && !closed.has(of);
      if (isClosing) closed.add(of);
      const isNew = !seen.has(place);
      seen.add(place);
      return isNew || isClosing;
    });
  });
}

interface Group {
  readonly id: string;
  readonly rows: CornerRow[];
  /** True if rows of another id stand between its own. */
  isSplit: boolean;
}

/**
 * Rows as the plots whose corners they are. Where nothing was named, they become corners only if a column counts them,
 * the rows of each id come one after another and every ring is simple.
 *
 * Fails: `ROWS_ARE_CORNERS` where rows seem to be corners and must not be taken for them unasked, with the options that
 * decide, and how many plots they would make.
 */
export async function* buildPlotsFromCorners(
  rows: AsyncIterable<CornerRow>,
  columns: CornerColumns,
  properties: readonly TableColumn[],
): AsyncGenerator<Feature, void, undefined> {
  const { id, order, isNamed, isFilledDown: isMerged = false } = columns;
  const groups = new Map<string, Group>();
  const all: CornerRow[] = [];
  let last: Group | undefined;
  for await (const row of rows) {
    if (all.length === MOST_ROWS) {
      throw createFormatError(
        "TEXT_TOO_LARGE",
        `more than ${MOST_ROWS} rows of corners`,
        "fewer in one file",
        {
          limit: MOST_ROWS,
        },
      );
    }
    all.push(row);
    const written = formatCell(row.row.cells[id.index]).trim();
    const name = written === "" && isMerged && last !== undefined ? last.id : written;
    let group = groups.get(name);
    if (group === undefined) {
      group = { id: name, rows: [], isSplit: false };
      groups.set(name, group);
    } else if (group !== last) group.isSplit = true;
    group.rows.push(row);
    last = group;
  }
  const plots = [...groups.values()].map((group) => ({ group, ...buildRingFromCorners(group, order) }));
  const wide = plots.find(({ spread }) => spread > FARTHEST_METERS);
  if (!isNamed) {
    if (wide !== undefined && order === undefined) {
      for (const { feature } of all) yield feature;
      return;
    }
    const split = plots.find(({ group }) => group.isSplit);
    const faulty = plots.find(({ problem }) => problem !== undefined);
    const crossing = plots.find(({ ring }) => ring !== undefined && !isSimpleRing(ring));
    const why = isMerged
      ? "is empty in the rows that count on"
      : order === undefined
        ? "no column counts them"
        : wide !== undefined
          ? `those of ${wide.group.id} are ${Math.round(wide.spread / 1000)} km apart`
          : split !== undefined
            ? `the rows of ${split.group.id} do not come one after another`
            : faulty !== undefined
              ? `of ${faulty.group.id}: ${faulty.problem}`
              : crossing !== undefined
                ? `the border of ${crossing.group.id} would cross itself`
                : undefined;
    if (why !== undefined) throw rowsAreCornersError(columns, plots.length, all.length, why);
  }
  for (const { group, ring, problem, spread } of plots) {
    const [first] = group.rows as [CornerRow, ...CornerRow[]];
    const fault =
      first.feature.fault ??
      (problem === undefined ? undefined : { code: "GEOMETRY_INVALID", message: problem });
    const far =
      spread > FARTHEST_METERS
        ? {
            code: "GEOMETRY_INVALID",
            message: `found corners of ${group.id} that are ${Math.round(spread / 1000)} km apart, expected at most 10 km`,
          }
        : undefined;
    const common = new Map(
      properties
        .filter(({ index }) => index !== order?.index)
        .filter(({ index }) =>
          group.rows.every(
            ({ row }) =>
              row.cells[index] === first.row.cells[index] || (isMerged && isBlank(row.cells[index])),
          ),
        )
        .map(({ name, index }) => [name, first.row.cells[index] ?? ""]),
    );
    for (const [name, value] of findWorstAccuracy(group.rows)) common.set(name, value);
    yield {
      ...first.feature,
      geometry: ring === undefined ? null : { type: "Polygon", coordinates: [ring] },
      fault: fault ?? far,
      properties: common,
    };
  }
}

/** Accuracies of corners that differ: the worst holds for their plot. */
function findWorstAccuracy(rows: readonly CornerRow[]): [string, number][] {
  const values = rows.flatMap(({ feature }) => {
    const value = feature.properties.get(ACCURACY_PROPERTY);
    return typeof value === "number" ? [value] : [];
  });
  const worst = values.reduce((most, value) => Math.max(most, value), 0);
  return values.length === 0 ? [] : [[ACCURACY_PROPERTY, worst]];
}

function rowsAreCornersError(
  { id, order, isFilledDown }: CornerColumns,
  plots: number,
  rows: number,
  why: string,
): FormatError {
  const counts = `${plots} ${plots === 1 ? "plot" : "plots"} of the ${rows} rows`;
  const option = `--corners-of ${quoteShellName(id.name)}${order === undefined ? " [--corner-order COLUMN]" : ` --corner-order ${quoteShellName(order.name)}`}`;
  return createFormatError(
    "ROWS_ARE_CORNERS",
    `rows that seem to be corners: ${id.name} ${isFilledDown === true ? "" : "comes again in row after row, and "}${why}`,
    "one row a plot, or which rows are the corners of one",
    { mend: `${option} makes ${counts}, and --corners-of ${NO_CORNERS} reads each row as a plot` },
  );
}

interface Ring {
  /** Closed; undefined where there is none. */
  readonly ring?: [number, number][];
  readonly problem?: string;
  readonly spread: number;
}

function buildRingFromCorners({ id, rows }: Group, order: TableColumn | undefined): Ring {
  if (id === "") return { problem: "rows without an id, expected the id of their plot", spread: 0 };
  const unread = rows.find(({ feature }) => feature.fault !== undefined);
  if (unread !== undefined) {
    const { fault, place } = unread.feature;
    return { problem: `corner in line ${place.line ?? place.row}: ${fault!.message}`, spread: 0 };
  }
  const points: { readonly at: [number, number]; readonly order: number }[] = [];
  const places = order === undefined ? undefined : readCornerOrders(removeClosingCorner(rows), order);
  if (typeof places === "string")
    return { problem: places, spread: measureSpreadMeters(rows.flatMap(listCornerPositions)) };
  const corners = order === undefined ? rows : removeClosingCorner(rows);
  for (const [index, row] of corners.entries()) {
    const [at] = listCornerPositions(row);
    if (at !== undefined) points.push({ at, order: places?.[index] ?? index });
  }
  const ring = points.toSorted((a, b) => a.order - b.order).map(({ at }) => at);
  const spread = measureSpreadMeters(ring);
  const [first, end] = [ring[0], ring[ring.length - 1]];
  if (points.length < corners.length)
    return { problem: "a corner without coordinates, expected both", spread };
  if (first === undefined || end === undefined)
    return { problem: "no corners, expected three or more", spread };
  const isClosed = ring.length > 1 && first[0] === end[0] && first[1] === end[1];
  const closed = isClosed ? ring : [...ring, first];
  if (closed.length < 4) {
    const count = closed.length - 1;
    return {
      problem: `found ${count} ${count === 1 ? "corner" : "corners"}, expected three or more`,
      spread,
    };
  }
  return { ring: closed, spread };
}

/** Rows without the last, where it is the first again: the ring is closed in any case. */
function removeClosingCorner(rows: readonly CornerRow[]): readonly CornerRow[] {
  if (rows.length < 4) return rows;
  const [[first], [last]] = [listCornerPositions(rows[0]!), listCornerPositions(rows[rows.length - 1]!)];
  const isSame = first !== undefined && last !== undefined && first[0] === last[0] && first[1] === last[1];
  return isSame ? rows.slice(0, -1) : rows;
}

/** The places of corners in their order: a number, or the one in or behind a word (`P-12`), or a letter. */
function readCornerOrders(rows: readonly CornerRow[], order: TableColumn): number[] | string {
  const texts = rows.map(({ row }) => formatCell(row.cells[order.index]).trim());
  const numbers = texts.map((text) => {
    const number = /^-?\d+(?:\.\d+)?$/.exec(text)?.[0] ?? /^\D*(\d+)$/.exec(text)?.[1];
    if (number !== undefined) return Number(number);
    return /^[a-z]$/i.test(text) ? text.toUpperCase().charCodeAt(0) : Number.NaN;
  });
  const odd = numbers.findIndex((number) => Number.isNaN(number));
  if (odd !== -1) {
    return `column "${order.name}": found ${JSON.stringify(texts[odd]!.slice(0, 24))}, expected the number of a corner`;
  }
  const seen = new Set<number>();
  for (const number of numbers) {
    if (seen.has(number))
      return `column "${order.name}": found the corner ${number} twice, expected each once`;
    seen.add(number);
  }
  return numbers;
}

function listCornerPositions({ feature }: CornerRow): [number, number][] {
  const { geometry } = feature;
  if (typeof geometry !== "object" || geometry === null || !("coordinates" in geometry)) return [];
  const { coordinates } = geometry as { readonly coordinates: unknown };
  return Array.isArray(coordinates) && typeof coordinates[0] === "number"
    ? [coordinates as [number, number]]
    : [];
}
