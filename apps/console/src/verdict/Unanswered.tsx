import type { JSX } from "preact";
import type { AnswerProblem } from "../answering/answerer.ts";
import { ProblemNotice } from "../connection/ProblemNotice.tsx";
import { words } from "../languages/language.ts";
import type { PagePlot } from "../state/plot.ts";
import { evaluatePlots } from "../state/store.ts";
import { OtherConnection } from "./OtherConnection.tsx";

/** The reason why there is no answer about a plot with which nothing is wrong. */
export function Unanswered({
  plot,
  problem,
}: {
  readonly plot: PagePlot;
  readonly problem: AnswerProblem;
}): JSX.Element {
  return (
    <>
      <h3 class="verdict-plot">{plot.id}</h3>
      <ProblemNotice problem={problem} />
      <p class="verdict-actions">
        <button type="button" onClick={() => evaluatePlots([plot.key])}>
          {words.value.verdictAgain}
        </button>
        <OtherConnection problem={problem} />
      </p>
    </>
  );
}
