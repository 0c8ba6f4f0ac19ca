export { gdalTranslate, gdalWarp } from "./geotiff/gdal-line.ts";
export type { BandScale } from "./geotiff/gdal-metadata.ts";
export { MOST_BLOCK_BYTES, MOST_CELLS, type TiffImage } from "./geotiff/image.ts";
export { isTiff } from "./geotiff/is-tiff.ts";
export type { NodataTag } from "./geotiff/nodata-tag.ts";
export { findNodata, type GeoTiff, ofFile, openGeoTiff, openMaskFile } from "./geotiff/open-geotiff.ts";
export type { RasterPlace } from "./geotiff/place.ts";
export type { Samples, SampleType } from "./geotiff/samples.ts";
