import { crsTable } from "@groundrule/crs";
import { type Engine, openEngine } from "@groundrule/engine";
import { type MultiPolygonCoordinates, readSourceAreas } from "@groundrule/engine/build";
import { readSourceCells } from "@groundrule/engine/internal";
import { type VerdictRecord, verdictRecord } from "@groundrule/engine/records";
import { gatherMaterial, type MapArea, type ReportMaterial } from "@groundrule/report";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { makeRasterFile } from "../../../../packages/engine/test/rasters.ts";
import { hardRecords } from "../../../../packages/report/test/hard-records.ts";
import { cutCellTile, cutTile } from "../../../../packages/tiles/src/index.ts";
import { buildReportMaterial, listReportTiles } from "./drawn-material.ts";

describe("the material of a report from map tiles", () => {
  it.each(["crowded", "degraded", "point"] as const)(
    "has the areas of the evidence that the editions have, as large, for the %s record",
    (name) => {
      const { record, engine } = hardRecords()[name];
      expectAlike(record, engine);
    },
  );

  it("has the cells of a raster, cut by the plot, as large as they are in the edition: of a field and of a region", () => {
    // Stripes of a few cells, and of many.
    const cells = Uint16Array.from({ length: 800 * 600 }, (_, i) => {
      const [row, column] = [Math.floor(i / 800), i % 800];
      return row < 300 ? (column % 12 < 5 ? 0 : 254) : column % 200 < 90 ? 1 : 254;
    });
    const grid = { a: 40_000, b: 40_000, s: 1, t: 1, n: 4000, columns: 800, rows: 600 };
    const engine = openEngine([{ bytes: makeRasterFile({ grid, areaCount: 2, cells }) }]);
    const field = createBoxPositions(10.0503, 9.9511, 10.0588, 9.9586);
    const region = createBoxPositions(10.011, 9.86, 10.19, 9.99);
    for (const ring of [field, region]) {
      const geometry = { type: "Polygon", coordinates: [ring] } as const;
      const ruleset = {
        sets: { loss: { sources: ["test:raster"] } },
        checks: [{ id: "loss", set: "loss", outcome: "NON_COMPLIANT" }],
      };
      const policy = engine.compile(ruleset);
      const evaluation = policy.evaluate({ geometry }, { now: "2026-01-10T00:00:00Z" });
      const request = { input: { geometry }, ruleset, policy, groups: {}, engineVersion: "0.0.0" };
      expectAlike(verdictRecord({ id: 1, evidenceLimit: 100, ...request }, evaluation), engine);
    }
  });

  it("states that no service was queried again, and lacks areas without a tile", () => {
    const { record } = hardRecords().crowded;
    const none = buildReportMaterial(
      record,
      listReportTiles(record).map(() => []),
    );
    expect(none).toMatchObject({ isUnasked: true });
    expect(none.views.flatMap(({ areas }) => areas)).toEqual([]);
  });
});

/** Expects the areas from tiles to match those of the editions in size, except where hardly visible. */
function expectAlike(record: VerdictRecord, engine: Engine): void {
  const drawn = fromTiles(record, engine);
  const exact = gatherMaterial(record, { engine, crs: crsTable });
  expect(drawn.views.map(({ frame }) => frame)).toEqual(exact.views.map(({ frame }) => frame));
  let compared = 0;
  for (const [i, { areas, frame }] of exact.views.entries()) {
    const pixel = ((frame[2] - frame[0]) * (frame[3] - frame[1])) / (680 * 310);
    const found = new Map(drawn.views[i]!.areas.map((area) => [formatAreaKey(area), area]));
    for (const area of areas) {
      for (const part of ["outline", "overlap"] as const) {
        const size = measureSquareDegrees(area[part]);
        // A hardly visible area may be too small for a tile.
        if (size < 16 * pixel) continue;
        const ratio = measureSquareDegrees(found.get(formatAreaKey(area))?.[part] ?? null) / size;
        expect(Math.abs(ratio - 1) * size, `${formatAreaKey(area)}, its ${part}, map ${i}`).toBeLessThan(
          Math.max(0.02 * size, 8 * pixel),
        );
        compared++;
      }
    }
  }
  expect(compared).toBeGreaterThan(0);
}

function fromTiles(record: VerdictRecord, engine: Engine): ReportMaterial {
  const tiles = listReportTiles(record).map((places) =>
    places.flatMap((place) => {
      const cells = readSourceCells(engine, place.source);
      const bytes =
        cells === undefined
          ? cutTile(readSourceAreas(engine, place.source), place)
          : cutCellTile(cells, place);
      return bytes.length === 0 ? [] : [{ ...place, bytes }];
    }),
  );
  expect(Math.max(...tiles.map(({ length }) => length))).toBeGreaterThan(0);
  return buildReportMaterial(record, tiles);
}

function formatAreaKey({ source_name, source_id }: MapArea): string {
  return `${source_name} ${source_id}`;
}

/** Size in square degrees, without holes. */
function measureSquareDegrees(polygons: MultiPolygonCoordinates | null): number {
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
