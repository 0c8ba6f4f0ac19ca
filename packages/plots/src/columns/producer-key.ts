import { findProducerProperties } from "./member-columns.ts";

/** ISO 3166-1 alpha-3 of a country's code or name; undefined of anything else. */
export type ToIso3 = (country: string) => string | undefined;

/** A name without case and accents, its words one space apart: `José  SILVA ` and `jose silva` are one. */
export function normalizeProducerName(name: string): string {
  return (
    name
      .normalize("NFKD")
      // Latin, Greek and Cyrillic accents: the marks of other scripts are vowels.
      .replace(/[\u0300-\u036f]/g, "")
      .toLowerCase()
      .trim()
      .split(/\s+/)
      .join(" ")
  );
}

/** A country by its code, else as {@link normalizeProducerName} has it: `BR`, `BRA` and `Brasil` are one. Empty where it is none. */
export function computeCountryKey(country: unknown, iso3Of?: ToIso3): string {
  if (typeof country !== "string") return "";
  return iso3Of?.(country.trim()) ?? normalizeProducerName(country);
}

/**
 * The producer of a plot, by name and country: the same text for spellings that differ in case, accents and spaces
 * alone. Plots without either belong to one producer.
 *
 * @param iso3Of absent: a country's code and its name are two
 */
export function computeProducerKey(properties: Readonly<Record<string, unknown>>, iso3Of?: ToIso3): string {
  const { name, country } = findProducerProperties(properties);
  return JSON.stringify([
    typeof name === "string" ? normalizeProducerName(name) : "",
    computeCountryKey(country, iso3Of),
  ]);
}
