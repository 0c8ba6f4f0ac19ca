import { type CoverageEntry, openEngine } from "@groundrule/engine";
import { openSnapshot, type SnapshotOfOptions, snapshotOf } from "@groundrule/engine/build";
import { catchRefusal } from "@groundrule/testing/refusal";
import { createBoxRing, createSquarePolygon, toPairs } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { buildBordersSnapshot } from "../../test/small-borders.ts";
import type { AreaFeature } from "./snapshot-of.ts";

const BOWTIE = { type: "Polygon", coordinates: [toPairs(20, 20, 21, 21, 21, 20, 20, 21, 20, 20)] };
const feature = (geometry: object | null, properties: object): AreaFeature => ({
  type: "Feature",
  geometry,
  properties,
});
const featureCollection = {
  type: "FeatureCollection",
  features: [
    feature(createSquarePolygon(0, 0, 1), {
      code: "a",
      name: "First",
      rank: 1,
      open: true,
      tags: ["x"],
      iso: "bra",
    }),
    feature(createSquarePolygon(10, 0, 1), {
      code: 2,
      name: null,
      rank: 2.5,
      open: false,
      tags: null,
      iso: null,
    }),
  ],
};
const ruleset = {
  sets: { parks: { sources: ["my:parks"] } },
  checks: [{ id: "park", set: "parks", outcome: "NON_COMPLIANT" }],
};

describe("snapshotOf", () => {
  it("takes features to a verdict in four lines", () => {
    const geometry = createSquarePolygon(0.5, 0.5, 1);
    const parks = snapshotOf("my:parks", featureCollection, { id: "code", name: "name" });
    const engine = openEngine([parks]);
    const policy = engine.compile(ruleset); // bound to this engine
    const { verdict, checks } = policy.evaluate({ geometry }, { now: new Date().toISOString() });
    expect(verdict).toBe("NON_COMPLIANT");
    expect(checks[0]?.evidence).toMatchObject([{ source_id: "a", name: "First", edition: parks.edition }]);
  });

  it("infers the types of properties, and stores every one that no option leaves out", () => {
    const all = snapshotOf("my:parks", featureCollection, { id: "code", country: "iso" });
    expect(all.report).toMatchObject({
      stored: 2,
      columns: { code: "string", name: "string", rank: "number", open: "boolean", tags: "string" },
      repaired: [],
      leftOut: [],
    });
    const [match] = openEngine([all]).intersections(createSquarePolygon(0, 0, 0.5)).matches;
    expect(match).toMatchObject({ country_iso3: "BRA", properties: { code: "a", rank: 1, tags: '["x"]' } });
    const some = snapshotOf("my:parks", featureCollection, { id: "code", properties: ["rank"] });
    expect(some.report.columns).toEqual({ rank: "number" });
  });

  it("gives the same bytes for the same features, and takes their array alone", () => {
    const [once, again] = [featureCollection, featureCollection.features].map((input) =>
      snapshotOf("my:parks", input, { id: "code" }),
    );
    expect(Buffer.from(again!.bytes).equals(once!.bytes)).toBe(true);
    expect(again!.edition).toBe(once!.edition);
  });

  it("repairs in the open", () => {
    const { report, bytes } = snapshotOf("my:parks", [feature(BOWTIE, { code: "b" })], { id: "code" });
    expect(report.repaired).toMatchObject([
      { pointer: "/0", id: "b", squareMetersBefore: expect.any(Number) },
    ]);
    expect(openEngine([bytes]).intersections(createSquarePolygon(20, 20, 1)).matches).toHaveLength(1);
  });

  const faulty = [
    feature(createSquarePolygon(0, 0, 1), { code: "a" }),
    feature(createSquarePolygon(5, 0, 1), { code: "a" }),
    feature({ type: "Point", coordinates: [0, 0] }, { code: "p" }),
    feature({ type: "Polygon", coordinates: [toPairs(0, 0, 999, 0, 1, 1, 0, 0)] }, { code: "far" }),
    feature(createSquarePolygon(0, 0, 1), {}),
    feature(null, { code: "none" }),
  ];

  it("refuses features that cannot be stored, every one of them with its place", () => {
    const error = catchRefusal(() =>
      snapshotOf("my:parks", { type: "FeatureCollection", features: faulty }, { id: "code" }),
    );
    expect(error.code).toBe("VALIDATION_FAILED");
    const pointers = error.details.faults!.map(({ pointer }) => pointer);
    expect(pointers).toEqual([
      "/features/1/properties/code",
      expect.stringMatching(/^\/features\/2\/geometry/),
      "/features/3/geometry/coordinates/0/1",
      "/features/4/properties/code",
      expect.stringMatching(/^\/features\/5\/geometry/),
    ]);
  });

  it("leaves them out by option, counts them, and every answer reports that", () => {
    const leaving = { id: "code", onFault: "leaveOut" } as const;
    const { faults } = catchRefusal(() => snapshotOf("my:parks", faulty, leaving)).details;
    expect(faults?.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      "PLACE_UNKNOWN /2",
      "PLACE_UNKNOWN /3",
      "PLACE_UNKNOWN /5",
    ]);
    const built = snapshotOf("my:parks", faulty, { ...leaving, allow: ["left_out"] });
    expect([built.leftOut, built.report.stored, built.report.leftOut.length]).toEqual([5, 1, 5]);
    expect(openEngine([built]).intersections(createSquarePolygon(0, 0, 1)).sources).toMatchObject([
      { left_out: 5 },
    ]);
  });

  it("checks properties against declared types, and leaves no area half written", () => {
    const input = [
      feature(createSquarePolygon(0, 0, 1), { code: "a", opened: "2026-01-31", rank: 1 }),
      feature(createSquarePolygon(5, 0, 1), { code: "b", opened: "2026-02-31", rank: 2 }),
      feature(createSquarePolygon(9, 0, 1), { code: "c", opened: null, rank: Number.NaN }),
    ];
    const columns = { opened: "date" } as const;
    const built = snapshotOf("my:parks", input, { id: "code", columns, onFault: "leaveOut" });
    expect(built.report.columns).toEqual({ code: "string", opened: "date", rank: "number" });
    expect(built.report.leftOut.map(({ pointer }) => pointer)).toEqual([
      "/1/properties/opened",
      "/2/properties/rank",
    ]);
    const { matches } = openEngine([built]).intersections(createSquarePolygon(-1, -1, 20));
    expect(matches.map(({ properties }) => properties.opened)).toEqual(["2026-01-31"]);
  });

  it("stores what JSON writes of a value, and refuses one that it cannot write", () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const input = [
      feature(createSquarePolygon(0, 0, 1), { code: "a", at: new Date(0), tags: ["x"] }),
      feature(createSquarePolygon(5, 0, 1), { code: "b", at: 5n }),
      feature(createSquarePolygon(7, 0, 1), { code: "c", at: cycle }),
    ];
    const built = snapshotOf("my:parks", input, { id: "code", onFault: "leaveOut" });
    expect(built.report.leftOut).toMatchObject([
      { pointer: "/1/properties/at", message: "found 5, expected a value that JSON supports" },
      { pointer: "/2/properties/at", message: "found an object, expected a value that JSON supports" },
    ]);
    const { matches } = openEngine([built]).intersections(createSquarePolygon(-1, -1, 20));
    expect(matches.map(({ properties }) => properties)).toEqual([
      { code: "a", at: "1970-01-01T00:00:00.000Z", tags: '["x"]' },
    ]);
  });

  it("refuses features whose members cannot be read", () => {
    const unreadable = Object.defineProperty({ type: "Feature" }, "properties", {
      enumerable: true,
      get() {
        throw new TypeError("not ready");
      },
    });
    const input = [feature(createSquarePolygon(0, 0, 1), { code: "a" }), unreadable];
    const error = catchRefusal(() => snapshotOf("my:parks", input as never, { id: "code" }));
    expect(error.details.faults).toMatchObject([{ pointer: "/1", code: "TYPE_MISMATCH" }]);
  });

  it("reports in its caller's terms what is wrong with its options", () => {
    const of = (options: object, name = "my:parks", input: object = featureCollection) =>
      catchRefusal(() => snapshotOf(name, input as never, options as never)).message;
    expect(of({ id: "cod" })).toContain('no feature has the property "cod"; did you mean "code"?');
    expect(of({ id: "code", name: "nam" })).toContain('did you mean "name"?');
    expect(of({ id: "code", onfault: "leaveOut" })).toContain('did you mean "onFault"?');
    expect(of({})).toContain('(at "/id")');
    expect(of({ id: "code", properties: ["code", "nam"] })).toMatch(/did you mean "name".*\/properties\/1"/);
    expect(of({ id: "code", crsTable: "EPSG:31983" })).toContain("expected a table of CRSs");
    const own = { ...feature(createSquarePolygon(0, 0, 1), { code: "a" }), id: 7 };
    expect(of({ id: "id" }, "my:parks", [own])).toContain("copy it into its properties");
    expect(of({ id: "code" }, "My Parks")).toContain('found "My Parks", expected lowercase words');
    expect(of({ id: "code" }, "my:parks", createSquarePolygon(0, 0, 1))).toContain(
      "found a Polygon, expected a GeoJSON FeatureCollection",
    );
    expect(of({ id: "code", crs: "EPSG:31983" })).toMatch(/without a table of CRSs; .* as crsTable$/);
  });
});

describe("the coverage of a snapshot of features", () => {
  const borders = buildBordersSnapshot([
    { countries: ["BRA"], polygons: [[createBoxRing(-5, -5, 5, 5)]] },
    { countries: ["PER"], polygons: [[createBoxRing(5, -5, 9, 5)]] },
  ]);
  const of = (options: Partial<SnapshotOfOptions>) =>
    snapshotOf("my:parks", featureCollection, { id: "code", ...options });
  const opened = (options: Partial<SnapshotOfOptions>) => {
    const { bytes } = of(options);
    const snapshot = openSnapshot(bytes.buffer);
    if (snapshot.kind !== "leaf") throw new Error("no areas");
    const { coverage = undefined, country_coverage } = openEngine([bytes]).sources()[0]!;
    return { entry: coverage, country_coverage, coverage: snapshot.coverage };
  };

  it.each<[string, Partial<SnapshotOfOptions>, CoverageEntry, readonly string[]]>([
    ["undeclared", { country: "iso" }, { extent: "undeclared" }, ["BRA"]],
    ["global", { coverage: "global" }, { extent: "global", known: "declared" }, []],
    [
      "of countries",
      { coverage: ["PER", "BRA", "PER"], borders },
      { extent: "countries", known: "declared" },
      ["BRA", "PER"],
    ],
    ["derived", { country: "iso", borders }, { extent: "countries", known: "derived" }, ["BRA"]],
    [
      "of polygons",
      { coverage: createSquarePolygon(0, 0, 3), country: "iso", borders },
      { extent: "polygons", known: "declared" },
      ["BRA"],
    ],
    [
      "of a Feature's polygon",
      { coverage: feature(BOWTIE, {}) },
      { extent: "polygons", known: "declared" },
      [],
    ],
    ["undeclared where no area tells a country", { borders }, { extent: "undeclared" }, []],
  ])("is %s", (_, options, entry, country_coverage) => {
    const found = opened(options);
    expect(found).toMatchObject({ entry, country_coverage, coverage: entry });
  });

  it("is no wider than the borders of the declared countries", () => {
    const foreign = buildBordersSnapshot([{ countries: ["PER"], polygons: [[createBoxRing(5, -5, 9, 5)]] }]);
    expect(opened({ country: "iso", borders: foreign }).coverage).toEqual({ extent: "undeclared" });
  });

  it.each<[string, Partial<SnapshotOfOptions>, string, string]>([
    ["codes without borders", { coverage: ["BRA"] }, "/coverage", "bordersSnapshot of @groundrule/borders"],
    ["a code that is none", { coverage: ["XXA"], borders }, "/coverage/0", "expected an ISO 3166-1"],
    ["a country without borders", { coverage: ["BRA", "ATA"], borders }, "/coverage/1", "declare a Polygon"],
    ["no code", { coverage: [], borders }, "/coverage", "at least one"],
    ["another word", { coverage: "world" as never }, "/coverage", 'expected "global", country codes'],
    ["a point", { coverage: { type: "Point", coordinates: [0, 0] } }, "/coverage", "Polygon or MultiPolygon"],
  ])("is refused: %s", (_, options, pointer, message) => {
    const [fault] = catchRefusal(() => of(options)).details.faults!;
    expect(fault).toMatchObject({ pointer, message: expect.stringContaining(message) });
  });
});
