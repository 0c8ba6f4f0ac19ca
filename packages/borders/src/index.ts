export { type BorderPiece, bordersSnapshot, hasBorders, piecesFor } from "./borders.ts";
export { iso3Of } from "./iso-3166.ts";
