import type { GeometryInput } from "@groundrule/engine";
import { createSeededRandom } from "@groundrule/testing/random";
import { expect, it } from "vitest";
import { openPostgis } from "../src/index.ts";
import { createBothEngines, fetchCandidates, MANIFEST, type TableRow } from "./areas-table.ts";

/** Compares the answers of a live source with those of a snapshot of the whole table: `rows` in the table `areas`. */
export function testSameDigits(url: () => string, rows: readonly TableRow[], plots: number): void {
  it(`gives the digits of a snapshot of the table, ${plots} plots (seed 20261122)`, async () => {
    const { live, stored } = createBothEngines(rows);
    const provider = openPostgis(
      { kind: "postgis", connection: url(), table: "public.areas", geometry: "geom", pool_size: 1 },
      MANIFEST,
    );
    const { next, between, integer } = createSeededRandom(20261122);
    let hits = 0;
    try {
      for (let i = 0; i < plots; i++) {
        const [x, y] = [next() < 0.6 ? between(-2, 2) : 179.9 + between(-0.5, 0.7), between(-2, 2)];
        const reach = between(0.001, 0.3);
        const corners = Array.from({ length: 3 + integer(8) }, (_, k) => k);
        const ring = corners.map((k): [number, number] => {
          const angle = (k * 2 * Math.PI) / corners.length;
          return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
        });
        const geometry = { type: "Polygon", coordinates: [[...ring, ring[0]!]] } as unknown as GeometryInput;
        const maxDistanceMeters = between(0, 60_000);
        const near = await fetchCandidates(provider, live, geometry, maxDistanceMeters);
        expect(near).toHaveProperty("candidates");
        const provided = { "live:areas": near };
        const answer = live.intersections(geometry, { provided });
        const known = stored.intersections(geometry);
        hits += known.matches.length;
        expect(answer.matches).toEqual(known.matches);
        const within = { maxDistanceMeters };
        expect(live.distance(geometry, { ...within, provided }).matches).toEqual(
          stored.distance(geometry, within).matches,
        );
      }
    } finally {
      await provider.close();
    }
    expect(hits).toBeGreaterThan(plots / 4);
  });
}
