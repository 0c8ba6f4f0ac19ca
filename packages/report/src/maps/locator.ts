import { locatorFrame, outlineAt } from "@groundrule/borders/locator";
import { type Html, html } from "../html.ts";
import type { Page } from "../page/page.ts";
import { Canvas, formatSvgPath } from "./canvas.ts";
import { listDrawnCountries, renderCountryLabel } from "./countries.ts";
import type { Point } from "./simplify.ts";

const SHAPE = { width: 230, height: 172 } as const;
/** How far outlines may depart, in units of the drawing. */
const TOLERANCE = 0.25;

/** A map of countries that shows where the plot lies; undefined without a plot. */
export function renderLocatorMap({ material, verdict, words, subject }: Page): Html | undefined {
  const box = material.views[0]?.frame ?? verdict.input.bbox;
  if (box === undefined) return undefined;
  const middle: Point = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  const home = outlineAt(middle);
  const canvas = new Canvas(locatorFrame(middle, home, SHAPE.width / SHAPE.height), SHAPE);
  const countries = listDrawnCountries(canvas, TOLERANCE);
  const [x, y] = canvas.point(...middle);
  const places: Point[] = [[x, y]];
  const { width, height } = SHAPE;
  return html`<figure class="locator"><svg class="map" role="img" aria-label="${words.locatorOf(subject, home?.iso3 ?? undefined)}" viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg">
  <defs><clipPath id="locator-frame"><rect width="${width}" height="${height}"/></clipPath></defs>
  <rect width="${width}" height="${height}" class="sea"/>
  <g clip-path="url(#locator-frame)" stroke-linejoin="round">
    ${countries.map(({ country, rings }) => html`<path d="${formatSvgPath([rings])}" class="land${country === home && " home"}"/>`)}
    ${countries.map((drawn) => renderCountryLabel(canvas, drawn, places))}
    <circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="9" class="ring"/><circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3.4" class="dot"/>
  </g>
  <rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" fill="none" class="frame"/>
</svg><figcaption>${words.locator}</figcaption></figure>`;
}
