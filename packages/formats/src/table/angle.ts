import { isDecimal } from "../values.ts";

/** Signs that stand for another: minus signs, marks of degrees, minutes and seconds, and unusual spaces. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/[\u00a0\u2007\u2009\u202f\u3000]/g, " "],
  [/[\u2212\u2010-\u2015\ufe63\uff0d]/g, "-"],
  [/\u00c2(?=[°º´])/g, ""],
  [/[º˚]/g, "°"],
  [/[″”“„]/g, '"'],
  [/[′’‘´`‛]/g, "'"],
  [/''/g, '"'],
];

/** A text with one sign for each meaning. */
export function normalizeAngleSigns(text: string): string {
  let plain = text;
  // Most cells have none of them.
  if (/[^ -~]|['"`]/.test(plain)) for (const [sign, meant] of SIGNS) plain = plain.replace(sign, meant);
  return plain.trim();
}

/** A side of the equator or the meridian. */
interface Side {
  readonly axis: "x" | "y";
  readonly sign: 1 | -1;
}

/** Sides in en, pt, es, fr and id; `O` is west in all of those that have it. */
const SIDES: ReadonlyMap<string, Side> = new Map(
  (
    [
      [["N", "NORTH", "NORTE", "NORD", "LU", "UTARA"], "y", 1],
      [["S", "SOUTH", "SUL", "SUR", "SUD", "LS", "SELATAN"], "y", -1],
      [["E", "EAST", "ESTE", "LESTE", "EST", "L", "BT", "TIMUR"], "x", 1],
      [["W", "WEST", "OESTE", "OUEST", "O", "BB", "BARAT"], "x", -1],
    ] as const
  ).flatMap(([words, axis, sign]) => words.map((word) => [word, { axis, sign }] as const)),
);

/** A coordinate that was read from a text. */
export interface Angle {
  readonly degrees: number;
  /** The axis that a letter or word of the text states. */
  readonly axis?: "x" | "y";
  /** True if it is in degrees, minutes and seconds, or has a letter. */
  readonly isMarked: boolean;
}

const NUMBER = "(\\d+(?:[.,]\\d+)?)";
const DEGREES = new RegExp(
  `^([-+]?) ?${NUMBER} ?(?:(?:°|D|DEG|:| ) ?(?:${NUMBER} ?(?:(?:'|M|MIN|:| ) ?(?:${NUMBER} ?(?:"|S|SEC|SEG)?)?)?)?)?$`,
);

/**
 * Reads a coordinate: `-55.245`, `55°14'42.4"W`, `S 6 34 48.8`, `6°34.81' S`, `6,580234 S`.
 *
 * @returns a text that says what is wrong with it; undefined where it has not the form of one
 */
export function parseAngle(text: string): Angle | string | undefined {
  const plain = normalizeAngleSigns(text);
  if (isDecimal(plain)) return { degrees: Number(plain), isMarked: false };
  if (plain.length > 60) return undefined;
  const { side, rest: written } = splitSideLetter(plain.toUpperCase());
  // `55-14-42.4W`: with a letter, a hyphen between digits is no sign.
  const rest = side === undefined ? written : written.replace(/(?<=\d)-(?=\d)/g, " ");
  const parts = DEGREES.exec(rest.replace(/ +/g, " ").trim());
  if (parts === null) return undefined;
  const [, sign, ...numbers] = parts as unknown as [string, string, ...(string | undefined)[]];
  const values = numbers.filter((number) => typeof number === "string");
  const isMarked = /[°'":DM]/.test(rest) || values.length === 3;
  // Two numbers may be two coordinates, and one with a comma may have thousands.
  if (side === undefined && !isMarked) return undefined;
  const [degrees, minutes = 0, seconds = 0] = values.map((number) => Number(number.replace(",", ".")));
  if (values.slice(0, -1).some((number) => /[.,]/.test(number))) {
    return "a fraction before its last part";
  }
  if (minutes >= 60) return `${minutes} minutes, which are 60 or more`;
  if (seconds > 60) return `${seconds} seconds, which are more than 60`;
  const size = degrees! + minutes / 60 + seconds / 3600;
  if (side === undefined) return { degrees: sign === "-" ? -size : size, isMarked };
  if (sign === "-" && side.sign === 1) return "a minus sign with a letter of the north or the east";
  return { degrees: side.sign * size, axis: side.axis, isMarked: true };
}

function splitSideLetter(text: string): { readonly side: Side | undefined; readonly rest: string } {
  const first = /^([A-Z]+)\.? ?(?=[-+\d])/.exec(text);
  const leading = first === null ? undefined : SIDES.get(first[1]!);
  if (leading !== undefined) return { side: leading, rest: text.slice(first![0].length) };
  const last = /[ \d°'".]([A-Z]+)\.?$/.exec(text);
  const trailing = last === null ? undefined : SIDES.get(last[1]!);
  if (trailing === undefined) return { side: undefined, rest: text };
  const rest = text.slice(0, text.lastIndexOf(last![1]!)).trim();
  // `6d34m48s`: the letter is that of the seconds.
  if (last![1] === "S" && /^[^D]*D[^M]*M.*\d$/.test(rest)) return { side: undefined, rest: text };
  return { side: trailing, rest };
}

/** True if a text is a number with a decimal comma. */
export function hasDecimalComma(text: string): boolean {
  return /^[-+]?[0-9]+,[0-9]+$/.test(text);
}

/**
 * True if a text is a coordinate in degrees whose decimal sign a spreadsheet took for one of thousands: `-55.245.123`,
 * `-55,245,123`, `-55245123`. Metres of most grids are not, which have no sign and six or seven digits.
 */
export function hasLostDecimal(text: string): boolean {
  if (/^[-+]?\d{1,3}(?:([.,\u00a0 ])\d{3})(?:\1\d{3})+$/.test(text)) return true;
  const whole = /^([-+]?)(\d+)$/.exec(text);
  if (whole === null) return false;
  const [, sign, digits] = whole as unknown as [string, string, string];
  return digits.length > 7 || (sign === "-" && digits.length >= 4);
}
