import { findProfile, PROFILES } from "@groundrule/plots";
import { type Signal, signal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useId, useRef } from "preact/hooks";
import { figures, words } from "../languages/language.ts";
import { ExamplePlot } from "../map/drawing/ExamplePlot.tsx";
import { findFixedPlots, fixPlotsUndoably } from "../map/drawing/mend.ts";
import { openedMap } from "../map/map-session.ts";
import { mode } from "../map/map-state.ts";
import { announce } from "../state/announcement.ts";
import { seenPlots } from "../state/comparison.ts";
import { findings, profile, quality, withoutBorders } from "../state/findings.ts";
import { notice } from "../state/notice.ts";
import type { PagePlot } from "../state/plot.ts";
import { plotStatusWord } from "../state/plot-status.ts";
import { plots, removePlots, selectedKey } from "../state/store.ts";
import { actions, changePlotsUndoably, undoLastAction } from "../state/undo.ts";
import { isKeepingWanted } from "./kept/opt-in.ts";
import { onlyFindings, order, shown, toggleStatusFilter } from "./list/list-view.ts";
import { PlotList } from "./list/PlotList.tsx";
import { countPlotsByStatus, type PlotOrder } from "./list/plot-order.ts";
import { Questions } from "./Questions.tsx";
import { cancelReading, fileProblems, reading, readPlotsFromFiles } from "./reading/read-files.ts";
import "./plots.css";

/** Minimum number of plots for which the list has search and sorting. */
const SEARCHED = 8;
const isPasting: Signal<boolean> = signal(false);
/** Views of files and of pasted text: loaded with the first of them. */
const fileParts: Signal<typeof import("./file-parts.ts") | undefined> = signal(undefined);

/** The parts that keep plots on this device: loaded with the first plot, or where the user wished it. */
const keptParts: Signal<typeof import("./kept/KeptWork.tsx") | undefined> = signal(undefined);

function loadKeptParts(): void {
  if (keptParts.peek() !== undefined) return;
  import("./kept/KeptWork.tsx").then(
    (parts) => {
      if (keptParts.peek() !== undefined) return;
      keptParts.value = parts;
      parts.continueKeeping();
    },
    // The next plot tries again; until then leaving the page is a question.
    () => {},
  );
}

/** The plots: adding them, the list, and actions on it. */
export function PlotsPanel(): JSX.Element {
  const say = words.value;
  const count = plots.value.length;
  useSignalEffect(() => {
    if (plots.value.length > 0 || isKeepingWanted()) loadKeptParts();
  });
  const kept = keptParts.value;
  useSignalEffect(() => {
    const isNeeded = isPasting.value || plots.value.length > 0 || fileProblems.value.length > 0;
    if (!isNeeded || fileParts.peek() !== undefined) return;
    import("./file-parts.ts").then(
      (parts) => {
        fileParts.value = parts;
      },
      () => {
        notice.value = words.peek().problemNetwork;
      },
    );
  });
  const parts = fileParts.value;
  return (
    <div class="plots">
      <div class="plots-actions">
        <AddPlots key={String(count === 0)} isOpen={count === 0} />
        {count === 0 && (
          <span class="plots-example">
            <ExamplePlot />
          </span>
        )}
      </div>
      {isPasting.value && parts !== undefined && (
        <parts.PasteForm
          onDone={() => {
            isPasting.value = false;
          }}
        />
      )}
      <Reading />
      <Undo />
      {kept !== undefined && <kept.OfferedList />}
      {count === 0 ? <p class="plots-empty">{say.plotsEmpty}</p> : <Listed />}
      {kept !== undefined && <kept.KeepSwitch />}
    </div>
  );
}

/** The ways to add plots, visible while there are none. */
function AddPlots({ isOpen }: { readonly isOpen: boolean }): JSX.Element {
  const say = words.value;
  const menu = useRef<HTMLDetailsElement>(null);
  const parts = openedMap.value;
  const close = (): void => {
    if (!isOpen) menu.current!.open = false;
  };
  return (
    <details class="plots-add" open={isOpen} ref={menu}>
      <summary>{say.plotsAdd}</summary>
      <div>
        <label class="plots-choose">
          <input
            type="file"
            multiple
            onChange={(event) => {
              readPlotsFromFiles([...(event.currentTarget.files ?? [])]);
              event.currentTarget.value = "";
              close();
            }}
          />
          <span>{say.plotsChoose}</span>
        </label>
        <button
          type="button"
          aria-expanded={isPasting.value}
          onClick={() => {
            isPasting.value = !isPasting.value;
            close();
          }}
        >
          {say.plotsPaste}
        </button>
        {/* While there are no plots, the map's own tools are in view next to it. */}
        {!isOpen && (
          <>
            <button
              type="button"
              onClick={() => {
                mode.value = "typing";
                close();
              }}
            >
              {say.mapEnter}
            </button>
            <button
              type="button"
              disabled={parts === undefined}
              onClick={(event) => {
                parts?.session.start(event.detail === 0);
                close();
              }}
            >
              {say.mapDraw}
            </button>
          </>
        )}
      </div>
    </details>
  );
}

function Reading(): JSX.Element {
  const say = words.value;
  const now = reading.value;
  const parts = fileParts.value;
  return (
    <>
      {now !== undefined && (
        <p class="plots-reading" role="status">
          {say.plotsReading(now.file, formatNumber(now.plots))}{" "}
          <button type="button" onClick={cancelReading}>
            {say.appCancel}
          </button>
        </p>
      )}
      {parts !== undefined && <parts.FileProblems />}
      {parts !== undefined && plots.value.length > 0 && <parts.ColumnNotes />}
    </>
  );
}

function Listed(): JSX.Element {
  return (
    <>
      {plots.value.length > 1 && <StatusCounts />}
      {plots.value.length >= SEARCHED && <Filter />}
      {/* A list with its summary in view has the questions there. */}
      {(plots.value.length === 1 || selectedKey.value !== undefined) && <Questions />}
      <Mends />
      <PlotList plots={shown.value} />
      <More />
    </>
  );
}

/** The number of plots per verdict; a press shows only those. */
function StatusCounts(): JSX.Element {
  const { status } = order.value;
  return (
    <ul class="plots-standings" aria-label={words.value.plotsStatuses}>
      {[...countPlotsByStatus(seenPlots.value)].map(([each, count]) => (
        <li key={each}>
          <button
            type="button"
            class={`standing standing-${each.toLowerCase()}`}
            aria-pressed={status === each}
            onClick={() => toggleStatusFilter(each)}
          >
            <strong>{formatNumber(count)}</strong> {plotStatusWord(each)}
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
            <strong>{formatNumber(findings.value.size)}</strong> {words.value.plotsWithFindings}
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
        <option value="verdict">{say.plotsSortVerdict}</option>
        <option value="added">{say.plotsSortAdded}</option>
        <option value="name">{say.plotsSortName}</option>
      </select>
    </div>
  );
}

/** The buttons that fix everything that can be fixed. */
function Mends(): JSX.Element {
  const say = words.value;
  // A plot in the sea is fixed only by its own button: the borders lack small islands.
  const isAtSea = ({ key }: PagePlot): boolean =>
    findings.value.get(key)?.some(({ code }) => code === "IN_SEA") ?? false;
  const mendable = plots.value.filter((plot) => findFixedPlots(plot) !== undefined && !isAtSea(plot));
  return (
    <>
      {mendable.length > 0 && (
        <div class="plots-ask">
          <button type="button" onClick={() => fixPlotsUndoably(mendable)}>
            {say.plotsMendAll(formatNumber(mendable.length))}
          </button>
        </div>
      )}
      {withoutBorders.value !== undefined && (
        <p class="plots-empty">{say.plotsNoBorders(withoutBorders.value)}</p>
      )}
    </>
  );
}

/** Undoes the last action on the list. */
function Undo(): JSX.Element | null {
  const last = actions.value.at(-1);
  if (last === undefined) return null;
  const say = words.value;
  return (
    <p class="plots-undo">
      <span>{last.text}</span>{" "}
      <button type="button" onClick={() => announce(say.plotsUndone(undoLastAction() ?? ""))}>
        {say.plotsUndo}
      </button>
    </p>
  );
}

/** Rarely used actions on the list. */
function More(): JSX.Element {
  const say = words.value;
  const system = useId();
  return (
    <details class="plots-more">
      <summary>{say.plotsMore}</summary>
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
      <label class="plots-quality">
        <input
          type="checkbox"
          checked={quality.value}
          onChange={(event) => {
            quality.value = event.currentTarget.checked;
          }}
        />{" "}
        {say.plotsQuality}
      </label>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          const keys = new Set(shown.value.map(({ key }) => key));
          changePlotsUndoably(say.plotsRemoved(formatNumber(keys.size)), () => removePlots(keys));
        }}
      >
        {say.plotsRemove(formatNumber(shown.value.length), shown.value.length === plots.value.length)}
      </button>
    </details>
  );
}

function formatNumber(value: number): string {
  return figures.value.plain(value);
}
