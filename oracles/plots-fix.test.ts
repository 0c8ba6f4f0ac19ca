import { expect, it } from "vitest";
import { loadGeos } from "./geos.ts";
import { fixRandomPolygons } from "./plots-fix.ts";

const geos = await loadGeos();

it.skipIf(geos === undefined)("leaves random valid polygons valid in GEOS once plots are fixed", () => {
  const tally = fixRandomPolygons(geos!, 900_000_000, 250);
  expect(tally.faults).toEqual([]);
  expect(tally.fixed).toBeGreaterThan(200);
});
