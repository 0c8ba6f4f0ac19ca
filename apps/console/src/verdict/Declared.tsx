import type { CheckResult, DeclaredComparison, DeclaredFact } from "@groundrule/engine";
import {
  describeNeeds,
  documentParts,
  factValueText,
  findQuestion,
  findQuestionLanguage,
  formatOperator,
  formatThresholdSource,
  type Need,
  otherComparisons,
  type RulesetTongue,
  subjectText,
} from "@groundrule/words";
import type { JSX } from "preact";
import { answerWords } from "../languages/answer-words.ts";
import { tongue } from "../languages/language.ts";
import { soughtFact } from "../state/facts.ts";
import { toFactName, type UnansweredFact } from "./check-groups.ts";

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
      {declared.some(({ value }) => value !== null) && <h5>{tongue.value.words.facts.declared}</h5>}
      <ul>
        {declared.map((comparison) => (
          <li key={JSON.stringify(comparison)}>
            <QuestionText factTexts={factTexts} reference={comparison.fact} />
            <span class="declared-value">{formatDeclaredValue(factTexts, comparison)}</span>
            {comparison.value === null ? (
              <AnswerButton fact={comparison.fact} />
            ) : isOfDocument(comparison) ? (
              <DocumentText factTexts={factTexts} fact={comparison.fact} />
            ) : (
              <span class="declared-parts">{formatRequiredValue(factTexts, comparison)}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The value that was declared; of a document, its state. */
function formatDeclaredValue({ tongue }: FactTexts, comparison: DeclaredComparison): string {
  const say = answerWords.value;
  const { fact, value } = comparison;
  if (!isOfDocument(comparison)) {
    return value === null ? say.form.notAnswered : factValueText(tongue, fact, value);
  }
  if (value === null) return say.missing;
  return value === true ? say.provided : tongue.words.facts.notValid;
}

/** A question as the ruleset asks it, in its language where that is not the page's. */
function QuestionText({
  factTexts: { tongue },
  reference,
}: {
  readonly factTexts: FactTexts;
  readonly reference: string;
}): JSX.Element {
  if (reference.includes(".")) return <span>{subjectText(tongue, reference)}</span>;
  return <span lang={findQuestionLanguage(tongue, reference)}>{findQuestion(tongue, reference)}</span>;
}

/** Leads to the field of a fact. */
function AnswerButton({ fact }: { readonly fact: string }): JSX.Element {
  return (
    <button
      type="button"
      class="declared-answer"
      onClick={() => {
        soughtFact.value = { fact: toFactName(fact) };
      }}
    >
      {answerWords.value.answer}
    </button>
  );
}

/** A fact that is missing, with the checks that depend on it. */
export function UnansweredItem({
  unanswered: { fact, decides, lifts },
  factTexts,
}: {
  readonly unanswered: UnansweredFact;
  readonly factTexts: FactTexts;
}): JSX.Element {
  const say = answerWords.value;
  const name = (checks: readonly CheckResult[]): string =>
    checks.map(({ title, id }) => title ?? id).join("; ");
  return (
    <li class="unanswered">
      <div>
        {fact === "" ? say.form.property : <QuestionText factTexts={factTexts} reference={fact} />}
        {decides.length > 0 && <p>{say.decides(name(decides))}</p>}
        {lifts.length > 0 && <p>{say.canLift(name(lifts))}</p>}
      </div>
      <AnswerButton fact={fact} />
    </li>
  );
}

function isOfDocument({ op }: DeclaredComparison): boolean {
  return op === "valid" || op === "not_valid";
}

/** The required value: `Compared with: > 4 modules`. */
function formatRequiredValue({ tongue }: FactTexts, comparison: DeclaredComparison): string {
  const words = tongue.words.facts;
  const { fact, op, threshold, threshold_of } = comparison;
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

/**
 * Changes that would stop a check from triggering, each with a link to the field of its first fact: of those that are
 * still to be declared the ones that take several facts, since each missing fact has a row of its own.
 */
export function Needs({ check, factTexts }: OfCheck): JSX.Element {
  const words = tongue.value.words.facts;
  const { toBring, wouldChange } = describeNeeds(factTexts.tongue, check, factTexts.facts);
  const groups = [
    [words.toBring, toBring.filter(({ facts }) => facts.length > 1)],
    [words.wouldChange, wouldChange],
  ] as const;
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
