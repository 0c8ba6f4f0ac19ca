import { describe, expect, it } from "vitest";
import { crsTable } from "../../../crs/src/index.ts";
import { findProjJsonCrs, findWktCrs } from "./crs-of.ts";
import { FRAMES, GEOGRAPHIC_CODES, PROJECTED } from "./known-crs.ts";
import { getWktName } from "./wkt-crs.ts";

const WGS84 = `GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`;
const UTM = (frame: string, zone: number, northing: number, unit = `UNIT["Meter",1.0]`): string =>
  `PROJCS["mine",${frame},PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",${northing}],PARAMETER["Central_Meridian",${6 * zone - 183}],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],${unit}]`;
const SIRGAS = WGS84.replaceAll("WGS_1984", "SIRGAS_2000").replace("298.257223563", "298.257222101");
const MERCATOR = (name: string, method: string, more = ""): string =>
  `PROJCS["${name}",${WGS84},PROJECTION["${method}"],PARAMETER["central_meridian",0],PARAMETER["scale_factor",1],PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1]${more}]`;

const PSAD56 = WGS84.replaceAll("WGS_1984", "Provisional_S_American_1956").replace(
  "6378137.0,298.257223563",
  "6378388.0,297.0",
);
const CONIC = (method: string, parallels: readonly number[], frame = SIRGAS): string =>
  `PROJCS["mine",${frame},PROJECTION["${method}"],PARAMETER["False_Easting",5000000],PARAMETER["central_meridian",-54],${parallels.map((parallel, i) => `PARAMETER["standard_parallel_${i + 1}",${parallel}],`).join("")}PARAMETER["latitude_of_origin",-12],UNIT["Meter",1.0]]`;

describe("crsOfWkt", () => {
  it.each([
    [WGS84, "EPSG:4326"],
    [SIRGAS, "EPSG:4674"],
    [UTM(SIRGAS, 22, 10_000_000), "EPSG:31982"],
    [UTM(WGS84, 22, 10_000_000), "EPSG:32722"],
    [`\ufeff ${UTM(WGS84, 22, 0).replaceAll("[", "( ").replaceAll("]", " )")}\0`, "EPSG:32622"],
    [`COMPD_CS["with heights",${UTM(WGS84, 22, 0)},VERT_CS["x",VERT_DATUM["y",2005]]]`, "EPSG:32622"],
    [`BOUNDCRS[SOURCECRS[${WGS84}],TARGETCRS[${SIRGAS}]]`, "EPSG:4326"],
    [`${WGS84},VERTCS["EGM96",VDATUM["x"],UNIT["Meter",1.0]]`, "EPSG:4326"],
    [MERCATOR("mine", "Mercator"), "EPSG:3395"],
    [
      MERCATOR(
        "mine",
        "Mercator_1SP",
        `,EXTENSION["PROJ4","+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +units=m"]`,
      ),
      "EPSG:3857",
    ],
    [`GEOGCS["any name",DATUM["none",SPHEROID["x",6371000,0]],AUTHORITY["EPSG","9999"]]`, "EPSG:9999"],
    [`GEOGCRS["x",DATUM["y",ELLIPSOID["z",6378137,298.257223563]],ID["OGC","CRS84"]]`, "OGC:CRS84"],
  ])("names %s", (wkt, expected) => {
    expect(findWktCrs(wkt)).toBe(expected);
  });

  it.each([
    [
      "Albers as IBGE has it",
      CONIC("Albers", [-2, -22]),
      "+proj=aea +lat_1=-2 +lat_2=-22 +lat_0=-12 +lon_0=-54 +k=1 +x_0=5000000 +y_0=0 +ellps=GRS80 +units=m",
    ],
    [
      "a zone between zones",
      UTM(WGS84, 22.5, 0),
      "+proj=tmerc +lat_0=0 +lon_0=-48 +k=0.9996 +x_0=500000 +y_0=0 +datum=WGS84 +units=m",
    ],
    [
      "a foot",
      UTM(SIRGAS, 22, 1, `UNIT["Foot_US",0.3048006096012192]`),
      "+proj=tmerc +lat_0=0 +lon_0=-51 +k=0.9996 +x_0=152400.3048006096 +y_0=0.3048006096012192 +ellps=GRS80 +to_meter=0.3048006096012192",
    ],
  ])("describes by its parameters what has no code: %s", (_, wkt, expected) => {
    expect(findWktCrs(wkt)).toBe(expected);
    expect(crsTable.parse!(expected)).toMatchObject({ isProjected: true });
  });

  it.each([
    ["no text", ""],
    ["no WKT", "EPSG:4326"],
    ["a cut text", UTM(WGS84, 22, 0).slice(0, -1)],
    ["grads", WGS84.replace("0.0174532925199433", "0.01570796326794897")],
    ["another meridian", WGS84.replace('Greenwich",0.0', 'Paris",2.33722917')],
    ["an unknown datum", UTM(WGS84.replaceAll("D_WGS_1984", "D_Unknown"), 22, 0)],
    ["a datum on another ellipsoid", WGS84.replace("298.257223563", "298.257222101")],
    ["two datums in one", WGS84.replace("GCS_WGS_1984", "GCS_SIRGAS_2000")],
    [
      "a zone by its name with another's parameters",
      UTM(WGS84, 22.5, 0).replace("mine", "WGS 84 / UTM zone 22N"),
    ],
    ["an impossible meridian", UTM(WGS84, 22_000.25, 0)],
    ["parallels that make no cone", CONIC("Albers", [-5, 5])],
    ["a cone of a datum that is shifted in several ways", CONIC("Albers", [-5, -42], PSAD56)],
    ["a cone of an unknown datum", CONIC("Albers", [-5, -42], PSAD56.replaceAll("1956", "1957"))],
    ["a Behrmann, whose parallels are in its name", CONIC("Behrmann", [])],
    ["one more parameter", UTM(WGS84, 22, 0, `PARAMETER["Azimuth",1],UNIT["Meter",1]`)],
    ["axes to the west", UTM(WGS84, 22, 0, `UNIT["Meter",1],AXIS["x",WEST],AXIS["y",SOUTH]`)],
    ["the web's Mercator by the name alone", MERCATOR("WGS_84_Pseudo_Mercator", "Mercator")],
    [
      "a PROJ string of its own",
      MERCATOR("mine", "Mercator_1SP", `,EXTENSION["PROJ4","+proj=merc +R=6371000"]`),
    ],
    ["a code for other parameters", UTM(WGS84, 22, 0, `UNIT["metre",1],AUTHORITY["EPSG","32723"]`)],
    ["a code for another datum", SIRGAS.replace(/]$/, `,AUTHORITY["EPSG","4326"]]`)],
    ["a code for another kind", WGS84.replace(/]$/, `,AUTHORITY["EPSG","32722"]]`)],
    [
      "an equal-area grid that may be a sphere's",
      MERCATOR("mine", "Cylindrical_Equal_Area").replace('scale_factor",1', 'standard_parallel_1",30'),
    ],
    ["brackets without end", 'A["'.repeat(100_000)],
    ["nesting without end", "A[".repeat(100_000)],
    ["a local system", 'LOCAL_CS["x",LOCAL_DATUM["y",0],UNIT["metre",1],AXIS["a",EAST]]'],
  ])("does not guess at %s", (_, wkt) => {
    expect(findWktCrs(wkt)).toBeUndefined();
  });

  it("has the name even of an unknown CRS", () => {
    expect(getWktName('LOCAL_CS["Site ""7""",UNIT["metre",1]]')).toBe('Site "7"');
    expect(getWktName(" nothing ")).toBe("nothing");
  });

  it("survives its own texts with any character gone or changed, and never names another datum", () => {
    const text = UTM(WGS84, 22, 10_000_000);
    for (let at = 0; at < text.length; at++) {
      for (const other of ["", '"', "[", "]", ",", "0"]) {
        const changed = text.slice(0, at) + other + text.slice(at + 1);
        // A digit or a sign away lie other zones and offsets, and that is what such a text says.
        expect(findWktCrs(changed) ?? "EPSG:32722").toMatch(
          /^(?:EPSG:32[67]\d\d|\+proj=tmerc .*\+datum=WGS84 .*)$/,
        );
      }
    }
  });
});

describe("crsOfProjJson", () => {
  const frame = {
    type: "GeographicCRS",
    name: "SIRGAS 2000",
    datum: {
      type: "GeodeticReferenceFrame",
      name: "Sistema de Referencia Geocentrico para las AmericaS 2000",
      ellipsoid: { name: "GRS 1980", semi_major_axis: 6378137, inverse_flattening: 298.257222101 },
    },
    coordinate_system: {
      subtype: "ellipsoidal",
      axis: [
        { direction: "north", unit: "degree" },
        { direction: "east", unit: "degree" },
      ],
    },
  };
  const utm = {
    type: "ProjectedCRS",
    name: "mine",
    base_crs: frame,
    conversion: {
      method: { name: "Transverse Mercator" },
      parameters: [
        { name: "Latitude of natural origin", value: 0, unit: "degree" },
        { name: "Longitude of natural origin", value: -51, unit: "degree" },
        { name: "Scale factor at natural origin", value: 0.9996, unit: "unity" },
        {
          name: "False easting",
          value: 500,
          unit: { type: "LinearUnit", name: "km", conversion_factor: 1000 },
        },
        { name: "False northing", value: 10000000, unit: "metre" },
      ],
    },
    coordinate_system: { subtype: "Cartesian", axis: [{ direction: "east", unit: "metre" }] },
  };

  it.each([
    [frame, "EPSG:4674"],
    [utm, "EPSG:31982"],
    [{ ...frame, id: { authority: "OGC", code: "CRS84" } }, "OGC:CRS84"],
    [{ ...utm, name: "x", id: { authority: "EPSG", code: 31982 } }, "EPSG:31982"],
    [{ type: "BoundCRS", source_crs: utm }, "EPSG:31982"],
    [{ type: "CompoundCRS", components: [utm, {}] }, "EPSG:31982"],
    [{ ...utm, id: { authority: "EPSG", code: 31983 } }, undefined],
    [{ ...utm, base_crs: { ...frame, datum: { ...frame.datum, name: "mine" } } }, undefined],
    [
      { ...utm, coordinate_system: { axis: [{ direction: "east", unit: { conversion_factor: 0.3 } }] } },
      "+proj=tmerc +lat_0=0 +lon_0=-51 +k=0.9996 +x_0=500000 +y_0=10000000 +ellps=GRS80 +to_meter=0.3",
    ],
    [null, undefined],
    ["EPSG:4326", undefined],
    [{ type: "ProjectedCRS" }, undefined],
    [{ type: "BoundCRS", source_crs: { type: "BoundCRS", source_crs: null } }, undefined],
  ])("names %j", (value, expected) => {
    expect(findProjJsonCrs(value)).toBe(expected);
  });
});

it("names systems that the registry has moved to another frame since files were written", () => {
  const finland = UTM(SIRGAS.replaceAll("SIRGAS_2000", "ETRS_1989"), 35, 0).replace(
    "mine",
    "ETRS89 / TM35FIN(E,N)",
  );
  expect(findWktCrs(finland.replace(/]$/, `,AUTHORITY["EPSG","3067"]]`))).toBe("EPSG:3067");
});

describe("the table of names", () => {
  it("has names of every system of the table of transforms, and of every frame under one", () => {
    const codes = [...GEOGRAPHIC_CODES, ...PROJECTED.map(({ code }) => code)].sort((a, b) => a - b);
    expect(codes).toEqual([...crsTable.codes].sort((a, b) => a - b));
    expect([...FRAMES, ...PROJECTED].filter(({ names }) => names.length === 0)).toEqual([]);
    expect(
      PROJECTED.every(({ bases }) => bases.every((base) => FRAMES.some(({ code }) => code === base))),
    ).toBe(true);
  });
});

describe("a code whose system the registry has since put on a realization of its datum", () => {
  it("counts, as files state it with the datum's older name", () => {
    const datum = { name: "European Terrestrial Reference System 1989 ensemble" };
    const ellipsoid = { name: "GRS 1980", semi_major_axis: 6378137, inverse_flattening: 298.257222101 };
    const crs = {
      type: "ProjectedCRS",
      name: "ETRS89 / TM35FIN(E,N)",
      base_crs: { type: "GeographicCRS", name: "ETRS89", datum_ensemble: { ...datum, ellipsoid } },
      coordinate_system: {
        subtype: "Cartesian",
        axis: [
          { name: "Easting", direction: "east", unit: "metre" },
          { name: "Northing", direction: "north", unit: "metre" },
        ],
      },
      id: { authority: "EPSG", code: 3067 },
    };
    expect(findProjJsonCrs(crs)).toBe("EPSG:3067");
    const other = { ...datum, name: "North American Datum 1983" };
    const wrong = { ...crs, base_crs: { ...crs.base_crs, datum_ensemble: { ...other, ellipsoid } } };
    expect(findProjJsonCrs(wrong)).toBeUndefined();
  });
});
