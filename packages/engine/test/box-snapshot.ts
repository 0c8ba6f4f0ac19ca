import { createBoxRing } from "@groundrule/testing/shapes";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import { createAreaWriter } from "../src/snapshot/write/writer.ts";

/** A snapshot of one area, a box `[west, south, east, north]`. */
export function makeBoxSnapshot(
  source_name: string,
  corners: readonly [west: number, south: number, east: number, north: number],
): ArrayBuffer {
  const writer = createAreaWriter({ source_name, kind: "leaf" });
  writer.add({
    id: "1",
    name: null,
    countryIso3: null,
    polygons: [[createBoxRing(...corners)]],
    properties: {},
  });
  return joinFileBytes(writer.finish());
}
