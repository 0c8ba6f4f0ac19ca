import { hash } from "node:crypto";
import { canonicalJson } from "@groundrule/engine/records";
import type { BodyTask, IdentifiedBody } from "../task/body-task.ts";

/** A longer canonical form is written twice, for strings are copied from thread to thread. */
const CROSSING_CHARACTERS = 65_536;

/**
 * What makes two requests the same: all that can change the answer. The query is that after defaults, so
 * that a parameter left out equals its default written out; the body is taken in canonical form, so that
 * reordered members do not make another request. The API key is not part of it, for a retry after a
 * rotation is still a retry.
 *
 * @param value the body
 */
export function recognise(
  value: unknown,
  { route, query, mediaType }: Pick<BodyTask, "route" | "query" | "mediaType">,
): IdentifiedBody {
  const canonicalBody = canonicalJson(value);
  const bodyDigest = hash("sha256", canonicalBody);
  const fingerprint = hash("sha256", canonicalJson({ method: "POST", route, query, mediaType, bodyDigest }));
  const mayCross = canonicalBody.length <= CROSSING_CHARACTERS;
  return { kind: "identified", fingerprint, ...(mayCross && { canonicalBody }) };
}
