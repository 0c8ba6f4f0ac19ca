import { type Signal, signal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { figures, words } from "../languages/language.ts";
import { ExamplePlot } from "../map/drawing/ExamplePlot.tsx";
import { openedMap } from "../map/map-session.ts";
import { mode } from "../map/map-state.ts";
import { announce } from "../state/announcement.ts";
import { notice } from "../state/notice.ts";
import { plots } from "../state/store.ts";
import { actions, undoLastAction } from "../state/undo.ts";
import { isKeepingWanted } from "./kept/opt-in.ts";
import { cancelReading, fileProblems, reading, readPlotsFromFiles } from "./reading/read-files.ts";
import "./plots.css";

const isPasting: Signal<boolean> = signal(false);
/** Views of the list, of files and of pasted text: loaded with the first plot. */
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
  const keepSwitch = kept !== undefined && <kept.KeepSwitch />;
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
      {count === 0 ? (
        <p class="plots-empty">{say.plotsEmpty}</p>
      ) : (
        parts !== undefined && <parts.Listed>{keepSwitch}</parts.Listed>
      )}
      {count === 0 && keepSwitch}
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
          {say.plotsReading(now.file, figures.value.plain(now.plots))}{" "}
          <button type="button" onClick={cancelReading}>
            {say.appCancel}
          </button>
        </p>
      )}
      {parts !== undefined && <parts.FileProblems />}
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
