import { countriesAt, countryName, iso2Of, iso3Of, territoryOf } from "@groundrule/borders";
import { crsTable } from "@groundrule/crs";
import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import type { CheckPlotsOptions } from "../check/check-options.ts";
import { checkPlots } from "../check/plot-checker.ts";
import { FINDING_CODES, FINDINGS } from "../finding-codes.ts";
import { fixPlots } from "../fix/fix-plot.ts";
import type { PlotFeature } from "../plot-feature.ts";
import type { PlotFinding } from "../plot-finding.ts";
import { eudr } from "../profiles/eudr.ts";
import { QUALITY } from "../quality-bounds.ts";
import { PLAUSIBLE_SIZES } from "./plausible-sizes.ts";
import { qualityChecks } from "./quality-checks.ts";

const COUNTRIES = { countriesAt, countryName, iso2Of, iso3Of, territoryOf };
/** Metres of a degree, as the profile measures. */
const METERS = 111_195;

/** A ring of metres east and north of a place, closed. */
function toRing(vertices: readonly (readonly [number, number])[], [x, y] = [-54, -8]): number[][] {
  const cosine = Math.cos((y! * Math.PI) / 180);
  const ring = vertices.map(([east, north]) => [x! + east / METERS / cosine, y! + north / METERS]);
  return [...ring, ring[0]!];
}

function createPlot(rings: number[][][], properties: Record<string, unknown> = {}, number = 1): PlotFeature {
  return { number, id: `p${number}`, geometry: { type: "Polygon", coordinates: rings }, properties };
}

/** The doubts about plots: what is found with the profile alone. */
function findDoubts(plots: readonly PlotFeature[], options: CheckPlotsOptions = {}): PlotFinding[] {
  return [
    ...checkPlots(plots, { quality: qualityChecks, crsTable, countries: COUNTRIES, ...options }),
  ].filter(({ profile }) => profile !== undefined);
}

const square = (side: number): (readonly [number, number])[] => [
  [0, 0],
  [side, 0],
  [side, side],
  [0, side],
];

describe("the profile quality", () => {
  /** A square of 200 m with a spike to the east: `leg` metres, and `width` metres wide at its foot. */
  const spiked = (leg: number, width: number) =>
    createPlot([toRing([[0, 0], [200, 0], [200, 100], [200 + leg, 100 + width / 2], [200, 100 + width], [200, 200], [0, 200]])]); // biome-ignore format: a ring

  it.each([
    ["a spike of 2.9°", 20, 20 * 2 * Math.tan((1.45 * Math.PI) / 180), 1],
    ["none of 3.1°", 20, 20 * 2 * Math.tan((1.55 * Math.PI) / 180), 0],
    ["one with edges of 5.1 m", 5.1, 0.1, 1],
    ["none with edges of 4.9 m", 4.9, 0.1, 0],
    ["one of 1.9 m", 100, 1.9, 1],
    ["none of 2.1 m", 100, 2.1, 0],
  ])("reports %s", (_, leg, width, count) => {
    const found = findDoubts([spiked(leg, width)]);
    expect(found.map(({ code }) => code)).toEqual(Array(count).fill("SPIKE"));
    if (count === 1)
      expect(found[0]).toMatchObject({ pointer: "/geometry/coordinates/0/3", profile: "quality@1" });
  });

  it("reports a slit, a spike at the first vertex, and one in a hole of a projected plot", () => {
    const slit = toRing([[0, 0], [100, 0], [100.6, 50], [101, 0], [200, 0], [200, 200], [0, 200]]); // biome-ignore format: a ring
    expect(findDoubts([createPlot([slit])]).map(({ pointer }) => pointer)).toEqual([
      "/geometry/coordinates/0/2",
    ]);
    const first = toRing([[220, 100.2], [200, 100.4], [200, 200], [0, 200], [0, 0], [200, 0], [200, 100]]); // biome-ignore format: a ring
    expect(findDoubts([createPlot([first])])).toMatchObject([
      {
        code: "SPIKE",
        pointer: "/geometry/coordinates/0/0",
        position: first[0],
        measure: { bound: 3, unit: "degrees" },
      },
    ]);
    const at = ([east, north]: readonly number[]) => [700_000 + east!, 9_100_000 + north!];
    const rings = [
      [[0, 0], [400, 0], [400, 400], [0, 400], [0, 0]],
      [[100, 100], [100, 300], [300, 300], [300, 200.3], [350, 200.15], [300, 200], [300, 100], [100, 100]],
    ].map((ring) => ring.map(at)); // biome-ignore format: rings
    expect(findDoubts([{ ...createPlot(rings), crs: "EPSG:31981" }])).toMatchObject([
      { code: "SPIKE", pointer: "/geometry/coordinates/1/4" },
    ]);
  });

  it("leaves an edge that runs back over itself to the error of that", () => {
    const back = createPlot([[[0, 0], [0.002, 0], [0.002, 0.001], [0.003, 0.001], [0.002, 0.001], [0.002, 0.002], [0, 0.002], [0, 0]]]); // biome-ignore format: a ring
    expect([...checkPlots([back], { quality: qualityChecks })].map(({ code }) => code)).toContain(
      "RING_SELF_OVERLAP",
    );
    expect(findDoubts([back])).toEqual([]);
  });

  it("reports segments below 10 mm once for a plot, at the shortest, and none of 10.5 mm", () => {
    const cut = (...meters: number[]) => {
      const pairs = meters.flatMap((length, i) => [[50 * (i + 1), 0], [50 * (i + 1) + length, 0]] as const); // biome-ignore format: two vertices
      return createPlot([toRing([[0, 0], ...pairs, [200, 0], [200, 200]])]); // biome-ignore format: a ring
    };
    expect(findDoubts([cut(0.0105)])).toEqual([]);
    expect(findDoubts([cut(0.0095)])).toMatchObject([
      { code: "SEGMENT_SHORT", found: "a segment of 9.5 mm" },
    ]);
    const [found, ...others] = findDoubts([cut(0.009, 0.004, 0.008)]);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      code: "SEGMENT_SHORT",
      pointer: "/geometry/coordinates/0/3",
      found: "3 segments, the shortest from here, of 4.0 mm",
      expected: "segments of 10 mm or more",
      measure: { bound: 0.01, unit: "meters" },
    });
  });

  /** A regular ring of so many vertices around so many hectares. */
  const regular = (count: number, hectares: number): PlotFeature => {
    const radius = Math.sqrt((hectares * 10_000) / ((count / 2) * Math.sin((2 * Math.PI) / count)));
    const corner = (i: number) => (2 * Math.PI * i) / count;
    const vertices = Array.from(
      { length: count },
      (_, i) => [radius * Math.cos(corner(i)), radius * Math.sin(corner(i))] as const,
    );
    return createPlot([toRing(vertices)]);
  };

  it.each([
    [3, 9.8, 10.2, 10],
    [4, 295, 305, 300],
    [5, 980, 1020, 1000],
    [7, 980, 1020, 1000],
  ])(
    "reports that %i vertices are few above a bound, and not below it",
    (count, inside, outside, hectares) => {
      expect(findDoubts([regular(count, inside)])).toEqual([]);
      const [found] = findDoubts([regular(count, outside)]);
      expect(found).toMatchObject({
        code: "FEW_VERTICES",
        pointer: "/geometry/coordinates/0",
        measure: { bound: hectares, unit: "hectares" },
      });
      expect(found!.found).toMatch(new RegExp(`^${count} vertices around `));
    },
  );

  it("has enough in eight vertices for any size, and counts a vertex that comes again once", () => {
    expect(findDoubts([regular(8, 50_000)])).toEqual([]);
    const [ring] = (regular(3, 20).geometry as { coordinates: number[][][] }).coordinates;
    const repeated = createPlot([[ring![0]!, ring![0]!, ring![1]!, ring![1]!, ...ring!.slice(2)]]);
    expect(findDoubts([repeated]).map(({ found }) => found)).toEqual([expect.stringMatching(/^3 vertices/)]);
  });

  const ofSize = (hectares: number, properties: Record<string, unknown>, at: [number, number]) => {
    const side = Math.sqrt(hectares * 10_000);
    const middle = square(side).flatMap(([x, y], i) => {
      const [nextX, nextY] = square(side)[(i + 1) % 4]!;
      return [[x, y], [(x + nextX) / 2, (y + nextY) / 2]] as const; // biome-ignore format: two vertices
    });
    return createPlot([toRing(middle, at)], properties);
  };
  const GHANA: [number, number] = [-2, 6.5];

  it("reports a size that is implausible for commodity and country, where both are known, and none else", () => {
    const cocoa = { country: "GH", commodity: "Cacau" };
    expect(findDoubts([ofSize(98, cocoa, GHANA)])).toEqual([]);
    expect(findDoubts([ofSize(102, cocoa, GHANA)])).toMatchObject([
      {
        code: "SIZE_IMPLAUSIBLE",
        pointer: "/properties/commodity",
        position: GHANA,
        expected: "100 ha or less",
      },
    ]);
    expect(findDoubts([ofSize(102, { country: "GHA" }, GHANA)], { commodity: "cocoa" })).toMatchObject([
      {
        code: "SIZE_IMPLAUSIBLE",
        pointer: "/geometry",
        found: expect.stringMatching(/^10\d\.\d+ ha of cocoa in Ghana$/),
      },
    ]);
    expect(findDoubts([ofSize(102, { country: "GH" }, GHANA)])).toEqual([]);
    expect(findDoubts([ofSize(102, { commodity: "cocoa" }, GHANA)])).toEqual([]);
    expect(findDoubts([ofSize(102, { country: "GH" }, GHANA)], { commodity: "soya" })).toEqual([]);
    expect(findDoubts([ofSize(102, { ...cocoa, country: "BR" }, [-54, -8])])).toEqual([]);
  });

  it.each(PLAUSIBLE_SIZES.map((size) => [size.names[0]!, size] as const))(
    "bounds %s by codes of countries",
    (_, size) => {
      expect(size.countries.map((code) => iso3Of(code))).toEqual(size.countries);
      expect(size.countries.toSorted()).toEqual(size.countries);
    },
  );

  const at = (number: number, longitude: number, latitude: number, properties: Record<string, unknown>) =>
    createPlot([toRing(square(100), [longitude, latitude])], properties, number);
  const ANA = { ProducerName: "Ana", ProducerCountry: "BR" };
  const kilometers = (count: number): number => count / (METERS / 1000);

  it("reports a plot that is far from the others of its producer, and none within 100 km or ten medians", () => {
    const home = [1, 2, 3].map((i) => at(i, -54 + i / 1000, -8, ANA));
    expect(findDoubts([...home, at(4, -54, -8 + kilometers(99), ANA)])).toEqual([]);
    expect(findDoubts([...home, at(4, -54, -8 + kilometers(101), ANA)])).toMatchObject([
      {
        code: "FAR_FROM_GROUP",
        plot: 4,
        id: "p4",
        pointer: "/geometry",
        measure: { bound: 100_000, unit: "meters" },
      },
    ]);
    // Two plots are no group, and plots of other producers do not count.
    expect(findDoubts([home[0]!, at(2, -54, -20, ANA)])).toEqual([]);
    expect(findDoubts([...home, at(4, -54, -20, { ...ANA, ProducerName: "Bia" })])).toEqual([]);
    expect(findDoubts([...home, at(4, -54, -20, {})])).toEqual([]);
    // A cooperative has plots in a whole region.
    const wide = (most: number) => [-30, -20, -10, 0, 10, 20, most].map((km, i) => at(i + 1, -54, -8 + kilometers(km), ANA)); // biome-ignore format: a line
    expect(findDoubts(wide(195))).toEqual([]);
    expect(findDoubts(wide(205))).toMatchObject([{ code: "FAR_FROM_GROUP", plot: 7 }]);
  });

  it("knows no border at the antimeridian", () => {
    const fiji = [179.99, -179.99, 179.98, -179.98].map((x, i) =>
      at(i + 1, x, -17, { ...ANA, ProducerCountry: "FJ" }),
    );
    expect(findDoubts(fiji)).toEqual([]);
  });

  it("reports each spelling of a producer but the most frequent, once", () => {
    const names = [
      "José da Silva",
      "JOSE DA SILVA",
      "José da Silva",
      "Silva, José  da",
      "JOSE DA SILVA",
      "José da Silva",
    ];
    const plots = names.map((name, i) => at(i + 1, -54 + i / 100, -8, { "nome do produtor": name }));
    expect(findDoubts(plots)).toMatchObject([
      {
        ...{ code: "PRODUCER_SPELLINGS", plot: 2, pointer: "/properties/nome do produtor" },
        found: '"JOSE DA SILVA" in 2 plots',
        expected: 'one spelling of a producer: "José da Silva" in 3 plots, first in plot 1',
        measure: { value: 3, bound: 1, unit: "spellings" },
      },
      { code: "PRODUCER_SPELLINGS", plot: 4, found: '"Silva, José da" in 1 plot' },
    ]);
  });

  it.each([
    ["another letter", "Maria Souza", "Mario Souza"],
    ["one more word", "Maria Souza", "Maria Souza Lima"],
    ["a vowel sign of another script", "राम", "रीम"],
    ["signs alone", "--", "."],
  ])("holds names apart for %s", (_, one, other) => {
    const plots = [one, other].map((name, i) => at(i + 1, -54 + i / 100, -8, { ProducerName: name }));
    expect(findDoubts(plots)).toEqual([]);
  });

  it("holds producers of two countries apart", () => {
    const plots = ["BR", "PY"].map((ProducerCountry, i) =>
      at(i + 1, -54.6, -24 + i / 100, { ProducerName: i === 0 ? "Ana" : "ANA", ProducerCountry }),
    );
    expect(findDoubts(plots)).toEqual([]);
  });

  it("finds nothing in clean polygons of ordinary shapes", () => {
    const random = createSeededRandom(20_261);
    for (let i = 0; i < 2000; i++) {
      const count = 4 + random.integer(40);
      const hectares = 10 ** (random.next() * 3.3 - 1);
      const radius = Math.sqrt((hectares * 10_000) / Math.PI);
      const stretch = 1 + random.next() * 3;
      const vertices = Array.from({ length: count }, (_, k) => {
        const angle = (2 * Math.PI * (k + 0.3 * random.next())) / count;
        const length = radius * (0.8 + 0.2 * random.next());
        return [stretch * length * Math.cos(angle), (length * Math.sin(angle)) / stretch] as const;
      });
      // Few vertices around much land are a doubt of their own.
      const isFew = QUALITY.vertices.some((bound) => count <= bound.most && hectares > bound.hectares / 2);
      const plot = createPlot([toRing(vertices, [random.next() * 300 - 150, random.next() * 120 - 60])]);
      if (!isFew) expect(findDoubts([plot], { countries: undefined }), `${i}`).toEqual([]);
    }
  });

  it("is silent unless it is named, only warns, and has nothing that fixing changes", () => {
    const plots = [spiked(20, 0.2), { ...regular(3, 20), number: 2, id: "p2" }];
    expect([...checkPlots(plots)].filter(({ profile }) => profile !== undefined)).toEqual([]);
    for (const code of FINDING_CODES)
      if (FINDINGS[code].profile !== undefined) expect(FINDINGS[code]).toMatchObject({ severity: "warning", profile: `quality@${QUALITY.version}` }); // biome-ignore format: one line
    const fixed = [...fixPlots(plots, { profile: eudr, crsTable })].flatMap(({ plots: after }) => after);
    expect(findDoubts(fixed).map(({ code }) => code)).toEqual(findDoubts(plots).map(({ code }) => code));
  });
});
