import type { CheckResult, ComparisonResult, Evidence } from "@groundrule/engine";
import {
  createRulesetTongue,
  formatMeasuredValue,
  formatMeasureTitle,
  formatOperator,
  translateVerdict,
} from "@groundrule/words";
import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { toAnswerProblem } from "../../answering/answerer.ts";
import { figures, tongue, words } from "../../languages/language.ts";
import { formatSourceTitle } from "../../map/sources/source-title.ts";
import { formatStatus, Mark } from "../../parts/StatusMark.tsx";
import {
  compareVerdicts,
  type EarlierAnswer,
  earlier,
  endComparison,
  isCompared,
  isComparing,
  isEarlierShown,
  isFinal,
  pairs,
  storeEarlierAnswers,
  type VerdictPair,
} from "../../state/comparison.ts";
import type { PagePlot } from "../../state/plot.ts";
import { answerer, choosePlot, evaluatePlots, plots, ruleset } from "../../state/store.ts";
import { describeCheckOutcome, formatAreaFacts } from "../CheckItem.tsx";
import {
  couldAnswerDiffer,
  formatSliderEndLabels,
  listChangedChecks,
  listChangedEditions,
} from "./changed-checks.ts";

/** Maximum plots listed here; the map and the list have them all. */
const LISTED = 50;
/** Concurrent requests for earlier answers. */
const AT_ONCE = 6;

/** The changes of verdicts of some plots: how many, which, and why. Without earlier answers, offers to get them. */
export function Comparison({ of }: { readonly of: readonly PagePlot[] }): JSX.Element | null {
  const say = words.value;
  const keys = new Set(of.map(({ key }) => key));
  const found = pairs.value.filter(({ plot }) => keys.has(plot.key));
  if (found.length === 0) return <Offer of={of} />;
  const changed = found.some(isOther) ? found.filter(isOther) : found;
  const labels = getSliderLabels(changed);
  const moved = found
    .filter((pair) => compareVerdicts(pair) !== 0)
    .sort((a, b) => compareVerdicts(b) - compareVerdicts(a));
  const editions = listChangedEditions(changed[0]!.before, changed[0]!.after);
  return (
    <section class="compare" aria-labelledby="compare">
      <h4 id="compare">{say.compareTitle}</h4>
      <p>
        {labels[0]} → {labels[1]}
      </p>
      <p class="compare-sum">{formatChangeCounts(of.length, found)}</p>
      {editions.map(({ source_name, before = "–", after = "–" }) => (
        <p key={source_name} class="compare-edition">
          {formatSourceTitle(source_name)}: <code>{before.slice(0, 8)}</code> →{" "}
          <code>{after.slice(0, 8)}</code>
        </p>
      ))}
      {!isComparing.value && (
        <button
          type="button"
          onClick={() => {
            isCompared.value = true;
          }}
        >
          {say.compareShow}
        </button>
      )}
      <ul class="compare-plots">
        {(of.length === 1 ? found : moved).slice(0, LISTED).map((pair) => (
          <li key={pair.plot.key}>
            {of.length > 1 && <Moved pair={pair} />}
            <Reasons pair={pair} />
          </li>
        ))}
        {moved.length > LISTED && <li>{say.mapMore(moved.length - LISTED)}</li>}
      </ul>
    </section>
  );
}

/** A plot whose verdict changed; a press selects it. */
function Moved({ pair: { plot, before, after } }: { readonly pair: VerdictPair }): JSX.Element {
  return (
    <button type="button" class="compare-plot" onClick={() => choosePlot(plot.key)}>
      <Mark of={before.verdict} />
      <span class="visually-hidden">{formatStatus(before.verdict)}</span>→
      <Mark of={after.verdict} />
      <span class="visually-hidden">{formatStatus(after.verdict)}</span>
      <span>{plot.id}</span>
    </button>
  );
}

/** The checks that changed the verdict, with the values and areas that changed. */
function Reasons({ pair: { before, after } }: { readonly pair: VerdictPair }): JSX.Element {
  const say = words.value;
  const state = (check: CheckResult | undefined): string =>
    check === undefined ? say.compareNoCheck : describeCheckOutcome(check);
  const written = createRulesetTongue(tongue.value, after.ruleset.name, undefined);
  return (
    <ul class="compare-reasons">
      {listChangedChecks(translateVerdict(before, written), translateVerdict(after, written)).map(
        ({ id, title, before: was, after: is, values, come, gone }) => (
          <li key={id}>
            {title}: {state(was)} → <strong>{state(is)}</strong>
            {values.map((each) => (
              <span key={formatMeasureTitle(each.after, written)}>
                {formatMeasureTitle(each.after, written)}:{" "}
                {formatMeasuredValue(each.before, each.before.value, tongue.value)} →{" "}
                {formatMeasuredValue(each.after, each.after.value, tongue.value)} (
                {formatThresholdChange(each.before, each.after)})
              </span>
            ))}
            {is !== undefined &&
              come.map((each) => <Area key={each.source_id} sign="+" of={each} check={is} />)}
            {was !== undefined &&
              gone.map((each) => <Area key={each.source_id} sign="−" of={each} check={was} />)}
          </li>
        ),
      )}
    </ul>
  );
}

/** An area or a record that only one of the verdicts found. */
function Area({
  sign,
  of,
  check,
}: {
  readonly sign: string;
  readonly of: Evidence;
  readonly check: CheckResult;
}): JSX.Element {
  const facts = "overlap_area_m2" in of ? [formatAreaFacts(of, check)] : [];
  return (
    <span>
      {[`${sign} ${of.name ?? of.source_id}`, ...facts, formatSourceTitle(of.source_name)].join(" · ")}
    </span>
  );
}

function formatThresholdChange(before: ComparisonResult, after: ComparisonResult): string {
  const [was, is] = [before, after].map(
    (each) => `${formatOperator(each.op)} ${formatMeasuredValue(each, each.threshold, tongue.value)}`,
  );
  return words.value.verdictLimit(was === is ? is! : `${was} → ${is}`);
}

/** A text with the number of changed verdicts, and of those that cannot be compared. */
function formatChangeCounts(all: number, found: readonly VerdictPair[]): string {
  const say = words.value;
  const write = (count: number): string => figures.value.plain(count);
  const moves = found.map(compareVerdicts);
  const [worse, better] = [1, -1].map((way) => moves.filter((move) => move === way).length);
  const final = found.filter(({ before, after }) => isFinal(before) && isFinal(after)).length;
  return [
    say.compareSum(worse! + better!, write(worse!), write(better!)),
    ...(final < all ? [say.compareNot(write(all - final))] : []),
  ].join(" ");
}

/** True if a plot has a second answer; if the answer could not differ, both sides have the same one. */
function isOther({ before, after }: VerdictPair): boolean {
  return before !== after;
}

/** Labels of both ends of the slider; general ones if plots differ in them. */
function getSliderLabels(found: readonly VerdictPair[]): readonly [string, string] {
  const all = new Map(
    found.map(({ before, after }) => {
      const labels = formatSliderEndLabels([before, after], formatInstant);
      return [labels.join("\n"), labels] as const;
    }),
  );
  const [only] = all.values();
  return all.size === 1 ? only! : [words.value.compareBefore, words.value.compareNow];
}

function formatInstant(instant: string, withTime: boolean): string {
  const day = figures.value.shortDay(instant);
  return withTime ? `${day}, ${instant.slice(11, 19)}` : day;
}

/** Progress of fetching earlier answers, or the result of that or of checking again. */
const fetching: Signal<string | undefined> = signal(undefined);
const isFetching: Signal<boolean> = signal(false);

/** Buttons that fetch or make a second answer about plots. */
function Offer({ of }: { readonly of: readonly PagePlot[] }): JSX.Element | null {
  const say = words.value;
  const by = answerer.value;
  const answered = of.filter(({ state }) => state.kind === "answered");
  const [looked, setLooked] = useState<readonly PagePlot[]>([]);
  // A plot that has been evaluated again since is a new object.
  const isAnswered = new Set(answered);
  const due = looked.filter((plot) => isAnswered.has(plot));
  if (by?.earlier === undefined || answered.length === 0 || answered.length < of.length / 2) return null;
  return (
    <details class="verdict-more compare" open={of.length > 1}>
      <summary>{say.compareTitle}</summary>
      <p class="compare-edition">{say.compareHelp}</p>
      <p class="verdict-actions">
        <button type="button" disabled={isFetching.value} onClick={() => void fetchEarlierAnswers(answered)}>
          {say.compareEarlier}
        </button>
        {due.length > 0 ? (
          <button type="button" class="primary" onClick={() => reevaluatePlots(due, answered)}>
            {say.plotsAskCharged(figures.value.plain(due.length))}
          </button>
        ) : (
          <button type="button" onClick={() => void lookWhatIsDue(answered, setLooked)}>
            {say.verdictAgain}
          </button>
        )}
      </p>
      <p role="status">{fetching.value}</p>
    </details>
  );
}

/**
 * Finds out, free of charge, which of several plots could have another answer by now: only these are evaluated again,
 * after the user has seen their number. A single plot is evaluated at once.
 */
async function lookWhatIsDue(
  answered: readonly PagePlot[],
  show: (due: readonly PagePlot[]) => void,
): Promise<void> {
  const [by, chosen] = [answerer.peek(), ruleset.peek()];
  if (by === undefined || chosen === undefined) return;
  fetching.value = undefined;
  try {
    const plan = await by.explain({ input: {}, ruleset: chosen });
    const today = new Date().toISOString();
    const due = answered.filter(
      ({ state }) => state.kind === "answered" && couldAnswerDiffer(state.answer.verdict, plan, today),
    );
    if (due.length === 0) fetching.value = words.peek().compareNothingDue;
    else if (answered.length === 1) reevaluatePlots(due, answered);
    else show(due);
  } catch (error) {
    fetching.value = toAnswerProblem(error).message;
  }
}

/** Evaluates some plots again, and compares all: the others could not have changed. */
function reevaluatePlots(due: readonly PagePlot[], answered: readonly PagePlot[]): void {
  storeEarlierAnswers(answered);
  evaluatePlots(due.map(({ key }) => key));
}

/** Fetches earlier answers about plots on other editions, and shows the changes. */
async function fetchEarlierAnswers(of: readonly PagePlot[]): Promise<void> {
  const by = answerer.peek();
  const found = new Map<string, EarlierAnswer>();
  const left = [...of];
  const goOn = async (): Promise<void> => {
    for (let plot = left.shift(); plot !== undefined; plot = left.shift()) {
      const { key, id, input, state } = plot;
      if (input === undefined || state.kind !== "answered" || answerer.peek() !== by) continue;
      const answer = await by?.earlier?.(state.answer, id.slice(0, 128));
      if (answer !== undefined) found.set(key, { input, answer });
      fetching.value = words.peek().plotsAnswered(`${of.length - left.length}`, `${of.length}`);
    }
  };
  isFetching.value = true;
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, goOn));
  } catch (error) {
    left.length = 0;
    fetching.value = toAnswerProblem(error).message;
    return;
  } finally {
    isFetching.value = false;
  }
  fetching.value = found.size === 0 ? words.peek().compareNone : undefined;
  if (found.size === 0) return;
  earlier.value = found;
  isCompared.value = true;
}

/** The slider above the map: earlier or current verdicts. */
export function CompareBar(): JSX.Element | null {
  const say = words.value;
  if (!isComparing.value) return null;
  const others = pairs.value.filter(isOther);
  const labels = getSliderLabels(others.length > 0 ? others : pairs.value);
  const stop = isEarlierShown.value ? 0 : 1;
  const choose = (to: number): void => {
    isEarlierShown.value = to === 0;
  };
  const Stop = ({ to }: { readonly to: 0 | 1 }): JSX.Element => (
    <button type="button" aria-pressed={stop === to} onClick={() => choose(to)}>
      {labels[to]}
    </button>
  );
  return (
    <div class="compare-bar">
      <Stop to={0} />
      <input
        type="range"
        min="0"
        max="1"
        step="1"
        value={stop}
        aria-label={say.compareTitle}
        aria-valuetext={labels[stop]}
        onInput={({ currentTarget }) => choose(Number(currentTarget.value))}
      />
      <Stop to={1} />
      <button
        type="button"
        class="quiet"
        aria-label={say.compareEnd}
        title={say.compareEnd}
        onClick={endComparison}
      >
        ✕
      </button>
      <span class="compare-sum">{formatChangeCounts(plots.value.length, pairs.value)}</span>
    </div>
  );
}
