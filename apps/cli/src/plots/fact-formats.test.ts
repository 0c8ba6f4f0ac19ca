import type { Fault, Verdict } from "@groundrule/engine";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { parquetWriteBuffer } from "hyparquet-writer";
import { beforeAll, describe, expect, it } from "vitest";
import { encodeFlatGeobuf } from "../../../../packages/formats/test/flatgeobuf-file.ts";
import { encodeGeometryBlob, writeGeoPackage } from "../../../../packages/formats/test/geopackage-file.ts";
import { encodeWkb } from "../../../../packages/formats/test/wkb-encoder.ts";
import { encodeDbf, encodeShpAndShx } from "../../../../packages/formats/test/write-shapefile.ts";
import { encodeZip } from "../../../../packages/formats/test/write-zip.ts";
import { runInProcess, splitCommandWords } from "../../test/in-process.ts";
import { formatNdjson, formatPolygonWkt, formatQuotedCsv, makeFeature } from "../../test/plot-texts.ts";

const question = { en: "?" };
const FACTS = {
  fiscal_modules: { type: "number", min: 0, question },
  community: { type: "boolean", question },
  tenure: { type: "text", values: ["owner", "tenant"], question },
  planted: { type: "date", question },
  permit: { type: "document", question },
  plan: { type: "document", question },
};
const RULESET = {
  facts: FACTS,
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [{ id: "one", outcome: "WARNING", set: "parks", measure: "overlap_ratio", on: "property" }],
};
/** Clockwise, as in a Shapefile. */
const PLOT = {
  type: "Polygon" as const,
  coordinates: createSquarePolygon(0.25, 0.25, 0.125).coordinates.map((ring) => ring.toReversed()),
};
const PROPERTY = createSquarePolygon(0, 0, 0.5);
const PERMIT = { id: "P-1", issuer: "State", issued_on: "2024-01-01", valid_until: "2027-01-01" };
const PLAN = { id: "7", issuer: "State", issued_on: "2024-02-01", area_m2: 1200.5 };
const ring = (shape: ReturnType<typeof createSquarePolygon>) => shape.coordinates[0]!;

type Cell = string | number | boolean | null;
/** Columns, their content, and their names in a Shapefile. */
const COLUMNS = [
  ["plot_id", "text", "plot_id"],
  ["fact:fiscal_modules", "number", "fact:fisca"],
  ["fact:community", "boolean", "fact:commu"],
  ["fact:tenure", "text", "fact:tenur"],
  ["fact:planted", "date", "fact:plant"],
  ["fact:permit", "json", "permit"],
  ["fact:plan.id", "text", "plan_id"],
  ["fact:plan.issuer", "text", "plan_by"],
  ["fact:plan.issued_on", "date", "plan_on"],
  ["fact:plan.area_m2", "number", "plan_m2"],
  ["property", "text", "property"],
] as const;
type ColumnType = (typeof COLUMNS)[number][1];
const NOTHING: Cell[] = Array(9).fill(null);
const ROWS: readonly (readonly Cell[])[] = [
  [
    "a",
    3.5,
    true,
    "owner",
    "2024-02-29",
    JSON.stringify(PERMIT),
    ...Object.values(PLAN),
    formatPolygonWkt(PROPERTY),
  ],
  ["b", ...NOTHING, null],
  ["c", 4, false, "tenant", ...NOTHING.slice(3), null],
  ["d", null, null, "squatter", ...NOTHING.slice(3), null],
];
const columnsOf = <Value>(of: (type: ColumnType, cells: readonly Cell[], name: string) => Value) =>
  COLUMNS.map(([name, type], i) =>
    of(
      type,
      ROWS.map((row) => row[i]!),
      name,
    ),
  );

const { at, write } = createSharedFolder();
const run = (...args: string[]) =>
  runInProcess(splitCommandWords`${args} --ruleset ${at("rules.json")} --data
      ${at("data")} --crs EPSG:4326 --now 2026-11-27T12:00:00Z`);
const feature = (id: string, properties: object, geometry: object = PLOT) =>
  makeFeature(id, geometry, properties);
const table = () =>
  formatQuotedCsv([
    ["wkt", ...COLUMNS.map(([name]) => name)],
    ...ROWS.map((row) => [formatPolygonWkt(PLOT), ...row]),
  ]);

/** The digest of each plot's input, or the code, place and message of its first fault. */
function listDigestsOrFaults(lines: readonly unknown[]): string[] {
  return (
    lines as readonly {
      verdict?: Verdict;
      error?: { code: string; message: string; faults?: readonly Fault[] };
    }[]
  ).map(({ verdict, error }) => {
    if (verdict !== undefined) return verdict.input.digest!;
    const { code, pointer, message } = error!.faults?.[0] ?? { ...error!, pointer: "" };
    return `${code} ${pointer} ${message}`;
  });
}

beforeAll(async () => {
  write("rules.json", RULESET);
  write("parks.geojson", feature("P1", {}, createSquarePolygon(0, 0)));
  const build = ["snapshot", "build", "--source", "demo:parks", at("parks.geojson"), "--data", at("data")];
  expect((await runInProcess(build)).code).toBe(0);
});

const KML_TYPES = { text: "string", number: "double", boolean: "bool", date: "string", json: "string" };
const SQL_TYPES = { text: "TEXT", number: "REAL", boolean: "BOOLEAN", date: "DATE", json: "TEXT" };
const FGB_TYPES = { text: "String", number: "Double", boolean: "Bool", date: "DateTime", json: "Json" };
const PARQUET_TYPES = {
  text: "STRING",
  number: "DOUBLE",
  boolean: "BOOLEAN",
  date: "STRING",
  json: "JSON",
} as const;
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Writers of the same plots in each format, with the options that name its columns if the format cannot. */
const WRITERS: Readonly<Record<string, () => readonly [path: string, ...options: string[]]>> = {
  CSV: () => [write("plots.csv", table())],
  GeoJSON: () => {
    const named = ROWS.map((row) => Object.fromEntries(COLUMNS.map(([name], i) => [name, row[i]])));
    const properties = named.map((own) => ({ ...own, property: own.property === null ? null : PROPERTY }));
    const features = properties.map((own) => ({ ...feature("", own), id: undefined }));
    return [write("plots.geojson", { type: "FeatureCollection", features })];
  },
  GeoPackage: () => {
    const columns = Object.fromEntries(columnsOf((type, _, name) => [name, SQL_TYPES[type]]));
    const cellOf = (cell: Cell) => (typeof cell === "boolean" ? Number(cell) : cell);
    const rows = ROWS.map((row, i) => [i + 1, encodeGeometryBlob(PLOT), ...row.map(cellOf)]);
    writeGeoPackage(at("plots.gpkg"), [
      {
        name: "plots",
        geometryType: "POLYGON",
        columns: { fid: "INTEGER PRIMARY KEY", geom: "POLYGON", ...columns },
        rows,
      },
    ]);
    return [at("plots.gpkg")];
  },
  FlatGeobuf: () => {
    const columns = columnsOf((type, _, name) => [name, FGB_TYPES[type]] as const);
    const cellOf = (cell: Cell, type: ColumnType) => (type === "date" ? `${cell}T00:00:00Z` : cell);
    const valuesOf = (row: readonly Cell[]) =>
      row.map((cell, i) => (cell === null ? undefined : cellOf(cell, COLUMNS[i]![1])));
    const features = ROWS.map((row) => ({ geometry: PLOT, values: valuesOf(row) }));
    return [
      write(
        "plots.fgb",
        encodeFlatGeobuf({ geometryType: "Polygon", columns, features, crs: { org: "EPSG", code: 4326 } }),
      ),
    ];
  },
  GeoParquet: () => {
    const geo = {
      version: "1.1.0",
      primary_column: "geometry",
      columns: { geometry: { encoding: "WKB", geometry_types: [] } },
    };
    const data = columnsOf((type, cells, name) => {
      const values =
        type === "json" ? cells.map((cell) => (cell === null ? null : JSON.parse(String(cell)))) : [...cells];
      return { name, data: values, type: PARQUET_TYPES[type] };
    });
    const geometry = { name: "geometry", data: ROWS.map(() => encodeWkb(PLOT)), type: "BYTE_ARRAY" as const };
    const kvMetadata = [{ key: "geo", value: JSON.stringify(geo) }];
    return [
      write(
        "plots.parquet",
        new Uint8Array(parquetWriteBuffer({ kvMetadata, columnData: [...data, geometry] })),
      ),
    ];
  },
  KML: () => {
    const fields = columnsOf((type, _, name) => `<SimpleField name="${name}" type="${KML_TYPES[type]}"/>`);
    const outer = ring(PLOT)
      .map((position) => position.join(","))
      .join(" ");
    const shape = `<Polygon><outerBoundaryIs><LinearRing><coordinates>${outer}</coordinates></LinearRing></outerBoundaryIs></Polygon>`;
    const placemarks = ROWS.map((row) => {
      const data = COLUMNS.map(([name], i) =>
        row[i] === null ? "" : `<SimpleData name="${name}">${escaped(String(row[i]))}</SimpleData>`,
      );
      return `<Placemark><ExtendedData><SchemaData schemaUrl="#s">${data.join("")}</SchemaData></ExtendedData>${shape}</Placemark>`;
    });
    return [
      write(
        "plots.kml",
        `<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Schema id="s">${fields.join("")}</Schema>${placemarks.join("")}</Document></kml>`,
      ),
    ];
  },
  Shapefile: () => {
    const types = {
      text: ["C", 254],
      number: ["N", 12, 3],
      boolean: ["L", 1],
      date: ["D", 8],
      json: ["C", 254],
    } as const;
    const fields = COLUMNS.map(([, type, name]) => [name, ...types[type]] as const);
    const cellOf = (cell: Cell, type: ColumnType) => {
      if (cell === null) return type === "boolean" ? "?" : "";
      return type === "boolean"
        ? cell === true
          ? "T"
          : "F"
        : type === "date"
          ? String(cell).replaceAll("-", "")
          : String(cell);
    };
    const rows = ROWS.map((row) => row.map((cell, i) => cellOf(cell, COLUMNS[i]![1])));
    const shape = [ring(PLOT).map(([x, y]) => [x!, y!] as const)];
    const { shp, shx } = encodeShpAndShx(
      5,
      ROWS.map(() => shape),
    );
    const dbf = encodeDbf({ fields, rows });
    const files = [
      ["a.shp", shp],
      ["a.shx", shx],
      ["a.dbf", dbf],
    ] as const;
    const named = COLUMNS.filter(([name, , short]) => name.startsWith("fact:") && !short.startsWith("fact:"));
    return [
      write("plots.zip", encodeZip(files.map(([name, bytes]) => ({ name, bytes })))),
      ...named.flatMap(([name, , short]) => ["--column", `${name}=${short}`]),
    ];
  },
};

describe("declared facts and the property", () => {
  /** Expected inputs, from GeoJSON with an object of facts. */
  let expected: string[];
  beforeAll(async () => {
    const facts = [
      {
        fiscal_modules: 3.5,
        community: true,
        tenure: "owner",
        planted: "2024-02-29",
        permit: PERMIT,
        plan: PLAN,
      },
      null,
      { fiscal_modules: 4, community: false, tenure: "tenant" },
    ];
    const features = facts.map((own, i) =>
      feature("abc"[i]!, { facts: own, ...(i === 0 && { property: PROPERTY }) }),
    );
    expected = listDigestsOrFaults(
      (await run("evaluate", write("expected.ndjson", formatNdjson(...features)))).lines,
    );
    expect(new Set(expected).size).toBe(3);
  });

  it.each(Object.keys(WRITERS))(
    "are the same input from %s as from GeoJSON with an object of facts",
    async (format) => {
      const fault =
        'FACT_UNSUITED /properties/fact:tenure fact:tenure: found "squatter", expected one of "owner", "tenant"';
      const [path, ...options] = WRITERS[format]!();
      for (const command of ["evaluate", "screen"]) {
        const { lines, err } = await run(
          command,
          path,
          ...options,
          ...(command === "screen" ? ["--workers", "1"] : []),
        );
        const cut = format === "Shapefile" ? "fact:tenur" : "fact:tenure";
        expect(listDigestsOrFaults(lines), err).toEqual([...expected, fault.replaceAll("fact:tenure", cut)]);
      }
    },
  );
});

const LONG = "n".repeat(10_000);
const MEGABYTE = "x".repeat(1_000_000);
const DECLARED = "fiscal_modules, community, tenure, planted, permit, plan";
const one = (columns: Readonly<Record<string, unknown>>) =>
  formatQuotedCsv([
    ["wkt", ...Object.keys(columns)],
    [formatPolygonWkt(PLOT), ...Object.values(columns)],
  ]);
/** A line whose properties are this text. */
const line = (properties: string) =>
  formatNdjson(feature("a", {})).replace('"properties":{}', `"properties":${properties}`);
const across = (west: number) => formatPolygonWkt(createSquarePolygon(west, 0, 0.75));
const MORE = { code: "VALUE_INVALID", end: "expected at most 256 characters" };

describe("hostile facts and properties", () => {
  it.each<[string, () => string, string | RegExp]>([
    [
      "a column of the prototype",
      () => one({ "fact:__proto__": 5 }),
      `found "fact:__proto__", expected a fact that the ruleset asks for: ${DECLARED} (FACT_UNKNOWN)`,
    ],
    [
      "a fact of the prototype",
      () => line('{"facts":{"__proto__":5}}'),
      /found "fact:__proto__", expected a fact .* \(FACT_UNKNOWN\)$/,
    ],
    [
      "what every object has",
      () => one({ "fact:constructor": 5 }),
      /found "fact:constructor", expected a fact .* \(FACT_UNKNOWN\)$/,
    ],
    [
      "a name of 10,000 characters",
      () => one({ [`fact:${LONG}`]: 5 }),
      /found "fact:n{74}…, expected a fact .* \(FACT_UNKNOWN\)$/,
    ],
    [
      "a fact with such a name",
      () => line(`{"facts":{"${LONG}":5}}`),
      /found "fact:n{74}…, expected a fact .* \(FACT_UNKNOWN\)$/,
    ],
    [
      "a later fact with a slash",
      () => line("{}") + line('{"facts":{"a/b":5}}'),
      /^FACT_UNKNOWN \/facts\/a~1b found the fact "a\/b", expected a fact/m,
    ],
    [
      "a misspelt fact",
      () => one({ "fact:fiscal_module": 5 }),
      'found "fact:fiscal_module", expected a fact that the ruleset asks for; did you mean "fiscal_modules"? (FACT_UNKNOWN)',
    ],
    [
      "a member that no document has",
      () => one({ "fact:permit.colour": "red" }),
      /found "fact:permit.colour", expected one of fact:permit, fact:permit.id, .*\(FACT_UNKNOWN\)$/,
    ],
    [
      "a name that was cut of several",
      () => one({ "fact:permi": "P-1" }),
      /found "fact:permi", whose name was cut, expected the whole name of one of fact:permit, fact:permit.id, .*: tell which it is with --column fact:NAME=COLUMN \(FACT_UNKNOWN\)$/,
    ],
    [
      "a name that was cut beside the whole one",
      () => one({ "fact:fisca": 5, "fact:fiscal_modules": 5 }),
      "FACT_UNSUITED /properties/fact:fiscal_modules fact:fiscal_modules: found it beside fact:fisca, expected one column of the fact",
    ],
    [
      "a column twice",
      () =>
        formatQuotedCsv([
          ["wkt", "fact:tenure", "fact:tenure"],
          [formatPolygonWkt(PLOT), "owner", "tenant"],
        ]),
      /found two columns "fact:tenure", expected a header that names each column once/,
    ],
    [
      "a member of GeoJSON twice",
      () => line('{"fact:tenure":"owner","fact:tenure":"tenant"}'),
      'MALFORMED_JSON  line 1: found the member "/properties/fact:tenure" a second time, expected each member once',
    ],
    [
      "a fact in two places",
      () => line('{"facts":{"tenure":"owner"},"fact:tenure":"tenant"}'),
      "VALIDATION_FAILED /properties/facts/tenure found tenure in properties.facts and in a column, expected it in one of them",
    ],
    [
      "a document in two forms",
      () => one({ "fact:permit.id": "P-2", "fact:permit": JSON.stringify(PERMIT) }),
      "FACT_UNSUITED /properties/fact:permit.id fact:permit.id: found it beside fact:permit, expected the document in one of them",
    ],
    [
      "a document without a member",
      () => one({ "fact:permit.id": "P-2", "fact:permit.issued_on": "2024-01-01" }),
      "MEMBER_MISSING /properties/fact:permit.issuer fact:permit.issuer: found nothing, expected a string",
    ],
    [
      "a document of 1 MB",
      () => one({ "fact:permit": JSON.stringify({ ...PERMIT, id: MEGABYTE }) }),
      `${MORE.code} /properties/fact:permit/id fact:permit: found "${"x".repeat(79)}…, ${MORE.end}`,
    ],
    [
      "a member of 1 MB",
      () => line(JSON.stringify({ facts: { permit: { ...PERMIT, id: MEGABYTE } } })),
      `${MORE.code} /facts/permit/id found "${"x".repeat(79)}…, ${MORE.end}`,
    ],
    [
      "a cell of 2 MB",
      () => one({ "fact:permit": MEGABYTE + MEGABYTE }),
      /found a row of more than 1048576 characters/,
    ],
    [
      "a day that no month has",
      () => one({ "fact:planted": "2026-02-30" }),
      'FACT_UNSUITED /properties/fact:planted fact:planted: found "2026-02-30", expected a calendar day YYYY-MM-DD',
    ],
    [
      "such a day of a document",
      () => one({ "fact:plan.id": "7", "fact:plan.issuer": "S", "fact:plan.issued_on": "2026-02-30" }),
      'VALUE_INVALID /properties/fact:plan.issued_on fact:plan.issued_on: found "2026-02-30", expected a calendar day YYYY-MM-DD',
    ],
    [
      "a document that ends before it begins",
      () => one({ "fact:permit": JSON.stringify({ ...PERMIT, valid_until: "2023-01-01" }) }),
      "VALUE_INVALID /properties/fact:permit/valid_until fact:permit: found 2023-01-01, expected a day from 2024-01-01 on, when it was issued",
    ],
    ...["1e400", "NaN", "Infinity", "12345678901234567890", "-1"].map(
      (text): [string, () => string, string] => [
        text,
        () => one({ "fact:fiscal_modules": text }),
        `FACT_UNSUITED /properties/fact:fiscal_modules fact:fiscal_modules: found ${text === "-1" ? text : `"${text}"`}, expected a number of at least 0`,
      ],
    ),
    [
      "1e400 in JSON",
      () => line('{"facts":{"fiscal_modules":1e400}}'),
      'FACT_UNSUITED /facts/fiscal_modules found "1e400", expected a number of at least 0',
    ],
    ["minus nothing", () => one({ "fact:fiscal_modules": "-0" }), '[["fiscal_modules",0]]'],
    ["minus nothing in JSON", () => line('{"facts":{"fiscal_modules":-0}}'), '[["fiscal_modules",0]]'],
    ["a column of no fact", () => one({ "fact:": "x" }), "[]"],
    [
      "a property in another CRS",
      () => one({ property: `SRID=3857;${formatPolygonWkt(PROPERTY)}` }),
      /^VALIDATION_FAILED \/properties\/property found "SRID=3857;POLYGON\(\(.* in properties.property, expected a Polygon or MultiPolygon .*, in the CRS of the plot$/,
    ],
    [
      "a point for a property",
      () => one({ property: "POINT(0.3 0.3)" }),
      /^VALIDATION_FAILED \/properties\/property found "POINT\(0.3 0.3\)" in properties.property, expected a Polygon/,
    ],
    [
      "a property of 1 MB that is none",
      () => one({ property: `{${MEGABYTE}` }),
      /^VALIDATION_FAILED \/properties\/property found "\{x{78} in properties.property, expected a Polygon/,
    ],
    [
      "a property across ±180",
      () =>
        one({ property: across(179.5) }).replaceAll(
          formatPolygonWkt(PLOT),
          formatPolygonWkt(createSquarePolygon(179.875, 0.25, 0.25)),
        ),
      "[]",
    ],
    [
      "one that is written on the other side",
      () =>
        one({ property: across(-180.5) }).replaceAll(
          formatPolygonWkt(PLOT),
          formatPolygonWkt(createSquarePolygon(179.875, 0.25, 0.25)),
        ),
      "[]",
    ],
    [
      "one on one side alone",
      () =>
        one({ property: across(179.25) }).replaceAll(
          formatPolygonWkt(PLOT),
          formatPolygonWkt(createSquarePolygon(179.875, 0.25, 0.25)),
        ),
      /^PROPERTY_NOT_AROUND_PLOT \/property found a plot of which 38.*m² lie outside the property, such as at 180.125, 0.\d+; expected/,
    ],
  ])("%s: an error with its place, or right", async (_, text, expected) => {
    const { lines, err } = await runInProcess([
      ...["evaluate", write("hostile.txt", text()), "--ruleset", at("rules.json"), "--data", at("data")],
    ]);
    const verdicts = (lines as readonly { verdict?: Verdict }[]).map(({ verdict }, i) =>
      verdict === undefined
        ? listDigestsOrFaults([lines[i]])[0]!
        : JSON.stringify(
            verdict.facts!.flatMap(({ fact, value }) => (value === null ? [] : [[fact, value]])),
          ),
    );
    const found = lines.length === 0 ? err.trim().replace(/^groundrule: /, "") : verdicts.join("\n");
    if (typeof expected === "string") expect(found).toBe(expected);
    else expect(found).toMatch(expected);
    expect(found.length).toBeLessThan(500);
  });
});
