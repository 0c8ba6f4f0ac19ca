import type { Method, Parameter, Parameters } from "@groundrule/crs/systems";
import { type DescribedCrs, normalizeCrsName } from "./described-crs.ts";
import { orderParallelsFromNorth } from "./known-crs.ts";

/** A method and its parameters in one form, regardless of the program that wrote them. */
export interface Projection {
  readonly method: Method;
  readonly parameters: Parameters;
}

type Found = Map<Parameter, number>;

/** Names of each parameter: by OGC, by Esri, and in the EPSG registry. */
const NAMES: Readonly<Record<Parameter, readonly string[]>> = {
  lat0: [
    "latitude of origin",
    "latitude of center",
    "central parallel",
    "latitude of natural origin",
    "latitude of false origin",
    "latitude of projection centre",
  ],
  lon0: [
    "central meridian",
    "longitude of center",
    "longitude of origin",
    "longitude of natural origin",
    "longitude of false origin",
    "longitude of projection centre",
  ],
  k: [
    "scale factor",
    "scale factor at natural origin",
    "scale factor on initial line",
    "scale factor at projection centre",
    "scale factor on pseudo standard parallel",
  ],
  x0: ["false easting", "easting at false origin", "easting at projection centre"],
  y0: ["false northing", "northing at false origin", "northing at projection centre"],
  lat1: ["standard parallel 1", "latitude of 1st standard parallel", "latitude of standard parallel"],
  lat2: ["standard parallel 2", "latitude of 2nd standard parallel"],
  azimuth: ["azimuth", "azimuth of initial line", "azimuth at projection centre"],
  skew: ["rectified grid angle", "angle from rectified to skew grid", "xy plane rotation"],
  cone: ["co-latitude of cone axis"],
  pseudo: ["pseudo standard parallel 1", "latitude of pseudo standard parallel"],
};

const PARAMETER_BY_NAME: ReadonlyMap<string, Parameter> = new Map(
  Object.entries(NAMES).flatMap(([parameter, names]) =>
    names.map((name) => [normalizeCrsName(name), parameter as Parameter] as const),
  ),
);

const NEUTRAL: Parameters = { k: 1, lat0: 0, lon0: 0, x0: 0, y0: 0 };

/**
 * Methods by what they are called, and what turns the parameters under that name into those of the EPSG registry;
 * false: they describe something else. Parameters that Esri adds stand in `extra`.
 */
const METHODS: Readonly<Record<string, (found: Found, extra: Extra, crs: DescribedCrs) => Method | false>> = {
  transversemercator: () => "transverse-mercator",
  gausskruger: () => "transverse-mercator",
  lambertconformalconic2sp: () => "lambert-conformal-2sp",
  lambertconicconformal2sp: () => "lambert-conformal-2sp",
  lambertconformalconic1sp: () => "lambert-conformal-1sp",
  lambertconicconformal1sp: () => "lambert-conformal-1sp",
  lambertconformalconic: selectEsriLambertMethod,
  lambertazimuthalequalarea: () => "lambert-azimuthal",
  albersconicequalarea: () => "albers",
  albersequalarea: () => "albers",
  albers: () => "albers",
  mercator1sp: (_, __, crs) => selectGdalMercatorMethod(crs),
  mercatorvarianta: () => "mercator-a",
  mercator: (found, _, crs) => removeNeutralParameter(found, "lat1", 0) && selectGdalMercatorMethod(crs),
  mercatorauxiliarysphere: (found, extra) =>
    removeNeutralParameter(found, "lat1", 0) &&
    (extra.get("auxiliaryspheretype") ?? 0) === 0 &&
    "pseudo-mercator",
  popularvisualisationpseudomercator: () => "pseudo-mercator",
  equidistantcylindrical: () => "equidistant-cylindrical",
  equirectangular: () => "equidistant-cylindrical",
  behrmann: selectBehrmannMethod,
  cylindricalequalarea: () => "cylindrical-equal-area",
  lambertcylindricalequalarea: () => "cylindrical-equal-area",
  equalearth: () => "equal-earth",
  polarstereographic: selectOgcPolarMethod,
  polarstereographicvariantb: () => "polar-stereographic-b",
  stereographicnorthpole: (found) => (found.get("lat1") ?? 0) > 0 && "polar-stereographic-b",
  stereographicsouthpole: (found) => (found.get("lat1") ?? 0) < 0 && "polar-stereographic-b",
  obliquestereographic: () => "oblique-stereographic",
  doublestereographic: () => "oblique-stereographic",
  hotineobliquemercator: () => "hotine-a",
  hotineobliquemercatorvarianta: () => "hotine-a",
  rectifiedskeworthomorphicnaturalorigin: () => "hotine-a",
  hotineobliquemercatorazimuthcenter: selectHotineBMethod,
  hotineobliquemercatorvariantb: selectHotineBMethod,
  rectifiedskeworthomorphiccenter: selectHotineBMethod,
  krovak: selectKrovakMethod,
  krovaknorthorientated: () => "krovak-north",
  polyconic: () => "polyconic",
  sinusoidal: () => "sinusoidal",
  mollweide: () => "mollweide",
  americanpolyconic: () => "polyconic",
};

/** Parameters that are no part of a method of the EPSG registry. */
type Extra = ReadonlyMap<string, number>;
const EXTRA: ReadonlySet<string> = new Set(["auxiliaryspheretype", "xscale", "yscale"]);

/** The projection in one form, or undefined where its method, or a parameter of it, is not known. */
export function toProjection(crs: DescribedCrs): Projection | undefined {
  const toMethod = METHODS[normalizeCrsName(crs.method ?? "")];
  if (toMethod === undefined) return undefined;
  const found: Found = new Map();
  const extra = new Map<string, number>();
  for (const [name, value] of crs.parameters) {
    const normal = normalizeCrsName(name);
    const parameter = PARAMETER_BY_NAME.get(normal);
    if (parameter !== undefined && !found.has(parameter)) found.set(parameter, value);
    else if (EXTRA.has(normal)) extra.set(normal, value);
    else return undefined;
  }
  const method = toMethod(found, extra, crs);
  return method === false ? undefined : { method, parameters: inOneForm(found) };
}

/** Its parallels are in the name: what has the same words is another system, or none that is known. */
function selectBehrmannMethod(found: Found): Method {
  found.set("lat1", 30);
  return "cylindrical-equal-area";
}

/** Neutral values left out, and standard parallels from the north. */
function inOneForm(found: Found): Parameters {
  const kept = [...found].filter(([parameter, value]) => NEUTRAL[parameter] !== value);
  return orderParallelsFromNorth(Object.fromEntries(kept));
}

/** Takes a parameter out that must have this value where it stands. */
function removeNeutralParameter(found: Found, parameter: Parameter, value: number): boolean {
  const agrees = (found.get(parameter) ?? value) === value;
  found.delete(parameter);
  return agrees;
}

function renameParameter(found: Found, from: Parameter, to: Parameter): void {
  const value = found.get(from);
  found.delete(from);
  if (value !== undefined) found.set(to, value);
}

/** One name for both methods; with one parallel it stands twice, as the origin too. */
function selectEsriLambertMethod(found: Found): Method | false {
  if (found.has("lat2")) return "lambert-conformal-2sp";
  return removeNeutralParameter(found, "lat1", found.get("lat0") ?? 0) && "lambert-conformal-1sp";
}

/** Text of OGC has no word for the Mercator of web maps; GDAL adds a PROJ string. */
function selectGdalMercatorMethod(crs: DescribedCrs): Method | false {
  if (crs.extension === undefined) return "mercator-a";
  return /\+a=6378137(?:\.0*)? .*\+b=6378137(?:\.0*)? /.test(`${crs.extension} `) && "pseudo-mercator";
}

/** The latitude of origin is the standard parallel, unless it is the pole. */
function selectOgcPolarMethod(found: Found): Method | false {
  if (!removeNeutralParameter(found, "k", 1) || Math.abs(found.get("lat0") ?? 90) === 90) return false;
  renameParameter(found, "lat0", "lat1");
  return "polar-stereographic-b";
}

function selectHotineBMethod(found: Found): Method {
  if (!found.has("skew")) found.set("skew", found.get("azimuth") ?? 0);
  return "hotine-b";
}

/** South and west in the first place; Esri turns the axes, and OGC names them. */
function selectKrovakMethod(found: Found, extra: Extra, crs: DescribedCrs): Method | false {
  const turned =
    extra.get("xscale") === -1 && extra.get("yscale") === 1 && removeNeutralParameter(found, "skew", 90);
  const named = crs.directions[0] === "east" && crs.directions[1] === "north";
  renameParameter(found, "azimuth", "cone");
  return (turned || named) && "krovak-north";
}
