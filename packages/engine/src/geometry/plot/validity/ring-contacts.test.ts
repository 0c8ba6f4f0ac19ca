import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { WorkMeter } from "../../../base/work-meter.ts";
import { type Rings, readRings } from "../rings.ts";
import { type Contacts, findRingContacts } from "./ring-contacts.ts";

const unlimited = (): WorkMeter => new WorkMeter(Number.POSITIVE_INFINITY);

describe("findRingContacts", () => {
  it.each([
    ["a grid of 3", (random: () => number): number => Math.floor(random() * 3)],
    ["a grid of 6", (random: () => number): number => Math.floor(random() * 6)],
    ["a grid of 40", (random: () => number): number => Math.floor(random() * 40)],
    ["units in the last place", (random: () => number): number => 1 + Math.floor(random() * 5) * 2 ** -52],
    ["the plane", (random: () => number): number => random()],
  ])("finds by a sweep what comparing boxes finds, 600 sets of rings on %s", (name, ordinate) => {
    const random = createSeededRandom(20_261_122).next;
    const kinds = { crossing: 0, touching: 0, along: 0, broken: 0 };
    for (let run = 0; run < 600; run++) {
      const polygons = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
        Array.from({ length: 1 + Math.floor(random() * 2) }, () => randomRing(random, ordinate)),
      );
      const rings = readRings(polygons, []);
      if (rings.ringCount === 0) continue;
      const swept = findRingContacts(rings, unlimited(), 1_000_000, 0);
      const compared = findRingContacts(rings, unlimited(), 1_000_000, Number.POSITIVE_INFINITY);
      expect(describeContacts(swept, rings), `run ${run}`).toEqual(describeContacts(compared, rings));
      if (compared.crossing.size > 0) kinds.crossing++;
      if (compared.points.length > 0) kinds.touching++;
      if (compared.allSharedStretches > 0) kinds.along++;
      if (compared.broken.includes(1)) kinds.broken++;
    }
    for (const [kind, count] of Object.entries(kinds)) {
      if (name === "a grid of 3" || name === "a grid of 6" || kind === "crossing" || kind === "broken") {
        expect(count, kind).toBeGreaterThan(5);
      }
    }
  });

  it("reports the first faults in the order of rings, where a sweep comes upon many more", () => {
    // Teeth and a bar across them: the last edge but one crosses all the others.
    const teeth = Array.from({ length: 1200 }, (_, i) => [i, 0, i + 0.5, 1]).flat();
    const ring = Float64Array.from([...teeth, 1201, 0.5, -1, 0.4, 0, 0]);
    const rings = readRings([[ring]], []);
    const { faults } = findRingContacts(rings, unlimited(), 20);
    const all = findRingContacts(rings, unlimited(), 10_000);
    expect(all.faults.length).toBeGreaterThan(2300);
    expect(faults.slice(0, 20)).toEqual(all.faults.slice(0, 20));
  });
});

function describeContacts(contacts: Contacts, { ringCount }: Rings): object {
  const sides: string[] = [];
  for (let a = 0; a < ringCount; a++) {
    for (let b = 0; b < ringCount; b++) if (a !== b) sides.push(contacts.touches.sideOf(a, b));
  }
  const { faults, broken, crossing, points, sharedStretches, allSharedStretches } = contacts;
  const numbers = [...crossing].sort((p, q) => p - q);
  const byPolygon = [...sharedStretches].sort(([p], [q]) => p - q);
  return { faults, broken, numbers, points, byPolygon, allSharedStretches, sides };
}

/** Three to eight positions, some repeated, some spikes. */
function randomRing(random: () => number, ordinate: (random: () => number) => number): Float64Array {
  const xy: number[] = [];
  const count = 3 + Math.floor(random() * 6);
  for (let k = 0; k < count; k++) {
    if (k > 1 && random() < 0.1) xy.push(...xy.slice(2 * k - 4, 2 * k - 2));
    else xy.push(ordinate(random), ordinate(random));
  }
  return Float64Array.from([...xy, xy[0]!, xy[1]!]);
}
