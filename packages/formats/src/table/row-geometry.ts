import type { ReadOptions } from "../format-reader.ts";
import { isDecimal } from "../values.ts";
import { hasDecimalComma, hasLostDecimal, normalizeAngleSigns, parseAngle } from "./angle.ts";
import { type CellGeometry, createFaultyGeometry } from "./cell.ts";
import { readCellGeometry } from "./cell-geometry.ts";
import type { GeometryChoice, PositionColumns } from "./choose-geometry.ts";
import { formatCell, formatPlaceCell } from "./table-source.ts";

const APOSTROPHE = 0x27;
const NONE: CellGeometry = { geometry: null };

/** Makes the function that reads the geometry of a row: of its cell, else of its coordinates. */
export function createRowReader(
  { cell, position }: GeometryChoice,
  options: Pick<ReadOptions, "decimal" | "crs">,
): (cells: readonly unknown[]) => CellGeometry {
  const readPosition = position === undefined ? () => NONE : createPositionReader(position, options);
  if (cell === undefined) return readPosition;
  const { column, ...context } = cell;
  const place = `column "${column.name}"`;
  return (cells) => {
    const cell = cells[column.index];
    return formatPlaceCell(cell) === ""
      ? readPosition(cells)
      : readCellGeometry(formatCell(cell), place, context);
  };
}

function createPositionReader(
  { x, y, isDegrees, unsigned = [] }: PositionColumns,
  { decimal, crs }: Pick<ReadOptions, "decimal" | "crs">,
): (cells: readonly unknown[]) => CellGeometry {
  const [isWest, isSouth] = [unsigned.includes("x"), unsigned.includes("y")];
  const mayBeLost = isDegrees && isLongitudeLatitude(crs);
  const textIn = (cell: unknown): string => {
    const written = formatPlaceCell(cell);
    // Programs put an apostrophe before a sign, so that no spreadsheet takes the cell for a formula.
    const text = written.charCodeAt(0) === APOSTROPHE ? written.slice(1) : written;
    return decimal === "comma" && hasDecimalComma(text) ? text.replace(",", ".") : text;
  };
  return (cells) => {
    const [ofX, ofY] = [textIn(cells[x.index]), textIn(cells[y.index])];
    if (ofX === "" && ofY === "") return NONE;
    const longitude = readCoordinate(ofX, x.name, "x", mayBeLost);
    if (typeof longitude !== "number") return longitude;
    const latitude = readCoordinate(ofY, y.name, "y", mayBeLost);
    if (typeof latitude !== "number") return latitude;
    const coordinates = [
      isWest ? applyColumnSide(longitude, ofX) : longitude,
      isSouth ? applyColumnSide(latitude, ofY) : latitude,
    ];
    return { geometry: { type: "Point", coordinates } };
  };
}

/** A coordinate on the side that its column names, unless letters in the cell name one. */
function applyColumnSide(degrees: number, text: string): number {
  return degrees > 0 && !/[a-z]/i.test(text) ? -degrees : degrees;
}

function isLongitudeLatitude(crs: string | undefined): boolean {
  return crs === undefined || /(?:CRS84|EPSG:+(?:[0-9.]*:)?4326)$/i.test(crs);
}

function readCoordinate(
  text: string,
  column: string,
  axis: "x" | "y",
  mayBeLost: boolean,
): number | CellGeometry {
  const beyond = axis === "x" ? 180 : 90;
  if (isDecimal(text)) {
    const number = Number(text);
    if (!mayBeLost || Math.abs(number) <= beyond || !hasLostDecimal(text)) return number;
  }
  const refuse = (expected: string): CellGeometry =>
    createFaultyGeometry(
      `column "${column}": found ${JSON.stringify(text.slice(0, 24))}, expected ${expected}`,
    );
  if (mayBeLost && hasLostDecimal(normalizeAngleSigns(text))) {
    return refuse(
      "degrees: the decimal sign was lost, as a spreadsheet loses it that takes it for one of thousands; export the column from where it comes as text, or with a decimal point",
    );
  }
  if (hasDecimalComma(text)) return refuse("a number with a point, not a comma");
  const angle = parseAngle(text);
  if (angle === undefined) return refuse("a number");
  if (typeof angle === "string") {
    return createFaultyGeometry(
      `column "${column}": found ${JSON.stringify(text.slice(0, 24))} with ${angle}, expected degrees, minutes and seconds such as 6°34'48.8"S`,
    );
  }
  if (angle.axis !== undefined && angle.axis !== axis) {
    const [found, expected] = axis === "y" ? ["longitude", "latitude"] : ["latitude", "longitude"];
    return refuse(`a ${expected}, not a ${found}: name the columns with --longitude and --latitude`);
  }
  return angle.degrees;
}
