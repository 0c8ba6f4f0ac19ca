import type { CheckResult, SourceOutcome, Verdict } from "@groundrule/engine";
import { createRulesetTongue, describeReason, liftedText, translateVerdict } from "@groundrule/words";
import type { JSX } from "preact";
import type { Answer } from "../answering/answerer.ts";
import { figures, formatDays, tongue, words } from "../languages/language.ts";
import { formatStatus, Mark } from "../parts/StatusMark.tsx";
import type { PagePlot } from "../state/plot.ts";
import { sources } from "../state/store.ts";
import styles from "./answered.css?url";
import { CheckItem } from "./CheckItem.tsx";
import { Comparison } from "./comparison/Comparison.tsx";
import { DeclaredFacts, type FactTexts } from "./Declared.tsx";
import { Downloads } from "./downloads/Downloads.tsx";
import { LeftOut } from "./LeftOut.tsx";

addStyleSheet(styles);

/** A verdict with its reason, its checks, their evidence, its sources. */
export function Answered({
  plot,
  answer,
}: {
  readonly plot: PagePlot;
  readonly answer: Answer;
}): JSX.Element {
  const say = words.value;
  const { warnings } = answer;
  const factTexts = readFactTexts(answer);
  const verdict = translateVerdict(answer.verdict, factTexts.tongue);
  const size = verdict.input.area_m2;
  const propertySize = verdict.input.property_area_m2;
  const { ruleset } = answer.record.request as { readonly ruleset?: unknown };
  const lifted = liftedText(verdict, ruleset, tongue.value);
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
        <p class="verdict-meaning">{explainVerdict(verdict)}</p>
        <p class="verdict-made">{describeVerdictBasis(verdict)}</p>
        <LeftOut verdicts={[verdict]} />
        {verdict.sources.some(({ fictional }) => fictional) && (
          <p class="verdict-fictional">{say.verdictFictional}</p>
        )}
      </div>
      <Downloads plot={plot} answer={answer} />
      <h4>{say.verdictChecks}</h4>
      <ul class="verdict-checks">
        {[...verdict.checks]
          .sort((a, b) => computeCheckRank(a) - computeCheckRank(b))
          .map((check) => (
            <CheckItem key={check.id} check={check} sources={verdict.sources} factTexts={factTexts} />
          ))}
      </ul>
      <Comparison of={[plot]} />
      <Notes title={say.verdictNotExamined}>
        {verdict.ruleset.not_examined?.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </Notes>
      <Notes title={say.verdictWarnings}>
        {warnings.map(({ code, message }) => (
          <li key={`${code} ${message}`}>
            {message} <code>{code}</code>
          </li>
        ))}
      </Notes>
      <DeclaredFacts factTexts={factTexts} />
      <Sources verdict={verdict} />
      <Provenance answer={answer} />
    </>
  );
}

/** Lines under a heading; renders nothing if there are none. */
function Notes({
  title,
  children = [],
}: {
  readonly title: string;
  readonly children?: readonly JSX.Element[] | undefined;
}): JSX.Element | null {
  if (children.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul class="verdict-plain">{children}</ul>
    </>
  );
}

/** The declared facts, and the declarations that they answer. */
function readFactTexts({ verdict, record }: Answer): FactTexts {
  const { ruleset } = record.request as { readonly ruleset?: unknown };
  const { name } = verdict.ruleset;
  return { tongue: createRulesetTongue(tongue.value, name, ruleset), facts: verdict.facts ?? [] };
}

/** Sort order: checks that decide against the plot first, then open ones, then passed ones. */
function computeCheckRank({ status, triggered }: CheckResult): number {
  if (status === "ok" && triggered) return 0;
  return status === "ok" ? 2 : 1;
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
  const titles = new Map(
    sources.value.map(({ source_name, source_dataset }) => [source_name, source_dataset]),
  );
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

/** The reason for the verdict, in a sentence. */
function explainVerdict(verdict: Verdict): string {
  const why = describeReason(verdict, tongue.value);
  if (verdict.verdict !== "DEGRADED") return why;
  return `${why} ${words.value.verdictDegradedMeans(formatStatus(verdict.at_least))}`;
}

export { BackToList } from "../plots/list/BackToList.tsx";
export { CompareBar } from "./comparison/Comparison.tsx";
export { ListSummary } from "./ListSummary.tsx";
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
