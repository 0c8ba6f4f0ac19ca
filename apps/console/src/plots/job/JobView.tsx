import { computed, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { answerWords } from "../../languages/answer-words.ts";
import { figures, words } from "../../languages/language.ts";
import { runSaveTask } from "../../state/notice.ts";
import type { PagePlot } from "../../state/plot.ts";
import { answerer, jobId, plots, ruleset } from "../../state/store.ts";
import { cancelJob, closeJob, followJob, shownJob, startJob } from "./run-job.ts";

export { shownJob } from "./run-job.ts";

/** Sends plots as a job of the service, which goes on when the page is closed. */
export function JobButton({
  fresh,
  onStart,
}: {
  readonly fresh: readonly PagePlot[];
  readonly onStart: () => void;
}): JSX.Element {
  return (
    <button
      type="button"
      onClick={() => {
        onStart();
        void startJob(fresh);
      }}
    >
      {answerWords.value.job.start}
    </button>
  );
}

const hasPlots = computed(() => plots.value.length > 0);

/** The job of the service: its progress, and what to do about it. */
export function JobView(): JSX.Element | null {
  const say = answerWords.value.job;
  const write = (count: number): string => figures.value.plain(count);
  useSignalEffect(() => {
    // A page that was opened again follows the job of its address once it has the plots.
    const isThere = hasPlots.value && ruleset.value !== undefined && jobId.value !== undefined;
    if (isThere && answerer.value?.jobs !== undefined) void followJob();
  });
  const job = shownJob.value;
  if (job === undefined) return null;
  const { status, answered, shown, problem = "" } = job;
  const isOver = status === "done" || status === "cancelled";
  const texts = {
    sending: say.sending,
    queued: say.running,
    running: say.running,
    paused: say.paused(problem),
    done: say.done,
    cancelled: say.cancelled,
    failed: say.failed(problem),
  };
  return (
    <div class="plots-progress plots-job">
      <progress max={job.plots} value={answered} aria-label={say.title} />
      <p role="status">
        {texts[status]} {say.answered(write(answered), write(job.plots))}
        {isOver && shown < answered && ` ${say.shown(write(shown))}`}
      </p>
      {(status === "failed" || status === "paused" || (isOver && shown < answered)) &&
        jobId.value !== undefined && (
          <button type="button" onClick={() => void followJob()}>
            {say.again}
          </button>
        )}
      {!isOver && status !== "failed" && status !== "sending" && (
        <button type="button" onClick={() => runSaveTask(cancelJob)}>
          {words.value.appCancel}
        </button>
      )}
      {(isOver || status === "failed") && (
        <button type="button" onClick={closeJob}>
          {words.value.appClose}
        </button>
      )}
    </div>
  );
}
