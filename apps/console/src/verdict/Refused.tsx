import type { JSX } from "preact";
import type { AnswerProblem } from "../answering/answerer.ts";
import { ProblemDetail, ProblemNotice } from "../connection/ProblemNotice.tsx";
import { answerWords } from "../languages/answer-words.ts";
import { words } from "../languages/language.ts";
import { isEditable, isWithoutOutline } from "../map/drawing/editability.ts";
import { describeMend, findFixedPlots, fixPlotsUndoably } from "../map/drawing/mend.ts";
import { findingMeanings } from "../map/finding-meanings.ts";
import { openedMap } from "../map/map-session.ts";
import { mode } from "../map/map-state.ts";
import { announce } from "../state/announcement.ts";
import { factParts } from "../state/facts.ts";
import type { PagePlot } from "../state/plot.ts";
import { evaluatePlots, removePlots } from "../state/store.ts";
import { changePlotsUndoably } from "../state/undo.ts";
import { PlotFindings } from "./PlotFindings.tsx";

interface RefusedPlot {
  readonly plot: PagePlot;
  readonly problem: AnswerProblem;
}

/** The reasons why a plot cannot be evaluated, each once, the remedies, and what else was found. */
export function Refused({ plot, problem }: RefusedPlot): JSX.Element {
  return (
    <>
      <h3 class="verdict-plot">{plot.id}</h3>
      {isWithoutOutline(plot) ? <WithoutOutline plot={plot} /> : <Reasons plot={plot} problem={problem} />}
      <PlotFindings plot={plot} />
    </>
  );
}

/** A plot without a geometry: its corners are added, or it is removed. */
function WithoutOutline({ plot }: Pick<RefusedPlot, "plot">): JSX.Element {
  const say = words.value;
  const remove = (): void => {
    const text = say.mapPlotDeleted(plot.id);
    changePlotsUndoably(text, () => removePlots(new Set([plot.key])));
    announce(text);
  };
  return (
    <>
      <p class="problem problem-title" role="alert">
        {answerWords.value.noOutline}
      </p>
      <p class="verdict-actions">
        <button
          type="button"
          class="primary"
          onClick={() => {
            mode.value = "typing";
          }}
        >
          {say.verdictAddCorners}
        </button>
        <button type="button" onClick={remove}>
          {say.mapDelete}
        </button>
      </p>
    </>
  );
}

function Reasons({ plot, problem }: RefusedPlot): JSX.Element {
  const say = words.value;
  const unasked = factParts.value?.findUnusedFacts(plot);
  const { faults } = problem;
  const actions = (
    <p class="verdict-actions">
      {unasked !== undefined && (
        <button type="button" class="primary" onClick={unasked.leaveOut}>
          {unasked.text}
        </button>
      )}
      {findFixedPlots(plot) !== undefined && (
        <button type="button" class="primary" onClick={() => fixPlotsUndoably([plot])}>
          {describeMend(plot)}
        </button>
      )}
      {isEditable(plot.geometry) && (
        <button type="button" onClick={() => openedMap.peek()?.session.edit()}>
          {say.mapEdit}
        </button>
      )}
      <button type="button" onClick={() => evaluatePlots([plot.key])}>
        {say.verdictAgain}
      </button>
    </p>
  );
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
  // The title explains a crossing already.
  const others = faults.filter(({ code }) => code !== "RING_SELF_CROSSING");
  const reasons = new Set(others.map(({ code = "", message }) => meanings?.[code] ?? message));
  return (
    <>
      <div class="problem" role="alert">
        <p class="problem-title">{isCrossed ? say.problemCrossed : say.problemGeometry}</p>
        {[...reasons].map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
        <p>{findFixedPlots(plot) === undefined ? say.problemGeometryHelp : say.problemMendable}</p>
      </div>
      {actions}
      <ProblemDetail problem={problem} />
    </>
  );
}
