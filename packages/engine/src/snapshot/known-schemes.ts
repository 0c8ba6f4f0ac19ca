import { nearestName } from "../base/nearest-name.ts";

/** Schemes that people name by their last part alone. */
export const KNOWN_SCHEMES = ["br:car", "br:cnpj", "br:cpf", "iso:lei", "us:ein"] as const;

export type KnownScheme = (typeof KNOWN_SCHEMES)[number];

const BY_NAME: ReadonlyMap<string, KnownScheme> = new Map(
  KNOWN_SCHEMES.flatMap((scheme) => [
    [scheme, scheme],
    [nameIn(scheme), scheme],
  ]),
);

/**
 * The known scheme that a text most likely means, e.g. `br:cnpj` of `CNPJ`, `br-cnpj` or `cnpj:owner`; undefined of a known
 * scheme itself, and where none is near.
 */
export function knownSchemeFor(written: string): KnownScheme | undefined {
  const text = written.trim().toLowerCase();
  const [authority = ""] = text.split(":");
  const name = BY_NAME.has(text)
    ? text
    : BY_NAME.has(authority)
      ? authority
      : nearestName(text, BY_NAME.keys());
  const scheme = name === undefined ? undefined : BY_NAME.get(name);
  return scheme === written ? undefined : scheme;
}

/** `; did you mean "br:cnpj"?` where a text that is no scheme is near a known one, else nothing. */
export function schemeSuggestion(written: unknown): string {
  const scheme = typeof written === "string" ? knownSchemeFor(written) : undefined;
  return scheme === undefined ? "" : `; did you mean "${scheme}"?`;
}

function nameIn(scheme: KnownScheme): string {
  return scheme.slice(scheme.indexOf(":") + 1);
}
