import { presets } from "@groundrule/data/rulesets";
import { parseRuleset, rulesetDigest } from "@groundrule/engine/rulesets";
import { describe, expect, it } from "vitest";
import { runInProcess } from "../../../test/in-process.ts";

const digestOf = (ruleset: string | object) => rulesetDigest(parseRuleset(ruleset));

describe.each([...presets()])("groundrule rulesets format %s", (name, preset) => {
  it("prints the preset with its filters as text, which is the same ruleset", async () => {
    const text = await runInProcess(["rulesets", "format", name, "--as", "text"]);
    expect(text).toMatchObject({ code: 0, err: "" });
    expect(text.out).not.toContain('"op": "and"');
    expect(digestOf(text.out)).toBe(digestOf(preset));
    const json = await runInProcess(["rulesets", "format", "--as", "json"], { input: text.out });
    expect(digestOf(json.out)).toBe(digestOf(preset));
    expect(json.out).not.toMatch(/"where": "/);
    const again = await runInProcess(["rulesets", "format", "--as", "text"], { input: json.out });
    expect(again.out).toBe(text.out);
    for (const line of text.out.split("\n").filter((each) => each.includes("{ "))) {
      expect(line.length).toBeLessThanOrEqual(100);
    }
  });
});
