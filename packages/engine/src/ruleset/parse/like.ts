import type { WorkMeter } from "../../base/work-meter.ts";

/** Units of work of a character taken from a text, and of a step of the comparison. */
const CHARACTER_UNITS = 10;
const STEP_UNITS = 2;

/**
 * A matcher of whole texts against a pattern of CQL2's `like`: `%` stands for any run of
 * characters, `_` for one (a code point), `\` takes the next character as it is.
 *
 * A text costs at most its length times the pattern's: when a match fails, only the latest `%` takes
 * one character more, and those before it never need to.
 *
 * Matchers fail: `GEOMETRY_TOO_COMPLEX` where the meter has too little left.
 */
export function createLikeMatcher(pattern: string): (text: string, meter: WorkMeter) => boolean {
  const tokens = parseLikePattern(pattern);
  return (text, meter) => {
    meter.add(CHARACTER_UNITS * text.length);
    return matches(tokens, Array.from(text), meter);
  };
}

const ANY_RUN = Symbol("%");
const ANY_ONE = Symbol("_");
type Token = string | typeof ANY_RUN | typeof ANY_ONE;

function parseLikePattern(pattern: string): readonly Token[] {
  const tokens: Token[] = [];
  const characters = Array.from(pattern);
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i]!;
    if (character === "\\" && i + 1 < characters.length) tokens.push(characters[++i]!);
    else if (character === "%") tokens.push(ANY_RUN);
    else tokens.push(character === "_" ? ANY_ONE : character);
  }
  return tokens;
}

function matches(tokens: readonly Token[], text: readonly string[], meter: WorkMeter): boolean {
  let at = 0;
  let token = 0;
  let afterRun = -1;
  let runEnd = 0;
  while (at < text.length) {
    meter.add(STEP_UNITS);
    const expected = tokens[token];
    if (expected === ANY_RUN) {
      token++;
      afterRun = token;
      runEnd = at;
    } else if (token < tokens.length && (expected === ANY_ONE || expected === text[at])) {
      token++;
      at++;
    } else if (afterRun >= 0) {
      runEnd++;
      at = runEnd;
      token = afterRun;
    } else return false;
  }
  while (tokens[token] === ANY_RUN) token++;
  return token === tokens.length;
}
