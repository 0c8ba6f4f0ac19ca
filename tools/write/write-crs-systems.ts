// Writes what is known of coordinate reference systems, each fact in one place, from the EPSG registry (IOGP) and the
// names of Esri, both as PROJ (MIT) ships them: packages/crs/src/systems.json, what defines each system, how it is
// shifted to WGS 84 (docs/decisions/crs.md) and where it is in use; packages/formats/src/crs/names.json,
// what files call it.
//   node tools/write/write-crs-systems.ts
// packages/crs/src/areas-of-use/areas.json has where every system of the registry is in use, to name those near one that
// is not known. Only systems that proj4 can compute by itself belong there: none that needs a grid file.
import { writeFileSync } from "node:fs";
import { type Extent, openCrsRegistry, openProjDatabase } from "../../oracles/registry.ts";

const CODES = parseCrsCodes(`
  World: 4326 3857 3395 4087 6933 8857 3031 3413 3995 32601-32660 32701-32760
  Latin America: SIRGAS: 4674 5880 31965-31985 SAD69: 4618 29170-29172 29188-29195
    Córrego Alegre: 4225 22521-22525 POSGAR: 4190 5340 5343-5349 MAGNA: 4686 3114-3118 9377
    CRTM05: 5367 Mexico: 6362 6372 Chile, Peru: 5361 5362 5381 5382 5383 5387 5389
    PSAD56 in Ecuador, Peru and Bolivia: 24817 24818 24877-24881 24891-24893
  North America: 4269 26901-26923 5070 3978 3979 3347 3005
  Europe: 4258 3034 3035 25828-25837 4647 23030-23033 23035-23038 2154 27572 27700 4277 2157 29903 31370
    3812 28992 2056 21781 4312 31287 3416 31254-31259 4314 31466-31469 3763 5514 2180 2176-2179 3006 3067
    3301 3059 3346 3765 3794 3912 23700 3844 7801 2100 3003 3004 6707 6708 2039 5253-5259
  Asia, Africa, Oceania: 4612 6668 6669-6687 5179 5186 4490 3405 3406 24047 24048 3375 3376 9470 23830-23845
    7755 3119 4283 28348-28358 3577 7844 7846-7859 4167 2193
    Ghana: 2136 25000 Ivory Coast: 2041 2043 2165 Nigeria: 26391-26393 Kenya, Uganda: 21035-21037 21095-21097
    Vietnam: 5896-5899 9205-9218 Indonesia: 23866-23872 23877-23884 Malaysia, Brunei: 3168 29871-29873
    Papua New Guinea: 5550-5552
`);

/**
 * How an older datum is shifted to WGS 84: by which EPSG operation, which codes. Lists of proj4 strings shift
 * some datums by a grid file or not at all, and print coordinate frame rotations and microradians as they are: wrong by up to
 * 170 m.
 */
const SHIFTS: Readonly<Record<number, string>> = {
  1158: "3168",
  1159: "25000",
  1168: "26391-26393",
  1193: "27572",
  1202: "24879-24881",
  1206: "24817 24818 24877",
  1208: "24878 24891-24893",
  1228: "29871-29873",
  1122: "21035-21037",
  1272: "2100",
  1275: "23031",
  1284: "21095-21097",
  1134: "23032 23033",
  1633: "23030",
  1784: "23035-23038",
  1304: "24047 24048",
  1314: "4277 27700",
  1448: "23700",
  1470: "2041 2043 2165",
  1618: "4312 31287 31254-31259",
  1660: "3003 3004",
  1676: "2056",
  1766: "21781",
  1777: "4314 31466-31469",
  1954: "29903",
  5239: "5514",
  5882: "4618 29170-29172 29188-29195",
  6194: "4225 22521-22525",
  6896: "2136",
  6960: "3405 3406 5896-5899 9205-9218",
  8688: "3912",
  9281: "28992",
  9676: "2039",
  15873: "3119",
  15929: "31370",
  15995: "3844",
};
const SHIFT_BY_CODE = new Map(
  Object.entries(SHIFTS).flatMap(([operation, codes]) =>
    parseCrsCodes(codes).map((code) => [code, Number(operation)]),
  ),
);

/**
 * Where a shift of one country holds, of zones that cross others in which it is up to 97 m off: the areas of these
 * operations.
 */
const LAND: Readonly<Record<number, readonly number[]>> = {
  24817: [1206],
  24818: [1206],
  24877: [1206, 1208],
  24878: [1206, 1208],
  24879: [1202, 1208],
};

/** Realizations of ITRS for which the registry has no operation to WGS 84: CGCS2000, SIRGAS-Chile, SRGI2013. */
const ALIGNED = new Set([4490, 5360, 9470]);

const METHODS: Readonly<Record<number, string>> = {
  1024: "pseudo-mercator",
  1028: "equidistant-cylindrical",
  1041: "krovak-north",
  1078: "equal-earth",
  9801: "lambert-conformal-1sp",
  9802: "lambert-conformal-2sp",
  9804: "mercator-a",
  9807: "transverse-mercator",
  9809: "oblique-stereographic",
  9812: "hotine-a",
  9815: "hotine-b",
  9818: "polyconic",
  9820: "lambert-azimuthal",
  9822: "albers",
  9829: "polar-stereographic-b",
  9835: "cylindrical-equal-area",
};

/** Parameters of projections, and the codes of each. */
const PARAMETERS: Readonly<Record<string, readonly number[]>> = {
  lat0: [8801, 8811, 8821],
  lon0: [8802, 8812, 8822, 8833],
  k: [8805, 8815, 8819],
  x0: [8806, 8816, 8826],
  y0: [8807, 8817, 8827],
  lat1: [8823, 8832],
  lat2: [8824],
  azimuth: [8813],
  skew: [8814],
  cone: [1036],
  pseudo: [8818],
};
const NEUTRAL: Readonly<Record<string, number>> = { k: 1, lat0: 0, lon0: 0, x0: 0, y0: 0 };

/** Name of an ellipsoid in proj4, by its semi-major axis and inverse flattening; one without a name is written out. */
const ELLIPSOIDS: Readonly<Record<string, string>> = {
  "6378137 298.257222101": "GRS80",
  "6378137 298.257223563": "WGS84",
  "6377397.155 299.1528128": "bessel",
  "6378388 297": "intl",
  "6377563.396 299.3249646": "airy",
  "6378160 298.25": "aust_SA",
  "6378160 298.247167427": "GRS67",
  "6378245 298.3": "krass",
  "6378249.2 293.466021293627": "clrk80ign",
};

/** Systems that the registry has moved to a newer frame; files state the former one, and the positions are the same. */
const FORMER_BASES: Readonly<Record<number, number>> = { 3067: 4258, 9377: 4686 };

/** Former names of datums in the registry; files keep the names. */
const FORMER_NAMES: Readonly<Record<number, string>> = { 6737: "Geocentric datum of Korea" };

const db = openProjDatabase();
const registry = openCrsRegistry();
const all = <Row>(sql: string): Row[] => db.prepare(sql).all() as unknown as Row[];

const units = new Map(
  all<{ code: number; factor: number | null }>(
    "SELECT code, conv_factor AS factor FROM unit_of_measure WHERE auth_name = 'EPSG'",
  ).map(({ code, factor }) => [code, factor]),
);

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
/** Projected systems, each with its conversion. */
const projected = new Map(
  all<Record<string, string | number | null> & { code: number; name: string; base: number }>(`
    SELECT c.*, p.code AS code, p.name AS name, p.geodetic_crs_code AS base, a.uom_code AS unit
    FROM projected_crs p
    JOIN axis a ON a.coordinate_system_auth_name = 'EPSG' AND a.coordinate_system_code = p.coordinate_system_code
      AND a.coordinate_system_order = 1
    JOIN conversion_table c ON c.auth_name = 'EPSG' AND c.code = p.conversion_code
    WHERE p.auth_name = 'EPSG'`).map((row) => [row.code, row]),
);

const shifts: Record<string, object> = {};
const systems: Record<string, object> = {};
const systemNames: Record<string, readonly string[]> = {};
const bases = new Set<number>();
for (const code of [...new Set(CODES)].sort((a, b) => a - b)) {
  const crs = projected.get(code);
  const base = crs?.base ?? code;
  const former = FORMER_BASES[code];
  bases.add(base);
  systems[code] = {
    frames: former === undefined ? [base] : [base, former],
    ...(crs !== undefined && buildProjection(crs)),
    ...(crs !== undefined && buildUnitMember(crs)),
    ...findDatumShift(code),
    areas: listAreasOfUse(code),
  };
  if (crs !== undefined)
    systemNames[code] = listUniqueNames(crs.name, ...listAliasNames("projected_crs", code));
}
const frames: Record<string, object> = {};
const frameNames: Record<string, object> = {};
for (const base of [...bases].sort((a, b) => a - b)) {
  const row = datums.find((datum) => datum.base === base)!;
  const a = row.a * units.get(row.unit)!;
  const rf = row.rf ?? Number((a / (a - row.b!)).toPrecision(15));
  const ellipsoid = ELLIPSOIDS[`${a} ${rf}`];
  const meridian = toStandardValue(row.meridian, row.meridian_unit);
  frames[base] = {
    semi_major_m: a,
    inverse_flattening: rf,
    ...(ellipsoid !== undefined && { ellipsoid }),
    ...(meridian !== 0 && { meridian_degrees: meridian }),
  };
  frameNames[base] = {
    crs: listUniqueNames(row.base_name, ...listAliasNames("geodetic_crs", base)),
    datum: listUniqueNames(row.name, ...listAliasNames("geodetic_datum", row.code), ...listOtherNames(row)),
  };
}
writeTables("../../packages/crs/src/systems.json", { frames, shifts, systems });
writeTables("../../packages/formats/src/crs/names.json", { frames: frameNames, systems: systemNames });

writeAreasOfUse("../../packages/crs/src/areas-of-use/areas.json");

/** The codes in a text, where 32601-32660 stands for all between; words tell where they are of. */
function parseCrsCodes(text: string): number[] {
  return [...text.matchAll(/\b(\d{4,5})(?:-(\d{5}|\d{4}))?\b(?!:)/g)].flatMap(([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => Number(first) + i),
  );
}

function listUniqueNames(...names: readonly string[]): string[] {
  return [...new Set(names)];
}

function listAliasNames(table: string, code: number): string[] {
  return all<{ name: string }>(
    `SELECT alt_name AS name FROM alias_name WHERE table_name = '${table}' AND auth_name = 'EPSG' AND code = ${code}`,
  ).map(({ name }) => name);
}

/** Also those of the same datum from Greenwich: Esri tells both apart by the meridian alone. */
function listOtherNames({ code, name, meridian }: DatumRow): string[] {
  const former = FORMER_NAMES[code];
  const names = former === undefined ? [] : [former];
  const bare = datums.find((other) => meridian !== 0 && other.name === name.replace(/ \(\w+\)$/, ""));
  return bare === undefined ? names : [...names, bare.name, ...listAliasNames("geodetic_datum", bare.code)];
}

function buildProjection(row: Readonly<Record<string, string | number | null>>): object {
  const method = METHODS[row.method_code as number];
  if (method === undefined) throw new Error(`EPSG:${row.code} has method ${row.method_code}`);
  const parameters: Record<string, number> = {};
  for (let i = 1; i <= 7; i++) {
    const code = row[`param${i}_code`] as number | null;
    if (code === null) continue;
    const [key] = Object.entries(PARAMETERS).find(([, codes]) => codes.includes(code)) ?? [];
    if (key === undefined) throw new Error(`parameter ${code}`);
    const value = toStandardValue(row[`param${i}_value`] as number, row[`param${i}_uom_code`] as number);
    if (NEUTRAL[key] !== value) parameters[key] = value;
  }
  return { method, parameters };
}

/** Metres of the unit of its axes, where it is another. */
function buildUnitMember(row: Readonly<Record<string, string | number | null>>): {
  readonly unit_m?: number;
} {
  const meters = units.get(row.unit as number);
  if (meters === null || meters === undefined) throw new Error(`EPSG:${row.code} is in unit ${row.unit}`);
  return meters === 1 ? {} : { unit_m: meters };
}

/** In degrees, metres or as a factor; angles to 15 digits. */
function toStandardValue(value: number, unit: number): number {
  const [sexagesimalDegrees, angles] = [9110, [9101, 9105, 9106]];
  if (unit === sexagesimalDegrees) return Number(convertSexagesimalToDegrees(value).toPrecision(15));
  if (unit === 9102 || unit === 9122) return value;
  const factor = units.get(unit);
  if (factor === null || factor === undefined) throw new Error(`unit ${unit}`);
  return angles.includes(unit) ? Number(((value * factor * 180) / Math.PI).toPrecision(12)) : value * factor;
}

/** 46.570866 is 46° 57' 8.66". */
function convertSexagesimalToDegrees(value: number): number {
  const [whole, fraction = ""] = Math.abs(value).toFixed(12).split(".");
  const digits = fraction.padEnd(12, "0");
  const seconds = Number(`${digits.slice(2, 4)}.${digits.slice(4)}`);
  return Math.sign(value) * (Number(whole) + Number(digits.slice(0, 2)) / 60 + seconds / 3600);
}

function listAreasOfUse(code: number): number[][] {
  const crs = registry.findCrs(code);
  if (crs === undefined) throw new Error(`EPSG:${code} is not in the registry`);
  // One CRS can be in use in several places, and the same place be named for several uses.
  const land = LAND[code]?.map((operation) => registry.getHelmert(operation).area);
  const boxes = crs.areas
    .flatMap((area) => land?.map((other) => computeSharedBox(area, other)) ?? [area])
    .map(({ west, south, east, north }) =>
      JSON.stringify([west, south, east < west ? east + 360 : east, north]),
    );
  return listUniqueNames(...boxes).map((box) => JSON.parse(box) as number[]);
}

function computeSharedBox(a: Extent, b: Extent): Omit<Extent, "name"> {
  return {
    west: Math.max(a.west, b.west),
    south: Math.max(a.south, b.south),
    east: Math.min(a.east, b.east),
    north: Math.min(a.north, b.north),
  };
}

function findDatumShift(code: number): { readonly shift?: number } {
  const operation = SHIFT_BY_CODE.get(code);
  if (operation !== undefined) {
    const { accuracyMeters, area, parameters } = registry.getHelmert(operation);
    // Three numbers are translations alone.
    const rotates = parameters.slice(3).some((parameter) => parameter !== 0);
    shifts[operation] = {
      accuracy_m: accuracyMeters,
      area: area.name,
      towgs84: parameters.slice(0, rotates ? 7 : 3).map((parameter) => Number(parameter.toPrecision(15))),
    };
    return { shift: operation };
  }
  const base = registry.findCrs(code)?.base ?? Number.NaN;
  const aligned = registry
    .helmertsFrom(base)
    .find(({ target, parameters }) => target === 4326 && parameters.every((parameter) => parameter === 0));
  if (aligned === undefined && base !== 4326 && !ALIGNED.has(base)) {
    throw new Error(`EPSG:${code} has a datum of its own and no shift`);
  }
  return {};
}

/** One line for each entry, in order of codes. */
function writeTables(path: string, tables: Readonly<Record<string, Readonly<Record<string, object>>>>): void {
  const written = Object.entries(tables).map(([name, table]) => {
    const lines = Object.entries(table).map(([code, entry]) => `    "${code}": ${JSON.stringify(entry)}`);
    return `  "${name}": {\n${lines.join(",\n")}\n  }`;
  });
  writeFileSync(new URL(path, import.meta.url), `{\n${written.join(",\n")}\n}\n`);
}

/** The first area of use of each code, outwards to whole degrees; the codes of one area on one line. */
function writeAreasOfUse(path: string): void {
  const codes = new Map<string, number[]>();
  for (const code of registry.codes().toSorted((a, b) => a - b)) {
    const { west, south, east, north } = registry.findCrs(code)!.areas[0]!;
    const [from, to] = [Math.floor(west), Math.ceil(east < west ? east + 360 : east)];
    const box = `${from} ${Math.floor(south)} ${to} ${Math.ceil(north)}`;
    codes.set(box, [...(codes.get(box) ?? []), code]);
  }
  const lines = [...codes].map(([box, all]) => JSON.stringify(`${box}:${formatCodeRuns(all).join(" ")}`));
  writeFileSync(new URL(path, import.meta.url), `[\n  ${lines.join(",\n  ")}\n]\n`);
}

/** `24877-24881` for codes that follow each other. */
function formatCodeRuns(codes: readonly number[]): string[] {
  const starts = codes.filter((code) => !codes.includes(code - 1));
  return starts.map((start) => {
    let end = start;
    while (codes.includes(end + 1)) end++;
    return end === start ? String(start) : `${start}-${end}`;
  });
}
