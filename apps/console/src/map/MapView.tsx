import { computed, effect, type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { words } from "../languages/language.ts";
import { announcement } from "../state/announcement.ts";
import { choosePlot, plots, selectedKey } from "../state/store.ts";
import { AreaTip } from "./AreaTip.tsx";
import { CoordinatesForm } from "./drawing/CoordinatesForm.tsx";
import { formatPositionAtZoom } from "./drawing/draw-session.ts";
import { MapTools } from "./MapTools.tsx";
import { type MapParts, openMapInElement } from "./map-session.ts";
import { describeDrawingHint, farPlots, mode, pointed, zoom } from "./map-state.ts";
import "maplibre-gl/dist/maplibre-gl.css";
import "./map.css";

/** Panels of the map, which load after it. */
export const mapPanels: Signal<typeof import("./map-panels.ts") | undefined> = signal(undefined);

function setMapPanels(loaded: NonNullable<typeof mapPanels.value>): void {
  mapPanels.value = loaded;
}

/** From this zoom on a view may be within one country, with nothing in it that shows which. */
const LOCATED_ZOOM = 6;

const isClose = computed(() => zoom.value >= LOCATED_ZOOM);

/** The map: base map, reference layers, plots; drawing and changing plots; the view in words. */
export function MapView(): JSX.Element {
  const container = useRef<HTMLDivElement>(null);
  const [parts, setParts] = useState<MapParts>();
  const [isFailed, setFailed] = useState(false);
  const panels = mapPanels.value;
  useEffect(() => {
    import("./map-panels.ts").then(setMapPanels, () => {});
  }, []);
  useEffect(() => {
    let close: (() => void) | undefined;
    try {
      const opened = openMapInElement(container.current!);
      setParts(opened);
      close = opened.close;
    } catch (error) {
      // No WebGL: everything except the picture works, by form and lists.
      console.warn(error);
      setFailed(true);
    }
    return close;
  }, []);
  useEffect(
    () =>
      effect(() => {
        const canvas = container.current?.querySelector("canvas");
        canvas?.setAttribute("aria-label", words.value.mapCanvas);
        canvas?.setAttribute("aria-describedby", "map-hint map-in-view");
      }),
    [parts],
  );
  return (
    <div class="map" data-mode={mode.value}>
      <div class="map-canvas" ref={container} />
      {isFailed && <p class="map-failed">{words.value.mapNoWebGl}</p>}
      {mode.value === "keyboard" && <div class="map-crosshair" aria-hidden="true" />}
      <MapTools parts={parts} />
      <p id="map-hint" class="map-hint" hidden={describeDrawingHint() === undefined}>
        {describeDrawingHint()}
      </p>
      {mode.value === "typing" && <CoordinatesForm />}
      <FarPlots />
      {/* Always present, so that nothing is displayed beneath it. */}
      <figure class="map-locator">
        {isClose.value && parts && panels && <panels.Locator page={parts.page} />}
      </figure>
      <AreaTip />
      {panels !== undefined && <panels.MapLegend />}
      <Position />
      <p class="map-said visually-hidden" role="status" aria-live="polite">
        {announcement.value.text}
      </p>
    </div>
  );
}

/** The number of plots that the view leaves out: a press selects one after another. */
function FarPlots(): JSX.Element | null {
  const say = words.value;
  const far = plots.value.filter(({ key }) => farPlots.value.includes(key));
  if (far.length === 0 || mode.value !== "looking") return null;
  const at = far.findIndex(({ key }) => key === selectedKey.value);
  return (
    <p class="map-far">
      {say.mapFar(far.length)}{" "}
      <button type="button" class="map-link" onClick={() => choosePlot(far[(at + 1) % far.length]!.key)}>
        {say.mapFarShow}
      </button>
    </p>
  );
}

function Position(): JSX.Element {
  return (
    <p class="map-position" aria-hidden="true">
      {pointed.value === undefined ? "" : formatPositionAtZoom(pointed.value)}
    </p>
  );
}
