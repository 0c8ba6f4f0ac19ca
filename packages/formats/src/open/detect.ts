import { detectMarkedEncoding } from "../text-encoding.ts";
import { FORMAT_NAMES, FORMATS, type FormatName } from "./formats.ts";

/** Result of detecting a file's format from its first bytes. */
export type Detected =
  | {
      /** How the file is packed, or its format. */
      readonly kind: "gzip" | "zip" | FormatName;
    }
  | {
      /** Text that may be JSON, text that is something else, or no bytes at all. */
      readonly kind: "json" | "text" | "empty";
    }
  | {
      /** A format that GDAL converts. */
      readonly kind: "convertible";
      /** The format, for people. */
      readonly name: string;
    }
  | {
      /** A table of a program that saves it in another form as well. */
      readonly kind: "spreadsheet";
      /** The kind of file, in words. */
      readonly name: string;
    }
  | {
      /** Something else. */
      readonly kind: "foreign";
      /** Name of the format for people, as far as it is known. */
      readonly name: string;
    };

/** Bytes of a file that are examined to detect its format. */
export const SNIFFED_BYTES: number = 1 << 12;

/**
 * Detects a file's format by its first bytes, regardless of its name.
 *
 * @param first {@link SNIFFED_BYTES} of it, fewer where it is shorter
 */
export function detectFormat(first: Uint8Array): Detected {
  for (const [magic, detected] of MAGICS) {
    if (magic.every((byte, index) => byte === ANY || first[index] === byte)) return detected;
  }
  if (toAsciiBytes("ustar").every((byte, index) => first[257 + index] === byte))
    return createForeignFormat("a tar archive");
  const marked = detectMarkedEncoding(first);
  if (marked === undefined && first.includes(0)) return createForeignFormat("binary data");
  const text = new TextDecoder(marked ?? "utf-8").decode(first);
  return detectTextFormat(text.replace(/^[\s\u{feff}]+/u, ""));
}

function detectTextFormat(text: string): Detected {
  if (text === "") return { kind: "empty" };
  if (text.startsWith("<")) return detectXmlFormat(text);
  if (["{", "[", "\u001e"].includes(text[0]!)) return detectJsonFormat(text);
  if (/^0\s+SECTION\b/.test(text)) return createConvertibleFormat("DXF");
  if (/^!table\b/i.test(text)) return createConvertibleFormat("MapInfo TAB");
  if (/^Version\s+\d+\s*[\r\n]+\s*Charset\b/i.test(text)) return createConvertibleFormat("MapInfo MIF");
  if (/^EXP\s+[01]\s/.test(text)) return createConvertibleFormat("an ArcInfo export (E00)");
  if (/^(?:ncols|nrows)\s+\d/i.test(text)) return createForeignFormat("an ASCII grid, which is a raster");
  return { kind: "text" };
}

function detectXmlFormat(text: string): Detected {
  const root = text.replace(/^(?:<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<![^>]*>|\s)+/, "");
  const name = /^<(?:[\w.-]+:)?([\w.-]+)/.exec(root)?.[1] ?? "";
  const format = FORMAT_NAMES.find((each) => {
    const { magic } = FORMATS[each];
    return magic !== undefined && "root" in magic && magic.root === name;
  });
  if (format !== undefined) return { kind: format };
  if (/^html$/i.test(name) || /^<!doctype html/i.test(text)) {
    return createForeignFormat(
      "an HTML page (was the download refused?), or a table that a program saved as .xls: save it as CSV",
    );
  }
  if (name === "Workbook" && /urn:schemas-microsoft-com:office:spreadsheet/.test(text)) {
    return createSpreadsheetFormat("an Excel workbook of 2003 as XML");
  }
  if (/urn:oasis:names:tc:opendocument/.test(text))
    return createSpreadsheetFormat("an OpenDocument file as XML (.fods)");
  if (name === "osm") return createConvertibleFormat("OpenStreetMap XML");
  if (/opengis\.net\/(?:gml|wfs)|<(?:gml|wfs):|inspire\.ec\.europa\.eu/.test(text))
    return createConvertibleFormat("GML");
  if (name === "FeatureCollection") return createConvertibleFormat("GML");
  return createForeignFormat(name === "" ? "XML" : `XML of the kind <${name}>`);
}

function detectJsonFormat(text: string): Detected {
  const head = text.slice(0, 512);
  if (/"type"\s*:\s*"Topology"/.test(head)) return createConvertibleFormat("TopoJSON");
  return { kind: "json" };
}

function createConvertibleFormat(name: string): Detected {
  return { kind: "convertible", name };
}

function createForeignFormat(name: string): Detected {
  return { kind: "foreign", name };
}

function createSpreadsheetFormat(name: string): Detected {
  return { kind: "spreadsheet", name };
}

function toAsciiBytes(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0));
}

/** A byte that may be any. */
const ANY = -1;

const MAGICS: readonly (readonly [magic: readonly number[], detected: Detected])[] = [
  [[0x1f, 0x8b], { kind: "gzip" }],
  [toAsciiBytes("PK\x03\x04"), { kind: "zip" }],
  [toAsciiBytes("PK\x05\x06"), { kind: "zip" }],
  ...FORMAT_NAMES.flatMap((format): [magic: readonly number[], detected: Detected][] => {
    const { magic } = FORMATS[format];
    return magic !== undefined && "bytes" in magic ? [[toAsciiBytes(magic.bytes), { kind: format }]] : [];
  }),
  [toAsciiBytes("II*\0"), createForeignFormat("a TIFF image, which is a raster")],
  [toAsciiBytes("MM\0*"), createForeignFormat("a TIFF image, which is a raster")],
  [toAsciiBytes("II+\0"), createForeignFormat("a TIFF image, which is a raster")],
  [toAsciiBytes("AC10"), createForeignFormat("a DWG drawing")],
  [toAsciiBytes("ARROW1"), createConvertibleFormat("Arrow")],
  [
    [ANY, ANY, ANY, ANY, 0x0a, 0x09, ...toAsciiBytes("OSMHeader")],
    createConvertibleFormat("OpenStreetMap PBF"),
  ],
  [[0x89, ...toAsciiBytes("HDF")], createForeignFormat("HDF5 or NetCDF")],
  [toAsciiBytes("CDF"), createForeignFormat("NetCDF")],
  [toAsciiBytes("%PDF"), createForeignFormat("a PDF")],
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    createSpreadsheetFormat("an Excel workbook of before 2007 (.xls), or one with a password"),
  ],
  [[0x89, ...toAsciiBytes("PNG")], createForeignFormat("a PNG image")],
  [[0xff, 0xd8, 0xff], createForeignFormat("a JPEG image")],
  [toAsciiBytes("BZh"), createForeignFormat("bzip2")],
  [[0xfd, ...toAsciiBytes("7zXZ")], createForeignFormat("xz")],
  [[0x28, 0xb5, 0x2f, 0xfd], createForeignFormat("zstd")],
  [[...toAsciiBytes("7z"), 0xbc, 0xaf], createForeignFormat("a 7z archive")],
  [toAsciiBytes("Rar!"), createForeignFormat("a RAR archive")],
];

/** @deprecated Use {@link Detected}. */
export type Told = Detected;

/**
 * @deprecated Use {@link detectFormat}.
 * @param first the first bytes of the file
 */
export function tellFormat(first: Uint8Array): Detected {
  return detectFormat(first);
}
