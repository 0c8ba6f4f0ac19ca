import { detectMarkedEncoding } from "../text-encoding.ts";

/** Result of detecting a file's format from its first bytes. */
export type Detected =
  | {
      /** How the file is packed, or its format. */
      readonly kind:
        | "gzip"
        | "zip"
        | "geopackage"
        | "shapefile"
        | "flatgeobuf"
        | "geoparquet"
        | "kml"
        | "gpx";
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
    return createForeign("a tar archive");
  const marked = detectMarkedEncoding(first);
  if (marked === undefined && first.includes(0)) return createForeign("binary data");
  const text = new TextDecoder(marked ?? "utf-8").decode(first);
  return detectText(text.replace(/^[\s\u{feff}]+/u, ""));
}

function detectText(text: string): Detected {
  if (text === "") return { kind: "empty" };
  if (text.startsWith("<")) return detectXml(text);
  if (["{", "[", "\u001e"].includes(text[0]!)) return detectJson(text);
  if (/^0\s+SECTION\b/.test(text)) return createConvertible("DXF");
  if (/^!table\b/i.test(text)) return createConvertible("MapInfo TAB");
  if (/^Version\s+\d+\s*[\r\n]+\s*Charset\b/i.test(text)) return createConvertible("MapInfo MIF");
  if (/^EXP\s+[01]\s/.test(text)) return createConvertible("an ArcInfo export (E00)");
  if (/^(?:ncols|nrows)\s+\d/i.test(text)) return createForeign("an ASCII grid, which is a raster");
  return { kind: "text" };
}

function detectXml(text: string): Detected {
  const root = text.replace(/^(?:<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<![^>]*>|\s)+/, "");
  const name = /^<(?:[\w.-]+:)?([\w.-]+)/.exec(root)?.[1] ?? "";
  if (name === "kml") return { kind: "kml" };
  if (/^html$/i.test(name) || /^<!doctype html/i.test(text)) {
    return createForeign(
      "an HTML page (was the download refused?), or a table that a program saved as .xls: save it as CSV",
    );
  }
  if (name === "gpx") return { kind: "gpx" };
  if (name === "Workbook" && /urn:schemas-microsoft-com:office:spreadsheet/.test(text)) {
    return createSpreadsheet("an Excel workbook of 2003 as XML");
  }
  if (/urn:oasis:names:tc:opendocument/.test(text))
    return createSpreadsheet("an OpenDocument file as XML (.fods)");
  if (name === "osm") return createConvertible("OpenStreetMap XML");
  if (/opengis\.net\/(?:gml|wfs)|<(?:gml|wfs):|inspire\.ec\.europa\.eu/.test(text))
    return createConvertible("GML");
  if (name === "FeatureCollection") return createConvertible("GML");
  return createForeign(name === "" ? "XML" : `XML of the kind <${name}>`);
}

function detectJson(text: string): Detected {
  const head = text.slice(0, 512);
  if (/"type"\s*:\s*"Topology"/.test(head)) return createConvertible("TopoJSON");
  return { kind: "json" };
}

function createConvertible(name: string): Detected {
  return { kind: "convertible", name };
}

function createForeign(name: string): Detected {
  return { kind: "foreign", name };
}

function createSpreadsheet(name: string): Detected {
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
  [toAsciiBytes("SQLite format 3\0"), { kind: "geopackage" }],
  [toAsciiBytes("fgb"), { kind: "flatgeobuf" }],
  [toAsciiBytes("PAR1"), { kind: "geoparquet" }],
  [[0x00, 0x00, 0x27, 0x0a], { kind: "shapefile" }],
  [toAsciiBytes("II*\0"), createForeign("a TIFF image, which is a raster")],
  [toAsciiBytes("MM\0*"), createForeign("a TIFF image, which is a raster")],
  [toAsciiBytes("II+\0"), createForeign("a TIFF image, which is a raster")],
  [toAsciiBytes("AC10"), createForeign("a DWG drawing")],
  [toAsciiBytes("ARROW1"), createConvertible("Arrow")],
  [[ANY, ANY, ANY, ANY, 0x0a, 0x09, ...toAsciiBytes("OSMHeader")], createConvertible("OpenStreetMap PBF")],
  [[0x89, ...toAsciiBytes("HDF")], createForeign("HDF5 or NetCDF")],
  [toAsciiBytes("CDF"), createForeign("NetCDF")],
  [toAsciiBytes("%PDF"), createForeign("a PDF")],
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    createSpreadsheet("an Excel workbook of before 2007 (.xls), or one with a password"),
  ],
  [[0x89, ...toAsciiBytes("PNG")], createForeign("a PNG image")],
  [[0xff, 0xd8, 0xff], createForeign("a JPEG image")],
  [toAsciiBytes("BZh"), createForeign("bzip2")],
  [[0xfd, ...toAsciiBytes("7zXZ")], createForeign("xz")],
  [[0x28, 0xb5, 0x2f, 0xfd], createForeign("zstd")],
  [[...toAsciiBytes("7z"), 0xbc, 0xaf], createForeign("a 7z archive")],
  [toAsciiBytes("Rar!"), createForeign("a RAR archive")],
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
