import { createRulesetTongue, gapPhrase, translateVerdict } from "@groundrule/words";
import type { JSX } from "preact";
import { formatProblem } from "../connection/problem-text.ts";
import { figures, tongue, words } from "../languages/language.ts";
import { Mark } from "../parts/StatusMark.tsx";
import { Exports } from "../plots/list/Exports.tsx";
import { order, toggleStatusFilter } from "../plots/list/list-view.ts";
import { countPlotsByStatus } from "../plots/list/plot-order.ts";
import { Questions } from "../plots/Questions.tsx";
import type { PagePlot } from "../state/plot.ts";
import { plotStatusWord } from "../state/plot-status.ts";
import { Comparison } from "./comparison/Comparison.tsx";
import { LeftOut } from "./LeftOut.tsx";

/** Number of titles shown, the most frequent first. */
const REASONS = 3;

/** The summary of a list: the number of plots per verdict, the reasons, and the downloads. */
export function ListSummary({ plots }: { readonly plots: readonly PagePlot[] }): JSX.Element {
  const say = words.value;
  const write = (count: number): string => figures.value.plain(count);
  const counts = [...countPlotsByStatus(plots)];
  const { found, open } = countVerdictReasons(plots);
  const answered = plots.filter(({ state }) => state.kind === "answered").length;
  return (
    <div class="summary">
      <h3 class="summary-title">{say.summaryTitle(write(plots.length))}</h3>
      {/* Above all that grows: nothing else comes below a pointer that rests here while plots are checked. */}
      <div class="summary-run">
        <Questions done={<p>{say.plotsAnswered(write(answered), write(plots.length))}</p>} />
      </div>
      <div class="summary-bar" aria-hidden="true">
        {counts.map(([status, count]) => (
          <span
            key={status}
            class={`standing-${status.toLowerCase()}`}
            ref={(part) => setFlexGrow(part, count)}
          />
        ))}
      </div>
      <ul class="summary-counts" aria-label={say.plotsStatuses}>
        {counts.map(([status, count]) => (
          <li key={status}>
            <button
              type="button"
              aria-pressed={order.value.status === status}
              onClick={() => toggleStatusFilter(status)}
            >
              <Mark of={status} />
              <span>{plotStatusWord(status)}</span>
              <strong>{write(count)}</strong>
            </button>
          </li>
        ))}
      </ul>
      <LeftOut
        verdicts={plots.flatMap(({ state }) => (state.kind === "answered" ? state.answer.verdict : []))}
      />
      {found.length + open.length > 0 && (
        <>
          <h4>{say.summaryReasons}</h4>
          <ul class="summary-reasons">
            {found.map(([title, count]) => (
              <li key={title}>
                <span>{title}</span>
                <strong>{write(count)}</strong>
              </li>
            ))}
            {open.map(([reason, count]) => (
              <li key={reason} class="summary-open">
                <span>{reason}</span>
                <strong>{write(count)}</strong>
              </li>
            ))}
          </ul>
        </>
      )}
      <Exports plots={plots} />
      <Comparison of={plots} />
    </div>
  );
}

/** The most frequent reasons of a kind, each with its number of plots. */
type Counted = readonly (readonly [reason: string, count: number])[];

/**
 * Titles of the checks that most plots failed or need a review for, and reasons for missing verdicts; and apart from
 * them the reasons why checks are open, whose titles may not be true of the plots.
 */
function countVerdictReasons(plots: readonly PagePlot[]): {
  readonly found: Counted;
  readonly open: Counted;
} {
  const [found, open] = [new Map<string, number>(), new Map<string, number>()];
  const count = (counts: Map<string, number>, reasons: readonly string[]): void => {
    for (const reason of new Set(reasons)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  };
  for (const { state } of plots) {
    if (state.kind === "refused") count(found, [formatProblem(state.problem).title]);
    if (state.kind !== "answered") continue;
    const { verdict, record } = state.answer;
    const written = createRulesetTongue(tongue.value, verdict.ruleset.name, Object(record.request).ruleset);
    const { checks } = translateVerdict(verdict, written);
    const counting = checks.filter(
      ({ outcome, status }) => status === "failed" || (outcome !== null && outcome !== "NOTICE"),
    );
    const [decided, undecided] = [
      counting.filter(({ status }) => status === "ok"),
      counting.filter(({ status }) => status !== "ok"),
    ];
    count(
      found,
      decided.map(({ id, title }) => title ?? id),
    );
    count(
      open,
      undecided.map((check) => tongue.value.words.open.notDecided(gapPhrase(check, tongue.value))),
    );
  }
  const sort = (counts: ReadonlyMap<string, number>): Counted => [...counts].sort((a, b) => b[1] - a[1]);
  return { found: sort(found).slice(0, REASONS), open: sort(open) };
}

// Widths are set by script: the page's policy allows no style attributes in the markup.
function setFlexGrow(part: HTMLElement | null, count: number): void {
  if (part !== null) part.style.flexGrow = String(count);
}
