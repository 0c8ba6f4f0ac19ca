import {
  array,
  boolean,
  choice,
  number,
  object,
  optional,
  record,
  type Shape,
  text,
  union,
} from "../shape/shape.ts";

/**
 * Meaning of the values of a raster's cells. Each value that occurs is an area, background (examined, and nothing
 * there) or nodata (not examined); any other value stops the build. Cells outside the files are nodata.
 */
export interface CellsManifest {
  /** Number of the band that is read, from 1; absent: the only one. */
  readonly band?: number | undefined;
  /** The values that are areas, each one area: the union of all cells that hold it. */
  readonly values: readonly CellArea[];
  /** The values that are background; it covers a plot, and is never selected nor evidence. */
  readonly background?: readonly CellBackground[] | undefined;
  /** The values that are nodata; `nan` is the float that is not a number. */
  readonly nodata?: readonly (number | "nan" | CellRange)[] | undefined;
  /** Another reason for nodata in cells: a further band, or files on the same grid. */
  readonly mask?: CellMask | undefined;
  /**
   * Treatment of the nodata value in the tags of files. Absent: it must be one of `nodata`, if any cell has it.
   * `nodata`: cells that have it are nodata, whatever the table states. `ignored`: the tag is wrong, and the value has
   * its meaning in the table.
   */
  readonly nodata_tag?: "nodata" | "ignored" | undefined;
  /**
   * The masks that files contain or have beside them: inside, as alpha bands, or as `.msk`. Absent: the build stops
   * for an alpha band, and if another one hides a cell.
   */
  readonly file_mask?: "nodata" | "ignored" | undefined;
  /**
   * The scale and offset that files are tagged with. Absent: the build stops where there is one. `ignored`: the table
   * names values as they are stored.
   */
  readonly scale_tag?: "ignored" | undefined;
  /** Patches that are too small become background. */
  readonly patches?: CellPatches | undefined;
}

/** A value of cells; with `through` or `below` all values from it on to that one. */
export interface CellRange {
  /** As the cells hold it; of a range the first. */
  readonly value: number;
  /** The last value that belongs to it. */
  readonly through?: number | undefined;
  /** The first value that does not belong to it any more: of floats, which have neighbours without end. */
  readonly below?: number | undefined;
}

/** A value that is an area. */
export interface CellArea extends CellRange {
  /** Identifier of the area; absent: the value. */
  readonly id?: string | undefined;
  /** Name of the area. */
  readonly name?: string | undefined;
  /** Its colour on maps, `#rrggbb`. */
  readonly color?: string | undefined;
  /** Its columns besides `value`, which every area has: the value; for a range, the least. */
  readonly properties?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** A value that is background. */
export interface CellBackground extends CellRange {
  /** Name in legends. */
  readonly name?: string | undefined;
  /** Its colour on maps, `#rrggbb`. */
  readonly color?: string | undefined;
}

/** A mask: cells where it holds one of `nodata` are nodata, whatever the cell itself holds. */
export interface CellMask {
  /** Number of a band of the same files, from 1; absent: files of its own. */
  readonly band?: number | undefined;
  /** Paths of its files, relative to the manifest; in a snapshot they are left out. */
  readonly files?: readonly string[] | undefined;
  /** Values of the mask. */
  readonly nodata: readonly number[];
}

/** A patch is a set of cells of one area that hang together on the whole grid. */
export interface CellPatches {
  /** 4: cells hang together where they share an edge; 8: or a corner. */
  readonly neighbours: 4 | 8;
  /** Hectares of the smallest patch that stays. */
  readonly min_ha: number;
}

const line = text({ min: 1, max: 1024 });
const color = text({ pattern: /^#[0-9a-f]{6}$/, words: "a colour, #rrggbb, in lowercase" });
const band = number({ whole: true, min: 1, max: 1024 });
const range = {
  value: number(),
  through: optional(number()),
  below: optional(number()),
};

/** The member `cells` of a manifest. */
export const cellsShape: Shape<CellsManifest> = object<CellsManifest>({
  band: optional(band),
  values: array(
    object<CellArea>({
      ...range,
      id: optional(line),
      name: optional(line),
      color: optional(color),
      properties: optional(
        record(
          text({ min: 1, max: 256 }),
          union<[string, number, boolean]>(
            [text(), number(), boolean()],
            () => "a text, a number or a boolean",
          ),
        ),
      ),
    }),
    { min: 1 },
  ),
  background: optional(
    array(object<CellBackground>({ ...range, name: optional(line), color: optional(color) }), { max: 65536 }),
  ),
  nodata: optional(
    array(
      union<[number, "nan", CellRange]>(
        [number(), choice("nan"), object<CellRange>(range)],
        () => 'a value, "nan", or {"value": 250, "through": 255}',
      ),
      { max: 65536 },
    ),
  ),
  mask: optional(
    object<CellMask>({
      band: optional(band),
      files: optional(array(line, { min: 1, max: 65536 })),
      nodata: array(number(), { min: 1, max: 65536 }),
    }),
  ),
  nodata_tag: optional(choice("nodata", "ignored")),
  file_mask: optional(choice("nodata", "ignored")),
  scale_tag: optional(choice("ignored")),
  patches: optional(
    object<CellPatches>({ neighbours: choice(4, 8), min_ha: number({ above: 0, max: 1e9 }) }),
  ),
});
