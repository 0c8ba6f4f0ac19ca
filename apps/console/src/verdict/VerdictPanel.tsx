import { type Signal, signal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { AnswerProblem } from "../answering/answerer.ts";
import { ProblemNotice } from "../connection/ProblemNotice.tsx";
import { figures } from "../languages/figures.ts";
import { words } from "../languages/language.ts";
import { ExamplePlot } from "../map/drawing/ExamplePlot.tsx";
import { editability } from "../map/drawing/editability.ts";
import { mendOf, mendPlots } from "../map/drawing/mend.ts";
import { findingMeanings } from "../map/finding-meanings.ts";
import { openedMap } from "../map/map-session.ts";
import { isComparing, isEarlierShown, seenPlots } from "../state/comparison.ts";
import { notice } from "../state/notice.ts";
import type { PagePlot } from "../state/plot.ts";
import { ask, plots, selectedKey } from "../state/store.ts";
import { whenIdle } from "../state/when-idle.ts";
import { PlotFindings } from "./PlotFindings.tsx";
import { statusWord } from "./StatusMark.tsx";
import "./verdict.css";

/** What shows answers: no page needs it to begin with, and it is there before the first of them. */
export const answerParts: Signal<typeof import("./Answered.tsx") | undefined> = signal(undefined);

function loadAnswerParts(): void {
  if (answerParts.peek() !== undefined) return;
  import("./Answered.tsx").then(
    (parts) => {
      answerParts.value = parts;
    },
    // The next plot that is added or answered tries again.
    () => {
      if (plots.peek().length > 0) notice.value = words.peek().problemNetwork;
    },
  );
}

/** The verdict on the selected plot; without one, how the list stands, or how to begin. */
export function VerdictPanel(): JSX.Element {
  const say = words.value;
  useEffect(() => whenIdle(loadAnswerParts), []);
  useSignalEffect(() => {
    if (plots.value.length > 0) loadAnswerParts();
  });
  const all = seenPlots.value;
  const plot = all.find(({ key }) => key === selectedKey.value);
  return (
    <div class="verdict">
      {plot !== undefined && all.length > 1 && (
        <button
          type="button"
          class="verdict-back"
          onClick={() => {
            selectedKey.value = undefined;
          }}
        >
          ‹ {say.verdictAllPlots(figures.value.plain(all.length))}
        </button>
      )}
      {plot !== undefined && <Selected plot={plot} />}
      {plot !== undefined && <PlotFindings plot={plot} />}
      {plot === undefined &&
        (all.length === 0 ? (
          <Begin />
        ) : (
          answerParts.value !== undefined && <answerParts.value.ListSummary plots={all} />
        ))}
      <p class="visually-hidden" role="status">
        {plot === undefined ? "" : spoken(plot)}
      </p>
    </div>
  );
}

/** What the page answers, and the three steps to it. */
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

function Selected({ plot }: { readonly plot: PagePlot }): JSX.Element {
  const say = words.value;
  const parts = answerParts.value;
  const { state } = plot;
  switch (state.kind) {
    case "answered":
      return parts === undefined ? (
        <Waiting plot={plot} />
      ) : (
        <parts.Answered plot={plot} answer={state.answer} />
      );
    case "asking":
      return <Waiting plot={plot} />;
    case "refused":
      return (
        <>
          <h3 class="verdict-plot">{plot.id}</h3>
          <Refused plot={plot} problem={state.problem} />
        </>
      );
    case "unread":
      return (
        <>
          <h3 class="verdict-plot">{plot.id}</h3>
          <p class="problem">
            {state.error.message} <code>{state.error.code}</code>
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
          <button type="button" class="primary" onClick={() => ask([plot.key])}>
            {say.verdictAsk}
          </button>
        </>
      );
  }
}

/** Why a plot cannot be checked, each reason once, and what is done about it. */
function Refused({
  plot,
  problem,
}: {
  readonly plot: PagePlot;
  readonly problem: AnswerProblem;
}): JSX.Element {
  const say = words.value;
  const actions = (
    <p class="verdict-actions">
      {mendOf(plot) !== undefined && (
        <button type="button" class="primary" onClick={() => mendPlots([plot])}>
          {say.mapMend}
        </button>
      )}
      {editability(plot.geometry) === "yes" && (
        <button type="button" onClick={() => openedMap.peek()?.session.edit()}>
          {say.mapEdit}
        </button>
      )}
      <button type="button" onClick={() => ask([plot.key])}>
        {say.verdictAgain}
      </button>
    </p>
  );
  const { faults } = problem;
  if (problem.code !== "GEOMETRY_INVALID" || faults.length === 0) {
    return (
      <>
        <ProblemNotice problem={problem} />
        {actions}
      </>
    );
  }
  const meanings = findingMeanings.value as Readonly<Record<string, string>> | undefined;
  const isCrossed = faults.some(({ code }) => code === "RING_SELF_CROSSING");
  // The title says what a crossing is.
  const others = faults.filter(({ code }) => code !== "RING_SELF_CROSSING");
  const reasons = new Set(others.map(({ code = "", message }) => meanings?.[code] ?? message));
  return (
    <>
      <div class="problem" role="alert">
        <p class="problem-title">{isCrossed ? say.problemCrossed : say.problemGeometry}</p>
        {[...reasons].map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
        <p>{mendOf(plot) === undefined ? say.problemGeometryHelp : say.problemMendable}</p>
      </div>
      {actions}
      <details class="verdict-more">
        <summary>{say.problemDetail}</summary>
        <ul class="verdict-faults">
          {faults.slice(0, 20).map(({ message, pointer }) => (
            <li key={pointer}>
              {message} {pointer !== undefined && <code>{pointer}</code>}
            </li>
          ))}
        </ul>
        <code>{problem.code}</code>
      </details>
    </>
  );
}

/** What a screen reader hears when the selected plot is answered. */
function spoken(plot: PagePlot): string {
  const say = words.value;
  const { state, id } = plot;
  if (state.kind === "answered") return say.verdictSpoken(id, statusWord(state.answer.verdict.verdict));
  return state.kind === "asking" ? say.verdictAsking : "";
}
