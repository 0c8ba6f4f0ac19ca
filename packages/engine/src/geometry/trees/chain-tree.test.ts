import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { buildAreaLayer } from "../../../test/build-layer.ts";
import { signedRingArea } from "../earth/authalic.ts";
import { toDegreesBox } from "./cells.ts";
import { chainNodeCount, computeLeafSpan, FAN_OUT, writeChainTree } from "./chain-tree.ts";

const SEED = 20261120;

function makeWavyRing(
  seed: number,
  vertices: number,
  radius: number,
  lon: number,
  lat: number,
): Float64Array {
  const random = createSeededRandom(seed);
  const ring = new Float64Array(2 * vertices + 2);
  for (let i = 0; i < vertices; i++) {
    const r = radius * random.between(0.7, 1);
    ring[2 * i] = lon + r * Math.cos((2 * Math.PI * i) / vertices);
    ring[2 * i + 1] = lat + r * Math.sin((2 * Math.PI * i) / vertices);
  }
  ring[2 * vertices] = ring[0]!;
  ring[2 * vertices + 1] = ring[1]!;
  return ring;
}

describe("writeChainTree", () => {
  it("makes of a ring's root integral the ring's area, at every size", () => {
    for (const vertices of [3, 98, 99, 100, 128, 129, 1024, 1025, 5000]) {
      for (const [radius, lat] of [
        [0.001, 10],
        [1, -50],
        [30, 20],
        [0.01, 89.9],
      ] as const) {
        const ring = makeWavyRing(SEED + vertices, vertices, radius, 12, lat);
        const nodes = chainNodeCount(vertices);
        const integrals = new Float64Array(nodes);
        writeChainTree(ring, 0, vertices + 1, new Int32Array(4 * nodes), integrals);
        const area = signedRingArea(ring);
        expect(Math.abs(integrals[nodes - 1]! + area) / area).toBeLessThan(2e-13);
      }
    }
  });

  it("bounds every chain by its node's envelope, and by its children's", () => {
    const vertices = 3000;
    const ring = makeWavyRing(SEED, vertices, 2, -120.123456789, 33.3);
    const nodes = chainNodeCount(vertices);
    const boxes = new Int32Array(4 * nodes);
    writeChainTree(ring, 0, vertices + 1, boxes, new Float64Array(nodes));
    let [node, count, span] = [0, Math.ceil(vertices / computeLeafSpan(vertices)), computeLeafSpan(vertices)];
    for (;;) {
      for (let i = 0; i < count; i++, node++) {
        for (let v = i * span; v <= Math.min((i + 1) * span, vertices); v++) {
          const [x, y] = [ring[2 * v]!, ring[2 * v + 1]!];
          const [west, south, east, north] = toDegreesBox(boxes, 4 * node);
          expect(west <= x && x <= east).toBe(true);
          expect(south <= y && y <= north).toBe(true);
        }
      }
      if (count === 1) break;
      count = Math.ceil(count / FAN_OUT);
      span *= FAN_OUT;
    }
    expect(node).toBe(nodes);
  });

  it("keeps all geometry sections within 18.5 bytes a vertex from 100 vertices a ring, within 90 bytes a ring below", () => {
    for (const positions of [5, 17, 40, 99, 100, 114, 130, 146, 500, 1026, 1100, 10_000]) {
      const count = 64;
      const layer = buildAreaLayer(
        Array.from({ length: count }, (_, i) => [[makeWavyRing(i, positions - 1, 1, i, 0)]]),
      );
      const bytes =
        layer.xy.byteLength +
        layer.ringStarts.byteLength +
        layer.ringAreas.byteLength +
        layer.ringRoles.byteLength +
        layer.chainStarts.byteLength +
        layer.chainBoxes.byteLength +
        layer.chainIntegrals.byteLength +
        layer.index!.bytes.byteLength;
      const allowed = positions >= 100 ? 18.5 * positions : 16 * positions + 90;
      expect(bytes / count, `${positions} positions`).toBeLessThan(allowed);
    }
  });
});
