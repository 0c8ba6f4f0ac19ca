/** The meaning of a cell's number by its format. */
export interface CellFormat {
  readonly kind: "number" | "date";
  /** Digits that a whole number has at least, zeros before it: `00000`. */
  readonly digits?: number;
}

export const GENERAL: CellFormat = { kind: "number" };

/**
 * The format of a number.
 *
 * @param id of a format that every workbook has, or of one of its own
 * @param code its own
 *
 * Source: ECMA-376, part 1, section 18.8.30.
 */
export function parseCellFormat(id: number, code: string | undefined): CellFormat {
  if (code === undefined) {
    const isDate =
      (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
    return isDate ? { kind: "date" } : GENERAL;
  }
  const [first = ""] = code.split(";");
  if (/^0{2,}$/.test(first)) return { kind: "number", digits: first.length };
  const bare = first
    .replace(/"[^"]*"/g, "")
    .replace(/\\./g, "")
    .replace(/[_*]./g, "")
    .replace(/\[(?!h+\]|m+\]|s+\])[^\][]*\]/gi, "");
  return /[ymdhs]/i.test(bare) && !/general/i.test(bare) ? { kind: "date" } : GENERAL;
}

const DAY_MS = 86_400_000;
/** Days before 1900-03-01 are one less: the format has a 29 February 1900. */
const LEAP_DAY = 60;

/** A number of days as ISO 8601: a day, a day with its time, or a time alone. */
export function toIsoDate(days: number, is1904: boolean): string | undefined {
  if (!Number.isFinite(days) || days < 0 || days > 2_958_466) return undefined;
  const base = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < LEAP_DAY ? 31 : 30);
  const time = new Date(base + Math.round(days * DAY_MS)).toISOString().slice(0, 19);
  if (days < 1 && !is1904) return time.slice(11);
  return time.endsWith("T00:00:00") ? time.slice(0, 10) : time;
}
