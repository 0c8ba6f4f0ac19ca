import type { SourceManifest } from "@groundrule/engine";
import {
  type AreaInput,
  createAreaWriter,
  createRegisterWriter,
  type SnapshotFile,
} from "@groundrule/engine/build";

/** Areas as boxes `[west, south, east, north]` by id. */
export function boxSource(name: string, boxes: Readonly<Record<string, readonly number[]>>): SnapshotFile {
  const writer = createAreaWriter({ source_name: name, kind: "leaf" });
  for (const [id, [west, south, east, north]] of Object.entries(boxes)) {
    const ring = Float64Array.of(west!, south!, east!, south!, east!, north!, west!, north!, west!, south!);
    const area: AreaInput = { id, name: null, countryIso3: null, polygons: [[ring]], properties: {} };
    writer.add(area);
  }
  return writer.finish();
}

export function register(
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

/** A square plot of `size` degrees. */
export function plot(west: number, south: number, size = 1): object {
  const ring = [
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
    [west, south],
  ];
  return { type: "Polygon", coordinates: [ring] };
}
