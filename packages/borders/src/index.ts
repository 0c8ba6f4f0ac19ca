export { type BorderPiece, bordersSnapshot, hasBorders, piecesFor, territoryOf } from "./borders.ts";
export { iso2Of, iso3Of } from "./iso-3166.ts";
