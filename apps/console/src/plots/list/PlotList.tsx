import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { figures, words } from "../../languages/language.ts";
import { Mark } from "../../parts/StatusMark.tsx";
import { findings } from "../../state/findings.ts";
import type { PagePlot } from "../../state/plot.ts";
import { plotStatusWord, toPlotStatus } from "../../state/plot-status.ts";
import { choosePlot, selectedKey } from "../../state/store.ts";
import { isTable, order, ownColumns } from "./list-view.ts";
import { formatCell } from "./plot-order.ts";

/** Height of a line, in pixels; plots.css has the same. */
const LINE = 36;
/** Lines that are rendered beyond the visible ones. */
const BEYOND = 10;
/** Maximum columns of the user in the table; every other one is shown once the list is sorted by it. */
const MOST_COLUMNS = 4;

/** The plots as a list of any length: only lines near the visible ones are rendered. Arrow keys move between them. */
export function PlotList({ plots }: { readonly plots: readonly PagePlot[] }): JSX.Element {
  const say = words.value;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(400);
  useEffect(() => {
    const watch = new ResizeObserver(() => setHeight(box.current?.clientHeight ?? 400));
    watch.observe(box.current!);
    return () => watch.disconnect();
  }, []);
  const first = Math.max(0, Math.floor(top / LINE) - BEYOND);
  const last = Math.min(plots.length, Math.ceil((top + height) / LINE) + BEYOND);
  const selected = plots.findIndex(({ key }) => key === selectedKey.value);
  const go = (to: number): void => {
    const plot = plots[Math.max(0, Math.min(plots.length - 1, to))];
    if (plot === undefined) return;
    selectedKey.value = plot.key;
    scrollLineIntoView(box.current!, plots.indexOf(plot));
  };
  const press = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
    const step = steps[event.key];
    if (step !== undefined) go(selected + step);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(plots.length - 1);
    else if (event.key === "Enter" && selected !== -1) choosePlot(plots[selected]!.key);
    else return;
    event.preventDefault();
  };
  const columns = selectColumns();
  return (
    <>
      {isTable.value && <Head columns={columns} />}
      <div
        class="plots-list"
        ref={box}
        role="listbox"
        tabIndex={0}
        aria-label={say.appPlots}
        aria-activedescendant={selected === -1 ? undefined : `line-${plots[selected]!.key}`}
        onKeyDown={press}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      >
        <div
          class="plots-lines"
          role="presentation"
          ref={(lines) => setElementHeight(lines, plots.length * LINE)}
        >
          {plots.slice(first, last).map((plot, i) => (
            <Line key={plot.key} plot={plot} columns={columns} place={first + i} count={plots.length} />
          ))}
        </div>
      </div>
    </>
  );
}

/** The columns of the user that the list shows: the one by which it is sorted, and in the table others. */
function selectColumns(): readonly string[] {
  const { by } = order.value;
  const sorted = typeof by === "object" ? [by.column] : [];
  return isTable.value ? [...new Set([...sorted, ...ownColumns.value])].slice(0, MOST_COLUMNS) : sorted;
}

/** The names of the columns: a press sorts by one. */
function Head({ columns }: { readonly columns: readonly string[] }): JSX.Element {
  const say = words.value;
  const { by } = order.value;
  return (
    <div class="plots-head">
      <button
        type="button"
        class="quiet"
        aria-pressed={by === "name"}
        onClick={() => (order.value = { ...order.value, by: "name" })}
      >
        {say.plotsName}
      </button>
      {columns.map((column) => (
        <button
          key={column}
          type="button"
          class="quiet"
          title={column}
          aria-pressed={typeof by === "object" && by.column === column}
          onClick={() => (order.value = { ...order.value, by: { column } })}
        >
          {column}
        </button>
      ))}
      <span class="plots-head-area">{say.plotsMeasured}</span>
    </div>
  );
}

function Line({
  plot,
  columns,
  place,
  count,
}: {
  readonly plot: PagePlot;
  readonly columns: readonly string[];
  readonly place: number;
  readonly count: number;
}): JSX.Element {
  const status = toPlotStatus(plot);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
    <div
      id={`line-${plot.key}`}
      class="plots-line"
      role="option"
      tabIndex={-1}
      aria-selected={plot.key === selectedKey.value}
      aria-posinset={place + 1}
      aria-setsize={count}
      ref={(line) => setElementTop(line, place * LINE)}
      onClick={() => choosePlot(plot.key)}
    >
      <Mark of={status} />
      <span class="plots-id" title={plot.id}>
        {plot.id}
      </span>
      <FindingsMark plot={plot} />
      {columns.map((column) => (
        <span key={column} class="plots-cell" title={formatCell(plot, column)}>
          {formatCell(plot, column)}
        </span>
      ))}
      {(columns.length === 0 || isTable.value) && <span class="plots-size">{formatPlotSize(plot)}</span>}
      <span class="visually-hidden">{plotStatusWord(status)}</span>
    </div>
  );
}

/** The plot's size, once it was measured. */
function formatPlotSize({ state }: PagePlot): string {
  const size = state.kind === "answered" ? state.answer.verdict.input.area_m2 : undefined;
  return size === undefined ? "" : figures.value.area(size);
}

/** The number of errors that the plot checker found; a dot for warnings alone. */
function FindingsMark({ plot }: { readonly plot: PagePlot }): JSX.Element | null {
  const found = findings.value.get(plot.key);
  if (found === undefined) return null;
  const errors = found.filter(({ severity }) => severity === "error").length;
  return (
    <span class={errors > 0 ? "plots-findings plots-errors" : "plots-findings"}>
      {errors > 0 && <span aria-hidden="true">{errors}</span>}
      <span class="visually-hidden">
        {errors > 0 ? words.value.plotsErrors(errors) : words.value.plotsWarnings(found.length)}
      </span>
    </span>
  );
}

// Places are set by script: the page's policy allows no style attributes in the markup.
function setElementHeight(element: HTMLElement | null, pixels: number): void {
  if (element !== null) element.style.height = `${pixels}px`;
}

function setElementTop(element: HTMLElement | null, pixels: number): void {
  if (element !== null) element.style.transform = `translateY(${pixels}px)`;
}

function scrollLineIntoView(box: HTMLElement, place: number): void {
  const [top, bottom] = [place * LINE, (place + 1) * LINE];
  if (top < box.scrollTop) box.scrollTop = top;
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
}
