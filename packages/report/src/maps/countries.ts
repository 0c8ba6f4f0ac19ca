import { type CountryOutline, countryOutlines } from "@groundrule/borders/outlines";
import { clipPolygon } from "lineclip";
import { type Html, html } from "../html.ts";
import { type Canvas, computePointsBox, findPlacesInside } from "./canvas.ts";
import { type Point, simplifyRing } from "./simplify.ts";

/** Outlines are cut this far outside the map, so that no cut is seen as a coast. */
const BLEED = 8;
/** A country's code is written where this much of it is seen. */
const LABELLED = { width: 26, height: 16 } as const;

/** A country as far as a map shows it. */
export interface DrawnCountry {
  readonly country: CountryOutline;
  readonly rings: readonly (readonly Point[])[];
}

/**
 * The countries that a map shows.
 *
 * @param tolerance how far their outlines may depart from those that are generalised already, in units of the drawing
 */
export function listDrawnCountries(canvas: Canvas, tolerance: number): DrawnCountry[] {
  return countryOutlines().flatMap((country) => {
    const rings = country.coordinates.flat().flatMap((ring) => clipRingToCanvas(canvas, ring, tolerance));
    return rings.length === 0 ? [] : [{ country, rings }];
  });
}

function clipRingToCanvas(
  canvas: Canvas,
  ring: readonly (readonly number[])[],
  tolerance: number,
): (readonly Point[])[] {
  const { width, height } = canvas;
  const points = canvas.line(ring);
  const [west, south, east, north] = computePointsBox(points);
  const turn = canvas.turn((west + east) / 2);
  if (west + turn > width || east + turn < 0 || south > height || north < 0) return [];
  const moved = points.map(([x, y]): [number, number] => [x + turn, y]);
  const cut = clipPolygon(moved, [-BLEED, -BLEED, width + BLEED, height + BLEED]);
  return cut.length < 4 ? [] : [simplifyRing(closeRing(cut), tolerance)];
}

function closeRing(ring: readonly [number, number][]): readonly Point[] {
  const [first, last] = [ring[0]!, ring.at(-1)!];
  return first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first];
}

/**
 * The country's code where there is room for it.
 *
 * @param places what it keeps away from; its own is added
 */
export function renderCountryLabel(
  { width, height }: Canvas,
  { country: { iso3 }, rings }: DrawnCountry,
  places: Point[],
): Html | false {
  if (iso3 === null) return false;
  const isSeen = rings
    .map(computePointsBox)
    .some(
      ([west, south, east, north]) =>
        Math.min(east, width) - Math.max(west, 0) > LABELLED.width &&
        Math.min(north, height) - Math.max(south, 0) > LABELLED.height,
    );
  if (!isSeen) return false;
  const place = findPlacesInside(rings.map((ring) => [ring])).find(
    ([x, y]) =>
      x > 16 &&
      x < width - 16 &&
      y > 12 &&
      y < height - 8 &&
      places.every(([otherX, otherY]) => Math.abs(x - otherX) > 30 || Math.abs(y - otherY) > 15),
  );
  if (place === undefined) return false;
  places.push(place);
  return html`<text x="${place[0].toFixed(1)}" y="${(place[1] + 3).toFixed(1)}" text-anchor="middle" class="country">${iso3}</text>`;
}
