// Writes packages/borders/src/borders.br: the territories of Natural Earth's countries, widened and cut into pieces
// (docs/semantics/borders.md). PostGIS runs in this process, for some three minutes:
//   npm run tool -- write-borders
import { writeFileSync } from "node:fs";
import { startPostgis } from "../../oracles/postgis.ts";
import { cutTerritories } from "./cut.ts";
import { encodePieces } from "./encode-pieces.ts";
import { type NaturalEarthCountry, type Ring, readNaturalEarth } from "./natural-earth.ts";
import { simplifyRing, widenTerritory } from "./widen.ts";
import "./write-outlines.ts";

const postgis = await startPostgis();
const territories = new Map<string, readonly Ring[]>();
for (const [code, polygons] of groupPolygonsByCode(readNaturalEarth())) {
  const outlines = await widenTerritory(postgis, polygons);
  territories.set(
    code,
    outlines.map((ring) => simplifyRing(ring)),
  );
}
const pieces = await cutTerritories(postgis, territories);
await postgis.close();
const file = encodePieces(pieces);
writeFileSync(new URL("../../packages/borders/src/borders.br", import.meta.url), file);

const rings = pieces.flatMap(({ polygons }) => polygons.flat());
console.log(
  `${file.length} bytes: ${pieces.length} pieces, ${rings.length} rings, ` +
    `${rings.reduce((sum, ring) => sum + ring.length, 0)} positions`,
);

/** Polygons of each country, those of all territories without a code under "". */
function groupPolygonsByCode(countries: readonly NaturalEarthCountry[]): Map<string, Ring[][]> {
  const byCode = new Map<string, Ring[][]>();
  for (const { iso3, polygons } of countries) {
    byCode.set(iso3 ?? "", [...(byCode.get(iso3 ?? "") ?? []), ...polygons]);
  }
  return byCode;
}
