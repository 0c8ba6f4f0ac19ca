import { type Signal, signal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { words } from "../languages/language.ts";
import { ExamplePlot } from "../map/drawing/ExamplePlot.tsx";
import { formatStatus } from "../parts/StatusMark.tsx";
import { cancelQuestions } from "../plots/run-questions.ts";
import { findOutdated, isComparing, isEarlierShown, seenPlots } from "../state/comparison.ts";
import { notice } from "../state/notice.ts";
import type { PagePlot } from "../state/plot.ts";
import { canEvaluate, evaluatePlots, missingSources, plots, selectedKey } from "../state/store.ts";
import { runWhenIdle } from "../state/when-idle.ts";
import "./verdict.css";

/** The views of answers: not needed at the start of the page, and loaded before the first answer. */
export const answerParts: Signal<typeof import("./Answered.tsx") | undefined> = signal(undefined);

function loadAnswerParts(): void {
  if (answerParts.peek() !== undefined) return;
  import("./Answered.tsx").then(
    (parts) => {
      answerParts.value = parts;
    },
    // The next plot that is added or answered tries again.
    () => {
      if (plots.peek().length === 0) return;
      notice.value = words.peek().problemNetwork;
      // Without these parts, facts in files cannot be read.
      if (plots.peek().some(({ fileFacts }) => fileFacts !== undefined)) cancelQuestions();
    },
  );
}

/** The verdict on the selected plot; without one, the summary of the list, or how to begin. */
export function VerdictPanel(): JSX.Element {
  useEffect(() => runWhenIdle(loadAnswerParts), []);
  useSignalEffect(() => {
    if (plots.value.length > 0) loadAnswerParts();
  });
  const parts = answerParts.value;
  const all = seenPlots.value;
  const plot = all.find(({ key }) => key === selectedKey.value);
  return (
    <div class="verdict">
      {parts !== undefined && <parts.Stopped />}
      {plot !== undefined && all.length > 1 && parts !== undefined && <parts.BackToList />}
      {plot !== undefined && plot.state.kind !== "refused" && parts !== undefined && (
        <parts.PlotFindings plot={plot} />
      )}
      {plot !== undefined && <Selected plot={plot} />}
      {plot === undefined &&
        (all.length === 0 ? <Begin /> : parts !== undefined && <parts.ListSummary plots={all} />)}
      {parts !== undefined && <parts.FactsForm />}
      {plot !== undefined && parts !== undefined && <parts.ShownChecks plot={plot} />}
      <p class="visually-hidden" role="status">
        {plot === undefined ? "" : describeForScreenReader(plot)}
      </p>
    </div>
  );
}

/** The purpose of the page, and the three steps to an answer. */
function Begin(): JSX.Element {
  const say = words.value;
  return (
    <div class="verdict-begin">
      <p class="verdict-question">{say.beginQuestion}</p>
      <ol>
        {say.beginSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <ExamplePlot />
    </div>
  );
}

function Waiting({ plot }: { readonly plot: PagePlot }): JSX.Element {
  return (
    <>
      <h3 class="verdict-plot">{plot.id}</h3>
      <p class="verdict-waiting">{words.value.verdictAsking}</p>
    </>
  );
}

function Selected({ plot }: { readonly plot: PagePlot }): JSX.Element | undefined {
  const say = words.value;
  const parts = answerParts.value;
  const { state } = plot;
  const outdated = findOutdated(plot);
  if (outdated !== undefined && parts !== undefined) {
    return <parts.OutdatedCard plot={plot} outdated={outdated} />;
  }
  const isOpen = state.kind === "new" || state.kind === "unanswered";
  if (isOpen && missingSources.value.length > 0) return parts && <parts.MissingSources plot={plot} />;
  switch (state.kind) {
    case "answered":
      return parts === undefined ? (
        <Waiting plot={plot} />
      ) : (
        <parts.AnsweredCard plot={plot} answer={state.answer} />
      );
    case "asking":
      return <Waiting plot={plot} />;
    case "refused":
      return parts && <parts.Refused plot={plot} problem={state.problem} />;
    case "unanswered":
      return parts && <parts.Unanswered plot={plot} problem={state.problem} />;
    case "unread":
      return (
        <>
          <h3 class="verdict-plot">{plot.id}</h3>
          <p class="problem">
            <span lang="en">{state.error.message}</span> <code>{state.error.code}</code>
          </p>
        </>
      );
    default:
      return isComparing.value && isEarlierShown.value ? (
        <>
          <h3 class="verdict-plot">{plot.id}</h3>
          <p class="verdict-empty">{say.compareNone}</p>
        </>
      ) : (
        <>
          <h3 class="verdict-plot">{plot.id}</h3>
          <p class="verdict-empty">{say.verdictNew}</p>
          <button
            type="button"
            class="primary"
            disabled={!canEvaluate.value}
            onClick={() => evaluatePlots([plot.key])}
          >
            {say.verdictAsk}
          </button>
        </>
      );
  }
}

/** The text for screen readers when the selected plot is answered. */
function describeForScreenReader(plot: PagePlot): string {
  const say = words.value;
  const { state, id } = plot;
  if (state.kind === "answered") return say.verdictSpoken(id, formatStatus(state.answer.verdict.verdict));
  return state.kind === "asking" ? say.verdictAsking : "";
}
