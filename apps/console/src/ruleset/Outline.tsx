import type { Check, Comparison, Outcome, Ruleset } from "@groundrule/engine";
import {
  createRulesetTongue,
  factValueText,
  formatMeasuredValue,
  formatMeasureTitle,
  formatOperator,
  formatThresholdSource,
  type RulesetTongue,
  subjectText,
  translateText,
  translateVerdict,
} from "@groundrule/words";
import type { JSX } from "preact";
import { tongue, words } from "../languages/language.ts";
import { formatStatus, Mark } from "../parts/StatusMark.tsx";

/** The checks of a ruleset in words, each with a link to its place in the text. */
export function Outline({
  ruleset,
  onGo,
}: {
  readonly ruleset: Ruleset;
  /** @param pointer of the check in the ruleset */
  readonly onGo: (pointer: string) => void;
}): JSX.Element {
  const say = words.value;
  const written = createRulesetTongue(tongue.value, ruleset.name, ruleset);
  const { checks } = translateVerdict(ruleset, written);
  return (
    <>
      {ruleset.description !== undefined && (
        <p class="rules-hint">{translateText(written, ruleset.description)}</p>
      )}
      <ol class="rules-outline">
        {checks.map((check, i) => (
          <li key={check.id}>
            <button type="button" class="rules-check" onClick={() => onGo(`/checks/${i}`)}>
              <Mark of={check.outcome} />
              <span>
                <strong>{check.title ?? check.id}</strong>
                {say.rulesetOutcomeIf(
                  formatStatus(check.outcome as Outcome),
                  formatCondition(check, written),
                )}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

function formatCondition(check: Check, tongue: RulesetTongue): string {
  const say = words.value;
  const inWords = (comparison: Comparison): string => formatComparison(comparison, tongue);
  if ("all" in check) return check.all.map(inWords).join(` ${say.rulesetAnd} `);
  if ("any" in check) return check.any.map(inWords).join(` ${say.rulesetOr} `);
  return inWords(check);
}

function formatComparison(comparison: Comparison, tongue: RulesetTongue): string {
  if ("fact" in comparison) {
    const { fact, value = true } = comparison;
    const subject = subjectText(tongue, fact);
    const isDocument = tongue.declarations[fact]?.type === "document";
    const op = comparison.op ?? (isDocument ? "valid" : "=");
    const { isValid, isNotValid } = tongue.words.facts;
    if (op === "valid") return isValid(subject);
    if (op === "not_valid") return isNotValid(subject);
    const limit =
      typeof value === "object"
        ? formatThresholdSource(addThresholdDefaults(value), tongue)
        : factValueText(tongue, fact, value);
    return `${subject} ${formatOperator(op)} ${limit}`;
  }
  const { set, measure = "count", op = ">", value = 0, of, on } = comparison;
  const measured = { set, measure, ...(of !== undefined && { of }), ...toPropertyOption(on) };
  const limit =
    typeof value === "object"
      ? formatThresholdSource(addThresholdDefaults(value), tongue)
      : formatMeasuredValue({ measure, threshold: value }, value, tongue);
  const text = formatMeasureTitle(measured, tongue);
  // For use within a sentence.
  return `${text.charAt(0).toLowerCase()}${text.slice(1)} ${formatOperator(op)} ${limit}`;
}

type Threshold = Extract<NonNullable<Comparison["value"]>, object>;

/** A threshold with its defaults. */
function addThresholdDefaults(value: Threshold): Parameters<typeof formatThresholdSource>[0] {
  const { times = 1 } = value;
  if ("fact" in value) return { fact: value.fact, times };
  const { set, measure = "count", of, on } = value;
  return { set, measure, times, ...(of !== undefined && { of }), ...toPropertyOption(on) };
}

function toPropertyOption(on: "plot" | "property" | undefined): { readonly on?: "property" } {
  return on === "property" ? { on } : {};
}
