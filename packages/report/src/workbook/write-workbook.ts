import { replaceControlCharacters } from "../html.ts";
import { writeZipArchive } from "./write-zip.ts";

/** Value of a cell: text, a number, or empty. */
export type Cell = string | number | undefined;

/** A sheet of a workbook. */
export interface Sheet {
  /** At most 31 characters, none of `[]:*?/\`. */
  readonly name: string;
  /** The headings, with the widths of their columns in characters. */
  readonly columns: readonly { readonly title: string; readonly width: number }[];
  /** Rows under the headings, read once, when the sheet is written. */
  readonly rows: Iterable<readonly Cell[]> | AsyncIterable<readonly Cell[]>;
}

/** Rows that Excel opens in a sheet, with the one of headings. */
export const SHEET_ROWS = 1_048_576;

/** A cell holds so many characters. */
const CELL_LIMIT = 32_767;

/**
 * Writes sheets as a workbook (Office Open XML), piece by piece, one sheet after another: memory is one row. Each has a
 * row of headings that stays in view and filters. Text is always text, never a formula; what a cell cannot hold of it
 * is cut off, and what XML cannot hold is U+FFFD.
 *
 * Fails: `RangeError` for more than {@link SHEET_ROWS} rows, or 4 GiB; as reading the rows does.
 *
 * Source: ECMA-376, part 1, clause 18.
 */
export function writeWorkbook(
  sheets: readonly Sheet[],
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const paths = sheets.map((_, i) => `worksheets/sheet${i + 1}.xml`);
  const parts = [
    { path: "xl/workbook.xml", type: `${SPREADSHEET}.sheet.main+xml` },
    { path: "xl/styles.xml", type: `${SPREADSHEET}.styles+xml` },
    ...paths.map((path) => ({ path: `xl/${path}`, type: `${SPREADSHEET}.worksheet+xml` })),
  ];
  const types = parts.map(({ path, type }) => `<Override PartName="/${path}" ContentType="${type}"/>`);
  const names = sheets.map(
    ({ name }, i) => `<sheet name="${escapeXml(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`,
  );
  return writeZipArchive([
    {
      path: "[Content_Types].xml",
      text: [
        `${XML}<Types xmlns="${PACKAGE}/content-types">`,
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
        `<Default Extension="xml" ContentType="application/xml"/>${types.join("")}</Types>`,
      ],
    },
    { path: "_rels/.rels", text: formatRelationships([["officeDocument", "xl/workbook.xml"]]) },
    {
      path: "xl/workbook.xml",
      text: [
        `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${names.join("")}</sheets></workbook>`,
      ],
    },
    {
      path: "xl/_rels/workbook.xml.rels",
      text: formatRelationships([
        ...paths.map((path) => ["worksheet", path] as const),
        ["styles", "styles.xml"],
      ]),
    },
    { path: "xl/styles.xml", text: [STYLES] },
    ...sheets.map((sheet, i) => ({ path: `xl/${paths[i]}`, text: generateSheetXml(sheet) })),
  ]);
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** Cells as they are, and headings: bold, and broken into lines. */
const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
const HEADING = 1;

function formatRelationships(of: readonly (readonly [type: string, target: string])[]): string[] {
  const each = of.map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return [`${XML}<Relationships xmlns="${PACKAGE}/relationships">${each.join("")}</Relationships>`];
}

async function* generateSheetXml({ columns, rows, name }: Sheet): AsyncGenerator<string, void, undefined> {
  const widths = columns.map(
    ({ width }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`,
  );
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join("")}</cols><sheetData>`;
  const letters = columns.map((_, i) => formatColumnLetters(i));
  const titles = columns.map(({ title }) => title);
  yield formatRowXml(titles, 1, letters, HEADING);
  let count = 1;
  for await (const row of rows) {
    if (++count > SHEET_ROWS) {
      throw new RangeError(`the sheet "${name}" has more than ${SHEET_ROWS} rows, which Excel does not open`);
    }
    yield formatRowXml(row, count, letters, 0);
  }
  yield `</sheetData><autoFilter ref="A1:${letters.at(-1)}${count}"/></worksheet>`;
}

function formatRowXml(
  cells: readonly Cell[],
  number: number,
  letters: readonly string[],
  style: number,
): string {
  let text = `<row r="${number}">`;
  for (const [i, cell] of cells.entries()) {
    if (cell === undefined) continue;
    const at = `<c r="${letters[i]}${number}"${style === 0 ? "" : ` s="${style}"`}`;
    text +=
      typeof cell === "number"
        ? `${at}><v>${cell}</v></c>`
        : `${at} t="inlineStr"><is><t xml:space="preserve">${escapeCellText(cell)}</t></is></c>`;
  }
  return `${text}</row>`;
}

/** Excel reads `_x0041_` as the character of that number, unless its underscore is written so too. */
function escapeCellText(text: string): string {
  const shown = replaceControlCharacters(text.slice(0, CELL_LIMIT)).replace(/[\ufffe\uffff]/g, "\ufffd");
  return escapeXml(shown.replace(/_(?=x[0-9A-F]{4}_)/gi, "_x005F_"));
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => ENTITIES[letter]!);
}

/** The letters of a column, counted from 0: A to Z, AA and so on. */
function formatColumnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : formatColumnLetters(Math.floor(column / 26) - 1) + last;
}
