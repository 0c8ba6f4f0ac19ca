import { FIGURES, type FigureLanguage, Figures } from "./figures.ts";

/** How a language writes dates and places. */
export interface DateForms {
  /** From January on. */
  readonly months: readonly string[];
  readonly day: (day: number, month: string, year: string) => string;
  readonly instant: (day: string, time: string) => string;
  readonly compass: {
    readonly north: string;
    readonly south: string;
    readonly east: string;
    readonly west: string;
  };
}

/** A count as it is shown, with the word for one or for many. */
export function formatCountWithNoun(count: number, shown: string, one: string, many = `${one}s`): string {
  return `${shown} ${count === 1 ? one : many}`;
}

/** Numbers, measures, places and dates as a language writes them: the same on every host. */
export class Formats extends Figures {
  readonly #dates: DateForms;

  constructor(language: FigureLanguage, forms: DateForms) {
    super(FIGURES[language].forms);
    this.#dates = forms;
  }

  /** An ISO 8601 UTC timestamp in words, to the minute; as it is where it is none. */
  instant(instant: string): string {
    const [, date, time] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):/.exec(instant) ?? [];
    return date === undefined || time === undefined ? instant : this.#dates.instant(this.day(date), time);
  }

  /** The day of an ISO 8601 date or timestamp in words. */
  day(instant: string): string {
    const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(instant) ?? [];
    const name = this.#dates.months[Number(month) - 1];
    return name === undefined ? instant : this.#dates.day(Number(day), name, year!);
  }

  /** Coordinates of a place; five decimals are a metre or so. */
  place(lon: number, lat: number, decimals = 5): string {
    const { north, south, east, west } = this.#dates.compass;
    const turned = ((((lon + 180) % 360) + 360) % 360) - 180;
    const degrees = (value: number): string =>
      `${this.decimal(Number(Math.abs(value).toFixed(decimals)), decimals)}°`;
    return `${degrees(lat)} ${lat < 0 ? south : north}, ${degrees(turned)} ${turned < 0 ? west : east}`;
  }
}
