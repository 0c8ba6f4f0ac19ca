import { describe, expect, it } from "vitest";
import { type EditionExtent, listGuardFindings } from "./guards.ts";

const leaf = (featureCount: number, more: Partial<EditionExtent> = {}): EditionExtent => ({
  kind: "leaf",
  featureCount,
  ...more,
});
const guards = (edition: EditionExtent, current?: EditionExtent) =>
  listGuardFindings(edition, current).map(({ guard }) => guard);

describe("guardFindings", () => {
  it("checks of a first edition only whether it has anything and what it left out", () => {
    expect(guards(leaf(1, { squareMeters: 1 }))).toEqual([]);
    expect(guards(leaf(0))).toEqual(["empty"]);
    expect(guards(leaf(90, { read: 100, leftOut: 10 }))).toEqual(["left-out"]);
  });

  it("takes 1 % left out, and not one feature more", () => {
    expect(guards(leaf(990, { read: 1000, leftOut: 10 }))).toEqual([]);
    expect(listGuardFindings(leaf(989, { read: 1000, leftOut: 11 }), undefined)).toMatchObject([
      { guard: "left-out", found: 11, allowed: 10 },
    ]);
    // Rows of a register may share a record: the number of rows is unknown, but at least this.
    expect(guards(leaf(990, { leftOut: 10 }))).toEqual([]);
    expect(guards(leaf(10, { leftOut: 1 }))).toEqual(["left-out"]);
  });

  it("accepts 1 % of rows with an identifier that its scheme excludes, and not one row more", () => {
    const register = (malformed: number): EditionExtent => {
      return { kind: "subject_register", featureCount: 1000, identifiers: 1000, malformed };
    };
    expect(guards(register(10))).toEqual([]);
    expect(listGuardFindings(register(11), register(500))).toMatchObject([
      { guard: "malformed", found: 11, allowed: 10 },
    ]);
    expect(guards({ kind: "subject_register", featureCount: 3, identifiers: 2, malformed: 1 })).toEqual([
      "malformed",
    ]);
  });

  it("takes half of the areas and square metres, and nothing less", () => {
    expect(guards(leaf(50, { squareMeters: 500 }), leaf(100, { squareMeters: 1000 }))).toEqual([]);
    expect(guards(leaf(49, { squareMeters: 500 }), leaf(100, { squareMeters: 1000 }))).toEqual(["shrunk"]);
    expect(guards(leaf(50, { squareMeters: 499 }), leaf(100, { squareMeters: 1000 }))).toEqual(["shrunk"]);
    expect(guards(leaf(1), leaf(3))).toEqual(["shrunk"]);
    expect(guards(leaf(2), leaf(3))).toEqual([]);
  });

  it("reports an empty edition once, and requires nothing of one that follows an empty one", () => {
    expect(guards(leaf(0, { squareMeters: 0 }), leaf(100, { squareMeters: 1000 }))).toEqual(["empty"]);
    expect(guards(leaf(5, { squareMeters: 5 }), leaf(0, { squareMeters: 0 }))).toEqual([]);
  });
});
