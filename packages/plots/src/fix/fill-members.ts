import { toPropertyPointer } from "../check/plot-findings.ts";
import { statedArea } from "../columns/area-column.ts";
import type { MemberChange, Properties } from "./fix-members.ts";
import type { FixOptions } from "./fix-options.ts";

/** Positions of a geometry that are looked for in countries: its corners lie close to each other. */
const PLACES = 64;

/**
 * Properties with the members that a profile reads and that are missing: the country that is declared for all plots, and
 * with `fill` the only country in which all of the plot lies, and the area of its polygons. Where two countries may
 * meet, and of points, nothing is filled.
 *
 * @param properties as `fixProfileMembers` leaves them
 * @param geometries of the plot in longitude and latitude
 * @param hectares of the plot as measured; undefined unless all of it is polygons
 */
export function fillMissingMembers(
  properties: Properties,
  geometries: readonly object[],
  hectares: number | undefined,
  { profile, countries, country, fill = false }: FixOptions,
): { readonly properties: Properties; readonly changes: readonly MemberChange[] } {
  const changes: MemberChange[] = [];
  const filled: Record<string, unknown> = {};
  const put = (code: MemberChange["code"], name: string, value: unknown, from: string): void => {
    filled[name] = value;
    const message = `${name} was missing and became ${JSON.stringify(value)}, ${from}`;
    changes.push({ code, pointer: toPropertyPointer(name), message });
  };
  for (const { name, type } of profile.members) {
    if (!isMissing(properties[name])) continue;
    if (type === "country" && countries !== undefined) {
      const lies = country === undefined && fill ? onlyCountryAt(geometries, countries) : undefined;
      const code = country ?? lies;
      const iso2 = code === undefined ? undefined : countries.iso2Of(code);
      const from = lies === undefined ? "the country declared for all plots" : "where the plot lies";
      if (iso2 !== undefined) put("COUNTRY_FILLED", name, iso2, from);
    }
    if (type === "number" && fill && hectares !== undefined && isMissing(statedArea(properties)?.value)) {
      const measured = Math.max(profile.leastHectares, Math.round(hectares * 10_000) / 10_000);
      put("AREA_FILLED", name, measured, "as measured on the ellipsoid");
    }
  }
  return { properties: changes.length === 0 ? properties : { ...properties, ...filled }, changes };
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

/** The country whose territory alone holds each position; undefined in the sea, and near borders, which are widened. */
function onlyCountryAt(
  geometries: readonly object[],
  { countriesAt }: NonNullable<FixOptions["countries"]>,
): string | undefined {
  const positions = geometries.flatMap((geometry) => listGeometryPositions(geometry));
  const step = Math.max(1, Math.floor(positions.length / PLACES));
  const places = positions.filter((_, i) => i % step === 0);
  const [first, ...others] = places.map(([longitude, latitude]) => countriesAt(longitude, latitude));
  const only = first?.length === 1 ? first[0] : undefined;
  return others.every((found) => found?.length === 1 && found[0] === only) ? only : undefined;
}

type Position = readonly [longitude: number, latitude: number];

function listGeometryPositions(geometry: object): Position[] {
  const within = (coordinates: unknown): Position[] => {
    if (!Array.isArray(coordinates)) return [];
    return typeof coordinates[0] === "number"
      ? [coordinates as unknown as Position]
      : coordinates.flatMap(within);
  };
  return within((geometry as { readonly coordinates?: unknown }).coordinates);
}
