import type { Need, Plan } from "@groundrule/engine/rulesets";
import type { JSX } from "preact";
import { words } from "../languages/language.ts";

/** The plan of an evaluation: sources queried, areas selected, checks made. */
export function PlanView({ plan }: { readonly plan: Plan | undefined }): JSX.Element {
  const say = words.value;
  if (plan === undefined) return <p class="rules-quiet">{say.rulesetExplaining}</p>;
  return (
    <div class="rules-plan">
      <h3>{say.rulesetPlanSources}</h3>
      <ul>
        {plan.sources.map((source) => (
          <li key={source.source_name} data-state={source.status}>
            <strong>{source.source_name}</strong>
            <span>
              {source.status === "failed"
                ? say.rulesetPlanFailed(source.reason ?? "")
                : source.status === "without"
                  ? say.verdictSourceWithout
                  : say.rulesetPlanSource(
                      source.feature_count,
                      source.candidates,
                      source.collected_at?.slice(0, 10),
                    )}
            </span>
          </li>
        ))}
      </ul>
      <h3>{say.rulesetPlanSets}</h3>
      <ul>
        {plan.sets.map((set) => (
          <li key={set.name}>
            <strong>{set.name}</strong>
            <span>
              {set.operands === undefined
                ? set.sources.map(({ source_name }) => source_name).join(", ")
                : `${set.operands.op}: ${set.operands.sets.join(", ")}`}
            </span>
            {set.where !== undefined && <code>{set.where}</code>}
          </li>
        ))}
      </ul>
      <h3>{say.rulesetPlanChecks}</h3>
      <ol>
        {plan.checks.map((check) => (
          <li key={check.id}>
            <strong>{check.id}</strong>
            <span>{check.sets.join(", ")}</span>
            <span class="rules-hint">{say.rulesetPlanNeeds(check.needs.map(formatNeed).join(", "))}</span>
          </li>
        ))}
      </ol>
      {plan.refusals.length > 0 && (
        <>
          <h3>{say.rulesetPlanLacks}</h3>
          <ul>
            {plan.refusals.map(({ pointer, message }) => (
              <li key={`${pointer} ${message}`}>
                <span>{message}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function formatNeed(need: Need): string {
  const say = words.value;
  if (need === "geometry") return say.rulesetNeedGeometry;
  return need === "identifier"
    ? say.rulesetNeedIdentifier
    : say.rulesetNeedRole(need.slice("identifier:".length));
}
