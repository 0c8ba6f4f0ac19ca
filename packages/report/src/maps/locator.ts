import { locatorFrame, outlineAt } from "@groundrule/borders/locator";
import { type CountryOutline, countryOutlines } from "@groundrule/borders/outlines";
import { clipPolygon } from "lineclip";
import { type Html, html } from "../html.ts";
import type { Page } from "../page.ts";
import { boxOf, Canvas, pathOf, placesInside } from "./canvas.ts";
import { type Point, simplify } from "./simplify.ts";

const SHAPE = { width: 230, height: 172 } as const;
/** Outlines are cut this far outside the map, so that no cut is seen as a coast. */
const BLEED = 8;
/** A country's code is written where this much of it is seen. */
const LABELLED = { width: 26, height: 16 } as const;

/** A map of countries that tells where the plot lies; undefined without a plot. */
export function renderLocator({ material, verdict, words, subject }: Page): Html | undefined {
  const box = material.views[0]?.frame ?? verdict.input.bbox;
  if (box === undefined) return undefined;
  const middle: Point = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  const home = outlineAt(middle);
  const canvas = new Canvas(locatorFrame(middle, home, SHAPE.width / SHAPE.height), SHAPE);
  const countries = countryOutlines().flatMap((country) => drawnCountry(canvas, country));
  const [x, y] = canvas.point(...middle);
  const places: Point[] = [[x, y]];
  const { width, height } = SHAPE;
  return html`<figure class="locator"><svg class="map" role="img" aria-label="${words.locatorOf(subject, home?.iso3 ?? undefined)}" viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg">
  <defs><clipPath id="locator-frame"><rect width="${width}" height="${height}"/></clipPath></defs>
  <rect width="${width}" height="${height}" class="sea"/>
  <g clip-path="url(#locator-frame)" stroke-linejoin="round">
    ${countries.map(({ country, rings }) => html`<path d="${pathOf([rings])}" class="land${country === home && " home"}"/>`)}
    ${countries.map(({ country, rings }) => label(country, rings, places))}
    <circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="9" class="ring"/><circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3.4" class="dot"/>
  </g>
  <rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" fill="none" class="frame"/>
</svg><figcaption>${words.locator}</figcaption></figure>`;
}

interface DrawnCountry {
  readonly country: CountryOutline;
  readonly rings: readonly (readonly Point[])[];
}

function drawnCountry(canvas: Canvas, country: CountryOutline): DrawnCountry[] {
  const { width, height } = SHAPE;
  const rings = country.coordinates.flat().flatMap((ring) => {
    const points = canvas.line(ring);
    const [west, south, east, north] = boxOf(points);
    const turn = canvas.turn((west + east) / 2);
    if (west + turn > width || east + turn < 0 || south > height || north < 0) return [];
    const moved = points.map(([x, y]): [number, number] => [x + turn, y]);
    const cut = clipPolygon(moved, [-BLEED, -BLEED, width + BLEED, height + BLEED]);
    if (cut.length < 4) return [];
    return [simplify(closed(cut), 0.25)];
  });
  return rings.length === 0 ? [] : [{ country, rings }];
}

function closed(ring: readonly [number, number][]): readonly Point[] {
  const [first, last] = [ring[0]!, ring.at(-1)!];
  return first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first];
}

/** The country's code where there is room for it. */
function label(
  { iso3 }: CountryOutline,
  rings: readonly (readonly Point[])[],
  places: Point[],
): Html | false {
  if (iso3 === null) return false;
  const box = rings
    .map(boxOf)
    .find(
      ([west, south, east, north]) =>
        Math.min(east, SHAPE.width) - Math.max(west, 0) > LABELLED.width &&
        Math.min(north, SHAPE.height) - Math.max(south, 0) > LABELLED.height,
    );
  if (box === undefined) return false;
  const place = placesInside(rings.map((ring) => [ring])).find(
    ([x, y]) =>
      x > 16 &&
      x < SHAPE.width - 16 &&
      y > 12 &&
      y < SHAPE.height - 8 &&
      places.every(([otherX, otherY]) => Math.abs(x - otherX) > 30 || Math.abs(y - otherY) > 15),
  );
  if (place === undefined) return false;
  places.push(place);
  return html`<text x="${place[0].toFixed(1)}" y="${(place[1] + 3).toFixed(1)}" text-anchor="middle" class="country">${iso3}</text>`;
}
