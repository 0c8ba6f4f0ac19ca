import { inspect } from "node:util";

const MOST_SHOWN = 50;

/** The figures of an experiment where nothing is over what was asked, else an error that shows them all. */
export function requireNothingOver<Figures extends object>(
  figures: Figures,
  over: readonly string[],
): Figures {
  if (over.length === 0) return figures;
  const shown = inspect(figures, { depth: 4, breakLength: 140 });
  throw new Error(`${over.length} over what is asked:\n${over.slice(0, MOST_SHOWN).join("\n")}\n${shown}`);
}

/** @param share 0.5 the median, 1 the greatest; 0 where there are no values */
export function computeQuantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

export function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
