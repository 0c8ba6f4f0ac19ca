import { expect, it } from "vitest";
import { pointerInRuleset } from "./pointer-in-ruleset.ts";
import { rangeOf, treeOf } from "./ruleset-text.ts";

it("leads a finding of a service to its value in the text, not to all of it", () => {
  const text = '{"sets": {"a": {"where": "x > 1"}}, "checks": []}';
  const place = (pointer: string): string => {
    const { from, to } = rangeOf(text, treeOf(text), pointerInRuleset(pointer));
    return text.slice(from, to);
  };
  expect(place("/ruleset/sets/a/where")).toBe('"x > 1"');
  expect(place("/sets/a/where")).toBe('"x > 1"');
  expect(place("/ruleset")).toBe(text);
  expect(pointerInRuleset("/rulesets/a")).toBe("/rulesets/a");
});
