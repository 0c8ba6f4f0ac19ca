import type { Random } from "@groundrule/testing/random";
import { buildDiscRing } from "../packages/engine/src/geometry/earth/disc.ts";
import { parsePlot } from "../packages/engine/src/geometry/plot/parse-plot.ts";
import { plotGeometry } from "../packages/engine/src/geometry/plot/plot.ts";
import type { Postgis } from "./postgis.ts";
import { formatWktPolygon } from "./wkt.ts";

export interface DiscComparison {
  readonly compared: number;
  /** Maximum share of its bound by which an area differs from the one with geodesic edges. */
  readonly areaShare: number;
  /** Greatest distance of a vertex from where PROJ has it, metres. */
  readonly vertexMeters: number;
}

/** Measures discs and the positions of their vertices with PROJ. */
export async function compareDiscs(postgis: Postgis, random: Random, count: number): Promise<DiscComparison> {
  const discs = Array.from({ length: count }, (_, i) => {
    const [lon, lat] = [random.between(-160, 160), random.between(-89, 89)];
    const squareMeters = [1, 40_000, 1e9][i % 6] ?? 10 ** random.between(0, 9);
    return { lon, lat, squareMeters, k: random.integer(64), ring: buildDiscRing(lon, lat, squareMeters) };
  });
  const rows = await postgis.queryEach<{ area: number; meters: number }>(
    `SELECT ST_Area(disc_text::geography) AS area,
       ST_Distance(ST_Project(centre::geography, ST_Distance(centre::geography, north::geography), radians(azimuth)),
         vertex::geography) AS meters
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::float8[]) WITH ORDINALITY
       AS disc(disc_text, centre, north, vertex, azimuth, i)
     ORDER BY i`,
    discs.map(({ ring }) => formatWktPolygon([ring])),
    discs.map(({ lon, lat }) => `POINT(${lon} ${lat})`),
    discs.map(({ ring }) => `POINT(${ring[0]} ${ring[1]})`),
    discs.map(({ ring, k }) => `POINT(${ring[2 * k]} ${ring[2 * k + 1]})`),
    discs.map(({ k }) => (360 - 5.625 * k) % 360),
  );
  let [areaShare, vertexMeters] = [0, 0];
  for (const [i, { lat, squareMeters }] of discs.entries()) {
    const { area, meters } = rows[i]!;
    areaShare = Math.max(areaShare, Math.abs(area - squareMeters) / edgeErrorBound(lat, squareMeters));
    vertexMeters = Math.max(vertexMeters, meters);
  }
  return { compared: discs.length, areaShare, vertexMeters };
}

/**
 * Square metres by which areas with straight and with geodesic edges may differ: an edge of s metres at
 * latitude φ shifts the area by up to s³·tan|φ| / 8R; and what rounding and the tolerance of the radius leave.
 */
function edgeErrorBound(lat: number, squareMeters: number): number {
  const edge = (2 * Math.PI * Math.sqrt(squareMeters / Math.PI)) / 64;
  const poleward = Math.min(89.2, Math.abs(lat) + 0.2);
  return (64 * edge ** 3 * Math.tan((poleward * Math.PI) / 180)) / (8 * 6_371_000) + 0.0015;
}

export interface UnionComparison {
  readonly compared: number;
  readonly overlapping: number;
  /** Greatest share of the union's plane area by which the two differ. */
  readonly differentShare: number;
}

/** Lets GEOS unite discs. */
export async function compareUnions(
  postgis: Postgis,
  random: Random,
  count: number,
): Promise<UnionComparison> {
  const cases = Array.from({ length: count }, () => {
    const squareMeters = 10 ** random.between(1, 8);
    const [lon, lat] = [random.between(-160, 160), random.between(-80, 80)];
    const reach = (3 * Math.sqrt(squareMeters / Math.PI)) / 111_000;
    const points = Array.from({ length: 2 + random.integer(8) }, () => [
      lon + random.between(-1, 1) * reach,
      lat + random.between(-1, 1) * reach,
    ]);
    const disc = { squareMeters, pointer: "/area_ha" };
    const { plot, warnings } = parsePlot({ type: "MultiPoint", coordinates: points }, { disc });
    return {
      plot,
      isUnited: warnings.length > 0,
      discs: points.map(([x, y]) => buildDiscRing(x!, y!, squareMeters)),
    };
  });
  const rows = await postgis.queryEach<{ share: number }>(
    `SELECT abs(ST_Area(ours) - ST_Area(theirs)) / ST_Area(theirs) AS share
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given(ours_text, discs_text, i),
       LATERAL (SELECT ST_SetSRID(ST_GeomFromGeoJSON(ours_text), 0) AS ours,
         ST_UnaryUnion(discs_text::geometry) AS theirs) AS shapes
     ORDER BY i`,
    cases.map(({ plot }) => JSON.stringify(plotGeometry(plot))),
    cases.map(({ discs }) => `GEOMETRYCOLLECTION(${discs.map((ring) => formatWktPolygon([ring])).join()})`),
  );
  return {
    compared: cases.length,
    overlapping: cases.filter(({ isUnited }) => isUnited).length,
    differentShare: Math.max(...rows.map(({ share }) => share)),
  };
}
