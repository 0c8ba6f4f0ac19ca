import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { figures, words } from "../languages/language.ts";
import { answerer, canEvaluate, evaluatePlots, plots, selectedPlot } from "../state/store.ts";
import { cancelQuestions, isUnanswered, pauseQuestions, progress, resumeQuestions } from "./run-questions.ts";

const isSure: Signal<boolean> = signal(false);
/** Number of questions from which the user must confirm before they are charged. */
const MANY = 100;

/** The questions to send, their progress, and their cost. */
export function Questions(): JSX.Element | null {
  const say = words.value;
  const write = (count: number): string => figures.value.plain(count);
  const now = progress.value;
  // The focused button disappears when the questions start and when they end.
  useEffect(() => {
    const verdict = document.querySelector<HTMLElement>("#verdict-title");
    if (document.activeElement === document.body) verdict?.focus({ preventScroll: true });
  }, [now === undefined]);
  if (now !== undefined) {
    return (
      <div class="plots-progress">
        <progress max={now.total} value={now.answered} aria-label={say.plotsProgress} />
        <p role="status">{say.plotsAnswered(write(now.answered), write(now.total))}</p>
        <button type="button" onClick={now.isPaused ? resumeQuestions : pauseQuestions}>
          {now.isPaused ? say.plotsResume : say.plotsPause}
        </button>
        <button type="button" onClick={cancelQuestions}>
          {say.appCancel}
        </button>
      </div>
    );
  }
  const fresh = plots.value.filter((plot) => plot.input !== undefined && isUnanswered(plot));
  if (fresh.length === 0) return null;
  // The verdict's own button is the first one for a chosen plot.
  const isFirst = selectedPlot.value === undefined || !isUnanswered(selectedPlot.value);
  const isCostly = answerer.value?.place === "service" && fresh.length >= MANY;
  const askAll = (): void => {
    if (isCostly && !isSure.value) {
      isSure.value = true;
      return;
    }
    isSure.value = false;
    evaluatePlots(fresh.map(({ key }) => key));
  };
  return (
    <div class="plots-ask">
      <button
        type="button"
        class={isFirst ? "primary" : undefined}
        disabled={!canEvaluate.value}
        onClick={askAll}
      >
        {isCostly && isSure.value
          ? say.plotsAskCharged(write(fresh.length))
          : say.plotsAsk(write(fresh.length))}
      </button>
    </div>
  );
}
