import { Figures } from "./figures.ts";
import type { Compass, Forms } from "./forms.ts";

/** A count as it is shown, with the word for one or for many. */
export function formatCountWithNoun(count: number, shown: string, one: string, many = `${one}s`): string {
  return `${shown} ${count === 1 ? one : many}`;
}

/** Numbers, measures, places and dates as a language writes them: the same on every host. */
export class Formats extends Figures {
  readonly #forms: Forms;

  /** @param locale of a reader, whose region may write dates in its own way; absent: as most regions do */
  constructor(forms: Forms, locale = "") {
    const regional = { ...forms, ...forms.regions?.[locale] };
    super(regional.numbers);
    this.#forms = regional;
  }

  get compass(): Compass {
    return this.#forms.compass;
  }

  /** An ISO 8601 UTC timestamp in words, to the minute; as it is where it is none. */
  instant(instant: string): string {
    const [, date, time] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):/.exec(instant) ?? [];
    return date === undefined || time === undefined ? instant : this.#forms.instant(this.day(date), time);
  }

  /** The day of an ISO 8601 date or timestamp in words; as it is where it is none. */
  day(instant: string): string {
    return writeDay(instant, this.#forms.months, this.#forms.day);
  }

  /** The same with its month in short. */
  shortDay(instant: string): string {
    return writeDay(instant, this.#forms.shortMonths, this.#forms.shortDay);
  }

  /** Coordinates of a place; five decimals are a metre or so. */
  place(lon: number, lat: number, decimals = 5): string {
    const { n, s, e, w } = this.compass;
    const turned = ((((lon + 180) % 360) + 360) % 360) - 180;
    const degrees = (value: number): string =>
      `${this.decimal(Number(Math.abs(value).toFixed(decimals)), decimals)}°`;
    return `${degrees(lat)} ${lat < 0 ? s : n}, ${degrees(turned)} ${turned < 0 ? w : e}`;
  }
}

function writeDay(instant: string, months: readonly string[], write: Forms["day"]): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(instant) ?? [];
  const name = months[Number(month) - 1];
  return name === undefined ? instant : write(Number(day), name, year!);
}
