import type { Postgis } from "../../oracles/postgis.ts";
import { createInsideTest } from "./inside-test.ts";
import type { Ring } from "./natural-earth.ts";

/** Positions of pieces are multiples of a ten-thousandth of a degree: 11 m at most. */
export const STEPS_PER_DEGREE = 10_000;
/** Pieces end at multiples of this many degrees, so that what is near to a place is little. */
const CELL_DEGREES = 5;

/** Part of the land within one cell, all of whose positions lie in the widened territory of the same countries. */
export interface CutPiece {
  /** ISO 3166-1 alpha-3, ascending; none where only territories without a code are. */
  readonly countries: readonly string[];
  /** Rings of each polygon, outer first; whole numbers of steps. */
  readonly polygons: Ring[][];
}

/**
 * Cuts territories into pieces, an exact partition of their union: all outlines and the lines between cells are
 * snapped to one grid and noded, each face between them belongs to the territories that hold a point of it, and
 * faces of the same cell and countries are one piece.
 *
 * @param territories outlines by ISO 3166-1 alpha-3, "" for territories without a code; a position is in where it
 *   is in an odd number of rings
 */
export async function cutTerritories(
  postgis: Postgis,
  territories: ReadonlyMap<string, readonly Ring[]>,
): Promise<CutPiece[]> {
  const faces = await findFaces(postgis, [...[...territories.values()].flat(), ...listCellLines()]);
  const insideTests = [...territories].map(([code, rings]) => ({ code, isInside: createInsideTest(rings) }));
  const groups = new Map<string, { countries: string[]; faces: string[] }>();
  for (const { face, x, y } of faces) {
    if (Math.abs(x) > 180 || Math.abs(y) > 90) continue;
    const holders = insideTests.filter(({ isInside }) => isInside(x, y)).map(({ code }) => code);
    if (holders.length === 0) continue;
    const countries = holders.filter((code) => code !== "").sort();
    const cell = [x, y].map((degrees) => Math.floor(degrees / CELL_DEGREES));
    const key = JSON.stringify([cell, countries]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { countries, faces: [face] });
    else group.faces.push(face);
  }
  const pieces: CutPiece[] = [];
  for (const key of [...groups.keys()].sort()) {
    const { countries, faces: members } = groups.get(key)!;
    pieces.push({ countries, polygons: await uniteFaces(postgis, members) });
  }
  return pieces;
}

function listCellLines(): Ring[] {
  const lines: Ring[] = [];
  for (let x = -180; x <= 180; x += CELL_DEGREES)
    lines.push([
      [x, -90],
      [x, 90],
    ]);
  for (let y = -90; y <= 90; y += CELL_DEGREES)
    lines.push([
      [-180, y],
      [180, y],
    ]);
  return lines;
}

interface Face {
  /** Well-known binary, in hexadecimal digits. */
  readonly face: string;
  /** A position within. */
  readonly x: number;
  readonly y: number;
}

/** In steps of the grid, which are whole numbers and so exact. */
async function findFaces(postgis: Postgis, lines: readonly Ring[]): Promise<Face[]> {
  const step = (degrees: number): number => Math.round(degrees * STEPS_PER_DEGREE);
  const wkt = `MULTILINESTRING(${lines
    .map((line) => `(${line.map(([x, y]) => `${step(x)} ${step(y)}`).join()})`)
    .join()})`;
  return postgis.query<Face>(
    `WITH noded AS (SELECT ST_UnaryUnion(ST_GeomFromText($1), 1) AS g),
      face AS (SELECT (ST_Dump(ST_Polygonize(g))).geom AS g FROM noded),
      inner_point AS (SELECT g, ST_PointOnSurface(g) AS p FROM face)
    SELECT encode(ST_AsBinary(g), 'hex') AS face, ST_X(p) / $2::float8 AS x, ST_Y(p) / $2::float8 AS y
    FROM inner_point`,
    [wkt, STEPS_PER_DEGREE],
  );
}

/** Leaves out the edges that faces share, and moves none: a union on the grid may snap an edge to a position near it. */
async function uniteFaces(postgis: Postgis, faces: readonly string[]): Promise<Ring[][]> {
  const [row] = await postgis.query<{ polygons: Ring[][] }>(
    `WITH face AS (SELECT ST_GeomFromWKB(decode(unnest($1::text[]), 'hex')) AS g)
    SELECT ST_AsGeoJSON(ST_Multi(ST_CoverageUnion(g)), 0)::json -> 'coordinates' AS polygons FROM face`,
    [faces],
  );
  if (row === undefined) throw new Error("an exception within GEOS ended the query");
  return row.polygons;
}
