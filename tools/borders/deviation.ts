import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type Engine, openEngine } from "@groundrule/engine";
import { snapshotOf } from "@groundrule/engine/build";
import { createInsideTest } from "./inside-test.ts";
import { type Ring, readNaturalEarth } from "./natural-earth.ts";

/** A position of an outline that lies outside of a territory. */
export interface Stray {
  /** Name of the part of the outline. */
  readonly name: string;
  readonly at: readonly [number, number];
  /** Metres to the territory; infinite beyond 1,000 km. */
  readonly meters: number;
}

/** Where the outlines of two Brazils stray from each other, a position every 300 m, nearest first. */
export interface Deviation {
  /** IBGE's beyond Natural Earth's, where Natural Earth has another country. */
  readonly intoOthers: readonly Stray[];
  /** IBGE's beyond Natural Earth's, where Natural Earth has no land. */
  readonly intoTheSea: readonly Stray[];
  /** Natural Earth's land borders beyond IBGE's. */
  readonly fromOthers: readonly Stray[];
  /** Natural Earth's coasts beyond IBGE's. */
  readonly fromTheSea: readonly Stray[];
}

/** Outline of a part of a territory, and what it is called. */
interface Part {
  readonly name: string;
  readonly ring: Ring;
}

/**
 * Compares the Brazil of IBGE's municipalities with Natural Earth's, which is not widened.
 *
 * @param folder the folder of real data, with `br_ibge_municipalities.geojson.gz`
 */
export function compareBrazilBorders(folder: string): Deviation {
  const ibge = readMunicipalities(join(folder, "br_ibge_municipalities.geojson.gz"));
  const countries = readNaturalEarth();
  const partsOf = (isMeant: (iso3: string | null) => boolean): Part[] =>
    countries
      .filter(({ iso3 }) => isMeant(iso3))
      .flatMap(({ name, polygons }) => polygons.flat().map((ring) => ({ name, ring })));
  const brazil = partsOf((iso3) => iso3 === "BRA");
  const others = partsOf((iso3) => NEIGHBOURS.has(iso3 ?? ""));

  const beyond = findStrayPositions(ibge, brazil);
  const isOthers = createInsideTest(
    others.map(({ ring }) => ring),
    "any",
  );
  const within = findStrayPositions(brazil, ibge);
  const othersEngine = createTerritoryEngine(others);
  const NEAR_METERS = 10;
  const isNear = ({ at }: Stray): boolean =>
    othersEngine.distance({ type: "Point", coordinates: at }, { maxDistanceMeters: NEAR_METERS }).matches
      .length > 0;
  return {
    intoOthers: beyond.filter(({ at: [x, y] }) => isOthers(x, y)),
    intoTheSea: beyond.filter(({ at: [x, y] }) => !isOthers(x, y)),
    fromOthers: within.filter(isNear),
    fromTheSea: within.filter((stray) => !isNear(stray)),
  };
}

const NEIGHBOURS = new Set(["ARG", "BOL", "COL", "FRA", "GUY", "PER", "PRY", "SUR", "URY", "VEN"]);

/** Every ring bounds land of Brazil: IBGE's file writes islands as holes, and true holes hold other municipalities. */
function readMunicipalities(path: string): Part[] {
  const { features } = JSON.parse(gunzipSync(readFileSync(path)).toString()) as {
    features: { properties: { name: string }; geometry: { coordinates: Ring[] } }[];
  };
  return features.flatMap(({ properties: { name }, geometry: { coordinates } }) =>
    coordinates.map((ring) => ({ name, ring })),
  );
}

function findStrayPositions(outline: readonly Part[], territory: readonly Part[]): Stray[] {
  const engine = createTerritoryEngine(territory);
  const isInside = createInsideTest(
    territory.map(({ ring }) => ring),
    "any",
  );
  return outline
    .flatMap(({ name, ring }) =>
      densifyRing(ring)
        .filter(([x, y]) => !isInside(x, y))
        .map((at) => ({ name, at, meters: measureDistanceMeters(engine, at) })),
    )
    .sort((a, b) => a.meters - b.meters);
}

function createTerritoryEngine(parts: readonly Part[]): Engine {
  const features = parts.map(({ ring }, id) => ({
    type: "Feature",
    properties: { id },
    geometry: { type: "Polygon", coordinates: [ring] },
  }));
  return openEngine([snapshotOf("territory", features, { id: "id" }).bytes]);
}

function measureDistanceMeters(engine: Engine, coordinates: readonly [number, number]): number {
  for (const maxDistanceMeters of [2_000, 20_000, 1_000_000]) {
    const { matches } = engine.distance({ type: "Point", coordinates }, { maxDistanceMeters });
    if (matches[0] !== undefined) return matches[0].distance_m;
  }
  return Number.POSITIVE_INFINITY;
}

/** With positions between, at most 300 m apart. */
function densifyRing(ring: Ring): Ring {
  const STEP_DEGREES = 0.0027;
  return ring.slice(1).flatMap(([x, y], i): Ring => {
    const [x0, y0] = ring[i]!;
    const count = Math.max(1, Math.ceil(Math.hypot(x - x0, y - y0) / STEP_DEGREES));
    return Array.from({ length: count }, (_, k) => [
      x0 + ((x - x0) * k) / count,
      y0 + ((y - y0) * k) / count,
    ]);
  });
}
