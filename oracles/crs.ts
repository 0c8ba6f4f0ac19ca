import { createSeededRandom } from "@groundrule/testing/random";
import { crsTable } from "../packages/crs/src/crs-table.ts";
import { SHIFTS, SYSTEMS } from "../packages/crs/src/systems.ts";
import type { Postgis } from "./postgis.ts";
import type { Extent, Helmert, Registry, RegistryCrs } from "./registry.ts";

/** Distance of the engine's transform of one CRS from PROJ's. */
export interface CrsComparison {
  readonly code: number;
  readonly name: string;
  /** The registry's operation that has the engine's parameters; undefined where there is no shift. */
  readonly operation: Helmert | undefined;
  /** Largest distance where PROJ applies the same shift. */
  readonly sameShiftMeters: number;
  /** Largest distance, within the area of the shift, where PROJ chooses for itself, without grid files. */
  readonly ownChoiceMeters: number;
}

/** Compares at random positions of the area of use. */
export async function compareCrs(
  postgis: Postgis,
  registry: Registry,
  code: number,
  positions: number,
): Promise<CrsComparison> {
  const crs = registry.findCrs(code);
  const transform = crsTable.find(code)?.transform;
  if (crs === undefined || transform === undefined) throw new Error(`EPSG:${code} is not known to both`);
  const operation = findHelmertOperation(registry, crs);
  const areas = SYSTEMS.get(code)!.areas.map(([west, south, east, north]) => ({ west, south, east, north }));
  const places = samplePositions(
    operation === undefined ? areas : intersectAreas(areas, operation.area),
    code,
    positions,
  );
  const greenwich = `ST_Transform(geographic, ${operation?.source ?? crs.base})`;
  const urn = `'urn:ogc:def:coordinateOperation:EPSG::${operation?.code}'`;
  const shifted = operation === undefined ? greenwich : `ST_TransformPipeline(${greenwich}, ${urn}, 4326)`;
  const rows = await postgis.queryEach<Row>(
    `SELECT ST_X(own) AS x, ST_Y(own) AS y, ST_X(same) AS "sameX", ST_Y(same) AS "sameY",
       ST_X(chosen) AS "chosenX", ST_Y(chosen) AS "chosenY"
     FROM unnest($1::float8[], $2::float8[]) WITH ORDINALITY AS place(lon, lat, i),
       LATERAL ST_SetSRID(ST_MakePoint(lon, lat), ${crs.base}) AS geographic,
       LATERAL ST_Transform(geographic, ${code}) AS own,
       LATERAL ${shifted} AS same,
       LATERAL ST_Transform(geographic, 4326) AS chosen
     ORDER BY i`,
    places.map(([lon]) => lon),
    places.map(([, lat]) => lat),
  );
  let sameShiftMeters = 0;
  let ownChoiceMeters = 0;
  for (const { x, y, sameX, sameY, chosenX, chosenY } of rows) {
    const position: [number, number] = [x, y];
    transform(position);
    sameShiftMeters = Math.max(sameShiftMeters, metersBetween(position, [sameX, sameY]));
    ownChoiceMeters = Math.max(ownChoiceMeters, metersBetween(position, [chosenX, chosenY]));
  }
  return { code, name: crs.name, operation, sameShiftMeters, ownChoiceMeters };
}

/** Adds the registry's CRSs to PostGIS's own table, which is older. */
export async function addCrsCodes(postgis: Postgis, codes: readonly number[]): Promise<void> {
  await postgis.query(
    `INSERT INTO spatial_ref_sys (srid, auth_name, auth_srid)
     SELECT code, 'EPSG', code FROM unnest($1::int[]) AS code ON CONFLICT DO NOTHING`,
    [codes],
  );
}

interface Row {
  readonly x: number;
  readonly y: number;
  readonly sameX: number;
  readonly sameY: number;
  readonly chosenX: number;
  readonly chosenY: number;
}

type Box = Omit<Extent, "name">;
type Position = readonly [number, number];

/**
 * Frames whose operations the registry lists under another frame: NTF (Paris) under NTF from Greenwich, Kertau (RSO)
 * under Kertau 1968.
 */
const OPERATIONS_UNDER: ReadonlyMap<number, number> = new Map([
  [4807, 4275],
  [4751, 4245],
]);

function findHelmertOperation(registry: Registry, crs: RegistryCrs): Helmert | undefined {
  const shift = SYSTEMS.get(crs.code)!.shift;
  if (shift === undefined) return undefined;
  const parameters = SHIFTS.get(shift)!.towgs84;
  const found = registry
    .helmertsFrom(OPERATIONS_UNDER.get(crs.base) ?? crs.base)
    .find((helmert) =>
      helmert.parameters.every(
        (value, i) => Math.abs(value - (parameters[i] ?? 0)) <= 1e-14 * Math.abs(value),
      ),
    );
  if (found === undefined)
    throw new Error(`EPSG:${crs.code} is shifted as no operation of the registry does: ${parameters}`);
  return found;
}

/** The part of an area of use in which an operation is meant to be used; all of it where there is none (Arc 1960 in Uganda). */
function intersectAreas(areas: readonly Box[], { west, south, east, north }: Box): readonly Box[] {
  const parts = areas
    .map((area) => ({
      west: Math.max(west, area.west),
      south: Math.max(south, area.south),
      east: Math.min(east, area.east),
      north: Math.min(north, area.north),
    }))
    .filter((area) => area.west < area.east && area.south < area.north);
  return parts.length === 0 ? areas : parts;
}

function samplePositions(areas: readonly Box[], seed: number, count: number): Position[] {
  const random = createSeededRandom(seed);
  return Array.from({ length: count }, () => {
    const { west, south, east, north } = areas[random.integer(areas.length)]!;
    const eastward = east < west ? east + 360 : east;
    return [random.between(west, eastward), random.between(south, north)];
  });
}

const METERS_PER_DEGREE = 111_319.5;

/** Good to a percent, for positions close to each other; whole turns do not count. */
function metersBetween([lonA, latA]: Position, [lonB, latB]: Position): number {
  const turn = lonA - lonB - 360 * Math.round((lonA - lonB) / 360);
  return METERS_PER_DEGREE * Math.hypot(turn * Math.cos((latB * Math.PI) / 180), latA - latB);
}
