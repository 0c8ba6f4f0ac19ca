import type { CheckResult, DeclaredComparison, DeclaredFact } from "@groundrule/engine";
import {
  declaredHolds,
  describeNeeds,
  documentParts,
  FACT_WORDS,
  type FactTongue,
  factValueText,
  findQuestion,
  formatOperator,
  type Need,
  otherComparisons,
  subjectText,
} from "@groundrule/report/declared";
import type { JSX } from "preact";
import { language } from "../languages/language.ts";
import { soughtFact } from "../state/facts.ts";
import { thresholdText } from "./told-text.ts";

/** The declared facts with the texts to display them. */
export interface Told {
  readonly tongue: FactTongue;
  readonly facts: readonly DeclaredFact[];
}

interface OfCheck {
  readonly check: CheckResult;
  readonly told: Told;
}

/** The comparisons of a check with declared facts, and with the day. */
export function DeclaredGroup({ check, told }: OfCheck): JSX.Element {
  const { declared, days } = otherComparisons(told.tongue, check);
  return (
    <>
      {declared.length > 0 && <DeclaredList declared={declared} told={told} />}
      {days.map((day) => (
        <p key={day} class="check-note">
          {day}
        </p>
      ))}
    </>
  );
}

function DeclaredList({
  declared,
  told,
}: {
  readonly declared: readonly DeclaredComparison[];
  readonly told: Told;
}): JSX.Element {
  return (
    <div class="declared">
      <h5>{FACT_WORDS[language.value].declared}</h5>
      <ul>
        {declared.map((comparison) => (
          <li key={JSON.stringify(comparison)}>
            {titleOf(told, comparison.fact)}
            <span class="declared-value">
              {factValueText(told.tongue, comparison.fact, comparison.value)}
              {{ true: " ✓", false: " ✗", undefined: "" }[`${declaredHolds(comparison)}`]}
            </span>
            {isOfDocument(comparison) && comparison.value !== null && (
              <DocumentText told={told} fact={comparison.fact} />
            )}
            <span class="declared-parts">{requiredText(told, comparison)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function isOfDocument({ op }: DeclaredComparison): boolean {
  return op === "valid" || op === "not_valid";
}

function titleOf({ tongue }: Told, reference: string): string {
  return (reference.includes(".") ? subjectText : findQuestion)(tongue, reference);
}

/** The required value: `Compared with: > 4 modules`. */
function requiredText({ tongue }: Told, comparison: DeclaredComparison): string {
  const words = FACT_WORDS[language.value];
  const { fact, op, threshold, threshold_of } = comparison;
  if (isOfDocument(comparison)) {
    return `${words.required}: ${op === "valid" ? words.valid : words.notValid}`;
  }
  const value = threshold === null ? words.unknown : factValueText(tongue, fact, threshold!);
  const from = threshold_of === undefined ? "" : ` (${thresholdText(threshold_of, tongue)})`;
  return `${words.required}: ${formatOperator(op)} ${value}${from}`;
}

/** A declared document, with the beginning of its digest. */
function DocumentText({ told, fact }: { readonly told: Told; readonly fact: string }): JSX.Element | null {
  const { value, digest } = told.facts.find((each) => each.fact === fact) ?? {};
  if (typeof value !== "object" || value === null) return null;
  const parts = documentParts(told.tongue, value).map(({ label, text }) => `${label} ${text}`);
  return (
    <span class="declared-parts">
      {[value.id, ...parts].join(" · ")}
      {digest !== undefined && (
        <>
          {" · "}
          <code title={digest}>{digest.slice(0, 12)}…</code>
        </>
      )}
    </span>
  );
}

/** Changes that would stop a check from triggering; each links to the field of its fact. */
export function Needs({ check, told }: OfCheck): JSX.Element | null {
  const words = FACT_WORDS[language.value];
  const { toBring, wouldChange } = describeNeeds(told.tongue, check, told.facts);
  const groups = [
    [words.toBring, toBring],
    [words.wouldChange, wouldChange],
  ] as const;
  if (toBring.length + wouldChange.length === 0) return null;
  return (
    <>
      {groups.map(
        ([title, needs]) => needs.length > 0 && <NeedList key={title} title={title} needs={needs} />,
      )}
    </>
  );
}

function NeedList({
  title,
  needs,
}: {
  readonly title: string;
  readonly needs: readonly Need[];
}): JSX.Element {
  return (
    <div class="declared">
      <h5>{title}</h5>
      {needs.length > 1 && <p>{FACT_WORDS[language.value].anyOne}</p>}
      <ul>
        {needs.map(({ text, facts }) => (
          <li key={text}>
            <button
              type="button"
              class="declared-need"
              onClick={() => {
                soughtFact.value = { fact: facts[0]! };
              }}
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Every fact that the ruleset asks for, with its declaration, including those that only filters read. */
export function DeclaredFacts({ told }: { readonly told: Told }): JSX.Element | null {
  if (told.facts.length === 0) return null;
  return (
    <details class="verdict-more">
      <summary>{FACT_WORDS[language.value].declared}</summary>
      <div class="declared">
        <ul>
          {told.facts.map(({ fact, value }) => (
            <li key={fact}>
              {findQuestion(told.tongue, fact)}
              {typeof value === "object" && value !== null ? (
                <DocumentText told={told} fact={fact} />
              ) : (
                <span class="declared-value">{factValueText(told.tongue, fact, value)}</span>
              )}
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}
