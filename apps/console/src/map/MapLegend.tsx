import { Fragment, type JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { figures, words } from "../languages/language.ts";
import { faded, seenPlots } from "../state/comparison.ts";
import { PLOT_STATUSES, type PlotStatus, plotStatusWord, toPlotStatus } from "../state/plot-status.ts";
import { showCoverage } from "../state/store.ts";
import { SourceSwatch } from "./AreaTip.tsx";
import { drawnProperty } from "./drawn-property.ts";
import { getRampEnds, type SelectedYears } from "./layers/cell-colours.ts";
import { getHatchColour, getPropertyColour, getStatusColours } from "./layers/map-look.ts";
import {
  colours,
  dashed,
  drawnSources,
  forestNames,
  hasMissingTiles,
  hatchedSources,
  isBaseMissing,
  isDark,
  rulesetSources,
  selectedYears,
  showAllYears,
  shownValues,
} from "./map-state.ts";
import type { PointedArea } from "./pointed-area.ts";
import { formatSourceTitle } from "./sources/source-title.ts";

/** The meanings of the colours and hatching that are on the map now. */
export function MapLegend(): JSX.Element | null {
  const [chosen, setOpen] = useState<boolean>();
  const isMissing = isBaseMissing.value || hasMissingTiles.value;
  // Missing parts of the map are announced even when the legend is closed.
  useEffect(() => {
    if (isMissing) setOpen(true);
  }, [isMissing]);
  const say = words.value;
  const unseen = faded.value;
  const statuses = new Set(
    seenPlots.value.flatMap((plot) => {
      const status = toPlotStatus(plot);
      return unseen?.has(plot.key) === true && status !== "REFUSED" ? [] : status;
    }),
  );
  const rows = drawnSources.value.reduce((sum, name) => sum + countValueRows(name), statuses.size);
  const isOpen = chosen ?? (rows <= MOST_ROWS && matchMedia("(min-width: 60rem)").matches);
  const hasCoverage = rulesetSources.value.size > 0;
  if (statuses.size === 0 && drawnSources.value.length === 0 && !hasCoverage && !isMissing) return null;
  return (
    <details
      class="map-legend"
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        // By a person, not by the number of rows.
        if (open !== isOpen) setOpen(open);
      }}
    >
      <summary>{say.mapLegend}</summary>
      <ul>
        {PLOT_STATUSES.filter((status) => statuses.has(status)).map((status) => (
          <li key={status}>
            <StatusSwatch status={status} />
            {plotStatusWord(status)}
          </li>
        ))}
        {unseen !== undefined && (
          <li>
            <StatusSwatch status="NEW" />
            {say.compareSame}
          </li>
        )}
        {drawnProperty.value !== undefined && (
          <li>
            <svg class="map-swatch" viewBox="0 0 14 14" aria-hidden="true">
              <path d="M0 7h6m3 0h5" stroke={getPropertyColour(isDark.value)} stroke-width="1.5" />
            </svg>
            {say.mapProperty}
          </li>
        )}
        {drawnSources.value.map((name) => (
          <Fragment key={name}>
            <li class={`map-legend-source ${forestNames.value.has(name) ? "map-legend-forest" : ""}`}>
              {/* Cells have colours of their own. */}
              {(listShownValues(name).length === 0 || forestNames.value.has(name)) &&
                !selectedYears.value.has(name) && (
                  <SourceSwatch
                    colour={colours.value.get(name)}
                    second={forestNames.value.has(name) ? colours.value.get(name) : undefined}
                    isDashed={dashed.value.has(name) && !forestNames.value.has(name)}
                  />
                )}
              {formatSourceTitle(name)}
            </li>
            {selectedYears.value.has(name) && !showAllYears.value ? (
              <Ramp years={selectedYears.value.get(name)!} />
            ) : (
              !forestNames.value.has(name) && <Values source={name} />
            )}
          </Fragment>
        ))}
      </ul>
      {drawnSources.value.some((name) => selectedYears.value.has(name)) && (
        <label class="map-legend-coverage">
          <input
            type="checkbox"
            checked={showAllYears.value}
            onChange={(event) => {
              setOpen(true);
              showAllYears.value = event.currentTarget.checked;
            }}
          />
          {say.mapAllYears}
        </label>
      )}
      {isBaseMissing.value && (
        <p class="map-legend-missing" role="status">
          {say.mapBaseMissing}
        </p>
      )}
      {hasMissingTiles.value && (
        <p class="map-legend-missing" role="status">
          {say.mapTilesMissing}
        </p>
      )}
      {hasCoverage && (
        <label class="map-legend-coverage">
          <input
            type="checkbox"
            checked={showCoverage.value}
            onChange={(event) => {
              showCoverage.value = event.currentTarget.checked;
            }}
          />
          <svg class="map-swatch" viewBox="0 0 14 14" aria-hidden="true">
            <path d="M1 6 6 1M1 13 13 1M8 13l5-5" stroke={getHatchColour(isDark.value)} stroke-width="1.25" />
          </svg>
          {hatchedSources.value.length === 0 && showCoverage.value ? say.mapAllCovered : say.mapUncovered}
        </label>
      )}
    </details>
  );
}

/** The drawing style of plots with a status: a refused plot has only an outline. */
function StatusSwatch({ status }: { readonly status: PlotStatus }): JSX.Element {
  return <SourceSwatch colour={getStatusColours(isDark.value)[status]} isOutline={status === "REFUSED"} />;
}

/** A legend with more rows covers too much of the map: it begins closed. */
const MOST_ROWS = 6;

/** Rows of a source whose values have colours of their own, with its title. */
function countValueRows(name: string): number {
  if (selectedYears.value.has(name) && !showAllYears.value) return 2;
  const { length } = forestNames.value.has(name) ? [] : listShownValues(name);
  return length === 0 ? 0 : 1 + Math.min(length, MOST_VALUES + 1);
}

/** The colours of the selected years, with the day from which they count. */
function Ramp({ years }: { readonly years: SelectedYears }): JSX.Element {
  const [old, young] = getRampEnds(isDark.value);
  return (
    <li class="map-legend-value map-legend-ramp">
      <span style={{ background: `linear-gradient(to right, ${old}, ${young})` }} aria-hidden="true" />
      <span>{years.first}</span>
      <span>{years.last}</span>
      <span class="map-legend-tick">
        {words.value.mapAfterDay(figures.value.day(`${years.first - 1}-12-31`))}
      </span>
    </li>
  );
}

const MOST_VALUES = 4;

/** The cell values in view, each with its colour, in the order of their numbers. */
function Values({ source }: { readonly source: string }): JSX.Element | null {
  const values = listShownValues(source).toSorted((one, other) =>
    one.source_id.localeCompare(other.source_id, undefined, { numeric: true }),
  );
  const [isWhole, setWhole] = useState(false);
  if (values.length === 0) return null;
  return (
    <>
      {values.slice(0, isWhole ? values.length : MOST_VALUES).map(({ source_id, name, colour }) => (
        <li key={source_id} class="map-legend-value">
          <SourceSwatch colour={colour} />
          {name ?? source_id}
        </li>
      ))}
      {values.length > MOST_VALUES && !isWhole && (
        <li class="map-legend-value">
          <button type="button" class="map-link" onClick={() => setWhole(true)}>
            {words.value.mapMore(values.length - MOST_VALUES)}
          </button>
        </li>
      )}
    </>
  );
}

/** The values of a source that are in view; empty if they have no colours of their own. */
function listShownValues(source: string): readonly PointedArea[] {
  const values = shownValues.value.get(source) ?? [];
  return values.some(({ colour }) => colour !== undefined) ? values : [];
}
