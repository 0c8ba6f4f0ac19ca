/** How a language writes numbers and dates. */
export interface NumberAndDateForms {
  readonly decimalMark: string;
  /** What stands between thousands. */
  readonly groupMark: string;
  /** How many digits before its decimals a number has at least for its thousands to be apart. */
  readonly leastGrouped: number;
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

/** Numbers, measures, places and dates as a language writes them: the same on every host. */
export class Formats {
  readonly #forms: NumberAndDateForms;

  constructor(forms: NumberAndDateForms) {
    this.#forms = forms;
  }

  /** Square metres for people: hectares from one up. */
  area(squareMeters: number): string {
    if (squareMeters === 0) return "0 m²";
    if (squareMeters < 10_000) return `${this.decimal(squareMeters, 2)} m²`;
    return `${this.decimal(squareMeters / 10_000, 2)} ha`;
  }

  /** Metres for people: kilometres from one up. */
  distance(meters: number): string {
    const [value, unit] = meters < 1000 ? [meters, "m"] : [meters / 1000, "km"];
    return `${this.decimal(value, Number.isInteger(value) ? 0 : meters < 1000 ? 1 : 2)} ${unit}`;
  }

  /** A share of one in percent; a little is never shown as nothing, nor almost all as all. */
  share(ratio: number): string {
    const percent = ratio * 100;
    if (percent === 0 || percent === 100) return `${percent} %`;
    if (percent > 0 && percent < 0.01) return `<${this.decimal(0.01, 2)} %`;
    if (percent < 100 && percent > 99.99) return `>${this.decimal(99.99, 2)} %`;
    return `${this.decimal(percent, 2)} %`;
  }

  /** A whole number, or one with all its digits. */
  plain(value: number): string {
    if (Number.isInteger(value)) return this.decimal(value, 0);
    return String(value).replace(".", this.#forms.decimalMark);
  }

  /** A decimal with thousands apart and no more digits than asked. */
  decimal(value: number, digits: number): string {
    if (Math.abs(value) >= 1e21) return String(value);
    const { decimalMark, groupMark, leastGrouped } = this.#forms;
    const [whole, fraction] = value.toFixed(digits).split(".");
    const isGrouped = whole!.replace("-", "").length >= leastGrouped;
    // No number is written with more than 21 digits before its point.
    const grouped = isGrouped ? whole!.replace(/\B(?=(?:\d{3}){1,7}$)/g, groupMark) : whole!;
    return fraction === undefined ? grouped : `${grouped}${decimalMark}${fraction}`;
  }

  /** An ISO 8601 UTC timestamp in words, to the minute; as it is where it is none. */
  instant(instant: string): string {
    const [, date, time] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):/.exec(instant) ?? [];
    return date === undefined || time === undefined ? instant : this.#forms.instant(this.day(date), time);
  }

  /** The day of an ISO 8601 date or timestamp in words. */
  day(instant: string): string {
    const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(instant) ?? [];
    const name = this.#forms.months[Number(month) - 1];
    return name === undefined ? instant : this.#forms.day(Number(day), name, year!);
  }

  /** Coordinates of a place, five decimals: a metre or so. */
  place(lon: number, lat: number): string {
    const { north, south, east, west } = this.#forms.compass;
    const turned = ((((lon + 180) % 360) + 360) % 360) - 180;
    const degrees = (value: number): string => `${this.decimal(Math.abs(value), 5)}°`;
    return `${degrees(lat)} ${lat < 0 ? south : north}, ${degrees(turned)} ${turned < 0 ? west : east}`;
  }
}
