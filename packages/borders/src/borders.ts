import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import zlib, { brotliDecompressSync } from "node:zlib";
import { EngineError } from "@groundrule/engine";
import type { CoverageInput, CoveragePieces } from "@groundrule/engine/build";
import { buildCountryCoverage, openBorders } from "@groundrule/engine/internal";
import { BorderIndex } from "./border-index.ts";
import { type BorderPiece, decodePieces } from "./decode-pieces.ts";
import { territoryIn, writeBorders } from "./write-borders.ts";

export type { BorderPiece };

/**
 * The borders of all countries as a snapshot: a leaf source named `borders`, one area a piece of the land, with a
 * column `countries`, the ISO 3166-1 alpha-3 codes whose widened territory holds it, joined by commas ("" for land
 * without a code). Made at the first call; every other gives the same bytes.
 *
 * Fails: never; the writer takes every piece.
 */
export function bordersSnapshot(): Uint8Array {
  snapshot ??= writeBorders(getBorders().pieces, { sha256: () => createHash("sha256"), crc32: zlib.crc32 });
  return snapshot;
}

/**
 * True if a country has borders here, that is, some territory that its code covers. Codes of overseas territories that
 * Natural Earth counts to their country have none, nor has `XKX`.
 *
 * @param iso3 ISO 3166-1 alpha-3, in capitals
 */
export function hasBorders(iso3: string): boolean {
  return getBorders().countries.has(iso3);
}

/**
 * The widened territory of a country as areas that do not overlap.
 *
 * @param iso3 ISO 3166-1 alpha-3, in capitals
 * @returns polygons of each area, as {@link BorderPiece} has them; undefined for a code without borders
 *   ({@link hasBorders})
 */
export function territoryOf(iso3: string): readonly BorderPiece["polygons"][] | undefined {
  const { pieces, countries } = getBorders();
  return countries.has(iso3) ? territoryIn(pieces, iso3) : undefined;
}

/**
 * The countries whose widened territory holds a place, ISO 3166-1 alpha-3, ascending; none on land without a code.
 *
 * @param longitude degrees on WGS 84; beyond ±180 it runs on round the earth
 * @param latitude degrees
 * @returns undefined in the sea, and where there is no such place
 */
export function countriesAt(longitude: number, latitude: number): readonly string[] | undefined {
  index ??= new BorderIndex(getBorders().pieces);
  return index.countriesAt(longitude, latitude);
}

/**
 * The pieces that make up the widened territory of some countries, and of all other pieces the polygons that may lie
 * within 1,000 km of those. Pieces that tell one of the countries are its territory, the others land of others.
 *
 * @param countries ISO 3166-1 alpha-3, in capitals, each with borders of its own
 * @returns pieces in the order of the borders; the same array for the same countries in any order
 *
 * Fails: `VALIDATION_FAILED` for a code without borders ({@link hasBorders}).
 */
export function piecesFor(countries: readonly string[]): readonly BorderPiece[] {
  const { countries: known, answers } = getBorders();
  const codes = [...new Set(countries)].sort();
  const key = codes.join();
  let answer = answers.get(key);
  if (answer === undefined) {
    const missing = codes.find((code) => !known.has(code));
    if (missing !== undefined) refuseCountryCode(missing);
    answer = getCoveragePieces(buildCountryCoverage(getOpenBorders(), codes, "declared"));
    answers.set(key, answer);
  }
  return answer;
}

function getCoveragePieces(coverage: CoverageInput): readonly BorderPiece[] {
  return "pieces" in coverage ? coverage.pieces : [];
}

function refuseCountryCode(code: string): never {
  throw new EngineError(
    "VALIDATION_FAILED",
    `found the country code "${code}", expected one that has borders of its own; give polygons for its territory`,
    { code },
  );
}

interface Borders {
  readonly pieces: readonly BorderPiece[];
  /** The countries that have borders. */
  readonly countries: ReadonlySet<string>;
  /** Earlier answers, by country codes. */
  readonly answers: Map<string, readonly BorderPiece[]>;
}

let borders: Borders | undefined;
let index: BorderIndex | undefined;
let snapshot: Uint8Array | undefined;
let opened: CoveragePieces | undefined;

function getBorders(): Borders {
  borders ??= readBorders();
  return borders;
}

function readBorders(): Borders {
  const pieces = decodePieces(brotliDecompressSync(readBordersFile()));
  const countries = new Set(pieces.flatMap((piece) => piece.countries));
  return { pieces, countries, answers: new Map() };
}

/** A bundle has this module, but not the file; one of CommonJS has no `import.meta.url` either. */
function readBordersFile(): Uint8Array {
  try {
    return readFileSync(new URL("./borders.br", import.meta.url));
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(
      `cannot read the borders (${message}); put the file dist/borders.br of @groundrule/borders beside the bundle, an ES module, or leave that package out of it`,
      { cause },
    );
  }
}

function getOpenBorders(): CoveragePieces {
  opened ??= openBorders(bordersSnapshot(), { crc32: zlib.crc32 });
  return opened;
}
