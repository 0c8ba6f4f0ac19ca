import type { ListedSource } from "@groundrule/contract";
import type { JSX } from "preact";
import { connection } from "../../connection/connect.ts";
import { figures, formatDays, words } from "../../languages/language.ts";
import { Skeleton } from "../../parts/Skeleton.tsx";
import { selectedPlot, shownSources, sources } from "../../state/store.ts";
import { SourceSwatch } from "../AreaTip.tsx";
import { zoomToSource } from "../map-session.ts";
import { dashed, listDrawnColours, rasterNames, rulesetSources } from "../map-state.ts";
import { listSourceFacts, type SourceFacts } from "./source-facts.ts";
import "../map.css";
import { getSourceTitle } from "./source-title.ts";

/** Sources: their visibility on the map, description, age and licence. */
export function SourcesPanel(): JSX.Element {
  const say = words.value;
  const facts = listSourceFacts(sources.value, rulesetSources.value, Date.now());
  const used = facts.filter(({ isUsed }) => isUsed);
  const others = facts.filter(({ isUsed }) => !isUsed);
  if (facts.length === 0) {
    const { kind } = connection.value;
    if (kind === "connecting") return <Skeleton class="sources" />;
    const reason = kind === "connected" ? say.mapServiceWithoutSources : say.mapNoSources;
    return <p class="sources sources-none">{reason}</p>;
  }
  return (
    <div class="sources">
      {used.length > 0 && (
        <section>
          <h3>{say.mapSourcesOfRuleset}</h3>
          <SourceList facts={used} />
        </section>
      )}
      {used.length > 0 && others.length > 0 ? (
        <details class="sources-more">
          <summary>{say.mapOtherSources(others.length)}</summary>
          <SourceList facts={others} />
        </details>
      ) : (
        <SourceList facts={others} />
      )}
    </div>
  );
}

function SourceList({ facts }: { readonly facts: readonly SourceFacts[] }): JSX.Element {
  return (
    <ul>
      {facts.map((each) => (
        <Source key={each.source.source_name} {...each} />
      ))}
    </ul>
  );
}

function Source({ source, canBeShown, ageDays }: SourceFacts): JSX.Element {
  const say = words.value;
  const { source_name, source_url, license_spdx, feature_count, kind, overdue, cell_m } = source;
  const count = figures.value.plain(feature_count);
  const title = getSourceTitle(source);
  const edition = findUsedEdition(source_name);
  const drawn = listDrawnColours(source_name);
  return (
    <li class="source">
      {canBeShown ? (
        <label class="source-name">
          <input
            type="checkbox"
            checked={shownSources.value.has(source_name)}
            onChange={(event) => setSourceShown(source_name, event.currentTarget.checked)}
          />
          <SourceSwatch
            colour={drawn[0]}
            second={rasterNames.value.has(source_name) ? drawn.at(-1) : undefined}
            isDashed={dashed.value.has(source_name) && cell_m === undefined}
          />
          <span>{title}</span>
        </label>
      ) : (
        <span class="source-name source-listed">{title}</span>
      )}
      <details class="source-facts">
        <summary>
          {source.fictional && <strong>{say.mapFictional}</strong>}
          <span>
            {kind === "subject_register"
              ? say.mapRecords(count)
              : source.live === true
                ? say.mapLive
                : cell_m === undefined
                  ? say.mapAreas(count)
                  : say.mapValues(count, figures.value.sides(cell_m))}
          </span>
          <span class={overdue ? "source-overdue" : ""}>{formatSourceDay(source, ageDays)}</span>
        </summary>
        <p>
          {canBeShown && (
            <button type="button" class="map-link" onClick={() => void zoomToSource(source_name)}>
              {say.mapZoomTo}
              <span class="visually-hidden"> {title}</span>
            </button>
          )}
          <code>{source_name}</code>
          {source.scope !== undefined && <span>{say.mapHolds(source.scope)}</span>}
          {edition !== undefined && <span title={edition}>{say.mapEdition(edition.slice(0, 8))}</span>}
          {license_spdx !== undefined && <span>{license_spdx}</span>}
          {isWebAddress(source_url) && (
            <a href={source_url} rel="noreferrer" target="_blank">
              {say.mapPublisher}
              <span class="visually-hidden"> {title}</span>
            </a>
          )}
        </p>
      </details>
    </li>
  );
}

function setSourceShown(name: string, isShown: boolean): void {
  const next = new Set(shownSources.value);
  if (isShown) next.add(name);
  else next.delete(name);
  shownSources.value = next;
}

/** The edition on which the selected plot's answer is based. */
function findUsedEdition(name: string): string | undefined {
  const state = selectedPlot.value?.state;
  if (state?.kind !== "answered") return undefined;
  return state.answer.verdict.sources.find(({ source_name }) => source_name === name)?.edition;
}

/** The last day that an observed source shows, unless an edition is overdue; else its age. */
function formatSourceDay({ observed_until, overdue }: ListedSource, ageDays: number | undefined): string {
  const say = words.value;
  if (ageDays === undefined) return say.mapAgeUnknown;
  if (overdue) return say.mapAgeOverdue(formatDays(ageDays));
  return observed_until
    ? say.mapObserved(figures.value.day(observed_until))
    : say.mapAge(formatDays(ageDays));
}

/** A catalog may contain any text; only web addresses become links. */
function isWebAddress(address: string | undefined): address is string {
  return address !== undefined && /^https?:\/\//i.test(address);
}
