import { isObject } from "@groundrule/engine/internal/json";
import { objectReader } from "#host/object-reader";
import type { ObjectAsFeature, RowOptions } from "./object-as-feature.ts";

/**
 * An object that is no Feature as one: a feature of Esri, or a row whose geometry stands in one of its members, as
 * GeoJSON, as text, or as longitude and latitude.
 *
 * @returns undefined where no geometry is found in it
 *
 * Fails: in a browser, `NeedsCode`: call it by `withNeeded`.
 */
export function readObjectAsFeature(
  object: Readonly<Record<string, unknown>>,
  options: RowOptions = {},
): ObjectAsFeature | undefined {
  return objectReader()(object, options);
}

/**
 * The members of an object, for messages.
 *
 * @param value any JSON value
 */
export function describeMembers(value: unknown): string {
  if (!isObject(value)) return Array.isArray(value) ? "an array" : String(JSON.stringify(value)).slice(0, 40);
  const names = Object.keys(value);
  if (names.length === 0) return "an object without members";
  const shown = names.slice(0, 8).map((name) => name.slice(0, 30));
  return `an object with the members ${shown.join(", ")}${names.length > shown.length ? ", …" : ""}`;
}

/**
 * The geometry of a Feature that has it as text.
 *
 * @param text WKT, WKB in hexadecimal digits, GeoJSON, or positions of ODK
 *
 * Fails: as {@link readObjectAsFeature}.
 */
export function readGeometryText(text: string): Pick<ObjectAsFeature, "geometry" | "crs" | "fault"> {
  return readObjectAsFeature({ geometry: text }, { wkt: "geometry" }) ?? { geometry: null };
}

/** The expectation in place of an object, with the way out where a service put features or rows in one of its members. */
export function expectedFeature(object: Readonly<Record<string, unknown>>): string {
  if ("sets" in object && "checks" in object) return `${EXPECTED_FEATURE}; this is a ruleset, not a plot`;
  const wrapped = Object.entries(object).find(
    ([, value]) =>
      (Array.isArray(value) && value.length > 0 && value.every(isObject)) ||
      (isObject(value) && value.type === "FeatureCollection"),
  );
  if (wrapped === undefined) return EXPECTED_FEATURE;
  const [name, value] = wrapped;
  const what = Array.isArray(value)
    ? `${value.length} ${value.length === 1 ? "object" : "objects"}`
    : "a FeatureCollection";
  return `${EXPECTED_FEATURE}; its member ${JSON.stringify(name.slice(0, 40))} has ${what}, as services answer: make that a file of its own`;
}

/** The expectation in the place of an object without a geometry. */
export const EXPECTED_FEATURE =
  'a Feature ({"type": "Feature", "geometry": …, "properties": …}), a geometry, or a geometry in a member such as geometry, wkt, or longitude with latitude';
