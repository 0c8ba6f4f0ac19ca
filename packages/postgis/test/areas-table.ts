import {
  type AttributeValue,
  type GeometryInput,
  openEngine,
  type ProvidedAreas,
  type StoredManifest,
} from "@groundrule/engine";
import { candidateAreas, snapshotOf } from "@groundrule/engine/build";
import type { LiveProvider } from "@groundrule/node";
import { createSeededRandom } from "@groundrule/testing/random";

/** A manifest of a table of areas with a column of every type. */
export const MANIFEST: StoredManifest = {
  source_name: "live:areas",
  kind: "leaf",
  id: "code",
  name: "label",
  country: "iso",
  coverage: "global",
  coverage_known: "declared",
  columns: {
    code: "string",
    label: "string",
    iso: "string",
    hectares: "number",
    kind: "string",
    is_open: "boolean",
    since: "date",
  },
};

export interface TableRow {
  readonly id: string;
  readonly name: string | null;
  readonly country: string | null;
  readonly properties: Readonly<Record<string, AttributeValue>>;
  readonly coordinates: readonly (readonly (readonly [number, number])[])[][];
}

/** Areas near 0° and near ±180°, some written past it, some with holes, some that cross themselves. */
export function randomRows(count: number, seed: number): TableRow[] {
  const { next, between, integer } = createSeededRandom(seed);
  const ring = (x: number, y: number, reach: number, corners: number): [number, number][] => {
    const at = Array.from({ length: corners }, (_, i): [number, number] => {
      const angle = ((i + 0.7 * next()) * 2 * Math.PI) / corners;
      return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
    });
    return [...at, at[0]!];
  };
  return Array.from({ length: count }, (_, i): TableRow => {
    const x = next() < 0.7 ? between(-2, 2) : 180 * (next() < 0.5 ? -1 : 1) + between(-0.6, 0.6);
    const y = between(-2, 2);
    const shell = ring(x, y, between(0.05, 0.4), 3 + integer(30));
    const hole = i % 5 === 0 ? [ring(x, y, 0.02, 6)] : [];
    const crossing = i % 17 === 0 ? [[...shell.slice(0, 2), ...shell.slice(1).reverse(), shell[0]!]] : [];
    return {
      id: `area-${i}`,
      name: i % 3 === 0 ? null : `Área ${i}`,
      country: i % 4 === 0 ? null : "BRA",
      properties: {
        hectares: i % 6 === 0 ? null : between(0, 1e6),
        kind: i % 2 === 0 ? "park" : 'it\'s "quoted"',
        is_open: i % 7 === 0 ? null : i % 2 === 0,
        since: i % 8 === 0 ? null : `20${10 + (i % 15)}-02-${10 + (i % 18)}`,
      },
      coordinates: crossing.length > 0 ? [crossing] : [[shell, ...hole]],
    };
  });
}

/** Statements that make the table and fill it. */
export function formatTableSql(rows: readonly TableRow[], name = "areas"): string {
  const literal = (value: AttributeValue): string =>
    value === null ? "NULL" : typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
  const wkt = (coordinates: TableRow["coordinates"]): string =>
    `MULTIPOLYGON(${coordinates
      .map(
        (rings) => `(${rings.map((ring) => `(${ring.map(([x, y]) => `${x} ${y}`).join(",")})`).join(",")})`,
      )
      .join(",")})`;
  const values = rows.map(
    ({ id, name: label, country, properties: { hectares, kind, is_open, since }, coordinates }) =>
      `(${[id, label, country, hectares!, kind!, is_open!, since!].map(literal).join(",")},ST_GeomFromText('${wkt(coordinates)}',4326))`,
  );
  return [
    `DROP TABLE IF EXISTS ${name}`,
    `CREATE TABLE ${name} (code text, label text, iso text, hectares float8, kind text, is_open boolean, since date, geom geometry(MultiPolygon,4326))`,
    `INSERT INTO ${name} VALUES ${values.join(",\n")}`,
    `CREATE INDEX ON ${name} USING gist (geom)`,
    `ANALYZE ${name}`,
  ].join(";\n");
}

/** An engine over the live source, and one over a snapshot of the whole table. */
export function createBothEngines(rows: readonly TableRow[]) {
  const features = rows
    .toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
    .map(({ id, name, country, properties, coordinates }) => ({
      type: "Feature" as const,
      properties: { code: id, label: name, iso: country, ...properties },
      geometry: { type: "MultiPolygon", coordinates },
    }));
  const snapshot = snapshotOf("live:areas", features, {
    id: "code",
    name: "label",
    country: "iso",
    columns: MANIFEST.columns,
    coverage: "global",
  });
  return {
    live: openEngine([{ manifest: MANIFEST, live: true }], { candidates: candidateAreas }),
    stored: openEngine([snapshot]),
  };
}

/** The provider's candidates for a plot. */
export async function fetchCandidates(
  provider: LiveProvider,
  engine: ReturnType<typeof createBothEngines>["live"],
  geometry: GeometryInput,
  maxDistanceMeters = 0,
): Promise<ProvidedAreas> {
  const [need] = engine.liveNeeds(geometry, { maxDistanceMeters });
  return provider.candidates(need!, {});
}
