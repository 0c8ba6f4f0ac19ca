import type { Meta } from "@groundrule/contract";
import type { SourceOutcome, Warning } from "@groundrule/engine";
import type { PointerInBody } from "../task/refusal.ts";
import type { Call } from "./question.ts";

// Parts that several answers share.

/**
 * @param charged whether the request is charged; what is not settled never reaches the caller
 * @param pointerInBody where the warnings' pointers lead in the request
 */
export function metaOf(
  call: Pick<Call<string>, "requestId" | "engineVersion">,
  charged: boolean,
  warnings: readonly Warning[],
  pointerInBody: PointerInBody,
): Meta {
  return {
    request_id: call.requestId,
    charged,
    engine_version: call.engineVersion,
    warnings: warnings.map((warning) => ({
      ...warning,
      pointer: pointerInBody(warning.pointer, warning.code),
    })),
  };
}

/** Which edition of each source an answer is from, for its decision. */
export function editionsOf(sources: readonly SourceOutcome[]): Readonly<Record<string, string>> {
  const editions: [name: string, edition: string][] = [];
  for (const { source_name, edition } of sources) {
    if (edition !== undefined) editions.push([source_name, edition]);
  }
  return Object.fromEntries(editions);
}

/** Whether every source answered. */
export function completeness(sources: readonly SourceOutcome[]): "ok" | "failed" {
  return sources.every(({ status }) => status === "ok") ? "ok" : "failed";
}
