import { hash } from "node:crypto";
import { canonicalJson } from "@groundrule/engine/records";

export interface FingerprintedRequest {
  readonly method: string;
  /** The route's template, not the path asked for. */
  readonly route: string;
  /** The query after defaults, so that a parameter left out equals its default written out. */
  readonly query: unknown;
  /** The media type the answer will travel in. */
  readonly mediaType: string;
  /** The body's canonical JSON, so that reordered members do not make another request. */
  readonly canonicalBody: string;
}

/**
 * What makes two requests the same: all that can change the answer. The API key is not part of it,
 * for a retry after a rotation is still a retry.
 */
export function fingerprintOf({ canonicalBody, ...others }: FingerprintedRequest): string {
  return hash("sha256", canonicalJson({ ...others, bodyDigest: hash("sha256", canonicalBody) }));
}
