/** Content of a definition, whatever its form: text of either kind, or JSON. */
export interface DescribedCrs {
  readonly kind: "geographic" | "projected";
  readonly name: string;
  /** Its own identifier, if it states one: `EPSG:31982`, `OGC:CRS84`. */
  readonly id: string | undefined;
  /** Identifier of the geographic system on which it is based. */
  readonly baseId: string | undefined;
  readonly baseName: string;
  readonly datumName: string;
  readonly semiMajorMeters: number;
  /** 0 for a sphere. */
  readonly inverseFlattening: number;
  /** Degrees east of Greenwich; where the unit is open to doubt, one for each reading. */
  readonly meridianDegrees: readonly number[];
  /** Unit of its positions: radians for a geographic system, metres for a projected one; undefined if not stated. */
  readonly unit: number | undefined;
  readonly method: string | undefined;
  /** By name, in degrees, metres or as a factor. */
  readonly parameters: ReadonlyMap<string, number>;
  /** Directions of its axes, in lower case, as far as it lists them. */
  readonly directions: readonly string[];
  /** The PROJ string that GDAL writes into text of OGC if that cannot express everything. */
  readonly extension: string | undefined;
}

export const RADIANS_PER_DEGREE: number = Math.PI / 180;

/** Names are compared without case, spaces and marks; a plus distinguishes CH1903+ from CH1903. */
export function normalizeCrsName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}+]/gu, "");
}

/** An angle in degrees; a unit that is a degree but for its last digits changes no bit. */
export function toDegrees(value: number, radiansPerUnit: number): number {
  const ratio = radiansPerUnit / RADIANS_PER_DEGREE;
  return Math.abs(ratio - 1) < 1e-9 ? value : value * ratio;
}
