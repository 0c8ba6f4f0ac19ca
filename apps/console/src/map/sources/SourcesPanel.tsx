import type { ListedSource } from "@groundrule/contract";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { connection } from "../../connection/connect.ts";
import { answerWords } from "../../languages/answer-words.ts";
import { figures, formatDays, words } from "../../languages/language.ts";
import { Skeleton } from "../../parts/Skeleton.tsx";
import { selectedPlot, shownSources, sources } from "../../state/store.ts";
import { SourceSwatch } from "../AreaTip.tsx";
import { getTileQueue, zoomToSource } from "../map-session.ts";
import { dashed, listDrawnColours, rasterNames, rulesetSources } from "../map-state.ts";
import { rulesetPlan } from "../ruleset-plan.ts";
import { findAgeLimit, listChecksOfSource } from "./source-checks.ts";
import { COVER, drawSourceCover, type SourceCover } from "./source-cover.ts";
import { listCoveredCountries, listSourceFacts, type SourceFacts } from "./source-facts.ts";
import { getSourceTitle } from "./source-title.ts";

/** Sources: their visibility on the map, and by whom, from when and for which ground they are. */
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
  const [isOpen, setOpen] = useState(false);
  const { source_name, fictional, cell_m } = source;
  const title = getSourceTitle(source);
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
      <details class="source-facts" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span class="visually-hidden">{title}: </span>
          {fictional && <strong>{words.value.mapFictional} · </strong>}
          {[countContents(source), describeDay(source), listCountries(source, MOST_COUNTRIES)]
            .filter(Boolean)
            .join(" · ")}
          <Age ageDays={ageDays} source={source} />
        </summary>
        {isOpen && <Opened source={source} canBeShown={canBeShown} />}
      </details>
    </li>
  );
}

/** The age of a source if an edition is overdue, or the ruleset limits it. */
function Age({ source, ageDays }: Pick<SourceFacts, "source" | "ageDays">): JSX.Element | null {
  const limit = findAgeLimit(source.source_name);
  if (ageDays === undefined || (limit === undefined && source.overdue !== true)) return null;
  const age = formatDays(ageDays);
  return (
    <>
      {" · "}
      {limit !== undefined && answerWords.value.sources.ageOf(age, figures.value.plain(limit))}
      {source.overdue && <span class="source-overdue">{answerWords.value.sources.overdue}</span>}
    </>
  );
}

/** Publisher, licence and edition of a source, what it covers, and the checks that use it. */
function Opened({ source, canBeShown }: Pick<SourceFacts, "source" | "canBeShown">): JSX.Element {
  const { source_name, source_url, license_spdx, scope } = source;
  const say = answerWords.value.sources;
  const edition = findEdition(source_name);
  const checks = listChecksOfSource(source_name);
  const rows: readonly (readonly [name: string, value: JSX.Element | string | undefined])[] = [
    [words.value.mapPublisher, source_url && <Publisher address={source_url} />],
    [say.licence, license_spdx],
    [say.edition, edition && <Edition digest={edition} />],
    [say.covers, <Covered key={source_name} source={source} canBeShown={canBeShown} />],
    [say.usedBy(checks.length), checks.join("; ")],
  ];
  return (
    <div class="source-opened">
      {scope !== undefined && <p>{words.value.mapHolds(scope)}</p>}
      <dl>
        {rows.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <p>
        {canBeShown && (
          <button type="button" class="map-link" onClick={() => void zoomToSource(source_name)}>
            {words.value.mapZoomTo}
            <span class="visually-hidden"> {getSourceTitle(source)}</span>
          </button>
        )}{" "}
        <code>{source_name}</code>
      </p>
    </div>
  );
}

/** The address of a data set. A catalog may contain any text; only web addresses become links. */
function Publisher({ address }: { readonly address: string }): JSX.Element {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return <>{address}</>;
  return (
    <a href={address} rel="noreferrer" target="_blank">
      {new URL(address).host}
    </a>
  );
}

/** The first characters of an edition's digest, with a button that copies all of them. */
function Edition({ digest }: { readonly digest: string }): JSX.Element {
  const say = answerWords.value.sources;
  const [isCopied, setCopied] = useState(false);
  // Browsers have no clipboard for pages without HTTPS.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  return (
    <>
      <code title={digest}>{digest.slice(0, 8)}</code>{" "}
      {clipboard && (
        <button
          type="button"
          class="map-link"
          onClick={() => void clipboard.writeText(digest).then(() => setCopied(true))}
        >
          {say.copy}
        </button>
      )}{" "}
      <span role="status">{isCopied && say.copied}</span>
    </>
  );
}

/** The ground that a source covers, in words and on a small map. */
function Covered({ source, canBeShown }: Pick<SourceFacts, "source" | "canBeShown">): JSX.Element {
  const [cover, setCover] = useState<SourceCover>();
  const { source_name, coverage } = source;
  const isDrawn = canBeShown && coverage?.extent !== "global";
  useEffect(() => {
    const tiles = getTileQueue();
    if (!isDrawn || tiles === undefined) return;
    // A source whose tiles cannot be loaded is described in words alone.
    drawSourceCover(tiles, source_name).then(setCover, () => {});
  }, [source_name, isDrawn]);
  return (
    <>
      {coverage?.extent === "undeclared" && <p>{words.value.verdictCoverageUndeclared}</p>}
      {listCountries(source, Number.POSITIVE_INFINITY)}
      {cover !== undefined && (
        <svg
          class="source-cover"
          viewBox={`0 0 ${COVER.width} ${COVER.height}`}
          width={COVER.width}
          height={COVER.height}
          aria-hidden="true"
        >
          <path class="map-locator-land" d={cover.land} />
          <path class="source-covered" d={cover.covered} />
        </svg>
      )}
    </>
  );
}

function countContents({ feature_count, kind, live, cell_m }: ListedSource): string {
  const say = words.value;
  const count = figures.value.plain(feature_count);
  if (kind === "subject_register") return say.mapRecords(count);
  if (live === true) return say.mapLive;
  return cell_m === undefined ? say.mapAreas(count) : say.mapValues(count, figures.value.sides(cell_m));
}

/** The last day that an observed source shows; else that on which the data were collected. */
function describeDay({ observed_until, collected_at_latest }: ListedSource): string {
  if (observed_until) return words.value.mapObserved(figures.value.shortDay(observed_until));
  return collected_at_latest
    ? answerWords.value.sources.collected(figures.value.shortDay(collected_at_latest))
    : words.value.mapAgeUnknown;
}

/** Maximum names of countries in the row of a source. */
const MOST_COUNTRIES = 3;

/** The countries that a source covers, or that it covers the whole world. */
function listCountries(source: ListedSource, most: number): string {
  const say = answerWords.value.sources;
  if (source.coverage?.extent === "global") return say.world;
  const names = listCoveredCountries(source);
  const shown = names.slice(0, most).join(", ");
  return names.length > most ? say.andMore(shown, figures.value.plain(names.length - most)) : shown;
}

function setSourceShown(name: string, isShown: boolean): void {
  const next = new Set(shownSources.value);
  if (isShown) next.add(name);
  else next.delete(name);
  shownSources.value = next;
}

/** The edition on which the selected plot's answer is based; without one, that of the next answer. */
function findEdition(name: string): string | undefined {
  const state = selectedPlot.value?.state;
  const used = state?.kind === "answered" ? state.answer.verdict.sources : [];
  return [...used, ...(rulesetPlan.value?.sources ?? [])].find(({ source_name }) => source_name === name)
    ?.edition;
}
