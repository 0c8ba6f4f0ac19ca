import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { words } from "../../languages/language.ts";
import { selectedPlot } from "../../state/store.ts";
import { mode } from "../map-state.ts";
import { formatCorners, type Position, parseCorners, type ReadCorners, toPolygon } from "./coordinates.ts";
import { addDrawnPlot, reshapePlot } from "./draw-session.ts";
import { isWithoutOutline } from "./editability.ts";

/** A form to enter a plot by the coordinates of its corners, or to change those of the selected plot. */
export function CoordinatesForm(): JSX.Element {
  const say = words.value;
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState("");
  const [fault, setFault] = useState<string>();
  // A plot without an outline gets this one.
  const [changed, setChanged] = useState(() => {
    const plot = selectedPlot.peek();
    return plot !== undefined && isWithoutOutline(plot) ? plot.key : undefined;
  });
  useEffect(() => area.current?.focus(), []);
  const plot = selectedPlot.value;
  const ring = plot === undefined ? undefined : findOnlyRing(plot.geometry);
  const submit = (event: Event) => {
    event.preventDefault();
    const read = parseCorners(text);
    if ("fault" in read) {
      setFault(describeCornerFault(read));
      area.current?.focus();
      return;
    }
    const geometry = toPolygon(read.corners);
    mode.value = "looking";
    if (changed !== undefined && plot?.key === changed) reshapePlot(plot.key, geometry, plot.input);
    else addDrawnPlot(geometry);
  };
  return (
    <form class="map-form" aria-label={say.mapEnter} onSubmit={submit} noValidate>
      <label for="map-corners">{say.mapCorners}</label>
      <p id="map-corners-help">{say.mapCornersHelp}</p>
      <textarea
        id="map-corners"
        ref={area}
        rows={6}
        spellcheck={false}
        autocomplete="off"
        placeholder={"-9.1234, -59.1234\n-9.1234, -59.1200\n-9.1260, -59.1200"}
        aria-describedby="map-corners-help map-corners-fault"
        aria-invalid={fault !== undefined}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setFault(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") mode.value = "looking";
        }}
      />
      <p id="map-corners-fault" class="map-form-fault" role="alert">
        {fault}
      </p>
      <div class="map-form-buttons">
        <button type="submit" class="map-tool map-tool-main">
          {changed === undefined ? say.mapAddPlot : say.mapChangePlot}
        </button>
        {ring !== undefined && changed === undefined && (
          <button
            type="button"
            class="map-tool"
            onClick={() => {
              setText(formatCorners(ring));
              setChanged(plot!.key);
            }}
          >
            {say.mapCornersOf(plot!.id)}
          </button>
        )}
        <button
          type="button"
          class="map-tool"
          onClick={() => {
            mode.value = "looking";
          }}
        >
          {say.appCancel}
        </button>
      </div>
    </form>
  );
}

/** The corners of a polygon without holes, the only shape that the form can edit. */
function findOnlyRing(geometry: { readonly type: string } | undefined): readonly Position[] | undefined {
  if (geometry?.type !== "Polygon") return undefined;
  const { coordinates } = geometry as unknown as { coordinates: Position[][] };
  return coordinates.length === 1 && coordinates[0]!.length <= 1000
    ? coordinates[0]!.slice(0, -1)
    : undefined;
}

function describeCornerFault(read: Extract<ReadCorners, { fault: unknown }>): string {
  const say = words.peek();
  switch (read.fault) {
    case "line":
      return say.mapCornerUnread(read.line, read.text);
    case "latitude":
      return say.mapCornerLatitude(read.line, read.text);
    case "longitude":
      return say.mapCornerLongitude(read.line, read.text);
    case "few":
      return say.mapTooFewCorners(read.line);
    case "many":
      return say.mapTooManyCorners(read.line - 1);
  }
}
