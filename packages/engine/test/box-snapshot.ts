import { createAreaWriter } from "../src/snapshot/write/writer.ts";
import { fileBytes } from "./snapshot-file.ts";

/** A snapshot of one area, a box `[west, south, east, north]`. */
export function boxSnapshot(
  source_name: string,
  [west, south, east, north]: readonly [number, number, number, number],
): ArrayBuffer {
  const writer = createAreaWriter({ source_name, kind: "leaf" });
  const ring = Float64Array.of(west, south, east, south, east, north, west, north, west, south);
  writer.add({ id: "1", name: null, countryIso3: null, polygons: [[ring]], properties: {} });
  return fileBytes(writer.finish());
}
