import type { SourceOutcome, Verdict, VerdictStatus } from "@groundrule/engine";
import type { JSX } from "preact";
import type { Answer } from "../answering/answerer.ts";
import { ProblemNotice } from "../connection/ProblemNotice.tsx";
import { days, figures } from "../languages/figures.ts";
import { words } from "../languages/language.ts";
import { mendOf, mendPlots } from "../map/mend.ts";
import type { PagePlot } from "../state/plot.ts";
import { ask, selectedPlot } from "../state/store.ts";
import { CheckItem } from "./CheckItem.tsx";
import { Downloads } from "./Downloads.tsx";
import { PlotFindings } from "./PlotFindings.tsx";
import { StatusMark, statusWord } from "./StatusMark.tsx";
import "./verdict.css";

/** The verdict on the selected plot: the word, its checks, its evidence, its sources. */
export function VerdictPanel(): JSX.Element {
  const say = words.value;
  const plot = selectedPlot.value;
  return (
    <div class="verdict">
      {plot === undefined ? <p class="verdict-empty">{say.verdictNone}</p> : <Selected plot={plot} />}
      {plot !== undefined && <PlotFindings plot={plot} />}
      <p class="visually-hidden" role="status">
        {plot === undefined ? "" : spoken(plot)}
      </p>
    </div>
  );
}

function Selected({ plot }: { readonly plot: PagePlot }): JSX.Element {
  const say = words.value;
  const { state } = plot;
  switch (state.kind) {
    case "answered":
      return <Answered plot={plot} answer={state.answer} />;
    case "asking":
      return (
        <>
          <h3 class="verdict-plot">{plot.id}</h3>
          <p class="verdict-waiting">{say.verdictAsking}</p>
        </>
      );
    case "refused":
      return (
        <>
          <h3 class="verdict-plot">{plot.id}</h3>
          <ProblemNotice problem={state.problem} />
          <Mend plot={plot} />
        </>
      );
    case "unread":
      return (
        <>
          <h3 class="verdict-plot">{plot.id}</h3>
          <p class="problem">
            {state.error.message} <code>{state.error.code}</code>
          </p>
        </>
      );
    default:
      return (
        <>
          <h3 class="verdict-plot">{plot.id}</h3>
          <p class="verdict-empty">{say.verdictNew}</p>
          <button type="button" class="primary" onClick={() => ask([plot.key])}>
            {say.verdictAsk}
          </button>
        </>
      );
  }
}

function Mend({ plot }: { readonly plot: PagePlot }): JSX.Element {
  const say = words.value;
  const again = (): void => ask([plot.key]);
  return (
    <>
      {plot.state.kind === "refused" && plot.state.problem.faults.length > 0 && (
        <ul class="verdict-faults">
          {plot.state.problem.faults.slice(0, 20).map(({ message, pointer }) => (
            <li key={pointer}>
              {message} {pointer !== undefined && <code>{pointer}</code>}
            </li>
          ))}
        </ul>
      )}
      <p class="verdict-actions">
        {mendOf(plot) !== undefined && (
          <button type="button" class="primary" onClick={() => mendPlots([plot])}>
            {say.mapMend}
          </button>
        )}
        <button type="button" onClick={again}>
          {say.verdictAgain}
        </button>
      </p>
    </>
  );
}

function Answered({ plot, answer }: { readonly plot: PagePlot; readonly answer: Answer }): JSX.Element {
  const say = words.value;
  const { verdict, warnings } = answer;
  const size = verdict.input.area_m2;
  return (
    <>
      <div class={`verdict-banner verdict-${verdict.verdict.toLowerCase()}`}>
        <h3 class="verdict-plot">
          {plot.id}
          {size !== undefined && <span class="verdict-size"> · {figures.value.area(size)}</span>}
        </h3>
        <p class="verdict-word">
          <StatusMark status={verdict.verdict} />
          {statusWord(verdict.verdict)}
        </p>
        <p class="verdict-meaning">{meaning(verdict)}</p>
        {verdict.sources.some(({ fictional }) => fictional) && (
          <p class="verdict-fictional">{say.verdictFictional}</p>
        )}
      </div>
      <h4>{say.verdictChecks}</h4>
      <ul class="verdict-checks">
        {verdict.checks.map((check) => (
          <CheckItem key={check.id} check={check} />
        ))}
      </ul>
      {(verdict.ruleset.not_examined?.length ?? 0) > 0 && (
        <>
          <h4>{say.verdictNotExamined}</h4>
          <ul class="verdict-plain">
            {verdict.ruleset.not_examined?.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
      {warnings.length > 0 && (
        <>
          <h4>{say.verdictWarnings}</h4>
          <ul class="verdict-plain">
            {warnings.map((warning) => (
              <li key={`${warning.code} ${warning.message}`}>
                {warning.message} <code>{warning.code}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      <Sources verdict={verdict} />
      <Downloads plot={plot} answer={answer} />
      <Provenance answer={answer} />
    </>
  );
}

function Sources({ verdict }: { readonly verdict: Verdict }): JSX.Element {
  const say = words.value;
  return (
    <details class="verdict-more">
      <summary>{say.verdictSources(verdict.sources.length)}</summary>
      <ul class="verdict-sources">
        {verdict.sources.map((source) => (
          <li key={source.source_name}>
            <strong>{source.source_name}</strong>
            <span>
              {[
                source.fictional ? say.mapFictional : undefined,
                source.scope === undefined ? undefined : say.mapHolds(source.scope),
                source.status === "failed" ? say.verdictSourceFailed(source.reason ?? "") : undefined,
                source.age_days === undefined ? say.mapAgeUnknown : say.mapAge(days(source.age_days)),
                source.edition === undefined ? undefined : say.mapEdition(source.edition.slice(0, 8)),
                coverageWord(source),
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

function coverageWord({ coverage, coverage_known }: SourceOutcome): string | undefined {
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

function meaning(verdict: Verdict): string {
  const say = words.value;
  const meanings: Readonly<Record<VerdictStatus, string>> = {
    COMPLIANT: say.verdictCompliantMeans,
    WARNING: verdict.checks.some(({ status }) => status === "not_covered")
      ? say.verdictUncoveredMeans
      : say.verdictWarningMeans,
    NON_COMPLIANT: say.verdictNonCompliantMeans,
    DEGRADED: say.verdictDegradedMeans(statusWord(verdict.at_least)),
  };
  return meanings[verdict.verdict];
}

/** What a screen reader hears when the selected plot is answered. */
function spoken(plot: PagePlot): string {
  const say = words.value;
  const { state, id } = plot;
  if (state.kind === "answered") return say.verdictSpoken(id, statusWord(state.answer.verdict.verdict));
  return state.kind === "asking" ? say.verdictAsking : "";
}
