/** Data about countries; passed in, because the borders are a file. */
export interface Countries {
  /** ISO 3166-1 alpha-3 of a code of two letters or three; undefined of anything else. */
  iso3Of(code: string): string | undefined;
  /** ISO 3166-1 alpha-2 of a code of two letters or three; undefined of anything else. */
  iso2Of(code: string): string | undefined;
  /**
   * The territory of a country as areas that do not overlap, each of polygons as `BorderPiece` of
   * `@groundrule/borders` has them; undefined where it is not known.
   *
   * @param iso3 ISO 3166-1 alpha-3, in capitals
   */
  territoryOf(iso3: string): readonly Territory[] | undefined;
  /**
   * The countries whose territory holds a place, ISO 3166-1 alpha-3; none on land without a code.
   *
   * @param longitude degrees east, as WGS 84 has them
   * @param latitude degrees north
   *
   * @returns undefined in the sea, and where there is no such place
   */
  countriesAt(longitude: number, latitude: number): readonly string[] | undefined;
  /**
   * English name of a country.
   *
   * @param iso3 ISO 3166-1 alpha-3, in capitals
   */
  countryName(iso3: string): string;
}

/** An area: polygons, outer ring first, flat `[lon, lat, …]`, closed; outer rings counter-clockwise, holes clockwise. */
export type Territory = readonly (readonly Float64Array[])[];
