import type { AreaLayer } from "../snapshot/layer.ts";
import { type Chains, openChains } from "./chains.ts";
import type { Bbox } from "./plot.ts";

/**
 * The multiples of 360° by which a layer's longitudes must be shifted to meet a plot: one, where
 * both use the same convention and stay clear of the antimeridian.
 */
export function shiftsToMeet(bbox: Bbox, layer: AreaLayer): number[] {
  if (layer.bbox === undefined) return [];
  // Half a nanodegree of slack: a shift too many finds nothing, one too few would miss a touch.
  const first = Math.ceil((bbox[0] - layer.bbox[2]) / 360 - 1e-12);
  const last = Math.floor((bbox[2] - layer.bbox[0]) / 360 + 1e-12);
  const shifts: number[] = [];
  for (let turns = first; turns <= last; turns++) shifts.push(360 * turns);
  return shifts;
}

/** Rings whose envelope, shifted, meets the bbox, ascending, so that an area's rings stand together. */
export function ringsNear(bbox: Bbox, layer: AreaLayer, shift: number): number[] {
  if (layer.index === undefined) return [];
  // Envelopes are rounded outward and rounding is monotone: nothing that meets is lost.
  const rings = layer.index.search(bbox[0] - shift, bbox[1], bbox[2] - shift, bbox[3]);
  if (rings.length > 1) rings.sort(ascending);
  return rings;
}

function ascending(a: number, b: number): number {
  return a - b;
}

/** Opens a layer's ring, `shift` degrees added to its longitudes. */
export function openRing(chains: Chains, layer: AreaLayer, ring: number, shift: number): void {
  openChains(
    chains,
    layer.xy,
    layer.ringStarts[ring]!,
    layer.ringStarts[ring + 1]!,
    layer.chainBoxes,
    layer.chainIntegrals,
    layer.chainStarts[ring]!,
    shift,
  );
}

/**
 * Areas that hold a pole which the bbox reaches. A pole is one point, at whatever longitude it is
 * written; along the plane of longitude and latitude such areas need not meet the plot.
 */
export function areasAtPole(bbox: Bbox, layer: AreaLayer): number[] {
  const areas: number[] = [];
  for (const pole of [-90, 90]) {
    if (layer.index === undefined || (bbox[1] !== pole && bbox[3] !== pole)) continue;
    for (const ring of layer.index.search(-Infinity, pole, Infinity, pole)) {
      const area = layer.ringAreas[ring]!;
      if (!areas.includes(area) && reaches(layer, ring, pole)) areas.push(area);
    }
  }
  return areas;
}

function reaches(layer: AreaLayer, ring: number, latitude: number): boolean {
  for (let i = layer.ringStarts[ring]!; i < layer.ringStarts[ring + 1]!; i++) {
    if (layer.xy[2 * i + 1] === latitude) return true;
  }
  return false;
}
