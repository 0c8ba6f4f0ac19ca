import type { SchemesByCountry, SourceManifest } from "@groundrule/engine";
import { SCHEME_MAX_LENGTH, SCHEME_PATTERN } from "@groundrule/engine/internal";
import { incrementCount } from "./columns.ts";
import { findCountryByName } from "./country-names.ts";

/** Stands in a map by country for every country that the map does not name, and for none. */
const ANY_COUNTRY = "*";

/**
 * The scheme of each identifier: one for all, or by the register's own name of its type and, where the manifest
 * maps that by country, by the country. Where no name is mapped, a name that is a scheme stands for itself.
 */
export class SchemeMap {
  /** How many identifiers of each type name, and country where that counts, have no scheme. */
  readonly unmapped: Map<string, number> = new Map();
  readonly #constant: string | undefined;
  readonly #byType: ReadonlyMap<string, string | SchemesByCountry>;
  readonly #isMapped: boolean;
  readonly #countryCoded: (code: string) => string | undefined;
  readonly #used = new Set<string>();

  /** @param countryCoded the alpha-3 code of a country that is given by a code */
  constructor(manifest: SourceManifest, countryCoded: (code: string) => string | undefined) {
    this.#countryCoded = countryCoded;
    this.#constant = manifest.scheme;
    this.#byType = new Map(Object.entries(manifest.schemes ?? {}));
    this.#isMapped = manifest.schemes !== undefined;
  }

  /** @param country as the register spells it; empty where it names none */
  get(typeName: string, country: string): string | undefined {
    if (this.#constant !== undefined) return this.#constant;
    const mapped = this.#isMapped ? this.#byType.get(typeName) : toScheme(typeName);
    if (typeof mapped === "object") return this.#inCountry(typeName, mapped, country);
    return this.#noted(typeName, mapped);
  }

  /** Mapped type names that were never used; those mapped by country with each country in parentheses. */
  unused(): string[] {
    const names = [...this.#byType].flatMap(([typeName, to]) =>
      typeof to === "string"
        ? typeName
        : Object.keys(to).map((country) => formatTypeInCountry(typeName, country)),
    );
    return names.filter((name) => !this.#used.has(name));
  }

  #inCountry(typeName: string, schemes: SchemesByCountry, country: string): string | undefined {
    const code = this.#countryCoded(country) ?? findCountryByName(country);
    const key = [country, code, ANY_COUNTRY].find(
      (each) => each !== undefined && Object.hasOwn(schemes, each),
    );
    return key === undefined
      ? this.#noted(formatTypeInCountry(typeName, country), undefined)
      : this.#noted(formatTypeInCountry(typeName, key), schemes[key]);
  }

  #noted(name: string, scheme: string | undefined): string | undefined {
    if (scheme === undefined) incrementCount(this.unmapped, name);
    else this.#used.add(name);
    return scheme;
  }
}

function formatTypeInCountry(typeName: string, country: string): string {
  return `${typeName} (${country === "" ? "no country" : country})`;
}

function toScheme(typeName: string): string | undefined {
  return typeName.length <= SCHEME_MAX_LENGTH && SCHEME_PATTERN.test(typeName) ? typeName : undefined;
}
