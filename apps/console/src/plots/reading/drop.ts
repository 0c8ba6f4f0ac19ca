import { type Signal, signal } from "@preact/signals";
import { readPlotsFromFiles, readPlotsFromText } from "./read-files.ts";

/** True while something that the page could accept is dragged over it. */
export const isDragged: Signal<boolean> = signal(false);

/** Accepts files that are dropped anywhere on the page, and text that is pasted outside of any field. */
export function listenForPlots(): void {
  addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files") !== true) return;
    event.preventDefault();
    isDragged.value = true;
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) isDragged.value = false;
  });
  addEventListener("drop", (event) => {
    isDragged.value = false;
    // Another part of the page has accepted them: snapshots or tests.
    if (event.defaultPrevented) return;
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    readPlotsFromFiles(files);
  });
  addEventListener("paste", (event) => {
    const { target } = event;
    if (target instanceof Element && target.closest("input, textarea, [contenteditable]") !== null) return;
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (files.length > 0) readPlotsFromFiles(files);
    else if (text.trim() !== "") readPlotsFromText(text);
  });
}
