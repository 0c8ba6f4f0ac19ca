import type { FormatName, FormatReader } from "../format-reader.ts";

/** The reader of each format, loaded when the first file of it is read: reading GeoJSON loads no Parquet. */
export const READERS: Partial<Readonly<Record<FormatName, () => Promise<FormatReader>>>> = {
  flatgeobuf: async () => (await import("../flatgeobuf/reader.ts")).flatgeobufReader,
  geoparquet: async () => (await import("../parquet/reader.ts")).geoparquetReader,
  geopackage: async () => (await import("../geopackage/reader.ts")).geopackageReader,
  gpx: async () => (await import("../gpx/reader.ts")).gpxReader,
  kml: async () => (await import("../kml/reader.ts")).kmlReader,
  xlsx: async () => (await import("../xlsx/reader.ts")).xlsxReader,
  shapefile: async () => (await import("../shapefile/reader.ts")).shapefileReader,
};
