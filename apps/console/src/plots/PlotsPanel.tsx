import { findProfile, PROFILES } from "@groundrule/plots";
import { computed, type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { figures } from "../languages/figures.ts";
import { words } from "../languages/language.ts";
import { ExamplePlot } from "../map/ExamplePlot.tsx";
import { mendOf, mendPlots } from "../map/mend.ts";
import { announce } from "../state/announcement.ts";
import { findings, profile, withoutBorders } from "../state/findings.ts";
import type { PagePlot } from "../state/plot.ts";
import { type PlotStanding, standingWord } from "../state/standing.ts";
import { answerer, ask, plots, removePlots, ruleset } from "../state/store.ts";
import { deeds, undoably, undoLast } from "../state/undo.ts";
import { Exports } from "./Exports.tsx";
import { ColumnNotes, FileProblems } from "./FileProblems.tsx";
import { PasteForm } from "./PasteForm.tsx";
import { PlotList } from "./PlotList.tsx";
import { countStandings, orderedPlots, type PlotOrder } from "./plot-order.ts";
import { cancelReading, reading, takeFiles } from "./read-files.ts";
import { cancelQuestions, isUnanswered, pauseQuestions, progress, resumeQuestions } from "./run-questions.ts";
import "./plots.css";

const order: Signal<PlotOrder> = signal({ text: "", standing: undefined, by: "added" });
/** Whether only plots are shown of which something was found. */
const onlyFindings: Signal<boolean> = signal(false);
const shown = computed(() => {
  const ordered = orderedPlots(plots.value, order.value);
  const isFiltered = onlyFindings.value && findings.value.size > 0;
  return isFiltered ? ordered.filter(({ key }) => findings.value.has(key)) : ordered;
});
const isPasting: Signal<boolean> = signal(false);
/** From so many questions on a person says so before they are charged. */
const MANY = 100;

/** The plots: how they come in, the list, the questions about them, and what is taken along. */
export function PlotsPanel(): JSX.Element {
  const say = words.value;
  const count = plots.value.length;
  return (
    <div class="plots">
      <div class="plots-actions">
        <label class="plots-choose">
          <input
            type="file"
            multiple
            onChange={(event) => {
              takeFiles([...(event.currentTarget.files ?? [])]);
              event.currentTarget.value = "";
            }}
          />
          <span>{say.plotsChoose}</span>
        </label>
        <button
          type="button"
          aria-expanded={isPasting.value}
          onClick={() => {
            isPasting.value = !isPasting.value;
          }}
        >
          {say.plotsPaste}
        </button>
        {count === 0 && <ExamplePlot />}
      </div>
      {isPasting.value && (
        <PasteForm
          onDone={() => {
            isPasting.value = false;
          }}
        />
      )}
      <Reading />
      <Undo />
      {count === 0 ? <p class="plots-empty">{say.plotsEmpty}</p> : <Listed />}
    </div>
  );
}

function Reading(): JSX.Element {
  const say = words.value;
  const now = reading.value;
  return (
    <>
      {now !== undefined && (
        <p class="plots-reading" role="status">
          {say.plotsReading(now.file, number(now.plots))}{" "}
          <button type="button" onClick={cancelReading}>
            {say.plotsCancel}
          </button>
        </p>
      )}
      <FileProblems />
      {plots.value.length > 0 && <ColumnNotes />}
    </>
  );
}

function Listed(): JSX.Element {
  return (
    <>
      <Standings />
      <Filter />
      <Questions />
      <Mends />
      <PlotList plots={shown.value} />
      <Exports plots={plots.value} />
    </>
  );
}

/** How many plots have each verdict; a press shows those alone. */
function Standings(): JSX.Element {
  const { standing } = order.value;
  const only = (next: PlotStanding): void => {
    order.value = { ...order.value, standing: standing === next ? undefined : next };
  };
  return (
    <ul class="plots-standings" aria-label={words.value.plotsStandings}>
      {[...countStandings(plots.value)].map(([each, count]) => (
        <li key={each}>
          <button
            type="button"
            class={`standing standing-${each.toLowerCase()}`}
            aria-pressed={standing === each}
            onClick={() => only(each)}
          >
            <strong>{number(count)}</strong> {standingWord(each)}
          </button>
        </li>
      ))}
      {findings.value.size > 0 && (
        <li>
          <button
            type="button"
            class="standing"
            aria-pressed={onlyFindings.value}
            onClick={() => {
              onlyFindings.value = !onlyFindings.value;
            }}
          >
            <strong>{number(findings.value.size)}</strong> {words.value.plotsWithFindings}
          </button>
        </li>
      )}
    </ul>
  );
}

function Filter(): JSX.Element {
  const say = words.value;
  const [search, sort] = [useId(), useId()];
  return (
    <div class="plots-filter">
      <label htmlFor={search} class="visually-hidden">
        {say.plotsSearch}
      </label>
      <input
        id={search}
        type="search"
        placeholder={say.plotsSearch}
        value={order.value.text}
        onInput={(event) => {
          order.value = { ...order.value, text: event.currentTarget.value };
        }}
      />
      <label htmlFor={sort} class="visually-hidden">
        {say.plotsSort}
      </label>
      <select
        id={sort}
        value={order.value.by}
        onChange={(event) => {
          order.value = { ...order.value, by: event.currentTarget.value as PlotOrder["by"] };
        }}
      >
        <option value="added">{say.plotsSortAdded}</option>
        <option value="name">{say.plotsSortName}</option>
        <option value="verdict">{say.plotsSortVerdict}</option>
      </select>
    </div>
  );
}

/** For whom plots are checked, what mends all that can be mended, and what undoes the last deed. */
function Mends(): JSX.Element {
  const say = words.value;
  const system = useId();
  // Where a plot in the sea belongs, its own press decides: the borders lack small islands.
  const isAtSea = ({ key }: PagePlot): boolean =>
    findings.value.get(key)?.some(({ code }) => code === "IN_SEA") ?? false;
  const mendable = plots.value.filter((plot) => mendOf(plot) !== undefined && !isAtSea(plot));
  return (
    <>
      <div class="plots-filter">
        <label htmlFor={system}>{say.plotsProfile}</label>
        <select
          id={system}
          value={profile.value ?? ""}
          onChange={(event) => {
            profile.value = findProfile(event.currentTarget.value)?.name;
          }}
        >
          <option value="">{say.plotsProfileNone}</option>
          {PROFILES.map(({ name }) => (
            <option key={name} value={name}>
              {say.plotsProfiles[name]}
            </option>
          ))}
        </select>
      </div>
      {mendable.length > 0 && (
        <div class="plots-ask">
          <button type="button" onClick={() => mendPlots(mendable)}>
            {say.plotsMendAll(number(mendable.length))}
          </button>
        </div>
      )}
      {withoutBorders.value !== undefined && (
        <p class="plots-empty">{say.plotsNoBorders(withoutBorders.value)}</p>
      )}
    </>
  );
}

/** Takes back the last deed on the list. */
function Undo(): JSX.Element | null {
  const last = deeds.value.at(-1);
  if (last === undefined) return null;
  const say = words.value;
  return (
    <p class="plots-undo">
      <span>{last.text}</span>{" "}
      <button type="button" onClick={() => announce(say.plotsUndone(undoLast() ?? ""))}>
        {say.plotsUndo}
      </button>
    </p>
  );
}

const isSure: Signal<boolean> = signal(false);

/** What is asked, how far it has come, and what it will cost. */
function Questions(): JSX.Element {
  const say = words.value;
  const now = progress.value;
  if (now !== undefined) {
    return (
      <div class="plots-progress">
        <progress max={now.asked} value={now.answered} aria-label={say.plotsProgress} />
        <p role="status">{say.plotsAnswered(number(now.answered), number(now.asked))}</p>
        <button type="button" onClick={now.isPaused ? resumeQuestions : pauseQuestions}>
          {now.isPaused ? say.plotsResume : say.plotsPause}
        </button>
        <button type="button" onClick={cancelQuestions}>
          {say.plotsCancel}
        </button>
      </div>
    );
  }
  const fresh = plots.value.filter((plot) => plot.input !== undefined && isUnanswered(plot));
  const canAsk = answerer.value !== undefined && ruleset.value !== undefined;
  const isCostly = answerer.value?.place === "service" && fresh.length >= MANY;
  const askAll = (): void => {
    if (isCostly && !isSure.value) {
      isSure.value = true;
      return;
    }
    isSure.value = false;
    ask(fresh.map(({ key }) => key));
  };
  return (
    <div class="plots-ask">
      {fresh.length > 0 && (
        <button type="button" class="primary" disabled={!canAsk} onClick={askAll}>
          {isCostly && isSure.value
            ? say.plotsAskCharged(number(fresh.length))
            : say.plotsAsk(number(fresh.length))}
        </button>
      )}
      <button
        type="button"
        class="quiet"
        onClick={() => {
          const keys = new Set(shown.value.map(({ key }) => key));
          undoably(say.plotsRemoved(number(keys.size)), () => removePlots(keys));
        }}
      >
        {say.plotsRemove(number(shown.value.length))}
      </button>
    </div>
  );
}

function number(value: number): string {
  return figures.value.plain(value);
}
