import type { JSX } from "preact";
import { formatProblem } from "../connection/problem-text.ts";
import { figures, words } from "../languages/language.ts";
import { isUnanswered, stoppedRun } from "../plots/run-questions.ts";
import { plots } from "../state/store.ts";
import { OtherConnection } from "./OtherConnection.tsx";

/** The reason why a run ended early, and how many of its plots are left. */
export function Stopped(): JSX.Element | null {
  const run = stoppedRun.value;
  if (run === undefined) return null;
  const say = words.value;
  const left = plots.value.filter((plot) => run.keys.has(plot.key) && isUnanswered(plot)).length;
  if (left === 0) return null;
  const { title, text } = formatProblem(run.problem);
  return (
    <div class="problem" role="alert">
      <p class="problem-title">{title}</p>
      <p>{say.plotsStopped(left, figures.value.plain(left))}</p>
      {text !== "" && <p>{text}</p>}
      <OtherConnection problem={run.problem} />
    </div>
  );
}
