import { hash } from "node:crypto";
import { EngineError } from "@groundrule/engine";
import { canonicalJson } from "@groundrule/engine/records";
import type { BodyTask } from "../task/body-task.ts";
import { refusalOf } from "../task/refusal-of.ts";

/** Which request it is. */
export interface Recognised {
  /** The body's canonical JSON, so that reordered members do not make another request. */
  readonly canonicalBody: string;
  /** 64 hex digits. */
  readonly fingerprint: string;
}

/**
 * What makes two requests the same: all that can change the answer. The query is that after defaults, so
 * that a parameter left out equals its default written out. The API key is not part of it, for a retry
 * after a rotation is still a retry.
 *
 * @param value the body
 *
 * Refuses: what has no canonical form, such as a number past the greatest.
 */
export function recognise(
  value: unknown,
  { route, query, mediaType }: Pick<BodyTask, "route" | "query" | "mediaType">,
): Recognised {
  const canonicalBody = canonicalBodyOf(value);
  const bodyDigest = hash("sha256", canonicalBody);
  const fingerprint = hash("sha256", canonicalJson({ method: "POST", route, query, mediaType, bodyDigest }));
  return { canonicalBody, fingerprint };
}

function canonicalBodyOf(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch (error) {
    throw error instanceof EngineError ? refusalOf(error, (pointer) => pointer) : error;
  }
}
