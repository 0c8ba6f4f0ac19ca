import type { createSquarePolygon } from "@groundrule/testing/shapes";

/** A plot or an area as GeoJSON; by default its attributes tell its id. */
export function makeFeature<Id, Geometry>(
  id: Id,
  geometry: Geometry,
  properties: object = { code: id },
): Feature<Id, Geometry> {
  return { type: "Feature", id, properties, geometry };
}

export interface Feature<Id = string, Geometry = unknown> {
  readonly type: "Feature";
  readonly id: Id;
  readonly properties: object;
  readonly geometry: Geometry;
}

/** Each value as JSON on a line of its own. */
export function formatNdjson(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

/** Each cell quoted. */
export function formatQuotedCsv(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => row.map(quoted).join(",")).join("\n");
}

const quoted = (cell: unknown) => `"${String(cell ?? "").replaceAll('"', '""')}"`;

export function formatPolygonWkt({ coordinates: [ring] }: ReturnType<typeof createSquarePolygon>): string {
  return `POLYGON((${ring!.map((position) => position.join(" ")).join(", ")}))`;
}
