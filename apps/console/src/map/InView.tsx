import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { words } from "../languages/language.ts";
import { plotStatusWord, toPlotStatus } from "../state/plot-status.ts";
import { choosePlot, highlighted, isHighlighted, plots, selectedKey, selectedPlot } from "../state/store.ts";
import { formatPositionAtZoom } from "./drawing/draw-session.ts";
import { listPlotsInView, listUncoveredSources, type PlotsInView } from "./in-view.ts";
import { openedMap } from "./map-session.ts";
import type { PointedArea } from "./pointed-area.ts";
import { formatSourceTitle } from "./sources/source-title.ts";

const MOST = 50;

interface View {
  readonly centre: string;
  readonly plots: PlotsInView;
  readonly areas: readonly PointedArea[];
}

/**
 * The content of the map as lists, for users who cannot see it or have no pointer.
 *
 * @param props.isChosen true if its tab is chosen, which opens it
 */
export function InView({ isChosen }: { readonly isChosen: boolean }): JSX.Element {
  const [isUnfolded, setUnfolded] = useState(false);
  const isOpen = isChosen || isUnfolded;
  const page = openedMap.value?.page;
  const [view, setView] = useState<View>();
  const listed = plots.value;
  useEffect(() => {
    if (page === undefined || !isOpen) return;
    const look = () =>
      setView({
        centre: formatPositionAtZoom(page.centre),
        plots: listPlotsInView(listed, page.bounds, MOST),
        areas: page.areasInView(MOST),
      });
    look();
    page.map.on("idle", look);
    return () => {
      page.map.off("idle", look);
    };
  }, [page, isOpen, listed]);
  const say = words.value;
  return (
    <details
      class="map-in-view"
      id="map-in-view"
      open={isOpen}
      onToggle={(event) => setUnfolded(event.currentTarget.open)}
    >
      <summary>{say.mapInView}</summary>
      {view !== undefined && isOpen && (
        <div class="map-in-view-lists">
          <p>{say.mapCentre(view.centre)}</p>
          <Uncovered />
          <h3>{say.mapPlotsInView(view.plots.total)}</h3>
          <ul>
            {view.plots.first.map((plot) => (
              <li key={plot.key}>
                <button
                  type="button"
                  class="map-link"
                  aria-pressed={plot.key === selectedKey.value}
                  onClick={() => choosePlot(plot.key)}
                >
                  {plot.id}
                </button>{" "}
                {plotStatusWord(toPlotStatus(plot))}
              </li>
            ))}
            {view.plots.total > view.plots.first.length && (
              <li>{say.mapMore(view.plots.total - view.plots.first.length)}</li>
            )}
          </ul>
          <h3>{say.mapAreasInView}</h3>
          <Areas areas={view.areas} />
        </div>
      )}
    </details>
  );
}

function Areas({ areas }: { readonly areas: readonly PointedArea[] }): JSX.Element {
  if (areas.length === 0) return <p>{words.value.mapNoAreas}</p>;
  return (
    <ul>
      {areas.map(({ source_name, source_id, name }) => {
        const isLit = isHighlighted({ source_name, source_id });
        return (
          <li key={`${source_name} ${source_id}`}>
            <button
              type="button"
              class="map-link"
              aria-pressed={isLit}
              onClick={() => {
                highlighted.value = isLit ? undefined : { source_name, source_id };
              }}
            >
              {name ?? source_id}
            </button>{" "}
            {formatSourceTitle(source_name)}
            {name === undefined ? "" : ` (${source_id})`}
          </li>
        );
      })}
      {areas.length >= MOST && <li>{words.value.mapZoomForMore}</li>}
    </ul>
  );
}

/** Sources that do not cover the selected plot, according to its verdict. */
function Uncovered(): JSX.Element | null {
  const plot = selectedPlot.value;
  if (plot?.state.kind !== "answered") return null;
  const uncovered = listUncoveredSources(plot.state.answer.verdict);
  return (
    <p>
      {uncovered.length === 0
        ? words.value.mapPlotCovered(plot.id)
        : words.value.mapPlotUncovered(plot.id, uncovered.map(formatSourceTitle))}
    </p>
  );
}
