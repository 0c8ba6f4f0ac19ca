import { box } from "@groundrule/testing/shapes";
import { fileBytes } from "@groundrule/testing/snapshot-bytes";
import { createAreaWriter } from "../src/snapshot/write/writer.ts";

/** A snapshot of one area, a box `[west, south, east, north]`. */
export function boxSnapshot(
  source_name: string,
  corners: readonly [west: number, south: number, east: number, north: number],
): ArrayBuffer {
  const writer = createAreaWriter({ source_name, kind: "leaf" });
  writer.add({ id: "1", name: null, countryIso3: null, polygons: [[box(...corners)]], properties: {} });
  return fileBytes(writer.finish());
}
