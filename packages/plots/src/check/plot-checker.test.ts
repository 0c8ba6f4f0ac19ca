import { countriesAt, countryName, iso2Of, iso3Of, territoryOf } from "@groundrule/borders";
import { crsTable } from "@groundrule/crs";
import { WorkMeter } from "@groundrule/engine/internal";
import { createSeededRandom } from "@groundrule/testing/random";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { overlapFinding } from "../compare/overlap-finding.ts";
import { comparePlots } from "../compare/plot-comparer.ts";
import { FINDING_CODES, FINDINGS, type FindingCode } from "../finding-codes.ts";
import { fixPlot } from "../fix/fix-plot.ts";
import { isMendedByFixing } from "../fix/mended-findings.ts";
import type { PlotFeature } from "../plot-feature.ts";
import type { PlotFinding } from "../plot-finding.ts";
import { eudr } from "../profiles/eudr.ts";
import type { CheckPlotsOptions } from "./check-options.ts";
import { checkPlots, PlotChecker } from "./plot-checker.ts";
import { FINDINGS_PER_CODE } from "./plot-findings.ts";

const COUNTRIES = { countriesAt, countryName, iso2Of, iso3Of, territoryOf };
const EUDR: CheckPlotsOptions = { profile: eudr, countries: COUNTRIES, crsTable };
const FIXING = { countries: COUNTRIES, crsTable };
const NAMED = { ProducerName: "Ana", ProducerCountry: "BR" };

const ring = (x: number, y: number, size = 0.001234): number[][] =>
  createBoxPositions(x, y, x + size, y + size);
const polygon = (...rings: number[][][]) => ({ type: "Polygon", coordinates: rings });
const point = (x: number, y: number) => ({ type: "Point", coordinates: [x, y] });
const plot = (
  geometry: unknown,
  properties: Record<string, unknown> = NAMED,
  more: Partial<PlotFeature> = {},
): PlotFeature => ({
  number: 1,
  id: "a",
  geometry,
  properties,
  ...more,
});
const checkAll = (plots: readonly PlotFeature[], options: CheckPlotsOptions = EUDR): PlotFinding[] => [
  ...checkPlots(plots, options),
];
const check = (one: PlotFeature, options?: CheckPlotsOptions): PlotFinding[] => checkAll([one], options);

/** A place in Brazil, with decimals enough. */
const [X, Y] = [-59.123451, -9.123453];
/** A place north of the equator and east of Greenwich, where the cut goes south-west. */
const [E, N] = [20.123451, 9.123453];
const GOOD = polygon(ring(X, Y));
const BAD_RINGS = (...positions: number[][]) =>
  polygon(positions.map(([x, y]) => [X + x! / 1000, Y + y! / 1000]));

/** A ring of two positions more than there may be, on a parabola, of which no two sides cross. */
const LONG = polygon(Array.from({ length: 100_002 }, (_, i) => [X + i / 1e6, Y + (i / 1e5) ** 2]));

type Case = readonly [
  code: FindingCode,
  plot: PlotFeature,
  expected: Partial<PlotFinding>,
  options?: CheckPlotsOptions,
];

const CNPJ = { type: "br:cnpj", value: "11.222.333/0001-81" };

const CASES: readonly Case[] = [
  ["GEOMETRY_MISSING", plot(null), { pointer: "/geometry" }],
  ["GEOMETRY_MISSING", plot(undefined), { pointer: "/geometry" }],
  ["GEOMETRY_EMPTY", plot({ type: "MultiPolygon", coordinates: [[]] }), { pointer: "/geometry/coordinates" }],
  [
    "GEOMETRY_EMPTY",
    plot({ type: "GeometryCollection", geometries: [] }),
    { pointer: "/geometry/geometries" },
  ],
  [
    "GEOMETRY_TYPE_INVALID",
    plot({ ...GOOD, type: "polygon" }),
    { found: '"polygon"', mend: 'Write "Polygon".' },
  ],
  ["GEOMETRY_TYPE_INVALID", plot("here"), { pointer: "/geometry", found: '"here"' }],
  [
    "COORDINATES_INVALID",
    plot({ type: "Polygon", coordinates: [7] }),
    { pointer: "/geometry/coordinates/0" },
  ],
  [
    "COORDINATES_INVALID",
    plot({ type: "GeometryCollection", geometries: 7 }),
    { pointer: "/geometry/geometries" },
  ],
  [
    "POSITION_INVALID",
    plot({
      type: "Polygon",
      coordinates: [
        [
          [1, 2],
          ["3", 4],
        ],
      ],
    }),
    { pointer: "/geometry/coordinates/0/1" },
  ],
  ["GEOMETRY_MALFORMED", plot({ ...GOOD, bbox: [1] }), { pointer: "/geometry/bbox" }],
  [
    "LINE_UNSUPPORTED",
    plot({ type: "LineString", coordinates: ring(X, Y).slice(0, -1) }),
    { found: "a LineString whose ends lie 137 m apart", pointer: "/geometry/type" },
  ],
  [
    "LINE_UNSUPPORTED",
    plot({
      type: "LineString",
      coordinates: [
        [X, Y],
        [X, Y],
      ],
    }),
    {},
  ],
  ["LINE_UNSUPPORTED", plot({ type: "LineString", coordinates: [["x"]] }), { found: "a LineString" }],
  [
    "LINE_CLOSED",
    plot({ type: "LineString", coordinates: ring(X, Y) }),
    { found: "a LineString that ends where it starts", severity: "error" },
  ],
  ["LINE_CLOSED", plot({ type: "MultiLineString", coordinates: [ring(X, Y), ring(X + 1, Y)] }), {}],
  [
    "READ_AS_BORDER",
    plot(GOOD, NAMED, { notes: [{ code: "READ_AS_BORDER", message: "a LinearRing" }] }),
    { found: "a LinearRing", severity: "warning" },
  ],
  [
    "LABEL_DROPPED",
    plot(GOOD, NAMED, { notes: [{ code: "LABEL_DROPPED", message: "a point" }] }),
    { severity: "warning" },
  ],
  [
    "CRS_INACCURATE",
    plot(polygon(createBoxPositions(500_000, 9_200_000, 500_100, 9_200_100)), NAMED, { crs: "EPSG:24878" }),
    { severity: "warning", found: "the shift of EPSG:24878 to WGS 84 is accurate to 16 m" },
  ],
  ["COLLECTION", plot({ type: "GeometryCollection", geometries: [GOOD] }), { severity: "warning" }],
  ["COLLECTION", plot({ type: "GeometryCollection", geometries: [GOOD] }), { severity: "error" }, {}],
  ["CRS_UNKNOWN", plot(GOOD, NAMED, { crs: "EPSG:1" }), { severity: "error" }],
  ["CRS_MISMATCH", plot(GOOD, NAMED, { crs: "EPSG:31981" }), { severity: "error" }],
  ["CRS_NOT_WGS84", plot(GOOD, NAMED, { crs: "EPSG:4674" }), { found: "coordinates in EPSG:4674" }],
  [
    "OUTSIDE_AREA_OF_USE",
    plot(polygon(ring(-20.5, -9.1)), {}, { crs: "EPSG:4674" }),
    { severity: "warning" },
    { crsTable },
  ],
  ["POSITION_NOT_FINITE", plot(point(Number.NaN, 2)), { pointer: "/geometry/coordinates" }],
  ["LATITUDE_OUT_OF_RANGE", plot(point(X, 123)), { found: "latitude 123", expected: "−90 to 90" }],
  ["LONGITUDE_OUT_OF_RANGE", plot(point(999, 1)), { found: "longitude 999" }],
  [
    "LONGITUDE_BEYOND_180",
    plot(polygon(ring(179.999, 1))),
    { severity: "error", pointer: "/geometry/coordinates/0/1" },
  ],
  ["LONGITUDE_BEYOND_180", plot(polygon(ring(179.999, 1))), { severity: "warning" }, {}],
  ["LONGITUDE_SPAN", plot({ type: "MultiPolygon", coordinates: [[ring(-200, 1)], [ring(200, 1)]] }), {}],
  ["LONGITUDE_JUMP", plot(polygon(createBoxPositions(179.9, 0, -179.9, 1))), {}],
  ["RING_NOT_CLOSED", plot(polygon(ring(X, Y).slice(0, 4))), { pointer: "/geometry/coordinates/0/3" }],
  ["RING_TOO_SHORT", plot(BAD_RINGS([0, 0], [1, 1], [0, 0])), {}],
  [
    "RING_STRAIGHT",
    plot(
      polygon([
        [1, 1],
        [2, 2],
        [3, 3],
        [1, 1],
      ]),
    ),
    {},
  ],
  [
    "RING_SELF_CROSSING",
    plot(BAD_RINGS([0, 0], [1, 1], [1, 0], [0, 1], [0, 0])),
    { pointer: "/geometry/coordinates/0/0" },
  ],
  [
    "RING_SELF_TOUCH",
    plot(
      polygon([
        [0, 0],
        [2, 0],
        [1, 1],
        [2, 2],
        [0, 2],
        [1, 1],
        [0, 0],
      ]),
    ),
    { position: [1, 1] },
  ],
  [
    "RING_SELF_OVERLAP",
    plot(
      polygon([
        [0, 0],
        [2, 0],
        [2, 2],
        [2, 3],
        [2, 2],
        [0, 2],
        [0, 0],
      ]),
    ),
    {},
  ],
  ["RINGS_CROSS", plot(polygon(ring(X, Y), ring(X + 0.001, Y + 0.001))), {}],
  ["HOLE_OUTSIDE_SHELL", plot(polygon(ring(X, Y), ring(X + 1, Y))), {}],
  [
    "HOLES_OVERLAP",
    plot(polygon(ring(X, Y, 1), ring(X + 0.1, Y + 0.1, 0.5), ring(X + 0.2, Y + 0.2, 0.1))),
    {},
  ],
  ["INTERIOR_EMPTY", plot(polygon(ring(X, Y, 0.5), ring(X, Y, 0.5))), {}],
  [
    "INTERIOR_DISCONNECTED",
    plot(
      polygon(ring(0, 0, 2), [
        [0, 1],
        [1, 0.5],
        [2, 1],
        [1, 1.5],
        [0, 1],
      ]),
    ),
    {},
  ],
  [
    "PARTS_OVERLAP",
    plot({ type: "MultiPolygon", coordinates: [[ring(X, Y)], [ring(X + 0.0001, Y + 0.0001)]] }),
    {},
  ],
  [
    "GEOMETRY_TOO_COMPLEX",
    plot(LONG),
    { found: "100002 positions, not counting those that close the rings" },
  ],
  [
    "REPEATED_POSITION",
    plot(polygon([ring(X, Y)[0]!, ...ring(X, Y)])),
    { severity: "error", pointer: "/geometry/coordinates/0/1" },
  ],
  [
    "REPEATED_POSITION",
    plot({
      type: "MultiPoint",
      coordinates: [
        [X, Y],
        [1, 2],
        [X, Y],
      ],
    }),
    { severity: "warning", pointer: "/geometry/coordinates/2" },
    {},
  ],
  [
    "WINDING_REVERSED",
    plot(polygon(ring(X, Y).toReversed())),
    { pointer: "/geometry/coordinates/0", found: "an outer ring that winds clockwise" },
  ],
  ["ORDINATES_IGNORED", plot({ type: "Point", coordinates: [X, Y, 80] }), { severity: "warning" }],
  [
    "AXES_SWAPPED",
    plot(polygon(ring(X, Y).map(([x, y]) => [y!, x!]))),
    {
      pointer: "/geometry",
      found: "a plot in the sea, outside Brazil",
      expected: `a plot in Brazil, where [${X}, ${Y}] is`,
    },
  ],
  [
    "AXES_SWAPPED",
    plot(point(20.1, 105.1), {}),
    {
      found: "a plot at [20.1, 105.1], which is not on earth",
      expected: "a plot in Vietnam, where [105.1, 20.1] is",
    },
    { countries: COUNTRIES },
  ],
  [
    "IN_SEA",
    plot(point(6.35, -1.98), {}),
    {
      severity: "error",
      swapped: [-1.98, 6.35],
      expected: expect.stringContaining("[-1.98, 6.35], with longitude and latitude swapped, is in Ghana"),
      mend: expect.stringContaining("`--country GH`"),
    },
    { countries: COUNTRIES },
  ],
  ["IN_SEA", plot(polygon(ring(-30, -30)), {}), { severity: "warning" }, { countries: COUNTRIES }],
  [
    "AXES_SWAPPED",
    plot(polygon(ring(105.123451, 20.123453).map(([x, y]) => [y!, x!])), { ...NAMED, ProducerCountry: "VN" }),
    {},
  ],
  [
    "OUTSIDE_COUNTRY",
    plot(GOOD, { ...NAMED, ProducerCountry: "PE" }),
    { found: "a plot in Brazil, outside Peru" },
  ],
  [
    "OUTSIDE_COUNTRY",
    plot(point(X, Y), {}),
    { found: "a plot in Brazil, outside Peru" },
    { countries: COUNTRIES, country: "PE" },
  ],
  ["PARTLY_OUTSIDE_COUNTRY", plot(polygon(ring(-58.2, -20, 1))), { severity: "warning" }],
  ["AREA_DIFFERS", plot(GOOD, { ...NAMED, Area: 3 }), { found: "3 ha" }],
  ["AREA_DIFFERS", plot(GOOD, { AREA: 3 }), { found: '3 ha in "AREA"' }, {}],
  [
    "AREA_DIFFERS",
    plot(GOOD, { area_m2: 30_000 }),
    { pointer: "/properties/area_m2", found: '30000 m² in "area_m2", which is 3 ha' },
    {},
  ],
  [
    "AREA_NOT_NUMBER",
    plot(GOOD, { ...NAMED, Area: "3" }),
    { found: '"3"', mend: "Write 3, without quotation marks." },
  ],
  ["AREA_NOT_NUMBER", plot(GOOD, { ...NAMED, Area: "3,5" }), { mend: "Write 3.5, without quotation marks." }],
  [
    "PLOT_TOO_SMALL",
    plot(polygon(ring(X, Y, 0.000005))),
    {
      severity: "error",
      mend: expect.stringContaining("metres, written as degrees"),
      found: expect.stringContaining("m²"),
    },
  ],
  ["PLOT_TOO_SMALL", plot(polygon(ring(-59.1, -9.2, 1e-7))), {}],
  [
    "PLOT_TOO_SMALL",
    plot(polygon(ring(0.00055, -0.00002, 0.000004))),
    { mend: expect.stringContaining("lies at 0, 0") },
  ],
  ["AREA_TOO_SMALL", plot(point(X, Y), { ...NAMED, Area: 0.00001 }), { found: "0.00001 ha" }],
  ["AREA_TOO_SMALL", plot(point(X, Y), { ...NAMED, Area: -1 }), {}],
  ["POINT_TOO_LARGE", plot(point(X, Y), { ...NAMED, Area: 4.0001 }), { square_meters: 40001 }],
  [
    "POINT_WITHOUT_AREA",
    plot(point(X, Y)),
    { severity: "warning", found: "no Area, so the system assumes 4 ha" },
  ],
  [
    "HOLE_UNSUPPORTED",
    plot(polygon(ring(X, Y, 0.01), ring(X + 0.001, Y + 0.001).toReversed())),
    { pointer: "/geometry/coordinates/1" },
  ],
  [
    "FEW_DECIMALS",
    plot(polygon(ring(-59.5, -9.25, 0.001))),
    { found: "at most 3 decimals in every position" },
  ],
  [
    "CUT_BREAKS_RING",
    plot(
      polygon([
        [E, N],
        [E + 1, N],
        [E + 1, N + 1],
        [E + 0.5, N + 0.0000001],
        [E, N + 1],
        [E, N],
      ]),
    ),
    {},
  ],
  [
    "CUT_REPEATS_POSITION",
    plot(
      polygon([
        [E, N],
        [E + 0.01, N],
        [E + 0.01, N + 0.01],
        [E, N + 0.0000002],
        [E, N],
      ]),
    ),
    { pointer: "/geometry/coordinates/0/4" },
  ],
  [
    "CUT_COLLAPSES_RING",
    plot(
      polygon([
        [E, 1],
        [E, 1.0000001],
        [E + 0.0000001, 1.00000005],
        [E, 1],
      ]),
    ),
    { pointer: "/geometry/coordinates/0" },
  ],
  [
    "MEMBER_MISSPELT",
    plot(GOOD, { ProducerName: "Ana", producercountry: "BR" }),
    { pointer: "/properties/producercountry", mend: 'Rename it "ProducerCountry".' },
  ],
  ["MEMBER_MISSPELT", plot(GOOD, { ...NAMED, area: 0.2 }), { mend: 'Rename it "Area".' }],
  [
    "MEMBER_MISSPELT",
    plot(GOOD, { ...NAMED, "unrelated~/name": 1, Production_Plase: "x" }),
    {
      pointer: "/properties/Production_Plase",
      mend: 'Rename it "ProductionPlace", if that is what it means.',
    },
  ],
  [
    "MEMBER_MISSPELT",
    plot(point(X, Y), { ...NAMED, AREA_M2: 5000 }),
    { severity: "error", mend: 'Write it as "Area": 0.5.' },
  ],
  [
    "MEMBER_CUT",
    plot(GOOD, { ProducerNa: "Ana", ProducerCo: "BR" }),
    { severity: "warning", pointer: "/properties/ProducerNa", expected: '"ProducerName"' },
  ],
  ["MEMBER_MISSING", plot(GOOD, { ProducerCountry: "BR" }), { pointer: "/properties/ProducerName" }],
  ["MEMBER_TYPE", plot(GOOD, { ...NAMED, ProducerName: 7 }), { found: "7" }],
  ["COUNTRY_CODE_INVALID", plot(GOOD, { ...NAMED, ProducerCountry: "BRA" }), { mend: 'Write "BR".' }],
  ["COUNTRY_CODE_INVALID", plot(GOOD, { ...NAMED, ProducerCountry: "br" }), { mend: 'Write "BR".' }],
  ["COUNTRY_CODE_INVALID", plot(GOOD, { ...NAMED, ProducerCountry: "Brasil" }), { found: '"Brasil"' }],
  [
    "IDENTIFIER_MALFORMED",
    plot(GOOD, { ...NAMED, scheme: { type: "br:cnpj", value: "6990590000123" } }),
    {
      severity: "warning",
      pointer: "/properties/scheme/value",
      found: '"6990590000123"',
      expected: "12 digits or letters and 2 check digits for br:cnpj",
      mend: 'Check whether it is "06990590000123", which `groundrule plots fix` writes.',
    },
  ],
  [
    "CHECK_DIGITS_WRONG",
    plot(GOOD, { ...NAMED, scheme: [CNPJ, { type: "br:cpf", value: "111.444.777-36" }] }),
    { pointer: "/properties/scheme/1/value", expected: "check digits that fit" },
  ],
  [
    "IDENTIFIER_UNREADABLE",
    plot(GOOD, { ...NAMED, scheme: { type: "br:cnpj", value: 6990590000123 } }),
    {
      pointer: "/properties/scheme/value",
      found: "6990590000123",
      mend: expect.stringContaining('"06990590000123"'),
    },
  ],
  [
    "IDENTIFIER_UNREADABLE",
    plot(GOOD, { ...NAMED, scheme: "11.222.333/0001-81" }),
    { pointer: "/properties/scheme", expected: "an identifier {type, value}" },
  ],
  ["MEMBER_MISSPELT", plot(GOOD, { "Nome do produtor": "Ana" }), { expected: '"ProducerName"' }],
  ["MEMBER_MISSPELT", plot(GOOD, { país: "BR" }), { expected: '"ProducerCountry"' }],
  ["GPS_ACCURACY_LOW", plot(GOOD, { _gps_precision: "12.5" }), { pointer: "/properties/_gps_precision" }],
  ["GPS_ACCURACY_LOW", plot(GOOD, { gps_accuracy_m: 10.1 }), { found: "an accuracy of 10.1 m" }],
];

describe("checkPlots", () => {
  it.each(CASES.map(([code, one, expected, options]) => ({ code, one, expected, options })))(
    "tells $code",
    ({ code, one, expected, options }) => {
      const found = check(one, options);
      expect(found).toContainEqual(expect.objectContaining({ code, plot: 1, id: "a", ...expected }));
      for (const finding of found) {
        for (const text of [finding.found, finding.expected, finding.mend]) expect(text).not.toBe("");
      }
    },
  );

  it.each(CASES.map(([code, one, , options]) => ({ code, one, options })))(
    "$code is among what fixing mends if another check has it no more",
    ({ code, one, options }) => {
      const errors = check(one, options).filter((each) => each.code === code && each.severity === "error");
      const { plots } = fixPlot(one, { ...FIXING, ...options, profile: eudr });
      const left = checkAll(plots, options).filter((each) => each.severity === "error");
      for (const each of errors) {
        const isGone = !left.some((other) => other.code === code);
        expect(isMendedByFixing(each), each.found).toBe(isGone);
      }
    },
  );

  it("has a case for every finding but those of the file and of the reader", () => {
    const elsewhere: readonly FindingCode[] = [
      "NO_PLOTS",
      "PLOT_UNREADABLE",
      "ID_DIGITS_LOST",
      "ID_REPEATED",
      "ID_MISSING",
      "FILE_TOO_LARGE",
      "PLOTS_IDENTICAL",
      "PLOTS_OVERLAP",
    ];
    const reported = new Set<FindingCode>([...CASES.map(([code]) => code), ...elsewhere]);
    // Those of the profile `quality` have theirs in quality.test.ts.
    const codes = FINDING_CODES.filter((code) => FINDINGS[code].profile === undefined);
    expect(codes.filter((code) => !reported.has(code))).toEqual([]);
  });

  it("finds that a file has no plot, but not where its plots could not be read", () => {
    expect(checkAll([])).toMatchObject([{ plot: 0, code: "NO_PLOTS", severity: "warning" }]);
    expect(new PlotChecker().finish(1)).toEqual([]);
  });

  it("takes the direction that a format prescribes for rings as it is", () => {
    const turned = polygon(ring(X, Y).toReversed());
    const codes = (isClockwise: boolean, geometry: object) =>
      check(plot(geometry, NAMED, { isClockwise })).map(({ code }) => code);
    expect(codes(false, turned)).toContain("WINDING_REVERSED");
    expect(codes(true, turned)).not.toContain("WINDING_REVERSED");
    // Neither is what the format prescribes.
    const mixed = { type: "MultiPolygon", coordinates: [turned.coordinates, [ring(X + 1, Y)]] };
    expect(codes(true, mixed)).toContain("WINDING_REVERSED");
  });

  it("reports ids that a spreadsheet shortened, and no others", () => {
    const lost = (id: string | number) =>
      check({ ...plot(GOOD, NAMED), id }).filter(({ code }) => code === "ID_DIGITS_LOST").length;
    for (const id of ["4.68E+17", "4,68E+17", "1E+15", 468000000000000000, 1234567890123450000])
      expect(lost(id), `${id}`).toBe(1);
    for (const id of [
      "4.68",
      "1E",
      "E12",
      "468000000000000000",
      "0E1",
      12,
      123456789012345,
      1234567890123456,
    ]) {
      expect(lost(id), `${id}`).toBe(0);
    }
  });

  it("reads no accuracy from other columns, and none of 0, which forms write where a position was set by hand", () => {
    const properties = {
      accuracy_class: 30,
      precision_farming: 99,
      _gps_precision: 0,
      gps_accuracy: "unknown",
    };
    const codes = check(plot(GOOD, { ...NAMED, ...properties })).map(({ code }) => code);
    expect(codes).not.toContain("GPS_ACCURACY_LOW");
  });

  it("finds nothing in plots that are as they should be", () => {
    expect(check(plot(GOOD, { ...NAMED, ProductionPlace: "Sítio", Area: 1.86 }))).toEqual([]);
    expect(check(plot(point(X, Y), { ...NAMED, Area: 4 }))).toEqual([]);
    expect(check(plot(point(X, Y), { ...NAMED, Area: 400 }), { ...EUDR, commodity: "cattle" })).toEqual([]);
    expect(check(plot(GOOD, {}), {})).toEqual([]);
    expect(
      check(plot(GOOD, { scheme: [CNPJ, { type: "br:cpf", value: "111.444.777-35", role: "owner" }] }), {}),
    ).toEqual([]);
  });

  it("reports every problem of a plot, not the first", () => {
    const both = polygon(
      [
        [X, Y],
        [X + 0.002, Y + 0.002],
        [X + 0.002, Y],
        [X, Y + 0.002],
      ],
      ring(X + 1, Y),
    );
    const codes = check(plot(both, { producername: "Ana", ProducerCountry: "PER", Area: "9" })).map(
      ({ code }) => code,
    );
    expect(codes).toEqual(
      expect.arrayContaining([
        "RING_NOT_CLOSED",
        "RING_SELF_CROSSING",
        "HOLE_UNSUPPORTED",
        "OUTSIDE_COUNTRY",
        "AREA_NOT_NUMBER",
        "MEMBER_MISSPELT",
        "COUNTRY_CODE_INVALID",
      ]),
    );
  });

  it("looks into collections, with the place in them", () => {
    const nested = {
      type: "GeometryCollection",
      geometries: [point(X, Y), { type: "GeometryCollection", geometries: [point(X, 99)] }],
    };
    expect(check(plot(nested), {})).toContainEqual(
      expect.objectContaining({
        code: "LATITUDE_OUT_OF_RANGE",
        pointer: "/geometry/geometries/1/geometries/0/coordinates",
      }),
    );
  });

  it("ends where collections nest without end", () => {
    let deep: object = point(X, Y);
    for (let i = 0; i < 50_000; i++) deep = { type: "GeometryCollection", geometries: [deep] };
    expect(check(plot(deep)).map(({ code }) => code)).toContain("GEOMETRY_TYPE_INVALID");
  });

  it("reports an id that comes twice, and where it came first", () => {
    const [finding] = checkAll([plot(GOOD), plot(GOOD, NAMED, { number: 2 })]);
    expect(finding).toMatchObject({ code: "ID_REPEATED", plot: 2, found: '"a", which plot 1 also has' });
  });

  it("reports a file that is too large once it would be written", () => {
    const small = { ...eudr, greatestFileBytes: 500 };
    const three = [1, 2, 3].map((number) => plot(GOOD, NAMED, { number, id: number }));
    expect(checkAll(three.slice(0, 1), { profile: small })).toEqual([]);
    expect(checkAll(three, { profile: small })).toMatchObject([{ code: "FILE_TOO_LARGE", plot: 0 }]);
  });

  it("cuts off the findings of one code, and says how many it left out", () => {
    const many = { type: "MultiPoint", coordinates: Array.from({ length: 250 }, () => [X, Y]) };
    const repeats = check(plot(many), {}).filter(({ code }) => code === "REPEATED_POSITION");
    expect(repeats).toHaveLength(FINDINGS_PER_CODE);
    expect(repeats.at(-1)!.found).toContain("and 149 more like it");
  });

  it("reports swapped axes also where latitudes are out of range", () => {
    const codes = check(plot(point(20.1, 105.1), { ...NAMED, ProducerCountry: "VN" })).map(
      ({ code }) => code,
    );
    expect(codes).toEqual(expect.arrayContaining(["LATITUDE_OUT_OF_RANGE", "AXES_SWAPPED"]));
  });

  it("measures no area at a place where the plot does not lie", () => {
    const codes = (rings: number[][]): readonly string[] =>
      check(plot(polygon(rings), { ...NAMED, Area: 1.85 })).map(({ code }) => code);
    const swapped = ring(X, Y).map(([x, y]) => [y!, x!]);
    expect(codes(ring(X, Y))).toEqual([]);
    expect(codes(swapped.toReversed())).toEqual(["AXES_SWAPPED"]);
  });

  it("measures the land outside the country", () => {
    const [finding] = check(plot(polygon(ring(-58.2, -20, 1)))).filter(
      ({ code }) => code === "PARTLY_OUTSIDE_COUNTRY",
    );
    const whole = 1.1574e10; // a square degree there, m²
    expect(finding!.square_meters).toBeGreaterThan(0.01 * whole);
    expect(finding!.square_meters).toBeLessThan(0.99 * whole);
  });

  it("refuses all plots together beyond the work that is allowed", () => {
    const meter = new WorkMeter(10);
    expect(() => check(plot(GOOD), { meter })).toThrow(
      expect.objectContaining({ code: "GEOMETRY_TOO_COMPLEX" }),
    );
  });

  it("reports the end of the work, not of the geometry, where a repair used it up", () => {
    const zigzag = Array.from({ length: 2000 }, (_, i) => [
      X + (i % 2) * 0.1 + i * 1e-7,
      Y + ((i * 7919) % 2000) / 1e5,
    ]);
    let thrown = 0;
    for (const allowed of [1e4, 1e5, 1e6, 1e7]) {
      const meter = new WorkMeter(allowed);
      const checkOne = () => check(plot(polygon(zigzag), { country: "BR" }), { countries: COUNTRIES, meter });
      const compareOne = () => comparePlots([plot(polygon(zigzag))], { meter: new WorkMeter(allowed) });
      for (const attempt of [checkOne, compareOne]) {
        try {
          attempt();
        } catch (error) {
          expect(error).toMatchObject({ code: "GEOMETRY_TOO_COMPLEX" });
          thrown++;
        }
      }
    }
    expect(thrown).toBeGreaterThan(3);
  });

  it("never throws, whatever is handed in for a plot", () => {
    const random = createSeededRandom(77);
    const values = [
      null,
      0,
      Number.NaN,
      -1e300,
      "x",
      "Polygon",
      true,
      [],
      {},
      [[]],
      [[[1, 2]]],
      GOOD,
      point(1, 2),
      ring(1, 2),
    ];
    const any = (depth: number): unknown => {
      if (depth === 0 || random.integer(3) === 0) return values[random.integer(values.length)];
      if (random.integer(2) === 0) return Array.from({ length: random.integer(4) }, () => any(depth - 1));
      const names = ["type", "coordinates", "geometries", "bbox", "crs", "Area", "ProducerCountry"];
      return Object.fromEntries(
        Array.from({ length: random.integer(4) }, () => [
          names[random.integer(names.length)]!,
          any(depth - 1),
        ]),
      );
    };
    for (let i = 0; i < 3000; i++) {
      const geometry = {
        type: random.integer(2) === 0 ? "Polygon" : "MultiPoint",
        coordinates: any(4),
        extra: any(2),
      };
      const properties = { ProducerCountry: any(1), Area: any(1), ProducerName: any(1) };
      const found = check(plot(random.integer(4) === 0 ? any(3) : geometry, properties));
      for (const { code } of found) expect(FINDINGS[code], code).toBeDefined();
      comparePlots([plot(geometry, properties)]);
    }
  });
});

/** Mutations of a good plot, each with the code that must report it. */
const MUTATIONS: [FindingCode, (positions: number[][], at: number) => number[][]][] = [
  ["RING_NOT_CLOSED", (positions) => positions.slice(0, -1)],
  ["REPEATED_POSITION", (positions, at) => positions.toSpliced(at, 0, positions[at]!)],
  [
    "RING_SELF_OVERLAP",
    (positions, at) =>
      positions.toSpliced(at + 1, 0, [positions[at]![0]! + 1, positions[at]![1]!], positions[at]!),
  ],
  ["LATITUDE_OUT_OF_RANGE", (positions, at) => positions.with(at, [positions[at]![0]!, 91])],
  ["WINDING_REVERSED", (positions) => positions.toReversed()],
  ["POSITION_INVALID", (positions, at) => positions.with(at, [positions[at]![0]!])],
];

describe("random plots", () => {
  const random = createSeededRandom(2026);
  /** A star about a place in Brazil, on the grid of six decimals. */
  const star = (): number[][] => {
    const count = 4 + random.integer(20);
    const [x, y] = [random.between(-60, -50), random.between(-15, -5)];
    const positions = Array.from({ length: count }, (_, i) => {
      const angle = (2 * Math.PI * (i + random.between(0, 0.5))) / count;
      const radius = random.between(0.001, 0.003);
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)].map(
        (value) => Math.round(value * 1e6) / 1e6,
      );
    });
    return [...positions, positions[0]!];
  };

  it("have no error where they are valid", () => {
    for (let i = 0; i < 500; i++) expect(check(plot(polygon(star())))).toEqual([]);
  });

  it.each(MUTATIONS.map(([code, mutate]) => ({ code, mutate })))(
    "tell $code where it was put in",
    ({ code, mutate }) => {
      for (let i = 0; i < 60; i++) {
        const positions = star();
        const found = check(plot(polygon(mutate(positions, 1 + random.integer(positions.length - 2)))));
        expect(found.map((finding) => finding.code)).toContain(code);
      }
    },
  );
});

describe("overlapFinding", () => {
  const plots = (name: string, second: unknown) => [
    plot(GOOD),
    plot(second, { ...NAMED, ProducerName: name }, { number: 2, id: "b" }),
  ];

  it("is an error across producers, and a warning within one", () => {
    const shifted = polygon(ring(X + 0.0005, Y));
    const [across] = comparePlots(plots("Bia", shifted)).map(overlapFinding);
    const [within] = comparePlots(plots("Ana", shifted)).map(overlapFinding);
    expect(across).toMatchObject({
      code: "PLOTS_OVERLAP",
      severity: "error",
      plot: 2,
      other: { plot: 1, id: "a" },
    });
    expect(within).toMatchObject({ code: "PLOTS_OVERLAP", severity: "warning" });
  });

  it("calls the same land twice identical", () => {
    const [same] = comparePlots(plots("Bia", GOOD)).map(overlapFinding);
    expect(same).toMatchObject({ code: "PLOTS_IDENTICAL", severity: "error" });
  });
});
