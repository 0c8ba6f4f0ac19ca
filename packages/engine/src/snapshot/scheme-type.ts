import { findNearestName } from "../base/nearest-name.ts";
import { type Shape, text } from "../shape/shape.ts";

/** The type of an identifier, its scheme: `<authority>:<name>`, lowercase, at most 65 characters. */
export const SCHEME_PATTERN: RegExp = /^[a-z0-9_]+:[a-z0-9_]+$/;
/** Most characters of the type of an identifier. */
export const SCHEME_MAX_LENGTH = 65;

/** Schemes that people name by their last part alone. */
export const KNOWN_SCHEMES = ["br:car", "br:cnpj", "br:cpf", "iso:lei", "us:ein"] as const;

/** One of {@link KNOWN_SCHEMES}. */
export type KnownScheme = (typeof KNOWN_SCHEMES)[number];

/**
 * The known scheme that a text most likely means, e.g. `br:cnpj` of `CNPJ`, `br-cnpj` or `cnpj:owner`; undefined of a known
 * scheme itself, and where none is near.
 */
export function findKnownScheme(written: string): KnownScheme | undefined {
  const text = written.trim().toLowerCase();
  const names = KNOWN_SCHEMES.flatMap((scheme) => [scheme, scheme.slice(scheme.indexOf(":") + 1)]);
  const name =
    names.find((each) => each === text || text.startsWith(`${each}:`)) ?? findNearestName(text, names);
  const scheme = KNOWN_SCHEMES.find((each) => each === name || each.endsWith(`:${name}`));
  return scheme === written ? undefined : scheme;
}

/** `; did you mean "br:cnpj"?` where a text that is no scheme is near a known one, else nothing. */
export function formatSchemeSuggestion(written: unknown): string {
  const scheme = typeof written === "string" ? findKnownScheme(written) : undefined;
  return scheme === undefined ? "" : `; did you mean "${scheme}"?`;
}

/** The form of the type of an identifier, e.g. `br:cnpj`. */
export const schemeTypeShape: Shape<string> = text({
  max: SCHEME_MAX_LENGTH,
  pattern: SCHEME_PATTERN,
  words: "<authority>:<name>, lowercase",
  hint: formatSchemeSuggestion,
});
