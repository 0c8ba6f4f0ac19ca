import { IngestError } from "../ingest-error.ts";

/** Turns a date as a source writes it into `YYYY-MM-DD`, or undefined where the text does not fit. */
export type DateParser = (text: string) => string | undefined;

/**
 * A parser of dates written in a format of `yyyy`, `MM` or `M`, `dd` or `d`, and, read over,
 * `HH`, `mm`, `ss`. Other characters stand for themselves, letters only between single quotes.
 * The whole text must fit; whether the day exists is not looked at.
 *
 * Fails: `MANIFEST_INVALID` for another letter, and unless year, month and day each stand once.
 */
export function compileDateFormat(format: string): DateParser {
  const seen: string[] = [];
  let pattern = "";
  for (const [token, quoted] of format.matchAll(/'([^']*)'|([a-zA-Z])\2*|[^a-zA-Z]/gsu)) {
    const digits = TOKENS.get(token);
    if (digits !== undefined) {
      seen.push(token[0]!);
      pattern += digits;
    } else if (quoted !== undefined) pattern += escapeRegExp(quoted);
    else if (/^[a-zA-Z]/.test(token)) refuseDateFormat(format, `"${token}"`);
    else pattern += escapeRegExp(token);
  }
  for (const part of ["y", "M", "d"]) {
    const count = seen.filter((each) => each === part).length;
    if (count !== 1) refuseDateFormat(format, `${count === 0 ? "no" : "more than one"} ${PARTS.get(part)}`);
  }
  const compiled = new RegExp(`^${pattern}$`, "u");
  return (text) => {
    const found = compiled.exec(text)?.groups;
    if (found === undefined) return undefined;
    const { y, M, d } = found as { y: string; M: string; d: string };
    return `${y}-${M.padStart(2, "0")}-${d.padStart(2, "0")}`;
  };
}

const TOKENS: ReadonlyMap<string, string> = new Map([
  ["yyyy", "(?<y>[0-9]{4})"],
  ["MM", "(?<M>[0-9]{2})"],
  ["M", "(?<M>[0-9]{1,2})"],
  ["dd", "(?<d>[0-9]{2})"],
  ["d", "(?<d>[0-9]{1,2})"],
  ["HH", "[0-9]{2}"],
  ["mm", "[0-9]{2}"],
  ["ss", "[0-9]{2}"],
]);

const PARTS: ReadonlyMap<string, string> = new Map([
  ["y", "year"],
  ["M", "month"],
  ["d", "day"],
]);

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function refuseDateFormat(format: string, found: string): never {
  const expected =
    "yyyy, MM or M, and dd or d, once each; HH, mm and ss are allowed, and other letters in single quotes";
  throw new IngestError(
    "MANIFEST_INVALID",
    `the date format "${format}" has ${found}, expected ${expected}`,
    {
      found,
      expected,
    },
  );
}
