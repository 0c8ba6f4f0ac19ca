import type { FormatName, FormatReader } from "../format-reader.ts";

/** The reader of each format, loaded when the first file of it is read: reading GeoJSON loads no Parquet. */
export const READERS: Partial<Readonly<Record<FormatName, () => Promise<FormatReader>>>> = {
  flatgeobuf: async () => (await import("../readers/flatgeobuf/reader.ts")).flatgeobufReader,
  geoparquet: async () => (await import("../readers/parquet/reader.ts")).geoparquetReader,
  geopackage: async () => (await import("../readers/geopackage/reader.ts")).geopackageReader,
  gpx: async () => (await import("../readers/gpx/reader.ts")).gpxReader,
  kml: async () => (await import("../kml/reader.ts")).kmlReader,
  xlsx: async () => (await import("../readers/xlsx/reader.ts")).xlsxReader,
  shapefile: async () => (await import("../shapefile/reader.ts")).shapefileReader,
};
