import { crsTable } from "@groundrule/crs";
import type { Engine } from "@groundrule/engine";
import { areasOf, type MultiPolygonCoordinates } from "@groundrule/engine/build";
import type { VerdictRecord } from "@groundrule/engine/records";
import { gatherMaterial, type MapArea, type ReportMaterial } from "@groundrule/report";
import { describe, expect, it } from "vitest";
import { hardRecords } from "../../../../packages/report/test/hard-records.ts";
import { cutTile } from "../../../../packages/tiles/src/index.ts";
import { drawnMaterial, wantedTiles } from "./drawn-material.ts";

describe("the material of a report from map tiles", () => {
  it.each(["crowded", "degraded", "point"] as const)(
    "has the areas of the evidence that the editions have, as large, for the %s record",
    (name) => {
      const { record, engine } = hardRecords()[name];
      const drawn = fromTiles(record, engine);
      const exact = gatherMaterial(record, { engine, crs: crsTable });
      expect(drawn.views.map(({ frame }) => frame)).toEqual(exact.views.map(({ frame }) => frame));
      let compared = 0;
      for (const [i, { areas, frame }] of exact.views.entries()) {
        const pixel = ((frame[2] - frame[0]) * (frame[3] - frame[1])) / (680 * 310);
        const found = new Map(drawn.views[i]!.areas.map((area) => [keyOf(area), area]));
        for (const area of areas) {
          for (const part of ["outline", "overlap"] as const) {
            const size = sizeOf(area[part]);
            // What is hardly seen may be too small for a tile.
            if (size < 16 * pixel) continue;
            const ratio = sizeOf(found.get(keyOf(area))?.[part] ?? null) / size;
            expect(Math.abs(ratio - 1) * size, `${keyOf(area)}, its ${part}, map ${i}`).toBeLessThan(
              Math.max(0.02 * size, 8 * pixel),
            );
            compared++;
          }
        }
      }
      expect(compared).toBeGreaterThan(0);
    },
  );

  it("says that nobody was asked again, and lacks what no tile could be had of", () => {
    const { record } = hardRecords().crowded;
    const none = drawnMaterial(
      record,
      wantedTiles(record).map(() => []),
    );
    expect(none).toMatchObject({ isUnasked: true });
    expect(none.views.flatMap(({ areas }) => areas)).toEqual([]);
  });
});

function fromTiles(record: VerdictRecord, engine: Engine): ReportMaterial {
  const tiles = wantedTiles(record).map((places) =>
    places.flatMap((place) => {
      const bytes = cutTile(areasOf(engine, place.source), place);
      return bytes.length === 0 ? [] : [{ ...place, bytes }];
    }),
  );
  expect(Math.max(...tiles.map(({ length }) => length))).toBeGreaterThan(0);
  return drawnMaterial(record, tiles);
}

function keyOf({ source_name, source_id }: MapArea): string {
  return `${source_name} ${source_id}`;
}

/** In square degrees, holes taken off. */
function sizeOf(polygons: MultiPolygonCoordinates | null): number {
  let doubled = 0;
  for (const rings of polygons ?? []) {
    for (const [n, ring] of rings.entries()) {
      let own = 0;
      for (let i = 0, j = ring.length - 1; i < ring.length; j = i, i++) {
        own += (ring[j]![0]! - ring[i]![0]!) * (ring[j]![1]! + ring[i]![1]!);
      }
      doubled += n === 0 ? Math.abs(own) : -Math.abs(own);
    }
  }
  return doubled / 2;
}
