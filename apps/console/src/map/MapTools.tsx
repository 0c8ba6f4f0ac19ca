import type { ComponentChildren, JSX } from "preact";
import { words } from "../languages/language.ts";
import { announce } from "../state/announcement.ts";
import { filteredKeys, plots, removePlots, selectedKey, selectedPlot } from "../state/store.ts";
import { changePlotsUndoably } from "../state/undo.ts";
import { isEditable } from "./drawing/editability.ts";
import { fitToPlots, type MapParts } from "./map-session.ts";
import { mode } from "./map-state.ts";

/** Buttons of the map: drawing, changing and deleting plots; zoom; all plots in view. */
export function MapTools({ parts }: { readonly parts: MapParts | undefined }): JSX.Element {
  const say = words.value;
  return (
    <>
      <fieldset class="map-tools" aria-label={say.mapTools}>
        {mode.value === "looking" || mode.value === "typing" ? (
          <Idle parts={parts} />
        ) : (
          <Busy parts={parts} />
        )}
      </fieldset>
      <fieldset class="map-zoom" aria-label={say.mapZoom}>
        <Tool label={say.mapZoomIn} isDisabled={parts === undefined} onPress={() => parts?.page.zoomBy(1)}>
          <path d="M10 4v12M4 10h12" />
        </Tool>
        <Tool label={say.mapZoomOut} isDisabled={parts === undefined} onPress={() => parts?.page.zoomBy(-1)}>
          <path d="M4 10h12" />
        </Tool>
        <Tool
          label={say.mapFit}
          isDisabled={parts === undefined || plots.value.length === 0}
          onPress={() => fitMapToPlots(parts)}
        >
          <path d="M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4" />
        </Tool>
      </fieldset>
    </>
  );
}

function Idle({ parts }: { readonly parts: MapParts | undefined }): JSX.Element {
  const say = words.value;
  const plot = selectedPlot.value;
  const canEdit = isEditable(plot?.geometry);
  const edit = () => {
    if (parts?.session.edit() !== true) mode.value = "typing";
  };
  return (
    <>
      <Tool
        isMain
        text={say.mapDraw}
        isDisabled={parts === undefined}
        onPress={(event) => parts?.session.start(event.detail === 0)}
      >
        <path d="M4 14 6.5 5l8 1.5L16 14l-7 2.5Z" />
      </Tool>
      <Tool
        text={say.mapEnter}
        isPressed={mode.value === "typing"}
        onPress={() => {
          mode.value = mode.value === "typing" ? "looking" : "typing";
        }}
      >
        <path d="M3 6h14v8H3ZM6 9h1M9.5 9h1M13 9h1M6.5 11.5h7" />
      </Tool>
      {plot !== undefined && (
        <>
          <Tool text={say.mapEdit} isDisabled={parts === undefined || !canEdit} onPress={edit}>
            <path d="M4 16l1-4 8-8 3 3-8 8Z" />
          </Tool>
          <Tool
            text={say.mapDelete}
            onPress={() => {
              changePlotsUndoably(say.mapPlotDeleted(plot.id), () => removePlots(new Set([plot.key])));
              announce(say.mapPlotDeleted(plot.id));
            }}
          >
            <path d="M5 6h10M8 6V4h4v2M6 6l1 10h6l1-10" />
          </Tool>
        </>
      )}
    </>
  );
}

function Busy({ parts }: { readonly parts: MapParts | undefined }): JSX.Element {
  const say = words.value;
  return (
    <>
      <Tool isMain text={say.mapDone} onPress={() => parts?.session.finish()}>
        <path d="M4 10l4 4 8-9" />
      </Tool>
      {mode.value !== "editing" && (
        <Tool text={say.mapTakeBack} onPress={() => parts?.session.takeBack()}>
          <path d="M8 5 4 9l4 4M4 9h7a4 4 0 0 1 0 8H8" />
        </Tool>
      )}
      <Tool text={say.appCancel} onPress={() => parts?.session.cancel()}>
        <path d="M5 5l10 10M15 5 5 15" />
      </Tool>
    </>
  );
}

function fitMapToPlots(parts: MapParts | undefined): void {
  const selected = plots.value.find(({ key }) => key === selectedKey.value);
  const keys = filteredKeys.value;
  const listed = keys === undefined ? plots.value : plots.value.filter(({ key }) => keys.has(key));
  const shown = selected === undefined ? listed : [selected];
  if (parts !== undefined) fitToPlots(parts.page, shown);
}

interface ToolProps {
  readonly children: ComponentChildren;
  /** Name of a button that shows only an icon. */
  readonly label?: string;
  readonly text?: string;
  readonly isMain?: boolean;
  readonly isDisabled?: boolean;
  readonly isPressed?: boolean;
  readonly onPress: (event: MouseEvent) => void;
}

/** A button with an icon of 20 by 20. */
function Tool({ children, label, text, isMain, isDisabled, isPressed, onPress }: ToolProps): JSX.Element {
  return (
    <button
      type="button"
      class={isMain ? "map-tool map-tool-main" : "map-tool"}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={onPress}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true">
        {children}
      </svg>
      {text !== undefined && <span class="map-tool-text">{text}</span>}
    </button>
  );
}
