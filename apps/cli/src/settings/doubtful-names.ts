import { findNearestName } from "@groundrule/engine/internal/json";
import { VARIABLE_PREFIX } from "./setting.ts";
import { SETTINGS } from "./settings.ts";
import { CONFIG_VARIABLE, type Environment } from "./with-settings.ts";

/**
 * Warnings about variables that are no settings but are named nearly like one: probably a slip. Others are ignored:
 * Kubernetes sets `GROUNDRULE_SERVICE_HOST` and the like for a Service named groundrule.
 */
export function describeDoubtfulNames(environment: Environment): string[] {
  const known = [...Object.values(SETTINGS).map(({ variable }) => variable), CONFIG_VARIABLE].map((name) =>
    name.slice(VARIABLE_PREFIX.length),
  );
  return Object.keys(environment).flatMap((variable) => {
    const name = variable.slice(VARIABLE_PREFIX.length);
    if (!variable.startsWith(VARIABLE_PREFIX) || known.includes(name) || environment[variable] === "")
      return [];
    const nearest = known.find((each) => each === `${name}_FILE`) ?? findNearestName(name, known);
    if (nearest === undefined) return [];
    return `the variable ${variable} is not a setting; did you mean ${VARIABLE_PREFIX}${nearest}?`;
  });
}
