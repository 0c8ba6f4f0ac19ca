import type { Check, Comparison, Outcome, Ruleset } from "@groundrule/engine";
import type { JSX } from "preact";
import { figures } from "../languages/figures.ts";
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

function comparisonText(comparison: Comparison): string {
  const { op, value } = comparison;
  if ("fact" in comparison) {
    const said =
      op === "valid" || op === "not_valid"
        ? [op.replace("_", " ")]
        : [signOf(op ?? "="), thresholdText(value ?? true)];
    return [comparison.fact.replaceAll("_", " "), ...said].join(" ");
  }
  const { set, measure = "count", of } = comparison;
  const threshold = typeof value === "object" ? null : ((value ?? 0) as number);
  const compared = {
    set,
    measure,
    op: op ?? ">",
    threshold,
    value: threshold,
    ...(of !== undefined && { of }),
  } as const;
  const limit = typeof value === "object" ? thresholdText(value) : valueText(compared, threshold);
  return `${measured(compared as never)} ${signOf(op ?? ">")} ${limit}`;
}

function thresholdText(value: NonNullable<Comparison["value"]>): string {
  if (typeof value !== "object") return String(value);
  const times = value.times === undefined ? "" : `${figures.value.plain(value.times)} × `;
  if ("fact" in value) return `${times}${value.fact.replaceAll("_", " ")}`;
  const { set, measure = "count", of } = value;
  return `${times}${measured({ set, measure, ...(of !== undefined && { of }) } as never)}`;
}

/** What is compared, within a sentence. */
function measured(of: Parameters<typeof measureText>[0]): string {
  const text = measureText(of);
  return text.charAt(0).toLowerCase() + text.slice(1);
}
