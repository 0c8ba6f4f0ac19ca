import { listIdentifiers, proposeIdentifierValue } from "../columns/identifiers.ts";
import type { MemberChange, Properties } from "./fix-members.ts";

/** Properties with the values that fit in place of identifiers that their scheme excludes, where such values are known. */
export function fixIdentifiers(properties: Properties): {
  readonly properties: Properties;
  readonly changes: readonly MemberChange[];
} {
  const changes: MemberChange[] = [];
  const fixed = listIdentifiers(properties.scheme).map(({ item, pointer }) => {
    const proposed = proposeIdentifierValue(item);
    if (proposed === undefined) return item;
    const { type, value } = item as { readonly type: string; readonly value: unknown };
    const message = `the ${type} ${JSON.stringify(value)} became ${JSON.stringify(proposed)}`;
    changes.push({ code: "IDENTIFIER_CORRECTED", pointer: `${pointer}/value`, message });
    return { ...(item as object), value: proposed };
  });
  if (changes.length === 0) return { properties, changes };
  const scheme = Array.isArray(properties.scheme) ? fixed : fixed[0];
  return { properties: { ...properties, scheme }, changes };
}
