import { jsonDigest } from "@groundrule/engine";

export interface FingerprintedRequest {
  readonly method: string;
  /** The route's template, not the path asked for. */
  readonly route: string;
  /** The query after defaults, so that a parameter left out equals its default written out. */
  readonly query: unknown;
  /** The media type the answer will travel in. */
  readonly mediaType: string;
  /** Digest of the body's canonical JSON, so that reordered members do not make another request. */
  readonly bodyDigest: string;
}

/**
 * What makes two requests the same: all that can change the answer. The API key is not part of it,
 * for a retry after a rotation is still a retry.
 */
export function fingerprintOf({ method, route, query, mediaType, bodyDigest }: FingerprintedRequest): string {
  return jsonDigest({ method, route, query, mediaType, bodyDigest });
}
