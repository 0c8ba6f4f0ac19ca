import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isConnectionOpen } from "../connection/connect.ts";
import { figures, words } from "../languages/language.ts";
import type { PagePlot } from "../state/plot.ts";
import { answerer, canEvaluate, evaluatePlots, plots, selectedPlot, usage } from "../state/store.ts";
import { cancelQuestions, isUnanswered, pauseQuestions, progress, resumeQuestions } from "./run-questions.ts";

/** True while the user decides whether to use requests of the quota. */
const isDeciding: Signal<boolean> = signal(false);
/** Number of questions from which the user must confirm before they are charged. */
const MANY = 100;

/**
 * The questions to send, their progress, and their cost.
 *
 * @param props.done shown in their place while there are none
 */
export function Questions({ done = null }: { readonly done?: JSX.Element | null }): JSX.Element | null {
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
        <p role="status">
          {say.plotsAnswered(write(now.answered), write(now.total))}
          {now.secondsLeft !== undefined && ` · ${say.plotsTimeLeft(now.secondsLeft)}`}
        </p>
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
  if (fresh.length === 0) return done;
  // The verdict's own button is the first one for a chosen plot.
  const isFirst = selectedPlot.value === undefined || !isUnanswered(selectedPlot.value);
  const isCostly = answerer.value?.place === "service" && fresh.length >= MANY;
  const askAll = (): void => {
    if (isCostly) isDeciding.value = true;
    else evaluatePlots(fresh.map(({ key }) => key));
  };
  if (isCostly && isDeciding.value) return <Cost fresh={fresh} />;
  return (
    <div class="plots-ask">
      <button
        type="button"
        class={isFirst ? "primary" : undefined}
        disabled={!canEvaluate.value}
        onClick={askAll}
      >
        {say.plotsAsk(write(fresh.length))}
      </button>
    </div>
  );
}

/** The cost of a run, and what is left of the quota. */
function Cost({ fresh }: { readonly fresh: readonly PagePlot[] }): JSX.Element {
  const say = words.value;
  const write = (count: number): string => figures.value.plain(count);
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => text.current?.focus(), []);
  const { limit = null, used = 0, periodEndsAt } = usage.value ?? {};
  const left = limit === null ? undefined : Math.max(0, limit - used);
  const count = Math.min(fresh.length, left ?? fresh.length);
  const close = (): void => {
    isDeciding.value = false;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is a shortcut of its last button
    <div class="plots-cost" onKeyDown={({ key }) => key === "Escape" && close()}>
      <p ref={text} tabIndex={-1} role="status">
        {say.plotsCost(write(fresh.length))}{" "}
        {left !== undefined &&
          say.plotsQuotaLeft(write(left), periodEndsAt && figures.value.day(periodEndsAt))}
      </p>
      <p class="plots-ask">
        {count > 0 && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              close();
              evaluatePlots(fresh.slice(0, count).map(({ key }) => key));
            }}
          >
            {count < fresh.length ? say.plotsAskFirst(write(count)) : say.plotsAsk(write(count))}
          </button>
        )}
        {count < fresh.length && (
          <button
            type="button"
            onClick={() => {
              isConnectionOpen.value = true;
            }}
          >
            {say.problemHere}
          </button>
        )}
        <button type="button" onClick={close}>
          {say.appCancel}
        </button>
      </p>
    </div>
  );
}
