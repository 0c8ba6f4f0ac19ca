import { type Signal, signal } from "@preact/signals";

/** The text for screen readers about the map. The number makes a repeated text announced again. */
export const announcement: Signal<{ readonly text: string; readonly number: number }> = signal({
  text: "",
  number: 0,
});

export function announce(text: string): void {
  announcement.value = { text, number: announcement.peek().number + 1 };
}
