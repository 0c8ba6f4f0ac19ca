import crypto from "node:crypto";

/** The entity of some bytes, before the coding is added; see {@link formatEntityTag}. */
export function computeEntityDigest(bytes: string | Uint8Array): string {
  return crypto.hash("sha256", bytes, "base64url").slice(0, 27);
}

/**
 * The tag as sent: the same bytes under another coding are another representation (RFC 9110 §8.8.3.3). The tag for
 * `any` coding is weak.
 */
export function formatEntityTag(entity: string, coding: "any" | "gzip" | "identity"): string {
  if (coding === "any") return `W/"${entity}"`;
  return coding === "gzip" ? `"${entity}-gzip"` : `"${entity}"`;
}

/** True if `If-None-Match` names an entity, under any coding (RFC 9110 §13.1.2: compared weakly). */
export function isKnown(ifNoneMatch: string | undefined, entity: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((part) => {
    const tag = part.trim();
    const strong = tag.startsWith("W/") ? tag.slice(2) : tag;
    return tag === "*" || strong === `"${entity}"` || strong === `"${entity}-gzip"`;
  });
}
