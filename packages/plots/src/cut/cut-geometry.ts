import { isObject } from "@groundrule/engine/internal/json";
import { cutDecimals } from "./cut-decimals.ts";

/** Collections within collections, and arrays within arrays, that are looked into; GeoJSON needs fewer. */
const DEEPEST = 64;

/**
 * A GeoJSON geometry whose longitudes and latitudes are cut to so many decimals (see {@link cutDecimals}),
 * and nothing else changed: what the EU information system makes of a geometry on arrival. It may be
 * invalid where the geometry was valid; `fixPlot` mends that.
 *
 * @param geometry any value; numbers of `coordinates` are cut at any depth, of `geometries` too. Heights are cut as well.
 * @param decimals 0 to 100
 * @returns a copy; the same value where it is no object
 */
export function cutGeometry(geometry: unknown, decimals: number): unknown {
  return cutMemberDecimals(geometry, decimals, 0);
}

function cutMemberDecimals(geometry: unknown, decimals: number, depth: number): unknown {
  if (!isObject(geometry)) return geometry;
  if (depth > DEEPEST) return geometry;
  const { coordinates, geometries } = geometry as { coordinates?: unknown; geometries?: unknown };
  return {
    ...geometry,
    ...(coordinates !== undefined && { coordinates: cutNestedNumbers(coordinates, decimals, 0) }),
    ...(Array.isArray(geometries) && {
      geometries: geometries.map((one) => cutMemberDecimals(one, decimals, depth + 1)),
    }),
  };
}

function cutNestedNumbers(value: unknown, decimals: number, depth: number): unknown {
  if (typeof value === "number") return cutDecimals(value, decimals);
  if (!Array.isArray(value) || depth > DEEPEST) return value;
  return value.map((entry) => cutNestedNumbers(entry, decimals, depth + 1));
}
