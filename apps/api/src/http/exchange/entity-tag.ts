import crypto from "node:crypto";

/** The strong entity tag of some bytes, without a coding; see {@link tagOf}. */
export function entityTag(bytes: string | Uint8Array): string {
  return crypto.hash("sha256", bytes, "base64url").slice(0, 27);
}

/**
 * As it is sent: the same bytes under another coding are another representation (RFC 9110 §8.8.3.3). A tag of any coding
 * is a weak one.
 */
export function tagOf(entity: string, coding: "any" | "gzip" | "identity"): string {
  if (coding === "any") return `W/"${entity}"`;
  return coding === "gzip" ? `"${entity}-gzip"` : `"${entity}"`;
}

/** Whether `If-None-Match` names an entity, under whatever coding (RFC 9110 §13.1.2: compared weakly). */
export function isKnown(ifNoneMatch: string | undefined, entity: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((part) => {
    const tag = part.trim();
    const strong = tag.startsWith("W/") ? tag.slice(2) : tag;
    return tag === "*" || strong === `"${entity}"` || strong === `"${entity}-gzip"`;
  });
}
