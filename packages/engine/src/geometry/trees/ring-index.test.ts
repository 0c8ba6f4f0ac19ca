import Flatbush from "flatbush";
import { describe, expect, it } from "vitest";
import { buildLayer } from "../../../test/build-layer.ts";
import { seededRandom } from "../../../test/random.ts";
import { box } from "../../../test/shapes.ts";
import { createRingList, ringIndexOf, searchRings } from "./ring-index.ts";

const SEED = 20261120;

describe("searchRings", () => {
  it(`finds in place what Flatbush finds, ascending, at every size of tree (seed ${SEED})`, () => {
    const random = seededRandom(SEED);
    const found = createRingList();
    for (const count of [1, 2, 16, 17, 300, 5000, 20_000]) {
      const layer = buildLayer(
        Array.from({ length: count }, () => {
          const [x, y, size] = [random.between(-180, 170), random.between(-90, 80), random.between(0, 3)];
          return [[box(x, y, x + size, y + size)]];
        }),
      );
      const index = ringIndexOf(layer)!;
      for (let i = 0; i < 50; i++) {
        const [west, south] = [random.between(-190, 180), random.between(-90, 90)];
        const size = 10 ** random.between(-3, 2);
        searchRings(index, west, south, west + size, south + size, found);
        const expected = layer.index!.search(west, south, west + size, south + size).sort((a, b) => a - b);
        expect([...found.rings.subarray(0, found.count)]).toEqual(expected);
      }
    }
  });

  it("refuses an index of another number type as a bug", () => {
    const layer = buildLayer([[[box(0, 0, 1, 1)]]]);
    const other = new Flatbush(1);
    other.add(0, 0, 1, 1);
    other.finish();
    expect(() => ringIndexOf({ ...layer, index: other })).toThrow("not a Float32 Flatbush of version 3");
    expect(ringIndexOf(buildLayer([]))).toBeUndefined();
  });
});
