export {
  type BorderPiece,
  bordersSnapshot,
  countriesAt,
  hasBorders,
  piecesFor,
  territoryOf,
} from "./borders.ts";
export { iso2OfCountry, iso3OfCountry } from "./country-names.ts";
export { countryName, iso2Of, iso3Of } from "./iso-3166.ts";
