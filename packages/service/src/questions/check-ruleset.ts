import { createRulesetRequestSchema, PRESET_PREFIX } from "@groundrule/contract";
import { EngineError } from "@groundrule/engine";
import { toFindingWarning } from "@groundrule/engine/internal";
import { canonicalJson } from "@groundrule/engine/records";
import { lintRuleset } from "@groundrule/engine/rulesets";
import { checkBody } from "../body/parse-body.ts";
import type { CheckedRuleset } from "../task/body-task.ts";
import { Refusal, toRefusal } from "../task/refusal.ts";
import type { Call } from "./question.ts";

/** The route that saves rulesets. Its task checks one. */
export const CHECK_RULESET_PATH = "/v1/rulesets";

/** The part of `POST /v1/rulesets` before the catalog: the ruleset compiles against the caller's sources. */
export function checkRuleset(value: unknown, { engine }: Pick<Call<string>, "engine">): CheckedRuleset {
  const { name, version, body } = checkBody(createRulesetRequestSchema, value);
  if (name.startsWith(PRESET_PREFIX)) {
    const message = `names that begin with ${PRESET_PREFIX} are reserved for presets`;
    throw new Refusal("FORBIDDEN", `"${name}" cannot be created: ${message}.`, {
      errors: [{ pointer: "/name", code: "FORBIDDEN", message }],
    });
  }
  try {
    const { digest } = engine.compile(body);
    const lint = lintRuleset(engine, body);
    const warnings = lint.filter(({ certain }) => certain).map((finding) => toFindingWarning(finding, ""));
    return { kind: "ruleset", name, version, body: canonicalJson(body), digest, lint, warnings };
  } catch (error) {
    throw error instanceof EngineError ? toRefusal(error, (pointer) => pointer) : error;
  }
}
