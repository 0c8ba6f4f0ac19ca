import { describe, expect, it } from "vitest";
import { toProblemFault } from "./fault-of.ts";

const fault = {
  pointer: "/input/geometry/coordinates/0/2",
  code: "SELF_INTERSECTION",
  message: "it crosses",
};

describe("a fault", () => {
  it("of a geometry has the place that the map marks", () => {
    expect(toProblemFault({ ...fault, coordinate: [-59.6, -10.5] })).toEqual({
      ...fault,
      position: [-59.6, -10.5],
    });
  });

  it.each([undefined, null, "here", [], [1], ["1", "2"]])("has none where %j is told", (coordinate) => {
    expect(toProblemFault({ ...fault, coordinate })).toEqual(fault);
  });
});
