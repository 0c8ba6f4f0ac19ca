import type { LocalFile } from "../file/local-file.ts";
import { noLayersError } from "../file/unsupported.ts";
import { createFormatError, FormatError } from "../format-error.ts";
import type { Feature, FormatReader, OpenTable, ReadOptions, Row } from "../format-reader.ts";
import { resolveFormatLimits } from "../limits.ts";
import { openZipArchive, type ZipEntry } from "../zip/open-zip.ts";
import { unpackEntryToFile } from "../zip/unpack-entry.ts";
import { GeometryProblem, readPlacemarkGeometry } from "./geometry.ts";
import { readPlacemarkProperties, readSchemaFieldTypes } from "./properties.ts";
import { readXmlElements, type XmlElement } from "./xml-elements.ts";

/**
 * Reads the placemarks of a KML document, or of a KMZ archive, in their order: always longitude and latitude on WGS 84.
 * Folders are a property (`folder`), not layers. A link to another document (`NetworkLink`) is not followed: it is a
 * feature with a `fault` that says so.
 *
 * Fails: `FILE_DAMAGED` for what is no well-formed XML, `FORMAT_UNKNOWN` for another language, `TEXT_TOO_LARGE`,
 * `TEXT_NOT_UTF8`, `ENCODING_UNKNOWN`; of an archive as `openZipArchive`, and `LAYER_AMBIGUOUS` or `LAYER_UNKNOWN` for its
 * documents. A geometry that cannot be read is a `fault`.
 */
export const reader: FormatReader = {
  async open(file: LocalFile, options: ReadOptions): Promise<OpenTable> {
    const [p, k] = await file.read(0, 2);
    if (p !== 0x50 || k !== 0x4b) {
      if (options.layer === undefined) return new KmlTable(file, undefined, options);
      throw noLayersError("KML", options.layer);
    }
    const archive = await openZipArchive(file, { limits: options.limits });
    const entry = selectKmlDocument(archive.entries, options.layer);
    const document = await unpackEntryToFile(archive, entry, resolveFormatLimits(options).unpackedBytes);
    return new KmlTable(document, entry.name, options);
  },
};

/** The only document, or the one that is named, or the one that an archive opens with. */
function selectKmlDocument(entries: readonly ZipEntry[], wanted: string | undefined): ZipEntry {
  const documents = entries.filter(({ name }) => /\.kml$/i.test(name));
  const layers = documents.map(({ name }) => name);
  if (documents.length === 0) {
    throw new FormatError("ARCHIVE_INVALID", "found no .kml in the archive, expected one", {
      found: "no .kml",
      expected: "one .kml",
    });
  }
  const named = documents.find(({ name }) => name === (wanted ?? "doc.kml"));
  if (named !== undefined) return named;
  if (wanted === undefined && documents.length === 1) return documents[0]!;
  const message =
    wanted === undefined
      ? `found ${documents.length} documents, expected one to be named (--layer): ${layers.join(", ")}`
      : `found no document "${wanted}", expected one of ${layers.join(", ")}`;
  throw new FormatError(wanted === undefined ? "LAYER_AMBIGUOUS" : "LAYER_UNKNOWN", message, { layers });
}

const WHOLE = new Set(["Placemark", "NetworkLink", "Schema"]);
/** Root elements of a document; Google's tools omit `kml`. */
const ROOTS = new Set(["kml", "Document", "Folder", "Placemark"]);

class KmlTable implements OpenTable {
  readonly format = "kml";
  readonly crs = "EPSG:4326";
  readonly isPacked: boolean;
  readonly layer: string | undefined;
  readonly #document: LocalFile;
  readonly #options: ReadOptions;

  /** @param entry of the document in its archive */
  constructor(document: LocalFile, entry: string | undefined, options: ReadOptions) {
    this.#document = document;
    this.isPacked = entry !== undefined;
    this.layer = entry;
    this.#options = options;
  }

  async *features(): AsyncGenerator<Feature, void, undefined> {
    const schemas = new Map<string, ReadonlyMap<string, string>>();
    const folders: XmlElement[] = [];
    let number = 0;
    let isFirst = true;
    for await (const { event, element } of this.#events()) {
      if (isFirst && !ROOTS.has(element.name)) throw notKmlError(element);
      isFirst = false;
      if (event === "open") folders.push(element);
      else if (event === "close") closeElement(folders);
      else if (element.name === "Schema")
        schemas.set(element.attributes.get("id") ?? "", readSchemaFieldTypes(element));
      else if (element.name === "NetworkLink") yield toLinkFeature(element, ++number);
      else {
        const names = folders.flatMap(({ name, children }) =>
          name === "Folder" ? [children[0]?.text.trim() ?? ""] : [],
        );
        const place = { feature: ++number, line: element.line };
        yield {
          place,
          id: element.attributes.get("id"),
          properties: readPlacemarkProperties(
            element,
            names.filter((name) => name !== ""),
            schemas,
          ),
          crs: this.crs,
          ...this.#readGeometry(element),
        };
      }
    }
    if (isFirst) throw new Error("XML without an element is not well-formed");
  }

  async *rows(): AsyncGenerator<Row, void, undefined> {
    for await (const { place, properties } of this.features()) {
      yield { place: { row: place.feature, line: place.line! }, cells: properties };
    }
  }

  async close(): Promise<void> {
    if (this.isPacked) await this.#document.close();
  }

  #events(): ReturnType<typeof readXmlElements> {
    return readXmlElements(this.#document, {
      encoding: this.#options.encoding,
      limits: resolveFormatLimits(this.#options),
      isWhole: (name) => WHOLE.has(name),
    });
  }

  #readGeometry(placemark: XmlElement): Pick<Feature, "geometry" | "fault" | "notes"> {
    try {
      return readPlacemarkGeometry(placemark, this.#options.swapAxes === true);
    } catch (error) {
      if (!(error instanceof GeometryProblem)) throw error;
      const code = error.isUnsupported ? "FORMAT_UNSUPPORTED" : "FILE_DAMAGED";
      return { geometry: null, fault: { code, message: `line ${error.line}: ${error.message}` } };
    }
  }
}

/** The name of a folder stands among its children, which are not kept: it is, as the only one. */
function closeElement(open: XmlElement[]): void {
  const closed = open.pop()!;
  const parent = open[open.length - 1];
  if (parent?.name === "Folder" && closed.name === "name") parent.children.push(closed);
}

function toLinkFeature(link: XmlElement, number: number): Feature {
  const place = { feature: number, line: link.line };
  const target = link.children
    .filter(({ name }) => name === "Link" || name === "Url")
    .flatMap(({ children }) => children.filter(({ name }) => name === "href"))[0];
  const found = `a link to ${target === undefined ? "another document" : `"${target.text.trim().slice(0, 200)}"`}`;
  const message = `found ${found}, which is not followed, expected placemarks: save that document and read it, or, if it is in the same archive, name it with --layer`;
  return {
    place,
    id: link.attributes.get("id"),
    geometry: null,
    fault: { code: "FORMAT_UNSUPPORTED", message },
    properties: readPlacemarkProperties(link, [], new Map()),
    crs: "EPSG:4326",
  };
}

function notKmlError({ name, line }: XmlElement): FormatError {
  return createFormatError("FORMAT_UNKNOWN", `the element <${name.slice(0, 40)}>`, "<kml>", {
    place: { line },
  });
}
