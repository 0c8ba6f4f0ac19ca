import type { Check, Comparison, Outcome, Ruleset } from "@groundrule/engine";
import type { JSX } from "preact";
import { words } from "../languages/language.ts";
import { measureText, signOf, valueText } from "../verdict/measure-text.ts";
import { StatusMark, statusWord } from "../verdict/StatusMark.tsx";

/** Each check of a ruleset in words, which leads to its place in the text. */
export function Outline({
  ruleset: { checks },
  onGo,
}: {
  readonly ruleset: Ruleset;
  /** @param pointer of the check in the ruleset */
  readonly onGo: (pointer: string) => void;
}): JSX.Element {
  const say = words.value;
  return (
    <ol class="rules-outline">
      {checks.map((check, i) => (
        <li key={check.id}>
          <button type="button" class="rules-check" onClick={() => onGo(`/checks/${i}`)}>
            <StatusMark status={check.outcome} />
            <span>
              <strong>{check.title ?? check.id}</strong>
              {say.rulesetOutcomeIf(statusWord(check.outcome as Outcome), conditionText(check))}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function conditionText(check: Check): string {
  const say = words.value;
  if ("all" in check) return check.all.map(comparisonText).join(` ${say.rulesetAnd} `);
  if ("any" in check) return check.any.map(comparisonText).join(` ${say.rulesetOr} `);
  return comparisonText(check);
}

function comparisonText({ set, measure = "count", op = ">", value = 0, of }: Comparison): string {
  const compared = { set, measure, op, threshold: value, value, ...(of !== undefined && { of }) };
  const text = `${measureText(compared)} ${signOf(op)} ${valueText(compared, value)}`;
  // Within a sentence.
  return text.charAt(0).toLowerCase() + text.slice(1);
}
