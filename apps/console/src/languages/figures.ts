import { FIGURES, type Figures } from "@groundrule/words/figures";
import { computed, type ReadonlySignal } from "@preact/signals";
import { language } from "./language.ts";

/** Formats numbers and measures in the chosen language. */
export const figures: ReadonlySignal<Figures> = computed(() => FIGURES[language.value]);

/** Formats the day of an instant, in UTC. */
export function formatDay(instant: string): string {
  return new Date(instant).toLocaleDateString(language.value, { dateStyle: "medium", timeZone: "UTC" });
}

/** Formats a number of days, as an age. */
export function formatDays(count: number): string {
  return formatCountWithUnit(count, "day");
}

export function formatSeconds(count: number): string {
  return formatCountWithUnit(count, "second");
}

function formatCountWithUnit(count: number, unit: "day" | "second"): string {
  return new Intl.NumberFormat(language.value, { style: "unit", unit, unitDisplay: "long" }).format(count);
}
