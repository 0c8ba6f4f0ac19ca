import { createRulesetRequestSchema, PRESET_PREFIX } from "@groundrule/contract";
import { canonicalJson, EngineError } from "@groundrule/engine";
import { checkBody } from "../body/parse-body.ts";
import type { CheckedRuleset } from "../task/body-task.ts";
import { Refusal } from "../task/refusal.ts";
import type { Call } from "./question.ts";
import { refusalOf } from "./refusal-of.ts";

export const CHECK_RULESET_PATH = "/v1/rulesets";

/** The part of `POST /v1/rulesets` before the catalog: the ruleset compiles against the caller's sources. */
export function checkRuleset(value: unknown, { engine }: Pick<Call<string>, "engine">): CheckedRuleset {
  const { name, version, body } = checkBody(createRulesetRequestSchema, value);
  if (name.startsWith(PRESET_PREFIX)) {
    const message = `names that begin with ${PRESET_PREFIX} are the service's own`;
    throw new Refusal("FORBIDDEN", `"${name}" cannot be created: ${message}.`, {
      errors: [{ pointer: "/name", code: "FORBIDDEN", message }],
    });
  }
  try {
    const { plan } = engine.explain({ ask: "evaluate", ruleset: body, input: {} });
    if (plan.ruleset === null) throw new Error("a ruleset was explained without saying which");
    const { digest } = plan.ruleset;
    return { kind: "ruleset", name, version, body: canonicalJson(body), digest, lint: plan.lint };
  } catch (error) {
    throw error instanceof EngineError ? refusalOf(error, (pointer) => pointer) : error;
  }
}
