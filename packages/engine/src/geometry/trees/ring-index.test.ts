import { createSeededRandom } from "@groundrule/testing/random";
import Flatbush from "flatbush";
import { describe, expect, it } from "vitest";
import { ceilToCell, floorToCell } from "./cells.ts";
import {
  buildRingIndex,
  countRingIndexBytes,
  createRingList,
  findRingsMeetingBox,
  searchRings,
} from "./ring-index.ts";

const SEED = 20261120;
/** One node, its border, several levels, and numbers of nodes of 16 and of 32 bits. */
const SIZES = [1, 2, 16, 17, 300, 5000, 20_000];

function randomBoxes(count: number, random: ReturnType<typeof createSeededRandom>): Int32Array {
  const boxes = new Int32Array(4 * count);
  for (let i = 0; i < boxes.length; i += 4) {
    const [x, y, size] = [random.between(-180, 170), random.between(-90, 80), random.between(0, 3)];
    boxes.set([floorToCell(x), floorToCell(y), ceilToCell(x + size), ceilToCell(y + size)], i);
  }
  return boxes;
}

describe("a ring index", () => {
  it(`finds what comparing every box finds, and what Flatbush finds in its bytes, ascending (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    const found = createRingList();
    for (const count of SIZES) {
      const boxes = randomBoxes(count, random);
      const index = buildRingIndex(boxes);
      const flatbush = Flatbush.from(index.bytes.buffer, index.bytes.byteOffset);
      for (let i = 0; i < 50; i++) {
        const [west, south] = [random.between(-190, 180), random.between(-90, 90)];
        const size = 10 ** random.between(-3, 2);
        const [east, north] = [west + size, south + size];
        const queried = [floorToCell(west), floorToCell(south), ceilToCell(east), ceilToCell(north)] as const;
        searchRings(index, west, south, east, north, found);
        const rings = [...found.rings.subarray(0, found.count)];
        const meeting = Array.from({ length: count }, (_, ring) => ring).filter((ring) => {
          const [w, s, e, n] = boxes.subarray(4 * ring, 4 * ring + 4);
          return w! <= queried[2] && s! <= queried[3] && e! >= queried[0] && n! >= queried[1];
        });
        expect(rings).toEqual(meeting);
        expect(rings).toEqual(flatbush.search(...queried).sort((a, b) => a - b));
        expect(rings).toEqual(findRingsMeetingBox(index, west, south, east, north));
      }
    }
  });

  it("takes as many bytes as its count says", () => {
    for (const count of SIZES) {
      expect(buildRingIndex(new Int32Array(4 * count)).bytes.length).toBe(countRingIndexBytes(count));
    }
    expect(countRingIndexBytes(0)).toBe(0);
  });
});
