import { type CellContext, CellFault, type CellGeometry } from "./cell.ts";

const NUMBER = "[-+]?\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?";
const DECIMAL = "[-+]?\\d+\\.\\d+";
/** `lat lon`, `lat lon alt`, `lat lon alt acc`; with commas where each number has a point. */
const POSITION = new RegExp(
  `^(?=${NUMBER} |${DECIMAL} *, *${DECIMAL})(${NUMBER})[ ,]+(${NUMBER})(?:[ ,]+(${NUMBER}))?(?:[ ,]+(${NUMBER}))?$`,
);
const POINT = new RegExp(`^${DECIMAL} +${DECIMAL} +${NUMBER}(?: +${NUMBER})?$`);
const BEGINNING = new RegExp(
  `^(?=${NUMBER} |${DECIMAL} *, *${DECIMAL})${NUMBER}[ ,]+${NUMBER}(?:[ ,]+${NUMBER}){0,2} *;`,
);

/** True if a text is a position of ODK and KoboToolbox with its altitude, or begins as a list of them. */
export function isOdkList(text: string): boolean {
  return BEGINNING.test(text) || POINT.test(text);
}

/**
 * Reads a geopoint, geotrace or geoshape: positions `latitude longitude altitude accuracy` with semicolons between them,
 * also behind the last. A list that ends where it begins is a polygon; any other is the border of one, or a line, as
 * `context` says. Altitudes are dropped.
 *
 * Fails: {@link CellFault}.
 */
export function readOdkList(text: string, { openList }: Pick<CellContext, "openList">): CellGeometry {
  const positions: [number, number][] = [];
  let worst = 0;
  for (const [index, piece] of text.split(";").entries()) {
    const trimmed = piece.trim();
    if (trimmed === "") continue;
    const [, latitude, longitude, , accuracy] = POSITION.exec(trimmed) ?? [];
    if (latitude === undefined || longitude === undefined) {
      throw new CellFault(
        `position ${index + 1}: found ${JSON.stringify(trimmed.slice(0, 24))}, expected "latitude longitude altitude accuracy", as ODK and KoboToolbox write it`,
      );
    }
    const [x, y] = [Number(longitude), Number(latitude)];
    if (Math.abs(y) > 90 && Math.abs(x) <= 90) {
      throw new CellFault(
        `position ${index + 1}: found the latitude ${latitude}, expected one of -90 to 90: ODK writes the latitude first`,
      );
    }
    positions.push([x, y]);
    if (accuracy !== undefined) worst = Math.max(worst, Number(accuracy));
  }
  // ODK writes 0 where the position was set by hand on a map.
  const accuracy = worst > 0 ? { accuracyMeters: worst } : {};
  const [first, last] = [positions[0]!, positions[positions.length - 1]!];
  if (positions.length === 1) return { geometry: { type: "Point", coordinates: first }, ...accuracy };
  const isClosed = first[0] === last[0] && first[1] === last[1];
  const isRing = isClosed ? positions.length > 3 : openList === "border" && positions.length > 2;
  const geometry = isRing
    ? { type: "Polygon", coordinates: [positions] }
    : { type: "LineString", coordinates: positions };
  return { geometry, ...accuracy };
}
