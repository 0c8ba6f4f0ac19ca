import { createAreaWriter, type SnapshotFile } from "@groundrule/engine/build";
import { createWoundBand, randomRadii } from "@groundrule/testing/hard-rings";

/** Degrees that hostile plots and areas are brought to, about 0, 0. */
const SIZE = 8;

/** Areas of 50,000 vertices, wound up and jagged, and a small square that harmless plots meet. */
export function makeHostileEditions(): SnapshotFile[] {
  const writer = createAreaWriter({ source_name: "demo:hostile", kind: "leaf" });
  for (const [id, ring] of [
    ["spiral", fitRingToSquare(createWoundBand(50_000))],
    ["jagged", fitRingToSquare(randomRadii(50_000))],
    ["square", Float64Array.of(20, 0, 20.1, 0, 20.1, 0.1, 20, 0.1, 20, 0)],
  ] as const) {
    writer.add({ id, name: null, countryIso3: null, polygons: [[ring]], properties: {} });
  }
  return [writer.finish()];
}

/** A ring moved and scaled to a square of some degrees, by default about 0, 0. */
export function fitRingToSquare(
  ring: Float64Array,
  size = SIZE,
  [longitude, latitude]: readonly [number, number] = [0, 0],
): Float64Array {
  const [x, y] = [measureRingAxis(ring, 0), measureRingAxis(ring, 1)];
  return ring.map((value, i) =>
    i % 2 === 0
      ? longitude + ((value - x.middle) / x.width) * size
      : latitude + ((value - y.middle) / y.width) * size,
  );
}

function measureRingAxis(
  ring: Float64Array,
  axis: 0 | 1,
): { readonly middle: number; readonly width: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = axis; i < ring.length; i += 2) {
    low = Math.min(low, ring[i]!);
    high = Math.max(high, ring[i]!);
  }
  return { middle: (low + high) / 2, width: high - low };
}

export function toPolygon(...rings: readonly Float64Array[]): {
  readonly type: "Polygon";
  readonly coordinates: number[][][];
} {
  return {
    type: "Polygon",
    coordinates: rings.map((ring) =>
      Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]),
    ),
  };
}

/** Meets the small square of the hostile world and nothing else; no duration is written like its corners. */
export const HARMLESS: ReturnType<typeof toPolygon> = toPolygon(
  fitRingToSquare(Float64Array.of(0, 0, 1, 0, 1, 1, 0, 1, 0, 0), 0.0246813579, [20.0512345678, 0.0512345678]),
);

/** Asks for share and nearness of every area. */
export const RULESET = {
  sets: { all: { sources: ["demo:hostile"] }, near: { sources: ["demo:hostile"], within_m: 10_000 } },
  checks: [
    { id: "share", set: "all", measure: "overlap_ratio", outcome: "WARNING" },
    { id: "near", set: "near", outcome: "NOTICE" },
  ],
};
