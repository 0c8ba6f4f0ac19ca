import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WorkMeter } from "../../base/work-meter.ts";
import { createLikeMatcher } from "./like.ts";

/** The same meaning as a regular expression over code points. */
function toRegExp(pattern: string): RegExp {
  const source = Array.from(pattern.matchAll(/\\([\s\S])|([\s\S])/gu), ([, escaped, plain]) => {
    if (escaped !== undefined) return escapeCharacter(escaped);
    return plain === "%" ? "[\\s\\S]*" : plain === "_" ? "[\\s\\S]" : escapeCharacter(plain ?? "");
  });
  return new RegExp(`^(?:${source.join("")})$`, "u");
}

function escapeCharacter(character: string): string {
  return Array.from(character, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`).join("");
}

describe("likeMatcher", () => {
  it.each([
    ["a%", "abc", true],
    ["a%", "ba", false],
    ["%", "", true],
    ["", "", true],
    ["", "a", false],
    ["_", "", false],
    ["_", "😀", true],
    ["a\\%", "a%", true],
    ["a\\%", "ab", false],
    ["a\\\\", "a\\", true],
    ["a\\", "a\\", true],
    ["%ab%cd%", "xxabyycdzz", true],
    ["%ab%cd", "abcdabc", false],
    ["%a_c", "abcabc", true],
    ["a%%", "a", true],
    ["%%%", "", true],
  ])("%j against %j is %s", (pattern, text, expected) => {
    expect(createLikeMatcher(pattern)(text, new WorkMeter())).toBe(expected);
  });

  it("agrees with a regular expression on short patterns and texts", () => {
    const symbols = fc.constantFrom("a", "b", "%", "%", "_", "\\", "😀");
    const words = fc.array(symbols, { maxLength: 8 }).map((found) => found.join(""));
    fc.assert(
      fc.property(words, words, (pattern, text) => {
        // A trailing backslash stands for itself; the expression above reads it so only when doubled.
        const doubled = /(?<!\\)(?:\\\\)*\\$/.test(pattern) ? `${pattern}\\` : pattern;
        expect(createLikeMatcher(pattern)(text, new WorkMeter())).toBe(toRegExp(doubled).test(text));
      }),
      { seed: 20266, numRuns: 1000 },
    );
  });

  it("does not blow up on a pattern made to", () => {
    const matches = createLikeMatcher(`${"%a".repeat(127)}b`);
    const meter = new WorkMeter(Infinity);
    expect(matches("a".repeat(20_000), meter)).toBe(false);
    // A few units a character: what fails at the end of the text has been compared once.
    expect(meter.counted).toBeLessThan(20_000 * 130 * 10);
  });
});
