import { canonicalValue, hasKnownForm, schemeFault } from "@groundrule/engine/internal";

/** The identifiers of a plot as its properties have them, each with its pointer into the Feature. */
export function identifiersIn(
  scheme: unknown,
): readonly { readonly item: unknown; readonly pointer: string }[] {
  if (scheme === undefined || scheme === null) return [];
  if (!Array.isArray(scheme)) return [{ item: scheme, pointer: SCHEME_POINTER }];
  return scheme.map((item: unknown, i) => ({ item, pointer: `${SCHEME_POINTER}/${i}` }));
}

/** JSON pointer of a plot's identifiers in its Feature. */
export const SCHEME_POINTER = "/properties/scheme";

/**
 * The value that fits the scheme of an identifier whose own value does not, or is a number; undefined where it fits, or
 * nothing is known that would.
 */
export function proposedValue(item: unknown): string | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { type, value } = item as Readonly<Record<string, unknown>>;
  if (typeof type !== "string" || !hasKnownForm(type)) return undefined;
  const isNumber = typeof value === "number" && Number.isSafeInteger(value) && value > 0;
  if (!isNumber && typeof value !== "string") return undefined;
  const text = canonicalValue(String(value));
  const fault = schemeFault({ type, value: text });
  return fault === undefined && isNumber ? text : fault?.proposed;
}
