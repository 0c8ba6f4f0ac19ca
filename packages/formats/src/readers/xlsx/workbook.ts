import { createFormatError, fileDamagedError } from "../../format-error.ts";
import type { ReadOptions } from "../../format-reader.ts";
import { findChildByName, readXmlElements, type XmlElement } from "../../kml/xml-elements.ts";
import { type FormatLimits, resolveFormatLimits } from "../../limits.ts";
import type { ZipArchive, ZipEntry } from "../../zip/open-zip.ts";
import { unpackEntryToFile } from "../../zip/unpack-entry.ts";
import { type CellFormat, GENERAL, parseCellFormat } from "./cell-format.ts";

/** A sheet of a workbook, not read yet. */
export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly entry: ZipEntry;
}

/** The parts that the sheets of a workbook share. */
export interface Workbook {
  readonly archive: ZipArchive;
  readonly sheets: readonly Sheet[];
  /** The format of the values of each style. */
  readonly formats: readonly CellFormat[];
  /** True if days are counted from 1904. */
  readonly is1904: boolean;
  /** The texts that cells refer to by their number. */
  readonly texts: readonly string[];
}

/** Most characters of the texts that cells share. */
const MOST_TEXT = 1 << 28;
/** Most characters of the parts of a workbook but for its sheets and texts. */
const MOST_PART = 1 << 26;

/**
 * Reads what the sheets of a workbook share (ECMA-376, part 1, section 18): their names, styles and texts.
 *
 * Fails: `FILE_DAMAGED` where a part is missing or is no XML; `TEXT_TOO_LARGE`; as the archive.
 */
export async function readWorkbook(archive: ZipArchive, options: ReadOptions): Promise<Workbook> {
  const limits = resolveFormatLimits(options);
  const parts = new Parts(archive, limits);
  const root = await parts.relations("");
  const path = root.find(({ type }) => type === "officeDocument")?.target ?? "xl/workbook.xml";
  const workbook = await parts.read(path, "workbook");
  const relations = await parts.relations(path);
  const targets = new Map(relations.map(({ id, target }) => [id, target]));
  const sheets = (findChildByName(workbook, "sheets")?.children ?? []).flatMap((element): Sheet[] => {
    const entry = parts.find(targets.get(element.attributes.get("id") ?? "") ?? "");
    const isSheet = relations.some(
      ({ id, type }) => id === element.attributes.get("id") && type === "worksheet",
    );
    if (entry === undefined || !isSheet) return [];
    const isHidden = /hidden/i.test(element.attributes.get("state") ?? "");
    return [{ name: element.attributes.get("name") ?? entry.name, isHidden, entry }];
  });
  const stylesAt = relations.find(({ type }) => type === "styles")?.target;
  const textsAt = relations.find(({ type }) => type === "sharedStrings")?.target;
  return {
    archive,
    sheets,
    formats: stylesAt === undefined ? [] : readCellFormats(await parts.read(stylesAt, "styleSheet")),
    is1904: /^(?:1|true|on)$/i.test(
      findChildByName(workbook, "workbookPr")?.attributes.get("date1904") ?? "",
    ),
    texts: textsAt === undefined ? [] : await parts.texts(textsAt),
  };
}

interface Relation {
  readonly id: string;
  readonly type: string;
  /** Path in the archive. */
  readonly target: string;
}

/** The parts of a workbook by their paths. */
class Parts {
  readonly #archive: ZipArchive;
  readonly #limits: FormatLimits;
  readonly #byPath: ReadonlyMap<string, ZipEntry>;

  constructor(archive: ZipArchive, limits: FormatLimits) {
    this.#archive = archive;
    this.#limits = limits;
    this.#byPath = new Map(archive.entries.map((entry) => [entry.name.toLowerCase(), entry]));
  }

  find(path: string): ZipEntry | undefined {
    return this.#byPath.get(path.toLowerCase());
  }

  async read(path: string, root: string): Promise<XmlElement> {
    const entry = this.find(path);
    if (entry === undefined) throw fileDamagedError(`no ${path}`, "a whole workbook", { entry: path });
    for await (const element of this.#elements(entry, root, MOST_PART)) return element;
    throw fileDamagedError(`no element ${root}`, "a whole workbook", { entry: entry.name });
  }

  /** The parts that a part refers to. */
  async relations(path: string): Promise<readonly Relation[]> {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const entry = this.find(`${folder}_rels/${path.slice(folder.length)}.rels`);
    if (entry === undefined) return [];
    const { children } = await this.read(entry.name, "Relationships");
    return children.map(({ attributes }) => {
      const type = attributes.get("Type") ?? "";
      const target = attributes.get("Target") ?? "";
      return {
        id: attributes.get("Id") ?? "",
        type: type.slice(type.lastIndexOf("/") + 1),
        target: target.startsWith("/") ? target.slice(1) : resolveDotSegments(folder + target),
      };
    });
  }

  async texts(path: string): Promise<readonly string[]> {
    const entry = this.find(path);
    if (entry === undefined) throw fileDamagedError(`no ${path}`, "a whole workbook", { entry: path });
    const texts: string[] = [];
    let characters = 0;
    for await (const element of this.#elements(entry, "si", MOST_TEXT)) {
      const text = readTextWithRuns(element);
      characters += text.length + 8;
      if (characters > MOST_TEXT) throw workbookTooLargeError("more text");
      texts.push(text);
    }
    return texts;
  }

  async *#elements(entry: ZipEntry, name: string, most: number): AsyncGenerator<XmlElement, void, undefined> {
    if (entry.size > 8 * most) throw workbookTooLargeError(`${entry.name} of ${entry.size} bytes`);
    const file = await unpackEntryToFile(this.#archive, entry, this.#limits.unpackedBytes);
    try {
      const limits = { ...this.#limits, featureBytes: Math.min(this.#limits.featureBytes, most) };
      for await (const { event, element } of readXmlElements(file, {
        encoding: undefined,
        limits,
        isWhole: (one) => one === name,
      })) {
        if (event === "element") yield element;
      }
    } finally {
      await file.close();
    }
  }
}

/** The error of a workbook that would not fit into memory. */
export function workbookTooLargeError(found: string): Error {
  const expected = "a workbook of at most 100,000 rows";
  return createFormatError("TEXT_TOO_LARGE", found, expected, {
    mend: "save the sheet as CSV, which may have any number",
  });
}

/** A path without `..`. */
function resolveDotSegments(path: string): string {
  const steps: string[] = [];
  for (const step of path.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== ".") steps.push(step);
  }
  return steps.join("/");
}

/** The text of an entry with its runs, without its phonetic guide. */
function readTextWithRuns(element: XmlElement): string {
  const pieces = element.children.map((child) => {
    if (child.name === "t") return unescapeXmlText(child.text);
    return child.name === "r" ? readTextWithRuns(child) : "";
  });
  return pieces.join("");
}

/** Characters that XML cannot hold are written `_x0007_`. */
export function unescapeXmlText(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function readCellFormats(styles: XmlElement): readonly CellFormat[] {
  const codes = new Map(
    (findChildByName(styles, "numFmts")?.children ?? []).map(({ attributes }) => [
      attributes.get("numFmtId") ?? "",
      attributes.get("formatCode") ?? "",
    ]),
  );
  const formats = (findChildByName(styles, "cellXfs")?.children ?? []).map(({ attributes }) => {
    const id = attributes.get("numFmtId") ?? "0";
    return parseCellFormat(Number(id), codes.get(id));
  });
  return formats.length === 0 ? [GENERAL] : formats;
}
