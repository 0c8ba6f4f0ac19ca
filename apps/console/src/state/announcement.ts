import { type Signal, signal } from "@preact/signals";

/** What a screen reader is told of the map. The number makes the same text news again. */
export const announcement: Signal<{ readonly text: string; readonly number: number }> = signal({
  text: "",
  number: 0,
});

export function announce(text: string): void {
  announcement.value = { text, number: announcement.peek().number + 1 };
}
