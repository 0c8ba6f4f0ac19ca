/** How a language writes numbers. */
export interface NumberForms {
  /** Mark before the decimals. */
  readonly decimalMark: string;
  /** Mark between thousands. */
  readonly groupMark: string;
  /** How many digits before its decimals a number has at least for its thousands to be apart. */
  readonly leastGrouped: number;
}

/** How a language writes numbers, dates and places. */
export interface Forms {
  readonly numbers: NumberForms;
  /** From January on. */
  readonly months: readonly string[];
  /** Months in short, from January on. */
  readonly shortMonths: readonly string[];
  readonly day: (day: number, month: string, year: string) => string;
  /** A day with its month in short. */
  readonly shortDay: (day: number, month: string, year: string) => string;
  readonly instant: (day: string, time: string) => string;
  readonly compass: Compass;
  /** Forms of regions that write otherwise, by the tag of language and region: `en-US`. */
  readonly regions?: Readonly<Record<string, Partial<Forms>>>;
}

/** Letters of north, south, east and west. */
export interface Compass {
  readonly n: string;
  readonly s: string;
  readonly e: string;
  readonly w: string;
}
