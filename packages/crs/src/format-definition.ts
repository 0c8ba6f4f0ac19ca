import { FRAMES, type Method, type Parameters, SHIFTS, type System } from "./systems.ts";

/**
 * A system in the words of proj4.
 *
 * @returns `+proj=… +ellps=… [+towgs84=…]`
 */
export function formatDefinition({
  frames,
  method,
  parameters = {},
  shift,
  unit_m = 1,
}: Omit<System, "areas">): string {
  const projection = method === undefined ? ["+proj=longlat"] : PROJECTIONS[method](parameters);
  const frame = method === "pseudo-mercator" ? [] : formatDatumParameters(frames[0]!);
  const unit = method === undefined ? [] : [unit_m === 1 ? "+units=m" : `+to_meter=${unit_m}`];
  const shifted = shift === undefined ? [] : [`+towgs84=${SHIFTS.get(shift)!.towgs84.join()}`];
  return [...projection, ...frame, ...unit, ...shifted].join(" ");
}

const WGS84 = 4326;
const PARIS = 4807;

function formatDatumParameters(code: number): string[] {
  if (code === WGS84) return ["+datum=WGS84"];
  const { ellipsoid, semi_major_m, inverse_flattening, meridian_degrees = 0 } = FRAMES.get(code)!;
  const shape =
    ellipsoid === undefined ? [`+a=${semi_major_m}`, `+rf=${inverse_flattening}`] : [`+ellps=${ellipsoid}`];
  if (meridian_degrees === 0) return shape;
  return [...shape, code === PARIS ? "+pm=paris" : `+pm=${meridian_degrees}`];
}

type Words = (parameters: Parameters) => string[];

/** The projections of proj4 that the methods are. */
const PROJECTIONS: Readonly<Record<Method, Words>> = {
  albers: createConicFormatter("aea"),
  "cylindrical-equal-area": ({ lat1 = 0, ...origin }) => [
    "+proj=cea",
    `+lat_ts=${lat1}`,
    ...formatOriginParameters(origin),
  ],
  "equal-earth": (parameters) => ["+proj=eqearth", ...formatOriginParameters(parameters)],
  "equidistant-cylindrical": ({ lat1 = 0, ...origin }) => [
    "+proj=eqc",
    `+lat_ts=${lat1}`,
    ...formatOriginParameters(origin),
  ],
  "hotine-a": ({ lat0 = 0, lon0 = 0, azimuth = 0, skew = 0, k = 1, x0 = 0, y0 = 0 }) => [
    ...["+proj=omerc", "+no_uoff", `+lat_0=${lat0}`, `+lonc=${lon0}`, `+alpha=${azimuth}`],
    ...[`+gamma=${skew}`, `+k=${k}`, `+x_0=${x0}`, `+y_0=${y0}`],
  ],
  // Swiss and Hungarian maps run due east, for which proj4 has a projection of its own.
  "hotine-b": (parameters) => {
    const { azimuth = 0, skew = 0, lat0 = 0, lon0 = 0, k = 1, x0 = 0, y0 = 0 } = parameters;
    if (azimuth === 90 && skew === 90) return ["+proj=somerc", ...formatOriginParameters(parameters)];
    return [
      ...["+proj=omerc", `+lat_0=${lat0}`, `+lonc=${lon0}`, `+alpha=${azimuth}`],
      ...[`+gamma=${skew}`, `+k=${k}`, `+x_0=${x0}`, `+y_0=${y0}`],
    ];
  },
  "krovak-north": ({ cone = 0, ...origin }) => [
    "+proj=krovak",
    ...formatOriginParameters(origin),
    `+alpha=${cone}`,
  ],
  "lambert-azimuthal": (parameters) => ["+proj=laea", ...formatOriginParameters(parameters)],
  "lambert-conformal-1sp": (parameters) => [
    "+proj=lcc",
    `+lat_1=${parameters.lat0 ?? 0}`,
    ...formatOriginParameters(parameters),
  ],
  "lambert-conformal-2sp": createConicFormatter("lcc"),
  "mercator-a": (parameters) => ["+proj=merc", ...formatOriginParameters(parameters)],
  mollweide: (parameters) => ["+proj=moll", ...formatOriginParameters(parameters)],
  "oblique-stereographic": (parameters) => ["+proj=sterea", ...formatOriginParameters(parameters)],
  "polar-stereographic-b": ({ lat1 = 0, ...origin }) => [
    "+proj=stere",
    `+lat_ts=${lat1}`,
    ...formatOriginParameters({ ...origin, lat0: lat1 < 0 ? -90 : 90 }),
  ],
  polyconic: (parameters) => ["+proj=poly", ...formatOriginParameters(parameters)],
  "pseudo-mercator": (parameters) => [
    ...["+proj=merc", "+a=6378137", "+b=6378137"],
    ...formatOriginParameters(parameters),
  ],
  sinusoidal: (parameters) => ["+proj=sinu", ...formatOriginParameters(parameters)],
  "transverse-mercator": (parameters) => ["+proj=tmerc", ...formatOriginParameters(parameters)],
};

function createConicFormatter(projection: string): Words {
  return ({ lat1 = 0, lat2 = 0, ...origin }) => [
    ...[`+proj=${projection}`, `+lat_1=${lat1}`, `+lat_2=${lat2}`],
    ...formatOriginParameters(origin),
  ];
}

function formatOriginParameters({ lat0 = 0, lon0 = 0, k = 1, x0 = 0, y0 = 0 }: Parameters): string[] {
  return [`+lat_0=${lat0}`, `+lon_0=${lon0}`, `+k=${k}`, `+x_0=${x0}`, `+y_0=${y0}`];
}
