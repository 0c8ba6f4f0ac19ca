import { describe, expect, it } from "vitest";
import type { Position } from "./coordinates.ts";
import { KeyboardDrawing } from "./keyboard-drawing.ts";

/** A map on which one pixel is one degree. */
class Hand {
  readonly drawing = new KeyboardDrawing();
  at: Position = [0, 0];

  press(key: string, isShifted = false) {
    const step = this.drawing.press(key, isShifted, this.at, ([x, y]) =>
      Math.hypot(x - this.at[0], y - this.at[1]),
    );
    if (step?.kind === "move") this.at = [this.at[0] + step.right, this.at[1] - step.down];
    return step;
  }
}

describe("KeyboardDrawing", () => {
  it("draws a triangle that its first corner closes", () => {
    const hand = new Hand();
    for (const key of ["Enter", "ArrowRight", " ", "ArrowUp", "Enter", "ArrowLeft", "ArrowDown"])
      hand.press(key);
    expect(hand.press("Enter")).toEqual({
      kind: "finished",
      corners: [
        [0, 0],
        [40, 0],
        [40, 40],
      ],
    });
  });

  it("finishes where the last corner is set a second time", () => {
    const hand = new Hand();
    for (const key of ["Enter", "ArrowRight", "Enter", "ArrowUp", "Enter"]) hand.press(key);
    expect(hand.press(" ")).toMatchObject({ kind: "finished" });
  });

  it("sets no corner twice in one place, and finishes nothing with two", () => {
    const hand = new Hand();
    hand.press("Enter");
    expect(hand.press("Enter")).toEqual({ kind: "same-corner" });
    expect(hand.drawing.finish()).toMatchObject({ kind: "too-few" });
    expect(hand.drawing.corners).toHaveLength(1);
  });

  it("takes corners back one by one", () => {
    const hand = new Hand();
    hand.press("Enter");
    hand.press("ArrowRight");
    hand.press("Enter");
    expect(hand.press("Backspace")).toEqual({ kind: "taken-back", corners: [[0, 0]] });
    expect(hand.press("Backspace")).toEqual({ kind: "taken-back", corners: [] });
    expect(hand.press("Backspace")).toEqual({ kind: "nothing-to-take-back" });
  });

  it("moves in fine steps with Shift, cancels with Escape and leaves other keys to the page", () => {
    const hand = new Hand();
    expect(hand.press("ArrowDown", true)).toEqual({ kind: "move", right: 0, down: 4 });
    expect(hand.press("Escape")).toEqual({ kind: "cancelled" });
    expect(hand.press("Tab")).toBeUndefined();
  });
});
