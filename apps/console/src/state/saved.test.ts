import { describe, expect, it } from "vitest";
import { askBeforeLoss, savedPlots } from "./saved.ts";
import { addPlots, changePlots, plots, removePlots } from "./store.ts";

describe("leaving the page", () => {
  it("is a question exactly while there are plots that changed since they were saved", () => {
    plots.value = [];
    const target = new EventTarget();
    askBeforeLoss(target);
    const isQuestion = (): boolean => !target.dispatchEvent(new Event("beforeunload", { cancelable: true }));
    expect(isQuestion()).toBe(false);
    const plot = { geometry: undefined, properties: {}, origin: "test", state: { kind: "new" } } as const;
    const { key } = addPlots([{ ...plot, id: "a", input: {} }])[0]!;
    expect(isQuestion()).toBe(true);
    savedPlots.value = plots.peek();
    expect(isQuestion()).toBe(false);
    changePlots(new Map([[key, { input: { facts: { commodity: "cocoa" } } }]]));
    expect(isQuestion()).toBe(true);
    savedPlots.value = plots.peek();
    changePlots(new Map([[key, { state: { kind: "asking" } }]]));
    expect(isQuestion()).toBe(true);
    removePlots(new Set([key]));
    expect(isQuestion()).toBe(false);
  });
});
