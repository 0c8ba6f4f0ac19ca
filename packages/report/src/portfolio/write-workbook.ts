import { type ZipMember, zipOf } from "./zip.ts";

/** What a cell of a workbook holds; text is text, never a formula. */
export type SheetCell = string | number | undefined;

/** A sheet of a workbook. Its first line is the head, which stays in view and filters the others. */
export interface Sheet {
  /** Letters alone. */
  readonly name: string;
  readonly lines: readonly (readonly SheetCell[])[];
  /** Of each column, in characters. */
  readonly widths: readonly number[];
}

/**
 * A workbook as Office Open XML (ECMA-376), with the parts that it must have and no styles. Text stands in its cell,
 * which every program reads, instead of in a table beside the sheets.
 *
 * @param sheets whose texts have no controls but tabs and line feeds, and no half of a surrogate pair
 */
export async function writeWorkbook(sheets: readonly Sheet[]): Promise<Uint8Array<ArrayBuffer>> {
  const parts: [string, string][] = [
    ["[Content_Types].xml", contentTypes(sheets)],
    ["_rels/.rels", relationships([["officeDocument", "xl/workbook.xml"]])],
    ["xl/workbook.xml", workbook(sheets)],
    [
      "xl/_rels/workbook.xml.rels",
      relationships(sheets.map((_, i) => ["worksheet", `worksheets/sheet${i + 1}.xml`])),
    ],
    ...sheets.map((sheet, i): [string, string] => [`xl/worksheets/sheet${i + 1}.xml`, worksheet(sheet)]),
  ];
  const encoder = new TextEncoder();
  return zipOf(parts.map(([name, text]): ZipMember => ({ name, bytes: encoder.encode(HEAD + text) })));
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const MEDIA = "application/vnd.openxmlformats-officedocument.spreadsheetml";

function contentTypes(sheets: readonly Sheet[]): string {
  const part = (path: string, type: string): string =>
    `<Override PartName="/xl/${path}.xml" ContentType="${MEDIA}.${type}+xml"/>`;
  return (
    `<Types xmlns="${PACKAGE}/content-types">` +
    `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    part("workbook", "sheet.main") +
    sheets.map((_, i) => part(`worksheets/sheet${i + 1}`, "worksheet")).join("") +
    "</Types>"
  );
}

function relationships(targets: readonly (readonly [type: string, path: string])[]): string {
  const each = targets.map(
    ([type, path], i) => `<Relationship Id="r${i + 1}" Type="${OFFICE}/${type}" Target="${path}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${each.join("")}</Relationships>`;
}

function workbook(sheets: readonly Sheet[]): string {
  const listed = sheets.map(({ name }, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="r${i + 1}"/>`);
  // Excel keeps the range of a filter under this name, too.
  const filters = sheets.map(({ name, lines }, i) => {
    const range = rangeOf(lines).replace(/[A-Z]+/g, "$$$&$$");
    return `<definedName name="_xlnm._FilterDatabase" localSheetId="${i}" hidden="1">${name}!${range}</definedName>`;
  });
  return (
    `<workbook xmlns="${SHEETS}" xmlns:r="${OFFICE}"><sheets>${listed.join("")}</sheets>` +
    `<definedNames>${filters.join("")}</definedNames></workbook>`
  );
}

function worksheet({ lines, widths }: Sheet): string {
  const columns = widths.map(
    (width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`,
  );
  const letters = widths.map((_, i) => columnLetters(i));
  const rows = lines.map((line, i) => {
    const cells = line.map((cell, at) => cellXml(cell, `${letters[at]!}${i + 1}`));
    return `<row r="${i + 1}">${cells.join("")}</row>`;
  });
  return (
    `<worksheet xmlns="${SHEETS}"><sheetViews><sheetView workbookViewId="0">` +
    `<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    `<cols>${columns.join("")}</cols><sheetData>${rows.join("")}</sheetData>` +
    `<autoFilter ref="${rangeOf(lines)}"/></worksheet>`
  );
}

function cellXml(cell: SheetCell, place: string): string {
  if (typeof cell === "number") return Number.isFinite(cell) ? `<c r="${place}"><v>${cell}</v></c>` : "";
  if (cell === undefined || cell === "") return "";
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
}

/** In text of a sheet, `_x0041_` stands for the character U+0041, and `_x005F_` for an underscore. */
function escaped(text: string): string {
  return text
    .replace(/[\ufffe\uffff]/g, "\ufffd") // XML holds neither
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}

function rangeOf(lines: Sheet["lines"]): string {
  return `A1:${columnLetters(lines[0]!.length - 1)}${lines.length}`;
}

/** @param column from 0; 26 is `AA` */
function columnLetters(column: number): string {
  const before = Math.floor(column / 26);
  return (before === 0 ? "" : columnLetters(before - 1)) + String.fromCharCode(65 + (column % 26));
}
