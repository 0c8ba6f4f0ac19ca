import type { LocalFile } from "../../file/local-file.ts";
import { createFormatError, FormatError } from "../../format-error.ts";
import {
  type Feature,
  type FormatReader,
  type OpenTable,
  type ReadOptions,
  type Row,
  readGeometryOrFault,
} from "../../format-reader.ts";
import { readXmlElements, type XmlElement } from "../../kml/xml-elements.ts";
import { resolveFormatLimits } from "../../limits.ts";
import { isDecimal } from "../../values.ts";

/**
 * Reads GPX, what receivers record: tracks as lines, one of several where their segments are several, routes as lines,
 * and waypoints as points, in the order of the file. `tracks`, `routes` and `waypoints` are its layers; absent: all.
 * Heights are dropped. A track that ends where it starts is still a line: `plots fix` makes its border of it.
 *
 * Fails: `FILE_DAMAGED` for what is no well-formed XML, `FORMAT_UNKNOWN` for another language, `TEXT_TOO_LARGE`,
 * `TEXT_NOT_UTF8`, `ENCODING_UNKNOWN`, `LAYER_UNKNOWN`. A position that is none is a `fault` of its feature.
 */
export const reader: FormatReader = {
  async open(file: LocalFile, options: ReadOptions): Promise<OpenTable> {
    const { layer } = options;
    if (layer === undefined || LAYERS.has(layer)) return new GpxTable(file, options);
    const layers = [...LAYERS.keys()];
    const expected = `one of ${layers.join(", ")}`;
    throw new FormatError("LAYER_UNKNOWN", `found no layer "${layer}" in GPX, expected ${expected}`, {
      found: `no layer "${layer}"`,
      expected,
      layers,
    });
  },
};

/** Elements of each layer, which are read whole. */
const LAYERS: ReadonlyMap<string, string> = new Map([
  ["tracks", "trk"],
  ["routes", "rte"],
  ["waypoints", "wpt"],
]);
const KINDS: Readonly<Record<string, string>> = { trk: "track", rte: "route", wpt: "waypoint" };

class GpxTable implements OpenTable {
  readonly format = "gpx";
  readonly crs = "EPSG:4326";
  readonly isPacked = false;
  readonly layer: string | undefined;
  readonly #file: LocalFile;
  readonly #options: ReadOptions;

  constructor(file: LocalFile, options: ReadOptions) {
    this.#file = file;
    this.#options = options;
    this.layer = options.layer;
  }

  async *features(): AsyncGenerator<Feature, void, undefined> {
    const wanted = this.layer === undefined ? undefined : LAYERS.get(this.layer);
    let number = 0;
    let isFirst = true;
    const events = readXmlElements(this.#file, {
      encoding: this.#options.encoding,
      limits: resolveFormatLimits(this.#options),
      isWhole: (name) => Object.hasOwn(KINDS, name),
    });
    for await (const { event, element } of events) {
      if (isFirst && element.name !== "gpx") {
        const found = `the element <${element.name.slice(0, 40)}>`;
        throw createFormatError("FORMAT_UNKNOWN", found, "<gpx>", { place: { line: element.line } });
      }
      isFirst = false;
      if (event !== "element" || (wanted !== undefined && element.name !== wanted)) continue;
      yield {
        place: { feature: ++number, line: element.line },
        id: undefined,
        properties: readElementProperties(element),
        crs: this.crs,
        ...readGeometryOrFault(() => toGeometry(element)),
      };
    }
  }

  async *rows(): AsyncGenerator<Row, void, undefined> {
    for await (const { place, properties } of this.features()) {
      yield { place: { row: place.feature, line: place.line! }, cells: properties };
    }
  }

  async close(): Promise<void> {}
}

type Position = [number, number];

/** Fails: `GEOMETRY_INVALID`, as `FormatError`, for a position that is none. */
function toGeometry(element: XmlElement): unknown {
  if (element.name === "wpt") return { type: "Point", coordinates: readElementPosition(element) };
  if (element.name === "rte") return toLine(listChildrenByName(element, "rtept").map(readElementPosition));
  const segments = listChildrenByName(element, "trkseg")
    .map((segment) => listChildrenByName(segment, "trkpt").map(readElementPosition))
    .filter(({ length }) => length > 0);
  // A receiver that was switched on and off leaves a segment of one position.
  const lines = segments.filter(({ length }) => length > 1);
  if (lines.length > 1) return { type: "MultiLineString", coordinates: lines };
  return toLine(lines[0] ?? segments[0] ?? []);
}

function toLine(positions: readonly Position[]): unknown {
  return positions.length === 0 ? null : { type: "LineString", coordinates: positions };
}

function readElementPosition({ name, line, attributes }: XmlElement): Position {
  const [longitude, latitude] = ["lon", "lat"].map((axis) => attributes.get(axis)?.trim() ?? "");
  if (isDecimal(longitude!) && isDecimal(latitude!)) return [Number(longitude), Number(latitude)];
  const found = `a ${name} with lat "${latitude!.slice(0, 24)}" and lon "${longitude!.slice(0, 24)}"`;
  throw createFormatError("FILE_DAMAGED", found, "two numbers", { place: { line } });
}

function listChildrenByName({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === name);
}

/** Parts of a track, route or waypoint that are texts of its own. */
const TEXTS = new Set(["name", "cmt", "desc", "src", "number", "type", "sym", "time", "fix", "sat", "hdop"]);

/** Its texts, what it is, and of a track or route its segments and when it was recorded. */
function readElementProperties(element: XmlElement): ReadonlyMap<string, unknown> {
  const properties = new Map<string, unknown>();
  for (const { name, text } of element.children) {
    if (TEXTS.has(name) && text.trim() !== "" && !properties.has(name)) properties.set(name, text.trim());
  }
  properties.set("gpx", KINDS[element.name]);
  if (element.name === "wpt") return properties;
  const segments = element.name === "rte" ? [element] : listChildrenByName(element, "trkseg");
  if (element.name === "trk") properties.set("segments", segments.length);
  const times = segments
    .flatMap(({ children }) => children)
    .flatMap((point) => listChildrenByName(point, "time").map(({ text }) => text.trim()))
    .filter((time) => time !== "");
  if (times.length > 0) properties.set("time_start", times[0]).set("time_end", times.at(-1));
  return properties;
}
