import { createSeededRandom } from "@groundrule/testing/random";
import { LINES, NORTH, WEST } from "./mirrored.ts";

export interface PlotOf {
  readonly type: "Polygon";
  readonly coordinates: number[][][];
}

/** Seeded plots of about so many hectares on a raster of a side, wholly on it: rough discs of some corners. */
export function makePlotsOnRaster(side: number, hectares: number, count: number, corners = 12): PlotOf[] {
  const random = createSeededRandom(30);
  const radius = Math.sqrt((hectares * 1e4) / Math.PI) / 110_900;
  const room = side / LINES - 2.4 * radius;
  return Array.from({ length: count }, () => {
    const x = WEST + 1.2 * radius + room * random.next();
    const y = NORTH - 1.2 * radius - room * random.next();
    const ring = Array.from({ length: corners }, (_, i) => {
      const angle = ((i + random.between(0, 0.6)) / corners) * 2 * Math.PI;
      const reach = radius * random.between(0.9, 1.1);
      return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
    });
    return { type: "Polygon", coordinates: [[...ring, ring[0]!]] };
  });
}
