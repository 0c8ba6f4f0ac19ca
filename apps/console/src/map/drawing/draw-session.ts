import { effect } from "@preact/signals";
import type { Geometry } from "geojson";
import { figures, words } from "../../languages/language.ts";
import { announce } from "../../state/announcement.ts";
import { notice } from "../../state/notice.ts";
import {
  addPlots,
  answerer,
  changePlots,
  choosePlot,
  evaluatePlots,
  plots,
  ruleset,
  selectedPlot,
} from "../../state/store.ts";
import { changePlotsUndoably } from "../../state/undo.ts";
import { runWhenIdle } from "../../state/when-idle.ts";
import { describeDrawingHint, isDark, mode, pointed, zoom } from "../map-state.ts";
import type { PageMap } from "../page-map.ts";
import { computeZoomDecimals, formatPosition, type Position, toPolygon } from "./coordinates.ts";
import { isEditable } from "./editability.ts";
import { convertInputToDegrees } from "./in-degrees.ts";
import { KeyboardDrawing, type KeyboardStep } from "./keyboard-drawing.ts";
import type { PlotDrawing } from "./plot-drawing.ts";

let drawn = 0;

/** Formats a position with the precision of the map's zoom. */
export function formatPositionAtZoom(position: Position): string {
  return formatPosition(position, computeZoomDecimals(zoom.peek()), figures.peek().compass);
}

/** Adds a plot that was drawn or entered, selects it and evaluates it. */
export function addDrawnPlot(geometry: Geometry): void {
  addAndAsk(words.peek().mapDrawnPlot(++drawn), geometry, "drawn");
}

/** Adds a five-cornered example plot, some 2 km across, around a position. */
export function addExamplePlot([longitude, latitude]: Position): void {
  const up = 0.009;
  const aside = up / Math.max(0.1, Math.cos((latitude * Math.PI) / 180));
  const corners = CORNERS.map(([x, y]): Position => [longitude + x * aside, latitude + y * up]);
  addAndAsk(words.peek().mapExamplePlot, toPolygon(corners), "example");
}

const CORNERS: readonly (readonly [number, number])[] = [
  [-1, -0.7],
  [0.2, -1],
  [1.1, -0.4],
  [0.8, 0.8],
  [-0.6, 1],
];

function addAndAsk(id: string, geometry: Geometry, origin: string): void {
  const [plot] = addPlots([
    { id, geometry, properties: {}, input: { geometry }, origin, state: { kind: "new" } },
  ]);
  choosePlot(plot!.key);
  announce(words.peek().mapPlotAdded(id));
  evaluateWhenReady(plot!.key);
}

/** Plots drawn before there was an answerer or a ruleset. */
const unasked = new Set<string>();

function evaluateWhenReady(key: string): void {
  if (answerer.peek() !== undefined && ruleset.peek() !== undefined) evaluatePlots([key]);
  else unasked.add(key);
}

/** Evaluates plots that were drawn too early, as soon as possible; returns a function that stops this. */
export function evaluateWaitingPlots(): () => void {
  return effect(() => {
    if (answerer.value === undefined || ruleset.value === undefined || unasked.size === 0) return;
    const keys = [...unasked];
    unasked.clear();
    evaluatePlots(keys);
  });
}

/** Changes a plot's shape and evaluates it again. */
export function reshapePlot(key: string, geometry: Geometry, input: object | undefined): void {
  const others = convertInputToDegrees(input);
  changePlotsUndoably(
    words.peek().mapPlotChanged(plots.peek().find((plot) => plot.key === key)?.id ?? ""),
    () => changePlots(new Map([[key, { geometry, input: { ...others, geometry }, state: { kind: "new" } }]])),
  );
  evaluatePlots([key]);
}

/** Drawing on the map, by pointer and by keyboard, and changing the selected plot. */
export class DrawSession {
  readonly #page: PageMap;
  /** Absent until its library is loaded. */
  #pointer: PlotDrawing | undefined;
  #keyboard = new KeyboardDrawing();

  constructor(page: PageMap) {
    this.#page = page;
    // Loaded before it is needed: the network may be gone by then.
    runWhenIdle(() => void this.#loadPointer().catch(() => {}));
    page.map.on("move", () => {
      if (mode.peek() === "keyboard") this.#sketch();
    });
  }

  /** @param isByKey true if started by a key instead of a pointer */
  start(isByKey: boolean): void {
    this.#leave();
    this.#page.map.getCanvas().focus();
    if (isByKey) this.#startByKeyboard();
    else {
      mode.value = "drawing";
      this.#byPointer((pointer) =>
        pointer.startDrawing(this.#style, (polygon) => {
          this.#leave();
          addDrawnPlot(polygon);
        }),
      );
      announce(describeDrawingHint()!);
    }
  }

  /** Starts to change the selected plot; false if its shape cannot be changed here. */
  edit(): boolean {
    const geometry = selectedPlot.peek()?.geometry;
    this.#leave();
    if (!isEditable(geometry)) return false;
    mode.value = "editing";
    this.#page.map.getCanvas().focus();
    this.#byPointer((pointer) => pointer.startEditing(this.#style, geometry));
    announce(describeDrawingHint()!);
    return true;
  }

  /** Finishes the drawing or change, as far as possible. */
  finish(): void {
    if (mode.peek() === "keyboard") this.#announce(this.#keyboard.finish());
    else if (mode.peek() === "editing") this.#finishEditing();
    else if (mode.peek() === "drawing" && this.#pointer?.finish() !== true)
      announce(words.peek().mapTooFewCorners(this.#corners));
  }

  /** Removes the last drawn corner. */
  takeBack(): void {
    if (mode.peek() === "keyboard") this.#announce(this.#keyboard.takeBack());
    else announce(words.peek().mapCornerTakenBack(this.#pointer?.takeBack() ?? 0));
  }

  cancel(): void {
    if (mode.peek() === "looking") return;
    this.#leave();
    announce(words.peek().mapDrawCancelled);
  }

  /** Handles a key on the map; returns true if it had an effect. */
  press(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    switch (mode.peek()) {
      case "keyboard":
        return this.#pressDrawing(event);
      case "drawing": {
        if (event.key === "Escape") this.cancel();
        else if (this.#corners === 0 && (event.key.startsWith("Arrow") || event.key === " ")) {
          this.start(true);
          return this.#pressDrawing(event);
        } else return false;
        return true;
      }
      case "editing": {
        if (event.key === "Escape") this.cancel();
        else if (event.key === "Enter") this.#finishEditing();
        else return false;
        return true;
      }
      default:
        return false;
    }
  }

  /** Ends silently, as when the page is closed. */
  close(): void {
    this.#leave();
  }

  /** Number of corners set by the pointer so far. */
  get #corners(): number {
    return this.#pointer?.corners ?? 0;
  }

  async #loadPointer(): Promise<PlotDrawing> {
    const { PlotDrawing } = await import("./plot-drawing.ts");
    this.#pointer ??= new PlotDrawing(this.#page.map);
    return this.#pointer;
  }

  /** Starts once the library is loaded, unless something else was started meanwhile. */
  #byPointer(begin: (pointer: PlotDrawing) => void): void {
    if (this.#pointer !== undefined) {
      begin(this.#pointer);
      return;
    }
    const modeBefore = mode.peek();
    this.#loadPointer().then(
      (pointer) => {
        if (mode.peek() === modeBefore) begin(pointer);
      },
      () => {
        notice.value = words.peek().problemNetwork;
        this.cancel();
      },
    );
  }

  #startByKeyboard(): void {
    this.#keyboard = new KeyboardDrawing();
    mode.value = "keyboard";
    this.#sketch();
    announce(describeDrawingHint()!);
  }

  #pressDrawing({ key, shiftKey }: KeyboardEvent): boolean {
    const page = this.#page;
    const step = this.#keyboard.press(key, shiftKey, page.centre, (at) => page.pixelsFromCentre(at));
    if (step === undefined) return false;
    this.#announce(step);
    return true;
  }

  #announce(step: KeyboardStep): void {
    const say = words.peek();
    switch (step.kind) {
      case "move":
        this.#page.move(step.right, step.down);
        announce(formatPositionAtZoom(this.#page.centre));
        return;
      case "corner":
        announce(say.mapCornerSet(step.corners.length, formatPositionAtZoom(step.corners.at(-1)!)));
        break;
      case "taken-back":
        announce(say.mapCornerTakenBack(step.corners.length));
        break;
      case "nothing-to-take-back":
        announce(say.mapNoCorner);
        break;
      case "same-corner":
        announce(say.mapSameCorner);
        break;
      case "too-few":
        announce(say.mapTooFewCorners(step.corners.length));
        break;
      case "cancelled":
        this.cancel();
        return;
      case "finished":
        this.#leave();
        addDrawnPlot(toPolygon(step.corners.map(roundToSevenDecimals)));
        return;
    }
    this.#sketch();
  }

  #finishEditing(): void {
    const geometry = this.#pointer?.editedGeometry;
    const plot = selectedPlot.peek();
    this.#leave();
    if (geometry === undefined || plot === undefined) return;
    reshapePlot(plot.key, geometry, plot.input);
    announce(words.peek().mapPlotChanged(plot.id));
  }

  #sketch(): void {
    const { centre } = this.#page;
    pointed.value = centre;
    this.#page.showSketch(this.#keyboard.corners, centre);
  }

  #leave(): void {
    this.#pointer?.stop();
    this.#page.showSketch([]);
    mode.value = "looking";
  }

  get #style(): { readonly ink: `#${string}`; readonly paper: `#${string}` } {
    return isDark.peek() ? { ink: "#ffffff", paper: "#14191d" } : { ink: "#14181b", paper: "#ffffff" };
  }
}

/** Seven decimals are 1.1 cm. */
function roundToSevenDecimals([longitude, latitude]: Position): Position {
  return [Number(longitude.toFixed(7)), Number(latitude.toFixed(7))];
}
