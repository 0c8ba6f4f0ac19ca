import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { getYearColour } from "./layers/cell-colours.ts";
import { tip } from "./map-session.ts";
import {
  colours,
  dashed,
  forestNames,
  isDark,
  rasterNames,
  selectedYears,
  showAllYears,
} from "./map-state.ts";
import type { PointedArea } from "./pointed-area.ts";
import { formatSourceTitle } from "./sources/source-title.ts";

/** Name, id and source of the area below the pointer. */
export function AreaTip(): JSX.Element | null {
  const box = useRef<HTMLDivElement>(null);
  const found = tip.value;
  useEffect(() => {
    const element = box.current;
    if (element === null || found === undefined) return;
    const { clientWidth = 0 } = element.parentElement ?? {};
    const left = Math.max(8, Math.min(found.point.x + 14, clientWidth - element.offsetWidth - 8));
    element.style.transform = `translate(${left}px, ${found.point.y + 14}px)`;
  });
  if (found?.area === undefined) return null;
  const { source_name, source_id, name } = found.area;
  const colour = getDrawnColour(found.area);
  return (
    <div class="map-tip" ref={box} aria-hidden="true">
      <strong>{name ?? source_id}</strong>
      {name !== undefined && <span class="map-tip-id">{source_id}</span>}
      <span class="map-tip-source">
        <SourceSwatch
          colour={colour}
          second={rasterNames.value.has(source_name) ? colour : undefined}
          isDashed={dashed.value.has(source_name)}
        />
        {formatSourceTitle(source_name)}
      </span>
    </div>
  );
}

/** The colour in which the map draws an area or a value. */
function getDrawnColour({ source_name, name, colour }: PointedArea): string | undefined {
  const own = colours.value.get(source_name);
  if (forestNames.value.has(source_name)) return own;
  const years = showAllYears.value ? undefined : selectedYears.value.get(source_name);
  return years === undefined ? (colour ?? own) : getYearColour(years, name ?? "", isDark.value);
}

/** The colour of a source, shown next to its name. */
export function SourceSwatch({
  colour,
  isOutline = false,
  isDashed = isOutline,
  second,
}: {
  readonly colour: string | undefined;
  /** The colour of its last value, if it has several; drawn as the map fills cells. */
  readonly second?: string | undefined;
  readonly isOutline?: boolean;
  readonly isDashed?: boolean;
}): JSX.Element {
  return (
    <svg class="map-swatch" viewBox="0 0 14 14" aria-hidden="true">
      <rect
        x="1"
        y="1"
        width="12"
        height="12"
        rx="2.5"
        fill={isOutline ? "none" : (colour ?? "none")}
        fill-opacity="0.3"
        stroke={colour ?? "currentColor"}
        stroke-width="1.75"
        stroke-dasharray={isDashed ? "3 2" : undefined}
      />
      {second && <path d="M2 2h5v10H2z" fill={colour} />}
      {second && <path d="M7 2h5v10H7z" fill={second} />}
    </svg>
  );
}
