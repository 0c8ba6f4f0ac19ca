import { type BorderPiece, hasBorders, piecesFor } from "@groundrule/borders";
import { toPositions } from "@groundrule/engine/internal";
import { iso31661 } from "iso-3166";

/**
 * Countries in the Annex of Commission Implementing Regulation (EU) 2025/1093 of 22 May 2025, by ISO 3166-1 alpha-3;
 * and the members of the United Nations that it does not list, whose risk is standard (art. 1(2)).
 */
export const BENCHMARK = {
  low: "AFG ALB AND ARE ARM ATG AUS AUT AZE BDI BEL BGD BGR BHR BHS BIH BRB BRN BTN CAF CAN CHE CHL CHN COG COM CPV CRI CUB CYP CZE DEU DJI DMA DNK DOM DZA EGY ESP EST FIN FJI FRA FSM GAB GBR GEO GHA GRC GRD GUY HRV HUN IND IRL IRN IRQ ISL ITA JAM JOR JPN KAZ KEN KGZ KIR KNA KOR KWT LAO LBN LBY LCA LIE LKA LSO LTU LUX LVA MAR MCO MDA MDG MDV MHL MKD MLI MLT MNE MNG MUS NLD NOR NPL NRU NZL OMN PHL PLW PNG POL PRT PSE QAT ROU RWA SAU SGP SLB SMR SRB SSD STP SUR SVK SVN SWE SWZ SYC SYR TGO THA TJK TKM TLS TON TTO TUN TUR TUV UKR URY USA UZB VCT VNM VUT WSM YEM ZAF",
  high: "BLR MMR PRK RUS",
  standard:
    "AGO ARG BEN BFA BLZ BOL BRA BWA CIV CMR COD COL ECU ERI ETH GIN GMB GNB GNQ GTM HND HTI IDN ISR KHM LBR MEX MOZ MRT MWI MYS NAM NER NGA NIC PAK PAN PER PRY SDN SEN SLE SLV SOM TCD TZA UGA VEN ZMB ZWE",
} as const;

/**
 * The pieces of the borders with their benchmark, as GeoJSON features, one a line: `id`, `countries` (ISO 3166-1
 * alpha-3, joined by commas) and `benchmark`. It is null where it is not known: in territories that no list
 * names, and in the strip along a border, up to 5 km to both sides, between countries of different benchmarks.
 */
export function* generateCountryBenchmark(): Generator<string> {
  const codes = iso31661.map(({ alpha3 }) => alpha3).filter(hasBorders);
  for (const [index, piece] of piecesFor(codes).entries()) {
    const properties = {
      id: String(index + 1),
      countries: piece.countries.join(),
      benchmark: findBenchmark(piece),
    };
    const coordinates = piece.polygons.map((rings) => rings.map(toPositions));
    yield `${JSON.stringify({ type: "Feature", properties, geometry: { type: "MultiPolygon", coordinates } })}\n`;
  }
}

const LEVELS: ReadonlyMap<string, string> = new Map(
  Object.entries(BENCHMARK).flatMap(([level, codes]) => codes.split(" ").map((code) => [code, level])),
);

/**
 * Where a country lies whose code also covers overseas territories with a code of their own, such as French
 * Guiana, which the list does not name: west, south, east, north.
 */
const HOME: ReadonlyMap<string, readonly [number, number, number, number]> = new Map([
  ["FRA", [-6, 41, 10, 52]],
  ["NLD", [3, 50, 8, 54]],
  ["NOR", [4, 57, 32, 72]],
  ["NZL", [-180, -60, 180, -30]],
]);

function findBenchmark({ countries, polygons }: BorderPiece): string | null {
  const [x, y] = polygons[0]![0]!;
  const levels = new Set(
    countries.map((code) => {
      const [west, south, east, north] = HOME.get(code) ?? [-180, -90, 180, 90];
      return west <= x! && x! <= east && south <= y! && y! <= north ? LEVELS.get(code) : undefined;
    }),
  );
  const [level] = levels;
  return levels.size === 1 ? (level ?? null) : null;
}
