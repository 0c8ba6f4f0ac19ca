import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import type { CoveragePieceInput } from "../src/snapshot/coverage.ts";
import { createAreaWriter } from "../src/snapshot/write/writer.ts";

/** A snapshot of borders: one area a piece, with the codes of its countries. */
export function buildBordersSnapshot(pieces: readonly CoveragePieceInput[]): ArrayBuffer {
  const writer = createAreaWriter({ source_name: "borders", kind: "leaf", columns: { countries: "string" } });
  for (const [i, { polygons, countries }] of pieces.entries()) {
    const properties = { countries: countries.join(",") };
    writer.add({ id: `${i}`, name: null, countryIso3: null, polygons, properties });
  }
  return joinFileBytes(writer.finish());
}
