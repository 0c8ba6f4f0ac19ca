// The borders for hosts without files: whoever has the bytes of `borders.br`, decompressed, reads them here.
export { BorderIndex } from "./border-index.ts";
export { type BorderPiece, decodePieces } from "./decode-pieces.ts";
export { territoryIn, writeBorders } from "./write-borders.ts";
