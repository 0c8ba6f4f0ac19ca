import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { type Box, computeUncoveredBox } from "./clear-box.ts";

const MAP: Box = { left: 0, top: 0, right: 600, bottom: 700 };

describe("clearBox", () => {
  it("leaves what lies over a map out, where that costs least", () => {
    const tools = { left: 12, top: 12, right: 400, bottom: 48 };
    const zoom = { left: 552, top: 12, right: 588, bottom: 140 };
    const legend = { left: 12, top: 456, right: 252, bottom: 656 };
    expect(computeUncoveredBox(MAP, [])).toEqual(MAP);
    expect(computeUncoveredBox(MAP, [tools, zoom])).toEqual({ left: 0, top: 48, right: 552, bottom: 700 });
    expect(computeUncoveredBox(MAP, [tools, zoom, legend])).toEqual({
      left: 0,
      top: 48,
      right: 552,
      bottom: 456,
    });
    // A hidden element has no size, at the upper left of the page.
    expect(computeUncoveredBox(MAP, [{ left: -300, top: -80, right: -300, bottom: -80 }])).toEqual(MAP);
  });

  it("never has anything over it, whatever lies where", () => {
    const random = createSeededRandom(20_261_126);
    for (let round = 0; round < 500; round++) {
      const things = Array.from({ length: 6 }, (): Box => {
        const [left, top] = [random.between(0, 500), random.between(0, 600)];
        return { left, top, right: left + random.between(0, 200), bottom: top + random.between(0, 200) };
      });
      const clear = computeUncoveredBox(MAP, things);
      for (const { left, top, right, bottom } of things) {
        const isOver = left < clear.right && right > clear.left && top < clear.bottom && bottom > clear.top;
        expect(isOver).toBe(false);
      }
    }
  });
});
