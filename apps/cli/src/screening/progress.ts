import { figures } from "../words/figures.ts";
import { summaryOf } from "./results/conclusion.ts";
import type { ScreenTally } from "./results/tally.ts";

/** How far a run is, for a person who watches. */
export class Progress {
  readonly #startedAt = performance.now();
  readonly #bytes: number | undefined;
  readonly #firstByte: number;

  /** @param bytes of the input, where it tells how far it was read; @param firstByte where the run began */
  constructor(bytes: number | undefined, firstByte: number) {
    this.#bytes = bytes;
    this.#firstByte = firstByte;
  }

  /** @param plots answered since the start; @param at byte of the input that was reached */
  text(plots: number, at: number | undefined, tally: ScreenTally): string {
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    const rate = `${figures.decimal(plots, 0)} ${plots === 1 ? "plot" : "plots"}, ${figures.decimal(plots / seconds, 0)} per second`;
    return `${rate}${this.#left(at, seconds)}: ${summaryOf(tally)}`;
  }

  #left(at: number | undefined, seconds: number): string {
    if (this.#bytes === undefined || at === undefined || at <= this.#firstByte) return "";
    const share = figures.share(Math.min(at / Math.max(1, this.#bytes), 1));
    const secondsLeft = (seconds * Math.max(0, this.#bytes - at)) / (at - this.#firstByte);
    return `, ${share}, ${duration(secondsLeft)} left`;
  }
}

/** As people say it: `40 s`, `12 min`, `3 h 5 min`. */
function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
