import { describe, expect, it } from "vitest";
import { areasId } from "./layers/map-look.ts";
import { toPointedArea } from "./pointed-area.ts";

describe("the area that a feature of a tile draws", () => {
  it("has the feature's id and name", () => {
    const source = areasId("demo:parks");
    expect(toPointedArea(source, { source_id: 7, name: "Park", index: 0 })).toEqual({
      source_name: "demo:parks",
      source_id: "7",
      name: "Park",
    });
    expect(toPointedArea(source, { source_id: 0, name: "", color: "#fff" })).toEqual({
      source_name: "demo:parks",
      source_id: "0",
      name: undefined,
      colour: "#fff",
    });
  });

  it("is none where the feature stands for many areas that are too small to be drawn alone", () => {
    expect(toPointedArea(areasId("demo:parks"), {})).toBeUndefined();
  });
});
