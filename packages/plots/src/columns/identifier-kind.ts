import {
  findKnownScheme,
  KNOWN_SCHEMES,
  type KnownScheme,
  ROLE_PATTERN,
  SCHEME_MAX_LENGTH,
  SCHEME_PATTERN,
} from "@groundrule/engine/internal";
import { splitNameIntoWords } from "./name-words.ts";

/** Kind of the identifiers in a column. */
export interface IdentifierKind {
  /** Their scheme, e.g. `br:cnpj`. */
  readonly type: string;
  /** Role of their bearers towards the plot, e.g. `owner`. */
  readonly role?: string;
}

/** A column of identifiers. */
export interface IdentifierColumn extends IdentifierKind {
  /** Its name, as the file writes it. */
  readonly column: string;
}

/** A text that is no kind of identifiers. */
export interface UnknownKind {
  /** The form of a kind, in words, with {@link meant}. */
  readonly expected: string;
  /** The kind that the text most likely means. */
  readonly meant?: string;
}

/**
 * A kind of identifiers as people write it.
 *
 * @param text `SCHEME` or `SCHEME:ROLE`, e.g. `br:cnpj:owner`
 *
 * @returns of a text that is none, what was expected
 */
export function parseIdentifierKind(text: string): IdentifierKind | UnknownKind {
  const parts = text.trim().split(":");
  const [authority = "", name = "", role] = parts;
  const type = `${authority}:${name}`;
  // `cnpj:owner` has the form of a scheme; its second part is the role.
  const short = KNOWN_SCHEMES.find((scheme) => scheme.endsWith(`:${authority.toLowerCase()}`));
  const isScheme = SCHEME_PATTERN.test(type) && type.length <= SCHEME_MAX_LENGTH && short === undefined;
  if (isScheme && parts.length <= 3 && (role === undefined || ROLE_PATTERN.test(role))) {
    return { type, ...(role !== undefined && { role }) };
  }
  const scheme = short ?? findKnownScheme(type) ?? (isScheme ? type : undefined);
  const meantRole = (short === undefined ? role : parts[1])?.trim().toLowerCase().replace(/\W+/g, "_");
  const suffix = meantRole !== undefined && ROLE_PATTERN.test(meantRole) ? `:${meantRole}` : "";
  const form = "<authority>:<name> or <authority>:<name>:<role>, lowercase, such as br:cnpj:owner";
  if (scheme === undefined) return { expected: form };
  const meant = `${scheme}${suffix}`;
  return { expected: `${form}; did you mean "${meant}"?`, meant };
}

/**
 * The known scheme that a word of a column's name names, e.g. `br:cnpj`.
 *
 * @param column its name, as the file writes it: `CNPJ do produtor`
 */
export function schemeNamedBy(column: string): KnownScheme | undefined {
  const words = splitNameIntoWords(column);
  return KNOWN_SCHEMES.find((scheme) => words.some((word) => scheme.endsWith(`:${word}`)));
}
