import type { CheckResult, SourceOutcome, Verdict } from "@groundrule/engine";
import {
  createRulesetTongue,
  describeReasons,
  formatMeasuredValue,
  holds,
  liftedText,
  shortenText,
  translateVerdict,
} from "@groundrule/words";
import { effect } from "@preact/signals";
import type { JSX } from "preact";
import type { Answer } from "../answering/answerer.ts";
import { answerWords } from "../languages/answer-words.ts";
import { figures, formatDays, tongue, words } from "../languages/language.ts";
import { getSourceTitle } from "../map/sources/source-title.ts";
import { formatStatus, Mark } from "../parts/StatusMark.tsx";
import { findOutdated, seenPlots } from "../state/comparison.ts";
import type { Outdated, PagePlot } from "../state/plot.ts";
import { plotStatusWord, toPlotStatus } from "../state/plot-status.ts";
import { canEvaluate, evaluatePlots, selectedKey, sources } from "../state/store.ts";
import styles from "./answered.css?url";
import { CheckGroups } from "./CheckGroups.tsx";
import { type CheckGroups as Groups, groupChecks } from "./check-groups.ts";
import { Comparison } from "./comparison/Comparison.tsx";
import type { FactTexts } from "./Declared.tsx";
import { Downloads } from "./downloads/Downloads.tsx";
import { LeftOut } from "./LeftOut.tsx";

addStyleSheet(styles);

/** The title of the page says the status of the chosen plot, or how many plots there are. */
effect(() => {
  const all = seenPlots.value;
  const plot = all.find(({ key }) => key === selectedKey.value);
  const count = all.length === 0 ? [] : [words.value.summaryTitle(figures.value.plain(all.length))];
  const shown = plot === undefined ? count : [plotStatusWord(toPlotStatus(plot)), plot.id];
  document.title = [...shown, words.value.appTitle].join(" · ");
});

/** The card of a verdict: its word, its reason, and how many checks came out how. */
export function AnsweredCard({ plot, answer }: Shown): JSX.Element {
  const say = words.value;
  const { verdict, groups, lifted } = readAnswer(answer);
  const size = verdict.input.area_m2;
  const propertySize = verdict.input.property_area_m2;
  const counts = describeCounts(groups);
  return (
    <>
      <div class={`verdict-banner verdict-${verdict.verdict.toLowerCase()}`}>
        <h3 class="verdict-plot">
          {plot.id}
          {size !== undefined && <span class="verdict-size"> · {figures.value.area(size)}</span>}
          {propertySize !== undefined && (
            <span class="verdict-size">
              {` · ${tongue.value.words.facts.property}: ${figures.value.area(propertySize)}`}
            </span>
          )}
        </h3>
        <p class="verdict-word">
          <Mark of={verdict.verdict} />
          {formatStatus(verdict.verdict)}
        </p>
        {lifted !== undefined && <p class="verdict-lifted">{lifted}</p>}
        <p class="verdict-meaning">{explainVerdict(verdict, groups)}</p>
        {counts !== "" && <p class="verdict-made">{counts}</p>}
        <p class="verdict-made">{describeVerdictBasis(verdict)}</p>
        <LeftOut verdicts={[verdict]} />
        {verdict.sources.some(({ fictional }) => fictional) && (
          <p class="verdict-fictional">{say.verdictFictional}</p>
        )}
      </div>
      <Downloads plot={plot} answer={answer} />
    </>
  );
}

/** The card of a verdict that does not fit any more, with what has changed since then. */
export function OutdatedCard({
  plot,
  outdated,
}: {
  readonly plot: PagePlot;
  readonly outdated: Outdated;
}): JSX.Element {
  const say = words.value;
  const isAsking = plot.state.kind === "asking";
  return (
    <>
      <div class="verdict-changed">
        <p role="status">{isAsking ? say.verdictAsking : answerWords.value.changed[outdated.changed]}</p>
        {!isAsking && (
          <button
            type="button"
            class="primary"
            disabled={!canEvaluate.value}
            onClick={() => evaluatePlots([plot.key])}
          >
            {say.verdictAgain}
          </button>
        )}
      </div>
      <div class="verdict-outdated">
        <AnsweredCard plot={plot} answer={outdated.answer} />
      </div>
    </>
  );
}

/** The checks of the verdict that the page shows for a plot, even if it does not fit any more. */
export function ShownChecks({ plot }: { readonly plot: PagePlot }): JSX.Element | null {
  const { state } = plot;
  const outdated = findOutdated(plot);
  const answer = state.kind === "answered" ? state.answer : outdated?.answer;
  if (answer === undefined) return null;
  return (
    <div class={outdated && "verdict-outdated"}>
      <AnsweredChecks plot={plot} answer={answer} />
    </div>
  );
}

/** The checks of a verdict with their evidence, its sources, and what it does not say. */
function AnsweredChecks({ plot, answer }: Shown): JSX.Element {
  const say = words.value;
  const { verdict, groups, factTexts } = readAnswer(answer);
  return (
    <>
      <CheckGroups verdict={verdict} groups={groups} factTexts={factTexts} />
      <Comparison of={[plot]} />
      <Notes title={say.verdictNotExamined}>
        {verdict.ruleset.not_examined?.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </Notes>
      <Notes title={say.verdictWarnings}>
        {answer.warnings.map(({ code, message }) => (
          <li key={`${code} ${message}`}>
            <span lang="en">{message}</span> <code>{code}</code>
          </li>
        ))}
      </Notes>
      <Sources verdict={verdict} />
      <Provenance answer={answer} />
    </>
  );
}

interface Shown {
  readonly plot: PagePlot;
  readonly answer: Answer;
}

/** A verdict in the language of the page, its checks in groups, and the texts of its facts. */
function readAnswer(answer: Answer): {
  readonly verdict: Verdict;
  readonly groups: Groups;
  readonly factTexts: FactTexts;
  /** The worse verdict that documents lift. */
  readonly lifted: string | undefined;
} {
  const { ruleset } = answer.record.request as { readonly ruleset?: unknown };
  const { ruleset: meant, facts = [] } = answer.verdict;
  const written = createRulesetTongue(tongue.value, meant.name, ruleset);
  const verdict = translateVerdict(answer.verdict, written);
  const lifted = liftedText(verdict, ruleset, tongue.value);
  return { verdict, groups: groupChecks(verdict), factTexts: { tongue: written, facts }, lifted };
}

/** Lines that are shown on request; renders nothing if there are none. */
function Notes({
  title,
  children = [],
}: {
  readonly title: string;
  readonly children?: readonly JSX.Element[] | undefined;
}): JSX.Element | null {
  if (children.length === 0) return null;
  return (
    <details class="verdict-more">
      <summary>{title}</summary>
      <ul class="verdict-plain">{children}</ul>
    </details>
  );
}

/** The ruleset, the time of evaluation, and the age of the data. */
function describeVerdictBasis(verdict: Verdict): string {
  const say = words.value;
  const { name, version } = verdict.ruleset;
  const ages = verdict.sources.flatMap(({ age_days }) => age_days ?? []);
  // A date in the future has no age: then the oldest age is unknown.
  const isKnown = verdict.sources.every(
    ({ age_days, collected_at, observed_until, status }) =>
      status !== "ok" || age_days !== undefined || (collected_at ?? observed_until) === undefined,
  );
  return [
    version === null ? (name ?? say.verdictUnnamed) : `${name} v${version}`,
    figures.value.shortDay(verdict.evaluated_at),
    ...(ages.length === 0 || !isKnown
      ? []
      : [say.verdictOldest(formatDays(ages.reduce((a, b) => Math.max(a, b))))]),
  ].join(" · ");
}

function Sources({ verdict }: { readonly verdict: Verdict }): JSX.Element {
  const say = words.value;
  const titles = new Map(sources.value.map((source) => [source.source_name, getSourceTitle(source)]));
  return (
    <details class="verdict-more">
      <summary>{say.verdictSources(verdict.sources.length)}</summary>
      <ul class="verdict-sources">
        {verdict.sources.map((source) => (
          <li key={source.source_name}>
            <strong title={source.source_name}>{titles.get(source.source_name) ?? source.source_name}</strong>
            <span>
              {[
                source.fictional ? say.mapFictional : undefined,
                source.scope === undefined ? undefined : say.mapHolds(source.scope),
                source.status === "failed" ? say.verdictSourceFailed(source.reason ?? "") : undefined,
                source.status === "without" ? say.verdictSourceWithout : undefined,
                source.status === "without"
                  ? undefined
                  : source.age_days === undefined
                    ? say.mapAgeUnknown
                    : say.mapAge(formatDays(source.age_days)),
                source.observed_until === undefined ? undefined : say.mapObserved(source.observed_until),
                source.before_cutoff && say.mapBeforeCutoff,
                source.cell_m && say.mapCells(figures.value.sides(source.cell_m)),
                source.edition === undefined ? undefined : say.mapEdition(source.edition.slice(0, 8)),
                formatCoverage(source),
                source.left_out !== undefined && source.left_out > 0
                  ? say.verdictLeftOut(source.left_out)
                  : undefined,
              ]
                .filter((text) => text !== undefined)
                .join(" · ")}
            </span>
          </li>
        ))}
        {Object.entries(verdict.groups ?? {}).map(([group, members]) => (
          <li key={group}>{say.verdictGroup(group, members.join(", "))}</li>
        ))}
      </ul>
    </details>
  );
}

function formatCoverage({ coverage, coverage_known }: SourceOutcome): string | undefined {
  const say = words.value;
  if (coverage === undefined) return undefined;
  const covered = {
    full: say.verdictCovered,
    partial: say.verdictCoveredInPart,
    none: say.verdictNotCovered,
    undeclared: say.verdictCoverageUndeclared,
  }[coverage];
  return coverage_known === "derived" ? say.verdictCoverageAssumed(covered) : covered;
}

function Provenance({ answer }: { readonly answer: Answer }): JSX.Element {
  const say = words.value;
  const { verdict, charged, requestId } = answer;
  const { name, version, digest } = verdict.ruleset;
  return (
    <details class="verdict-more">
      <summary>{say.verdictProvenance}</summary>
      <dl class="verdict-facts">
        <dt>{say.verdictRuleset}</dt>
        <dd>
          {name ?? say.verdictUnnamed}
          {version !== null && `@${version}`} <code>{digest.slice(0, 12)}</code>
        </dd>
        <dt>{say.verdictDigest}</dt>
        <dd>
          <code class="verdict-digest">{verdict.digest}</code>
        </dd>
        <dt>{say.verdictEvaluated}</dt>
        <dd>{verdict.evaluated_at}</dd>
        <dt>{say.verdictCharged}</dt>
        <dd>{charged ? say.verdictChargedYes : say.verdictChargedNo}</dd>
        {requestId !== undefined && (
          <>
            <dt>{say.verdictRequest}</dt>
            <dd>
              <code>{requestId}</code>
            </dd>
          </>
        )}
      </dl>
    </details>
  );
}

/** No card has more letters of a title: with its number, the reason has two lines. */
const TITLE_LETTERS = 48;

/** The reason for the verdict: the worst check with its number, or why no check decides. */
function explainVerdict(verdict: Verdict, { fails, look }: Groups): string {
  const deciding = verdict.verdict === "NON_COMPLIANT" ? fails : verdict.verdict === "WARNING" ? look : [];
  const worst = deciding.find(({ status, triggered }) => status === "ok" && triggered);
  if (worst !== undefined) return describeWorst(worst);
  const [why = ""] = describeReasons(verdict, tongue.value);
  if (verdict.verdict !== "DEGRADED") return why;
  return `${why} ${answerWords.value.degraded(formatStatus(verdict.at_least))}`;
}

function describeWorst({ id, title, comparisons }: CheckResult): string {
  // Not within a word.
  const name = shortenText(title ?? id, TITLE_LETTERS).replace(/\.$|[\s,;:]+\S*(?=…$)/, "");
  const measured = comparisons.find((each) => each.threshold !== null && holds(each));
  if (measured === undefined) return `${name}.`;
  const write = (value: number | null): string => formatMeasuredValue(measured, value, tongue.value);
  // Where nothing at all is allowed, the title says so.
  if (measured.threshold === 0) return `${name}: ${write(measured.value)}.`;
  return answerWords.value.worst(name, write(measured.value), write(measured.threshold));
}

/** The numbers of checks that came out otherwise, and of open questions. */
function describeCounts(groups: Groups): string {
  const say = answerWords.value.groups;
  // The reason names the check that fails alone.
  const shown = (["fails", "look", "unanswered", "passed"] as const).filter(
    (name) => groups[name].length > (name === "fails" ? 1 : 0),
  );
  return shown.map((name) => `${say[name]}: ${figures.value.plain(groups[name].length)}`).join(" · ");
}

export { FactsForm } from "../plots/facts/FactsForm.tsx";
export { BackToList } from "../plots/list/BackToList.tsx";
export { CompareBar } from "./comparison/Comparison.tsx";
export { ListSummary } from "./ListSummary.tsx";
export { MissingSources } from "./MissingSources.tsx";
export { PlotFindings } from "./PlotFindings.tsx";
export { Refused } from "./Refused.tsx";
export { Stopped } from "./Stopped.tsx";
export { Unanswered } from "./Unanswered.tsx";

/** Puts the styles of a part on the page that is loaded later: the build links those alone that the page starts with. */
function addStyleSheet(href: string): void {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  document.head.append(link);
}
