import { findProfile, PROFILES } from "@groundrule/plots";
import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import { figures, words } from "../../languages/language.ts";
import { findFixedPlots, fixPlotsUndoably } from "../../map/drawing/mend.ts";
import { findings, profile, quality, withoutBorders } from "../../state/findings.ts";
import type { PagePlot } from "../../state/plot.ts";
import { plotStatusWord } from "../../state/plot-status.ts";
import { plots, removePlots, selectedKey } from "../../state/store.ts";
import { changePlotsUndoably } from "../../state/undo.ts";
import { ColumnNotes } from "../FileProblems.tsx";
import { Questions } from "../Questions.tsx";
import {
  type FindingGroup,
  findingFilter,
  findingGroups,
  isTable,
  order,
  ownColumns,
  shown,
  toggleFindingFilter,
} from "./list-view.ts";
import { PlotList } from "./PlotList.tsx";
import type { PlotOrder } from "./plot-order.ts";

/** Minimum number of plots for which the list has search and sorting. */
const SEARCHED = 8;

/**
 * The list of plots: problems first, search and order, and actions on it.
 *
 * @param props.children further settings, among the rarely used actions
 */
export function Listed({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <>
      <Problems />
      {plots.value.length >= SEARCHED && <Search />}
      <ActiveFilter />
      {/* A list with its summary in view has the questions there. */}
      {(plots.value.length === 1 || selectedKey.value !== undefined) && <Questions />}
      {shown.value.length === 0 ? <NoMatch /> : <PlotList plots={shown.value} />}
      <ColumnNotes />
      <More>{children}</More>
    </>
  );
}

/** How many plots have problems: a press shows only those; and the button that fixes all that can be fixed. */
function Problems(): JSX.Element | null {
  const say = words.value;
  // A plot in the sea is fixed only by its own button: the borders lack small islands.
  const isAtSea = ({ key }: PagePlot): boolean =>
    findings.value.get(key)?.some(({ code }) => code === "IN_SEA") ?? false;
  const mendable = plots.value.filter((plot) => findFixedPlots(plot) !== undefined && !isAtSea(plot));
  const groups = (["errors", "areas", "warnings"] as const).filter((each) => countFindings(each) > 0);
  return (
    <>
      {(groups.length > 0 || mendable.length > 0) && (
        <div class="plots-problems">
          {groups.map((group) => (
            <button
              key={group}
              type="button"
              class={`plots-group plots-group-${group}`}
              aria-pressed={findingFilter.value === group}
              onClick={() => toggleFindingFilter(group)}
            >
              {formatFindingGroup(group)}
            </button>
          ))}
          {mendable.length > 0 && (
            <button type="button" onClick={() => fixPlotsUndoably(mendable)}>
              {say.plotsMendAll(mendable.length, formatNumber(mendable.length))}
            </button>
          )}
        </div>
      )}
      {withoutBorders.value !== undefined && (
        <p class="plots-empty">{say.plotsNoBorders(withoutBorders.value)}</p>
      )}
    </>
  );
}

function countFindings(group: FindingGroup): number {
  return findingGroups.value[group].size;
}

function formatFindingGroup(group: FindingGroup): string {
  const say = words.value;
  const write = { errors: say.plotsToFix, areas: say.plotsAreasDiffer, warnings: say.plotsOtherWarnings };
  const count = countFindings(group);
  return write[group](count, formatNumber(count));
}

/** Prefix of the value of an option that sorts by a column of the user. */
const COLUMN = "column ";

function Search(): JSX.Element {
  const say = words.value;
  const [search, sort] = [useId(), useId()];
  const { by } = order.value;
  const sortBy = (value: string): void => {
    const column = value.startsWith(COLUMN) ? { column: value.slice(COLUMN.length) } : undefined;
    order.value = { ...order.value, by: column ?? (value as Extract<PlotOrder["by"], string>) };
  };
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
        value={typeof by === "string" ? by : `${COLUMN}${by.column}`}
        onChange={(event) => sortBy(event.currentTarget.value)}
      >
        <option value="verdict">{say.plotsSortVerdict}</option>
        <option value="added">{say.plotsSortAdded}</option>
        <option value="name">{say.plotsSortName}</option>
        {ownColumns.value.map((column) => (
          <option key={column} value={`${COLUMN}${column}`}>
            {say.plotsSortBy(column)}
          </option>
        ))}
      </select>
      {ownColumns.value.length > 0 && (
        <button
          type="button"
          class="plots-table-switch"
          aria-pressed={isTable.value}
          title={say.plotsTable}
          aria-label={say.plotsTable}
          onClick={() => {
            isTable.value = !isTable.value;
          }}
        >
          <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
            <path d="M3 5h18v14H3ZM3 10h18M9 5v14M15 5v14" />
          </svg>
        </button>
      )}
    </div>
  );
}

/** The filter, with its number of plots: a press ends it. */
function ActiveFilter(): JSX.Element | null {
  const { status } = order.value;
  const group = findingFilter.value;
  if (status === undefined && group === undefined) return null;
  const name =
    group === undefined
      ? `${plotStatusWord(status!)} ${formatNumber(shown.value.length)}`
      : formatFindingGroup(group);
  return (
    <button
      type="button"
      class="plots-pill"
      aria-label={words.value.plotsShowAll(name)}
      onClick={() => {
        order.value = { ...order.value, status: undefined };
        findingFilter.value = undefined;
      }}
    >
      {name} <span aria-hidden="true">✕</span>
    </button>
  );
}

function NoMatch(): JSX.Element {
  const say = words.value;
  const { text } = order.value;
  return (
    <p class="plots-undo" role="status">
      <span>{text.trim() === "" ? say.plotsNone : say.plotsNoMatch(text.trim())}</span>
      {text !== "" && (
        <button
          type="button"
          onClick={() => {
            order.value = { ...order.value, text: "" };
          }}
        >
          {say.plotsClear}
        </button>
      )}
    </p>
  );
}

/** Rarely used actions on the list. */
function More({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const say = words.value;
  const system = useId();
  const { length } = shown.value;
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
      {children}
      <button
        type="button"
        class="quiet"
        disabled={length === 0}
        onClick={() => {
          const keys = new Set(shown.value.map(({ key }) => key));
          changePlotsUndoably(say.plotsRemoved(keys.size, formatNumber(keys.size)), () => removePlots(keys));
        }}
      >
        {say.plotsRemove(length, formatNumber(length), length === plots.value.length)}
      </button>
    </details>
  );
}

function formatNumber(value: number): string {
  return figures.value.plain(value);
}
