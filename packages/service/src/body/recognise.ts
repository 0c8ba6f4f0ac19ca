import { canonicalJson } from "@groundrule/engine/records";
import type { BodyTask, IdentifiedBody } from "../task/body-task.ts";
import type { AnswererHost, ReadBody } from "./answerer-host.ts";

/**
 * Computes the fingerprint of a request from everything that can change its answer. Requests with the same fingerprint
 * are the same request. The query is included with defaults, so that an omitted parameter equals its explicit default.
 * The body is included in canonical form, so that the order of members does not matter. The API key is not included: a
 * retry after a rotation is still a retry.
 */
export function identifyBody(
  body: ReadBody,
  { route, query, mediaType }: Pick<BodyTask, "route" | "query" | "mediaType">,
  { sha256 }: Pick<AnswererHost, "sha256">,
): IdentifiedBody {
  const bodyDigest = sha256(formatCanonicalBody(body));
  // Canonical JSON of these five members.
  const decisive =
    `{"bodyDigest":"${bodyDigest}","mediaType":${canonicalJson(mediaType)},"method":"POST",` +
    `"query":${canonicalJson(query)},"route":${canonicalJson(route)}}`;
  return { kind: "identified", fingerprint: sha256(decisive) };
}

/** Canonical JSON of a body, computed once. */
export function formatCanonicalBody({ value, written }: ReadBody): string {
  const text = canonicalJson(value, written);
  if (typeof value === "object" && value !== null) written.set(value, text);
  return text;
}
