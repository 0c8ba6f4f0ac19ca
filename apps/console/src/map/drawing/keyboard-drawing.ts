import type { Position } from "./coordinates.ts";

/** The state of keyboard drawing after a key. */
export type KeyboardStep =
  | { readonly kind: "corner"; readonly corners: readonly Position[] }
  | { readonly kind: "taken-back"; readonly corners: readonly Position[] }
  | { readonly kind: "nothing-to-take-back" }
  | { readonly kind: "same-corner" }
  | { readonly kind: "too-few"; readonly corners: readonly Position[] }
  | { readonly kind: "finished"; readonly corners: readonly Position[] }
  | { readonly kind: "cancelled" }
  | { readonly kind: "move"; readonly right: number; readonly down: number };

/** CSS pixels that an arrow key moves the crosshair, and with Shift. */
const STEP = 40;
const FINE_STEP = 4;
/** Distance in CSS pixels at which the crosshair counts as on a corner. */
const NEAR = 12;

const ARROWS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Drawing without a pointer: a crosshair is at the middle of the map and the arrow keys move the map below it. Space or
 * Enter sets a corner; on the first corner, or twice on the last, it finishes the plot. Backspace removes the last
 * corner and Escape cancels.
 */
export class KeyboardDrawing {
  #corners: readonly Position[] = [];

  get corners(): readonly Position[] {
    return this.#corners;
  }

  /**
   * Handles a key; `undefined` for keys without a meaning here.
   *
   * @param centre the position below the crosshair
   * @param pixelsFromCentre returns a position's distance from the crosshair, in CSS pixels
   */
  press(
    key: string,
    isShifted: boolean,
    centre: Position,
    pixelsFromCentre: (position: Position) => number,
  ): KeyboardStep | undefined {
    const arrow = ARROWS[key];
    if (arrow !== undefined) {
      const step = isShifted ? FINE_STEP : STEP;
      return { kind: "move", right: arrow[0] * step, down: arrow[1] * step };
    }
    if (key === " " || key === "Enter") return this.#set(centre, pixelsFromCentre);
    if (key === "Backspace" || key === "Delete") return this.takeBack();
    if (key === "Escape") return { kind: "cancelled" };
    return undefined;
  }

  #set(centre: Position, pixelsFromCentre: (position: Position) => number): KeyboardStep {
    const first = this.#corners[0];
    const last = this.#corners.at(-1);
    const isOnFirst = first !== undefined && pixelsFromCentre(first) <= NEAR;
    const isOnLast = last !== undefined && pixelsFromCentre(last) <= NEAR / 6;
    if (this.#corners.length >= 3 && (isOnFirst || isOnLast)) return this.finish();
    if (isOnLast) return { kind: "same-corner" };
    this.#corners = [...this.#corners, centre];
    return { kind: "corner", corners: this.#corners };
  }

  /** Finishes with the corners set so far, if there are at least three. */
  finish(): KeyboardStep {
    if (this.#corners.length < 3) return { kind: "too-few", corners: this.#corners };
    return { kind: "finished", corners: this.#corners };
  }

  /** Removes the last corner, if there is one. */
  takeBack(): KeyboardStep {
    if (this.#corners.length === 0) return { kind: "nothing-to-take-back" };
    this.#corners = this.#corners.slice(0, -1);
    return { kind: "taken-back", corners: this.#corners };
  }
}
