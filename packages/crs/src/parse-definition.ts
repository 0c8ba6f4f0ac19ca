import proj4 from "proj4";

/** A definition in the words of PROJ, parsed. */
export interface ParsedDefinition {
  /** `longlat`, or how it is projected. */
  readonly projection: string;
  /** Degrees, near which longitudes are to be sought. */
  readonly meridian: number;
  /** In degrees, from and to longitude and latitude on WGS 84. */
  readonly inverse: (position: [number, number]) => readonly number[];
}

/**
 * Parses the definition of a system by its parameters: `+proj=aea +lat_1=-5 … +ellps=aust_SA +towgs84=-67,4,-38
 * +units=m`. Projections are those that agree with PROJ (`parse-definition.long.test.ts`). The datum must be stated: as
 * WGS 84, by an ellipsoid of it, or by its shift. Names of grid files and all other words are refused.
 *
 * @returns undefined where it is none, or has a word that is not read
 */
export function parseProjDefinition(definition: string): ParsedDefinition | undefined {
  if (definition.length > MOST_CHARACTERS || !definition.startsWith("+proj=")) return undefined;
  const words = new Map<string, string>();
  for (const word of definition.trim().split(/\s+/)) {
    const [, key, value = ""] = /^\+([a-z_0-9]+)(?:=(.*))?$/i.exec(word) ?? [];
    if (key === undefined || words.has(key) || !isRead(key, value)) return undefined;
    words.set(key, value);
  }
  const projection = words.get("proj")!;
  if (!hasDatum(words)) return undefined;
  try {
    const { inverse } = proj4(definition);
    const meridian = Number(words.get("lon_0") ?? words.get("lonc") ?? 0);
    const zone = words.get("zone");
    return { projection, meridian: zone === undefined ? meridian : 6 * Number(zone) - 183, inverse };
  } catch {
    return undefined;
  }
}

const MOST_CHARACTERS = 500;

const PROJECTIONS =
  /^(?:aea|aeqd|cea|eqdc|eqearth|laea|lcc|longlat|merc|moll|omerc|poly|sinu|somerc|sterea|tmerc|utm)$/;
const ELLIPSOIDS =
  /^(?:WGS84|WGS72|GRS80|GRS67|intl|airy|mod_airy|bessel|clrk66|clrk80|clrk80ign|clrk58|aust_SA|krass|evrst30|evrst48|evrst56|evrst69|evrstSS|helmert|hough|fschr60)$/;
/** Ellipsoids of datums that agree with WGS 84. */
const ALIGNED = /^(?:WGS84|GRS80)$/;

const LATITUDES = new Set(["lat_0", "lat_1", "lat_2", "lat_ts"]);
const LONGITUDES = new Set(["lon_0", "lonc", "alpha", "gamma"]);

/** True if a word is one whose value can be computed with. */
function isRead(key: string, value: string): boolean {
  const number = /^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(value) ? Number(value) : Number.NaN;
  if (LATITUDES.has(key)) return Math.abs(number) <= 90;
  if (LONGITUDES.has(key)) return Math.abs(number) <= 360;
  switch (key) {
    case "proj":
      return PROJECTIONS.test(value);
    case "ellps":
      return ELLIPSOIDS.test(value);
    case "datum":
      return value === "WGS84";
    case "units":
      return value === "m";
    case "towgs84":
      return isShift(value);
    case "x_0":
    case "y_0":
      return Math.abs(number) <= 1e8;
    case "k":
    case "k_0":
      return number >= 0.5 && number <= 2;
    case "a":
    case "b":
      return number >= 6.3e6 && number <= 6.4e6;
    case "rf":
      return number >= 290 && number <= 310;
    case "to_meter":
      return number >= 0.01 && number <= 10_000;
    case "zone":
      return Number.isInteger(number) && number >= 1 && number <= 60;
    case "pm":
      return Math.abs(number) <= 180;
    case "type":
      return value === "crs";
    default:
      return ["south", "no_defs", "no_uoff", "wktext"].includes(key) && value === "";
  }
}

function isShift(value: string): boolean {
  const numbers = value.split(",");
  return (
    (numbers.length === 3 || numbers.length === 7) &&
    numbers.every((each) => /^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(each))
  );
}

function hasDatum(words: ReadonlyMap<string, string>): boolean {
  return words.has("datum") || words.has("towgs84") || ALIGNED.test(words.get("ellps") ?? "");
}
