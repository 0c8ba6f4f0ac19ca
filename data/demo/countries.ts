import { createRequire } from "node:module";
import type { Feature } from "geojson";
import { iso31661, iso31661Alpha2ToAlpha3, iso31661NumericToAlpha2 } from "iso-3166";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";

/** Country borders 1:50m of Natural Earth (public domain), from the package world-atlas. */
export function readCountryFeatures(): Feature[] {
  const topology = createRequire(import.meta.url)("world-atlas/countries-50m.json") as Topology<{
    countries: GeometryCollection<{ name: string }>;
  }>;
  const assigned = new Set<string>(iso31661.map((entry) => entry.alpha3));
  return feature(topology, topology.objects.countries).features.map((country) => {
    const alpha2 = iso31661NumericToAlpha2[String(country.id)];
    const alpha3 = alpha2 === undefined ? undefined : iso31661Alpha2ToAlpha3[alpha2];
    return {
      type: "Feature",
      properties: {
        id: country.properties.name,
        name: country.properties.name,
        iso3: alpha3 !== undefined && assigned.has(alpha3) ? alpha3 : null,
      },
      geometry: country.geometry,
    };
  });
}
