import type { RulesetOrigin } from "./policy.ts";

/**
 * Where presets carry their name and version, which verdicts then repeat. The member is not enumerable: a copy, which
 * may differ from what was published, does not have it. Registered by name, because presets import no engine.
 */
const ORIGIN = Symbol.for("groundrule.ruleset.origin");

/** The name and version that a ruleset carries; undefined of one that carries none, or something else. */
export function findCarriedOrigin(ruleset: unknown): RulesetOrigin | undefined {
  try {
    const { name, version } = Object(
      (ruleset as { readonly [ORIGIN]?: unknown } | null)?.[ORIGIN],
    ) as Partial<Record<keyof RulesetOrigin, unknown>>;
    const isOrigin = typeof name === "string" && Number.isSafeInteger(version);
    return isOrigin ? { name, version: version as number } : undefined;
  } catch {
    // A proxy may throw at any question; whether it is a ruleset is found where it is read.
    return undefined;
  }
}
