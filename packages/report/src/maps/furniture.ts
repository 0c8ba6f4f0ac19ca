import type { Formats } from "@groundrule/words";
import { type Html, html } from "../html.ts";
import type { Canvas } from "./canvas.ts";
import type { Point } from "./simplify.ts";

const BAR_SHARE = 0.25;

/**
 * Where north and the scale bar stand: no badge may.
 *
 * @param corners as of {@link renderMapFurniture}
 */
export function listOccupiedPoints({ width, height }: Canvas, corners: 2 | 4): Point[] {
  const inset = computeLabelInset(corners);
  const bar = [14, 35, 56, 77, 98].map((x): Point => [x, height - 22 - inset]);
  return [[width - 24, 20 + inset], [width - 24, 34 + inset], ...bar];
}

/** Distance of the corners' labels from the frame. */
function computeLabelInset(corners: 2 | 4): number {
  return corners === 4 ? 18 : 0;
}

/**
 * Scale bar, north, and the places of a map's corners.
 *
 * @param corners two are opposite; four leave the scale bar and north beside them
 */
export function renderMapFurniture(canvas: Canvas, formats: Formats, corners: 2 | 4): Html {
  const { width, height, metersPerUnit } = canvas;
  const inset = computeLabelInset(corners);
  const meters = roundDownScaleLength((corners === 4 ? BAR_SHARE / 2 : BAR_SHARE) * width * metersPerUnit);
  const length = meters / metersPerUnit;
  const label = formats.distance(meters);
  const [x, y] = [14, height - 14 - inset];
  const end = (x + length).toFixed(1);
  const [west, east] = [canvas.position(0, 0)[0], canvas.position(width, 0)[0]];
  // A place is printed as precisely as a unit of the drawing.
  const decimals = Math.min(5, Math.max(0, Math.ceil(-Math.log10((east - west) / width))));
  const corner = (right: 0 | 1, low: 0 | 1): Html =>
    html`<text x="${right === 0 ? 8 : width - 8}" y="${low === 0 ? 15 : height - 8}"${right === 1 && html` text-anchor="end"`} class="corner">${formats.place(...canvas.position(right * width, low * height), corners === 4 ? decimals : 5)}</text>`;
  return html`<g font-size="10.5" class="ink furniture">
    <rect x="6" y="${height - 40 - inset}" width="${(length + 40).toFixed(1)}" height="34" class="veil"/>
    <rect x="${x}" y="${y - 6}" width="${(length / 2).toFixed(1)}" height="5"/>
    <rect x="${x}" y="${y - 6}" width="${length.toFixed(1)}" height="5" class="bar"/>
    <text x="${x}" y="${y - 10}">0</text>
    <text x="${end}" y="${y - 10}" text-anchor="middle">${label}</text>
    <g transform="translate(${width - 24} ${14 + inset})"><circle cx="0" cy="12" r="16" class="veil"/><path d="M0 -1L5.5 15L0 11L-5.5 15Z"/><text x="0" y="25" text-anchor="middle" font-weight="700">N</text></g>
    ${corner(0, 0)}${corner(1, 1)}${corners === 4 && [corner(1, 0), corner(0, 1)]}
  </g>`;
}

/** The greatest of 1, 2, 5 times a power of ten that is no longer. */
function roundDownScaleLength(meters: number): number {
  const power = 10 ** Math.floor(Math.log10(meters));
  return [5, 2, 1].map((step) => step * power).find((length) => length <= meters) ?? power;
}
