/** The tags of TIFF 6.0, GeoTIFF 1.1 and GDAL that are read. */
export const TAG = {
  SUBFILE_TYPE: 254,
  WIDTH: 256,
  HEIGHT: 257,
  BITS: 258,
  COMPRESSION: 259,
  PHOTOMETRIC: 262,
  FILL_ORDER: 266,
  STRIP_OFFSETS: 273,
  SAMPLES: 277,
  STRIP_ROWS: 278,
  STRIP_BYTES: 279,
  PLANAR: 284,
  PREDICTOR: 317,
  COLOR_MAP: 320,
  TILE_WIDTH: 322,
  TILE_HEIGHT: 323,
  TILE_OFFSETS: 324,
  TILE_BYTES: 325,
  SAMPLE_FORMAT: 339,
  PIXEL_SCALE: 33550,
  TIEPOINT: 33922,
  TRANSFORMATION: 34264,
  GEO_KEYS: 34735,
  GDAL_NODATA: 42113,
} as const;

/** A file of reduced size, and one that says which cells of another count. */
export const SUBFILE = { REDUCED: 1, MASK: 4 } as const;
