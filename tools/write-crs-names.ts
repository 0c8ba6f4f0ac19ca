// Writes packages/formats/src/crs/known-crs.ts: for each system of packages/crs what files call it and what defines it,
// from the EPSG registry and the names of Esri, both as PROJ ships them.
//   node tools/write-crs-names.ts && npx biome format --write packages/formats/src/crs/known-crs.ts
import { writeFileSync } from "node:fs";
import { openDatabase } from "../oracles/registry.ts";
import { crsTable } from "../packages/crs/src/index.ts";

const METHODS: ReadonlyMap<number, string> = new Map([
  [1024, "pseudo-mercator"],
  [1028, "equidistant-cylindrical"],
  [1041, "krovak-north"],
  [1078, "equal-earth"],
  [9801, "lambert-conformal-1sp"],
  [9802, "lambert-conformal-2sp"],
  [9804, "mercator-a"],
  [9807, "transverse-mercator"],
  [9809, "oblique-stereographic"],
  [9812, "hotine-a"],
  [9815, "hotine-b"],
  [9818, "polyconic"],
  [9820, "lambert-azimuthal"],
  [9822, "albers"],
  [9829, "polar-stereographic-b"],
  [9835, "cylindrical-equal-area"],
]);

const PARAMETERS: ReadonlyMap<number, string> = new Map([
  ...([8801, 8811, 8821] as const).map((code) => [code, "lat0"] as const),
  ...([8802, 8812, 8822, 8833] as const).map((code) => [code, "lon0"] as const),
  ...([8805, 8815, 8819] as const).map((code) => [code, "k"] as const),
  ...([8806, 8816, 8826] as const).map((code) => [code, "x0"] as const),
  ...([8807, 8817, 8827] as const).map((code) => [code, "y0"] as const),
  ...([8823, 8832] as const).map((code) => [code, "lat1"] as const),
  [8824, "lat2"],
  [8813, "azimuth"],
  [8814, "skew"],
  [1036, "cone"],
  [8818, "pseudo"],
]);

const NEUTRAL: Readonly<Record<string, number>> = { k: 1, lat0: 0, lon0: 0, x0: 0, y0: 0 };

const db = openDatabase();
const all = <Row>(sql: string): Row[] => db.prepare(sql).all() as unknown as Row[];

const units = new Map(
  all<{ code: number; factor: number | null }>(
    "SELECT code, conv_factor AS factor FROM unit_of_measure WHERE auth_name = 'EPSG'",
  ).map(({ code, factor }) => [code, factor]),
);
const SEXAGESIMAL = 9110;
const RADIANS_PER_DEGREE = Math.PI / 180;
const ANGLES = new Set([9101, 9102, 9105, 9106, 9122, SEXAGESIMAL]);

/** In degrees, metres or as a factor; angles to 15 digits. */
function standardValue(value: number, unit: number): number {
  if (unit === SEXAGESIMAL) return Number(sexagesimal(value).toPrecision(15));
  if (unit === 9102 || unit === 9122) return value;
  const factor = units.get(unit);
  if (factor === null || factor === undefined) throw new Error(`unit ${unit}`);
  return ANGLES.has(unit) ? Number(((value * factor) / RADIANS_PER_DEGREE).toPrecision(12)) : value * factor;
}

/** 46.570866 is 46° 57' 8.66". */
function sexagesimal(value: number): number {
  const [whole, fraction = ""] = Math.abs(value).toFixed(12).split(".");
  const digits = fraction.padEnd(12, "0");
  const seconds = Number(`${digits.slice(2, 4)}.${digits.slice(4)}`);
  return Math.sign(value) * (Number(whole) + Number(digits.slice(0, 2)) / 60 + seconds / 3600);
}

interface DatumRow {
  readonly code: number;
  readonly base: number;
  readonly name: string;
  readonly base_name: string;
  readonly a: number;
  readonly rf: number | null;
  readonly b: number | null;
  readonly unit: number;
  readonly meridian: number;
  readonly meridian_unit: number;
}

const datums = all<DatumRow>(`
  SELECT d.code AS code, g.code AS base, d.name AS name, g.name AS base_name, e.semi_major_axis AS a,
    e.inv_flattening AS rf, e.semi_minor_axis AS b, e.uom_code AS unit, m.longitude AS meridian, m.uom_code AS meridian_unit
  FROM geodetic_crs g
  JOIN geodetic_datum d ON d.auth_name = g.datum_auth_name AND d.code = g.datum_code
  JOIN ellipsoid e ON e.auth_name = d.ellipsoid_auth_name AND e.code = d.ellipsoid_code
  JOIN prime_meridian m ON m.auth_name = d.prime_meridian_auth_name AND m.code = d.prime_meridian_code
  WHERE g.auth_name = 'EPSG' AND g.type = 'geographic 2D'`);
const byBase = new Map(datums.map((row) => [row.base, row]));

const aliases = (table: string, code: number): string[] =>
  all<{ name: string }>(
    `SELECT alt_name AS name FROM alias_name WHERE table_name = '${table}' AND auth_name = 'EPSG' AND code = ${code}`,
  ).map(({ name }) => name);

const named = new Map(
  all<{ code: number; name: string; base: number; conversion: number }>(`
    SELECT code, name, geodetic_crs_code AS base, conversion_code AS conversion
    FROM projected_crs WHERE auth_name = 'EPSG'`).map((row) => [row.code, row]),
);
const conversions = new Map(
  all<Record<string, string | number | null>>("SELECT * FROM conversion_table WHERE auth_name = 'EPSG'").map(
    (row) => [row.code as number, row],
  ),
);

function basesOf({ code, base }: { code: number; base: number }): number[] {
  const former = FORMER_BASES.get(code);
  return former === undefined ? [base] : [base, former];
}

function parametersOf(conversion: Record<string, string | number | null>): Record<string, number> {
  const parameters: Record<string, number> = {};
  for (let i = 1; i <= 7; i++) {
    const code = conversion[`param${i}_code`] as number | null;
    if (code === null) continue;
    const key = PARAMETERS.get(code);
    if (key === undefined) throw new Error(`parameter ${code}`);
    const value = standardValue(
      conversion[`param${i}_value`] as number,
      conversion[`param${i}_uom_code`] as number,
    );
    if (NEUTRAL[key] !== value) parameters[key] = value;
  }
  const { lat1 = 0, lat2 = 0 } = parameters;
  if (!("lat2" in parameters)) return parameters;
  return { ...parameters, lat1: Math.max(lat1, lat2), lat2: Math.min(lat1, lat2) };
}

/** Systems that the registry has moved to a newer frame; files state the former one, and the positions are the same. */
const FORMER_BASES: ReadonlyMap<number, number> = new Map([
  [3067, 4258],
  [9377, 4686],
]);

const bases = new Set<number>();
const systems: string[] = [];
const geographic: number[] = [];
for (const code of crsTable.codes) {
  const crs = named.get(code);
  if (crs === undefined) {
    bases.add(code);
    geographic.push(code);
    continue;
  }
  bases.add(crs.base);
  const conversion = conversions.get(crs.conversion)!;
  const method = METHODS.get(conversion.method_code as number);
  if (method === undefined) throw new Error(`EPSG:${code} has method ${conversion.method_code}`);
  const names = [...new Set([crs.name, ...aliases("projected_crs", code)])];
  systems.push(
    `  { code: ${code}, bases: ${JSON.stringify(basesOf(crs))}, names: ${JSON.stringify(names)}, method: "${method}", parameters: ${JSON.stringify(parametersOf(conversion))} },`,
  );
}

/** What the registry called datums before; files keep the names. */
const FORMER_NAMES: ReadonlyMap<number, string> = new Map([[6737, "Geocentric datum of Korea"]]);

/** Also those of the same datum from Greenwich: Esri tells both apart by the meridian alone. */
function otherNames({ code, name, meridian }: DatumRow): string[] {
  const former = FORMER_NAMES.get(code);
  const names = former === undefined ? [] : [former];
  const bare = datums.find((other) => meridian !== 0 && other.name === name.replace(/ \(\w+\)$/, ""));
  return bare === undefined ? names : [...names, bare.name, ...aliases("geodetic_datum", bare.code)];
}

const frames = [...bases]
  .sort((a, b) => a - b)
  .map((base) => {
    const row = byBase.get(base)!;
    const names = [...new Set([row.base_name, ...aliases("geodetic_crs", base)])];
    const datumNames = [...new Set([row.name, ...aliases("geodetic_datum", row.code), ...otherNames(row)])];
    const a = row.a * units.get(row.unit)!;
    const rf = row.rf ?? Number((a / (a - row.b!)).toPrecision(15));
    const meridian = standardValue(row.meridian, row.meridian_unit);
    return `  { code: ${base}, names: ${JSON.stringify(names)}, datumNames: ${JSON.stringify(datumNames)}, semiMajorMeters: ${a}, inverseFlattening: ${rf}, meridianDegrees: ${meridian} },`;
  });

writeFileSync(
  new URL("../packages/formats/src/crs/known-crs.ts", import.meta.url),
  `// Written by tools/write-crs-names.ts from the EPSG registry (IOGP) and the names of Esri, as PROJ (MIT) ships them;
// not to be edited by hand.

/** A datum, and the geographic system on it. */
export interface Frame {
  /** EPSG code of the geographic system. */
  readonly code: number;
  /** What the geographic system is called. */
  readonly names: readonly string[];
  /** What the datum is called. */
  readonly datumNames: readonly string[];
  readonly semiMajorMeters: number;
  readonly inverseFlattening: number;
  /** Prime meridian, degrees east of Greenwich. */
  readonly meridianDegrees: number;
}

/** How a projected system flattens the ellipsoid. */
export type Method =
${[...METHODS.values()]
  .sort()
  .map((method) => `  | "${method}"`)
  .join("\n")};

/**
 * A parameter of a projection: the origin, the scale, false easting and northing, standard parallels, and what oblique
 * ones add.
 */
export type Parameter =
  | ${[...new Set(PARAMETERS.values())]
    .sort()
    .map((key) => `"${key}"`)
    .join(" | ")};

/** Degrees, metres, or a factor. Origins and offsets that are 0, and a scale of 1, are left out. */
export type Parameters = Readonly<Partial<Record<Parameter, number>>>;

/** A projected system in metres, easting first. */
export interface Projected {
  readonly code: number;
  /** Codes of its {@link Frame}s: that of today, and a former one. */
  readonly bases: readonly number[];
  readonly names: readonly string[];
  readonly method: Method;
  readonly parameters: Parameters;
}

/** The geographic systems that are known themselves; other frames only bear projected ones. */
export const GEOGRAPHIC_CODES: ReadonlySet<number> = new Set<number>([${geographic.join(", ")}]);

export const FRAMES: readonly Frame[] = [
${frames.join("\n")}
];

export const PROJECTED: readonly Projected[] = [
${systems.join("\n")}
];
`,
);
