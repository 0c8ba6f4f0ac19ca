import type { JSX } from "preact";
import type { AnswerProblem } from "../answering/answerer.ts";
import { ProblemDetail, ProblemNotice } from "../connection/ProblemNotice.tsx";
import { words } from "../languages/language.ts";
import { isEditable } from "../map/drawing/editability.ts";
import { findFixedPlots, fixPlotsUndoably } from "../map/drawing/mend.ts";
import { findingMeanings } from "../map/finding-meanings.ts";
import { openedMap } from "../map/map-session.ts";
import { factParts } from "../state/facts.ts";
import type { PagePlot } from "../state/plot.ts";
import { evaluatePlots } from "../state/store.ts";

/** The reasons why a plot cannot be evaluated, each once, and the remedies. */
export function Refused({
  plot,
  problem,
}: {
  readonly plot: PagePlot;
  readonly problem: AnswerProblem;
}): JSX.Element {
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
          {say.mapMend}
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
        <h3 class="verdict-plot">{plot.id}</h3>
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
      <h3 class="verdict-plot">{plot.id}</h3>
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
