import type { WorkMeter } from "../../base/work-meter.ts";
import type { Bbox } from "../earth/bbox.ts";
import { isRaster, type Layer } from "../layer.ts";
import { areaBox, shiftsToMeet } from "../trees/candidates.ts";
import type { AreaLayer } from "../trees/layer.ts";
import { findRingsMeetingBox } from "../trees/ring-index.ts";
import type { AreaRef, Region } from "./region.ts";

/** Units of work of an area of the region, once, and of one that is found. */
const AREA_UNITS = 30;
const FOUND_UNITS = 60;
const SEARCH_UNITS = 200;

/** A node of the region, its areas with their places in its list. */
type Node =
  | {
      readonly op: "areas";
      readonly places: ReadonlyMap<Layer, ReadonlyMap<number, number>>;
    }
  | { readonly op: "plot" }
  | { readonly op: Exclude<Region["op"], "areas" | "plot">; readonly operands: readonly Node[] };

/**
 * The part of a region that can matter near one area, for measuring the same region against one area after another:
 * areas whose envelopes are apart from that area's share nothing with it.
 */
export class RegionNear {
  readonly #root: Node;
  readonly #layers = new Set<AreaLayer>();
  readonly #meter: WorkMeter;

  constructor(region: Region<Layer>, meter: WorkMeter) {
    this.#meter = meter;
    this.#root = this.#buildNode(region);
  }

  /** The region, without the areas whose envelopes are apart from the area's at every turn of longitude. */
  of(area: AreaRef<Layer>): Region<Layer> {
    const near = new Map<Layer, ReadonlySet<number>>();
    // An area of cells has no envelope.
    if (isRaster(area.layer)) return narrowRegion(this.#root, near);
    const box = areaBox(area.layer, area.area);
    for (const layer of this.#layers) near.set(layer, this.#areasNear(layer, box));
    return narrowRegion(this.#root, near);
  }

  #buildNode(region: Region<Layer>): Node {
    if (region.op === "plot") return region;
    if (region.op !== "areas") {
      return { op: region.op, operands: region.operands.map((operand) => this.#buildNode(operand)) };
    }
    this.#meter.add(AREA_UNITS * region.areas.length);
    const places = new Map<Layer, Map<number, number>>();
    region.areas.forEach(({ layer, area }, place) => {
      if (!isRaster(layer)) this.#layers.add(layer);
      const known = places.get(layer);
      if (known === undefined) places.set(layer, new Map([[area, place]]));
      else known.set(area, place);
    });
    return { op: "areas", places };
  }

  #areasNear(layer: AreaLayer, box: Bbox): ReadonlySet<number> {
    const areas = new Set<number>();
    for (const shift of shiftsToMeet(box, layer)) {
      const rings = findRingsMeetingBox(layer.index!, box[0] - shift, box[1], box[2] - shift, box[3]);
      this.#meter.add(SEARCH_UNITS + FOUND_UNITS * rings.length);
      for (const ring of rings) areas.add(layer.ringAreas[ring]!);
    }
    return areas;
  }
}

/** @param near the areas of each layer that are kept; all of one that it does not name */
function narrowRegion(node: Node, near: ReadonlyMap<Layer, ReadonlySet<number>>): Region<Layer> {
  if (node.op === "plot") return node;
  if (node.op !== "areas") {
    return { op: node.op, operands: node.operands.map((operand) => narrowRegion(operand, near)) };
  }
  const kept: { readonly ref: AreaRef<Layer>; readonly place: number }[] = [];
  for (const [layer, places] of node.places) {
    for (const area of near.get(layer) ?? places.keys()) {
      const place = places.get(area);
      if (place !== undefined) kept.push({ ref: { layer, area }, place });
    }
  }
  return { op: "areas", areas: kept.sort((a, b) => a.place - b.place).map(({ ref }) => ref) };
}
