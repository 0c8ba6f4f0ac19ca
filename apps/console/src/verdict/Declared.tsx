import type { CheckResult, DeclaredComparison, DeclaredFact } from "@groundrule/engine";
import {
  declaredHolds,
  describeNeeds,
  documentParts,
  factValueText,
  findQuestion,
  formatOperator,
  formatThresholdSource,
  type Need,
  otherComparisons,
  type RulesetTongue,
  subjectText,
} from "@groundrule/words";
import type { JSX } from "preact";
import { tongue } from "../languages/language.ts";
import { soughtFact } from "../state/facts.ts";

/** The declared facts with the texts to display them. */
export interface FactTexts {
  readonly tongue: RulesetTongue;
  readonly facts: readonly DeclaredFact[];
}

interface OfCheck {
  readonly check: CheckResult;
  readonly factTexts: FactTexts;
}

/** The comparisons of a check with declared facts, and with the day. */
export function DeclaredGroup({ check, factTexts }: OfCheck): JSX.Element {
  const { declared, days } = otherComparisons(factTexts.tongue, check);
  return (
    <>
      {declared.length > 0 && <DeclaredList declared={declared} factTexts={factTexts} />}
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
  factTexts,
}: {
  readonly declared: readonly DeclaredComparison[];
  readonly factTexts: FactTexts;
}): JSX.Element {
  return (
    <div class="declared">
      <h5>{tongue.value.words.facts.declared}</h5>
      <ul>
        {declared.map((comparison) => (
          <li key={JSON.stringify(comparison)}>
            {getFactTitle(factTexts, comparison.fact)}
            <span class="declared-value">
              {factValueText(factTexts.tongue, comparison.fact, comparison.value)}
              {{ true: " ✓", false: " ✗", undefined: "" }[`${declaredHolds(comparison)}`]}
            </span>
            {isOfDocument(comparison) && comparison.value !== null && (
              <DocumentText factTexts={factTexts} fact={comparison.fact} />
            )}
            <span class="declared-parts">{formatRequiredValue(factTexts, comparison)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function isOfDocument({ op }: DeclaredComparison): boolean {
  return op === "valid" || op === "not_valid";
}

function getFactTitle({ tongue }: FactTexts, reference: string): string {
  return (reference.includes(".") ? subjectText : findQuestion)(tongue, reference);
}

/** The required value: `Compared with: > 4 modules`. */
function formatRequiredValue({ tongue }: FactTexts, comparison: DeclaredComparison): string {
  const words = tongue.words.facts;
  const { fact, op, threshold, threshold_of } = comparison;
  if (isOfDocument(comparison)) {
    return `${words.required}: ${op === "valid" ? words.valid : words.notValid}`;
  }
  const value = threshold === null ? words.unknown : factValueText(tongue, fact, threshold!);
  const from = threshold_of === undefined ? "" : ` (${formatThresholdSource(threshold_of, tongue)})`;
  return `${words.required}: ${formatOperator(op)} ${value}${from}`;
}

/** A declared document, with the beginning of its digest. */
function DocumentText({
  factTexts,
  fact,
}: {
  readonly factTexts: FactTexts;
  readonly fact: string;
}): JSX.Element | null {
  const { value, digest } = factTexts.facts.find((each) => each.fact === fact) ?? {};
  if (typeof value !== "object" || value === null) return null;
  const parts = documentParts(factTexts.tongue, value).map(({ label, text }) => `${label} ${text}`);
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
export function Needs({ check, factTexts }: OfCheck): JSX.Element | null {
  const words = tongue.value.words.facts;
  const { toBring, wouldChange } = describeNeeds(factTexts.tongue, check, factTexts.facts);
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
      {needs.length > 1 && <p>{tongue.value.words.facts.anyOne}</p>}
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
export function DeclaredFacts({ factTexts }: { readonly factTexts: FactTexts }): JSX.Element | null {
  if (factTexts.facts.length === 0) return null;
  return (
    <details class="verdict-more">
      <summary>{tongue.value.words.facts.declared}</summary>
      <div class="declared">
        <ul>
          {factTexts.facts.map(({ fact, value }) => (
            <li key={fact}>
              {findQuestion(factTexts.tongue, fact)}
              {typeof value === "object" && value !== null ? (
                <DocumentText factTexts={factTexts} fact={fact} />
              ) : (
                <span class="declared-value">{factValueText(factTexts.tongue, fact, value)}</span>
              )}
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}
