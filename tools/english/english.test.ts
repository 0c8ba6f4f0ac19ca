import { describe, expect, it } from "vitest";
import { findEnglishFaults } from "./check.ts";
import { findTextPlaces } from "./find-places.ts";

const found = (file: string, text: string) =>
  findTextPlaces(file, text).map(({ line, kind, text: each }) => `${kind} ${line} ${each}`);

const SCRIPT = `#!/usr/bin/env node
// Answers of a service.
// What follows continues the sentence above.

/** Of a plot. */
export const areaOf = (plot: Plot): number => plot.area; // that of its outer ring
/**
 * Whether the plot has holes,
 * which it may.
 */
function hasHoles({ told, area: asked }: Plot): void {
  const url = "https://host/* What */" + \`// Who \${/* so many */ told}\`;
  return /\\/* Whoever/.test(url) ? { held: url } : held.given;
}
class Lot { readonly #standingOrders = 1; LOTS_TOTAL = 2; lottery = 3; }
import { given } from "./given.ts";
import { one as toldOne } from "./one.ts";
`;

describe("findTextPlaces", () => {
  it("finds openings of comments and declared names, and neither in texts nor in references", () => {
    expect(found("packages/x/a.ts", SCRIPT)).toEqual([
      "opening 5 Of a plot. */",
      "opening 6 that of its outer ring",
      "of 6 areaOf",
      "opening 7 Whether the plot has holes,",
      "word 11 told",
      "word 11 asked",
      "opening 12 so many */",
      "word 13 held",
      "word 15 Lot",
      "word 15 #standingOrders",
      "word 15 LOTS_TOTAL",
      "word 17 toldOne",
    ]);
  });

  it("takes no text of a page for a comment, and finds those in braces", () => {
    const page = `const a = <p>// What is text{/* What is not */}<b>x</b>/* Who */</p>;`;
    expect(found("a.tsx", page)).toEqual(["opening 1 What is not */"]);
  });

  it("reads comments of style sheets, Python and YAML, and the names of files", () => {
    expect(found("a.css", "p { color: red; }\n/* What is red. */")).toEqual(["opening 2 What is red. */"]);
    expect(found("a.yaml", "# Plots\n# of a set\na: b # whose set it is\n# Of plots")).toEqual([
      "opening 4 Of plots",
    ]);
    const python = `"""Plots."""\n#: Such as one.\ndef f():\n    """What f does."""\n    # Who`;
    expect(found("told-plots/a.py", python)).toEqual([
      "word 1 told-plots/a.py",
      "opening 2 Such as one.",
      'opening 4 What f does."""',
      "opening 5 Who",
    ]);
  });
});

describe("findFaults", () => {
  const places = findTextPlaces("packages/x/a.ts", "/** What it is. */\nconst told = 1, nameOf = 2;");

  it("names each place that has no exception, and leaves names that end in Of", () => {
    expect(findEnglishFaults(places, [])).toEqual([
      expect.stringMatching(/^packages\/x\/a\.ts:1: the comment has no subject.*: What it is\. \*\/$/),
      expect.stringMatching(/^packages\/x\/a\.ts:2: the name has a word.*: told$/),
    ]);
  });

  it("refuses an exception that is not needed any more", () => {
    const reason = "a member of the contract";
    const exceptions = [
      { path: "packages/x/a.ts", text: "told", reason },
      { path: "packages/x", text: "What it is. */", reason },
      { path: "packages/y", text: "told", reason },
    ];
    expect(findEnglishFaults(places, exceptions)).toEqual([
      'packages/y has no "told" any more: the exception can go',
    ]);
  });
});
