import { type Signal, signal } from "@preact/signals";
import type { Answerer, RulesetChoice } from "../../answering/answerer.ts";

/** The sources that the chosen ruleset asks, groups expanded; empty until they are known. */
export const rulesetSources: Signal<ReadonlySet<string>> = signal(new Set());

/**
 * The sources that a ruleset asks, as the plan of an evaluation tells them; groups are told by their members.
 *
 * Fails: as `explain` of the answerer does.
 */
export async function sourcesAskedBy(
  answerer: Answerer,
  ruleset: RulesetChoice,
): Promise<ReadonlySet<string>> {
  const explanation = await answerer.explain({ input: {}, ruleset });
  return new Set(sourceNames(explanation));
}

function sourceNames(explanation: unknown): string[] {
  const told = explanation as Partial<Record<"data" | "plan" | "sources", unknown>> | null | undefined;
  if (told === null || typeof told !== "object") return [];
  if (Array.isArray(told.sources)) {
    return told.sources.flatMap((source: { source_name?: unknown } | null) =>
      typeof source?.source_name === "string" ? [source.source_name] : [],
    );
  }
  return sourceNames(told.data ?? told.plan);
}
