import { isObject } from "@groundrule/engine/internal/json";
import type { PlotFeature } from "@groundrule/plots";

// Features of a request's body, as they were sent.

interface FeatureMembers {
  readonly id?: unknown;
  readonly geometry?: unknown;
  readonly properties?: unknown;
  readonly crs?: unknown;
}

export function isFeature(value: unknown): value is FeatureMembers {
  return typeof value === "object" && value !== null && (value as { type?: unknown }).type === "Feature";
}

/**
 * Converts a Feature to a plot, identified by its own id, otherwise the one in its properties, otherwise its number.
 *
 * @param number its place among the plots, the first is 1
 * @param crs the CRS that the whole body names
 */
export function toPlot(feature: FeatureMembers, number: number, crs: string | undefined): PlotFeature {
  const { properties } = feature;
  const own = isObject(properties) ? properties : {};
  const named = crs ?? findCrsName(feature);
  return {
    number,
    id: toId(feature.id) ?? toId(own.id) ?? number,
    geometry: feature.geometry,
    properties: own,
    ...(named !== undefined && { crs: named }),
  };
}

function toId(id: unknown): string | number | undefined {
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** The CRS named by a `crs` member in the form before RFC 7946. */
export function findCrsName({ crs }: { readonly crs?: unknown }): string | undefined {
  const name = (crs as { readonly properties?: { readonly name?: unknown } | null } | null | undefined)
    ?.properties?.name;
  return typeof name === "string" ? name : undefined;
}

/** Describes the value found in place of a Feature, in a few words. */
export function describeSentValue(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value).slice(0, 64);
  const { type } = value as { readonly type?: unknown };
  return typeof type === "string"
    ? `an object of the type ${JSON.stringify(type.slice(0, 64))}`
    : "an object without a type";
}
