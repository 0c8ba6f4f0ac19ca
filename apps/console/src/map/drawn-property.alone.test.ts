import type { Polygon } from "geojson";
import { afterEach, describe, expect, it, vi } from "vitest";
import { toMapGeometry } from "../plots/placed.ts";
import { registerPlacer } from "../state/placing.ts";
import { addPlots, selectedKey } from "../state/store.ts";
import { drawnProperty, followSelectedProperty } from "./drawn-property.ts";

const box = (west: number, south: number, side: number) => ({
  type: "Polygon",
  coordinates: [
    [[west, south], [west + side, south], [west + side, south + side], [west, south]], // biome-ignore format: a ring
  ],
});
const plot = (input: object) => ({
  ...{ id: "p", geometry: undefined, properties: {}, origin: "test", state: { kind: "new" } as const },
  input,
});

afterEach(() => {
  selectedKey.value = undefined;
});

describe("the property that the map draws", () => {
  it("is that of the selected plot, placed by its reference system, and goes with the selection", async () => {
    const [degrees, metres, none] = addPlots([
      plot({ property: box(-55, -7, 1) }),
      plot({ property: box(712000, 9236000, 900), crs: "EPSG:31981" }),
      plot({}),
    ]);
    registerPlacer(async (geometries, crs) =>
      Promise.all(geometries.map((geometry) => toMapGeometry({ geometry, crs }))),
    );
    const stop = followSelectedProperty();
    selectedKey.value = degrees!.key;
    await vi.waitFor(() => expect(drawnProperty.value).toEqual(box(-55, -7, 1)));
    selectedKey.value = metres!.key;
    expect(drawnProperty.value).toBeUndefined();
    await vi.waitFor(() => expect(drawnProperty.value).toBeDefined());
    expect((drawnProperty.value as Polygon).coordinates[0]![0]).toEqual([
      expect.closeTo(-55.08, 1),
      expect.closeTo(-6.9, 1),
    ]);
    selectedKey.value = none!.key;
    expect(drawnProperty.value).toBeUndefined();
    stop();
  });
});
