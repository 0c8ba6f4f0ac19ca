import { SaxesParser } from "saxes";
import { fileDamagedError } from "../../format-error.ts";
import { createXmlDecoder } from "../../kml/decode-xml.ts";
import { HEADER_ROWS } from "../../table/header.ts";
import { GENERAL, toIsoDate } from "./cell-format.ts";
import { type Sheet, unescapeXmlText, type Workbook, workbookTooLargeError } from "./workbook.ts";

/** A row of a sheet that is not blank. */
export interface SheetRow {
  /** Its number in the sheet, from 1. */
  readonly number: number;
  /** Texts, numbers, truth values, dates as text; null where nothing stands. */
  readonly cells: readonly unknown[];
  readonly isHidden: boolean;
  /** The first cell with a formula whose value was not stored. */
  readonly unvalued?: string;
  /** The first cell with as much text as a spreadsheet keeps. */
  readonly cut?: string;
}

/** A sheet that was read. */
export interface SheetContent {
  readonly rows: readonly SheetRow[];
  /** Places of cells that were merged into one: `B2:B5`. */
  readonly merged: readonly string[];
  /** True if more rows follow than were to be read. */
  readonly isCut: boolean;
}

/** Most rows of a sheet below its header, and above it. */
const MOST_ROWS_BELOW = 100_000;
export const MOST_ROWS: number = MOST_ROWS_BELOW + HEADER_ROWS;
/** Most cells of a sheet, and most characters of its XML. */
const MOST_CELLS = 5_000_000;
const MOST_CHARACTERS = 1 << 30;
const MOST_COLUMNS = 16_384;
const MOST_MERGED = 1_000;
/** Most texts that are kept to find the same again, and most characters of one. */
const MOST_KEPT = 50_000;
const LONGEST_KEPT = 64;
/** The most characters of a text that Excel keeps. */
const LONGEST_TEXT = 32_767;

/**
 * Reads a sheet: the stored values of its cells.
 *
 * @param most rows after which reading stops
 *
 * Fails: `FILE_DAMAGED` for what is no sheet; `TEXT_TOO_LARGE` for one of more than {@link MOST_ROWS} rows.
 */
export async function readSheet(
  workbook: Workbook,
  sheet: Sheet,
  most: number = MOST_ROWS,
): Promise<SheetContent> {
  const reader = new SheetReader(workbook, sheet);
  let decoder: ReturnType<typeof createXmlDecoder> | undefined;
  for await (const chunk of workbook.archive.open(sheet.entry)) {
    decoder ??= createXmlDecoder(chunk.subarray(0, 1 << 16), undefined);
    reader.write(decoder.decode(chunk, reader.line));
    if (reader.rows.length > most) {
      if (most >= MOST_ROWS)
        throw workbookTooLargeError(`more than ${MOST_ROWS_BELOW} rows in the sheet ${sheet.name}`);
      return { rows: reader.rows.slice(0, most), merged: [], isCut: true };
    }
  }
  if (decoder === undefined) throw fileDamagedError("nothing", "a sheet", { entry: sheet.entry.name });
  reader.write(decoder.decode(undefined, reader.line));
  return { ...reader.end(), isCut: false };
}

class SheetReader {
  readonly rows: SheetRow[] = [];
  readonly #parser: SaxesParser = new SaxesParser({ position: true });
  readonly #workbook: Workbook;
  readonly #entry: string;
  readonly #merged: string[] = [];
  readonly #kept = new Map<string, string>();
  #characters = 0;
  #count = 0;
  #number = 0;
  #isHidden: boolean = false;
  #cells: unknown[] = [];
  #column = 0;
  #type: string = "n";
  #style: number = 0;
  #hasFormula: boolean = false;
  #value: string = "";
  #unvalued: string | undefined;
  #cut: string | undefined;
  /** True if the text that comes is one of a cell. */
  #isText: boolean = false;
  /** True if it is one of its pronunciation. */
  #isAside: boolean = false;

  constructor(workbook: Workbook, { entry }: Sheet) {
    this.#workbook = workbook;
    this.#entry = entry.name;
    this.#parser.on("error", (error) => {
      throw this.#damaged(error.message.replace(/^(?:\d+:\d+: )+/, "").replace(/\.$/, ""));
    });
    this.#parser.on("opentag", ({ name, attributes }) => this.#open(getLocalName(name), attributes));
    this.#parser.on("closetag", ({ name }) => this.#close(getLocalName(name)));
    const keep = (text: string): void => {
      if (this.#isText && !this.#isAside) this.#value += text;
    };
    this.#parser.on("text", keep);
    this.#parser.on("cdata", keep);
  }

  get line(): number {
    return this.#parser.line;
  }

  write(text: string): void {
    this.#characters += text.length;
    if (this.#characters > MOST_CHARACTERS)
      throw workbookTooLargeError(`a sheet of more than ${MOST_CHARACTERS} characters`);
    this.#parser.write(text);
  }

  end(): Pick<SheetContent, "rows" | "merged"> {
    this.#parser.close();
    return { rows: this.rows, merged: this.#merged };
  }

  #open(name: string, attributes: Readonly<Partial<Record<string, string>>>): void {
    switch (name) {
      case "row":
        this.#number = attributes.r === undefined ? this.#number + 1 : Number(attributes.r);
        this.#isHidden = attributes.hidden === "1" || attributes.hidden === "true";
        this.#cells = [];
        this.#column = -1;
        this.#unvalued = undefined;
        this.#cut = undefined;
        break;
      case "c": {
        this.#column = attributes.r === undefined ? this.#column + 1 : parseColumnIndex(attributes.r);
        if (!(this.#column >= 0 && this.#column < MOST_COLUMNS))
          throw this.#damaged(`the cell ${attributes.r}`);
        this.#type = attributes.t ?? "n";
        this.#style = Number(attributes.s ?? 0);
        this.#hasFormula = false;
        this.#value = "";
        break;
      }
      case "f":
        this.#hasFormula = true;
        break;
      case "v":
        this.#isText = true;
        break;
      case "t":
        this.#isText = true;
        break;
      case "rPh":
        this.#isAside = true;
        break;
      case "mergeCell":
        if (attributes.ref !== undefined && this.#merged.length < MOST_MERGED)
          this.#merged.push(attributes.ref);
        break;
      default:
    }
  }

  #close(name: string): void {
    if (name === "v" || name === "t") this.#isText = false;
    else if (name === "rPh") this.#isAside = false;
    else if (name === "c") this.#finishCell();
    else if (name === "row") this.#finishRow();
  }

  #finishCell(): void {
    const place = `${formatColumnName(this.#column)}${this.#number}`;
    if (this.#hasFormula && this.#value === "" && this.#type !== "str") this.#unvalued ??= place;
    const value = this.#read();
    if (value === null || value === "") return;
    if (typeof value === "string" && value.length === LONGEST_TEXT) this.#cut ??= place;
    if (++this.#count > MOST_CELLS) throw workbookTooLargeError(`a sheet of more than ${MOST_CELLS} cells`);
    while (this.#cells.length < this.#column) this.#cells.push(null);
    this.#cells[this.#column] = value;
  }

  #finishRow(): void {
    if (this.#cells.length === 0 && this.#unvalued === undefined) return;
    this.rows.push({
      number: this.#number,
      cells: this.#cells.slice(),
      isHidden: this.#isHidden,
      ...(this.#unvalued !== undefined && { unvalued: this.#unvalued }),
      ...(this.#cut !== undefined && { cut: this.#cut }),
    });
  }

  /** A short text as the same one before it, which takes the memory of one. */
  #once(text: string): string {
    if (text.length > LONGEST_KEPT) return text;
    const kept = this.#kept.get(text);
    if (kept !== undefined) return kept;
    if (this.#kept.size < MOST_KEPT) this.#kept.set(text, text);
    return text;
  }

  #read(): unknown {
    const text = this.#value;
    switch (this.#type) {
      case "s": {
        if (text === "") return null;
        const shared = this.#workbook.texts[Number(text)];
        if (shared === undefined) throw this.#damaged(`the text ${text}, which is not among the shared ones`);
        return shared;
      }
      case "str":
      case "inlineStr":
        return this.#once(unescapeXmlText(text));
      case "b":
        return text === "1" || text === "true";
      case "e":
      case "d":
        return text;
      default:
        return text === "" ? null : this.#parseNumber(text);
    }
  }

  #parseNumber(text: string): unknown {
    const number = Number(text);
    if (Number.isNaN(number)) return text;
    const format = this.#workbook.formats[this.#style] ?? GENERAL;
    if (format.kind === "date") return toIsoDate(number, this.#workbook.is1904) ?? number;
    const isPadded = format.digits !== undefined && Number.isSafeInteger(number) && number >= 0;
    return isPadded ? String(number).padStart(format.digits, "0") : number;
  }

  #damaged(found: string) {
    return fileDamagedError(found, "a sheet of a workbook", { entry: this.#entry, line: this.line });
  }
}

function getLocalName(qualified: string): string {
  return qualified.slice(qualified.lastIndexOf(":") + 1);
}

/** The place of a column from 0: `AB12` is 27. */
function parseColumnIndex(reference: string): number {
  let column = 0;
  for (let i = 0; i < reference.length; i++) {
    const letter = reference.charCodeAt(i) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column - 1;
}

function formatColumnName(column: number): string {
  let name = "";
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}
