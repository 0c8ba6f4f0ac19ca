import type { SourceManifest } from "@groundrule/engine";
import {
  type AreaInput,
  createAreaWriter,
  createRegisterWriter,
  type SnapshotFile,
} from "@groundrule/engine/build";
import { createBoxRing } from "./shapes.ts";

/** Areas as boxes `[west, south, east, north]` by id. */
export function createBoxSource(
  name: string,
  boxes: Readonly<Record<string, readonly number[]>>,
): SnapshotFile {
  const writer = createAreaWriter({ source_name: name, kind: "leaf" });
  for (const [id, [west, south, east, north]] of Object.entries(boxes)) {
    const polygons = [[createBoxRing(west!, south!, east!, north!)]];
    const area: AreaInput = { id, name: null, countryIso3: null, polygons, properties: {} };
    writer.add(area);
  }
  return writer.finish();
}

export function createRegisterFile(
  name: string,
  values: readonly string[],
  more: Pick<SourceManifest, "collected_at"> = {},
): SnapshotFile {
  const writer = createRegisterWriter({
    source_name: name,
    kind: "subject_register",
    value: "number",
    scheme: "us:ein",
    ...more,
  });
  for (const [i, value] of values.entries()) {
    writer.add({ id: String(i), name: null, properties: {}, identifiers: [{ scheme: "us:ein", value }] });
  }
  return writer.finish();
}
