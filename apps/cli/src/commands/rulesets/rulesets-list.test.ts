import { presetVersions } from "@groundrule/data/rulesets";
import { createFolderForEach } from "@groundrule/testing/folder";
import { describe, expect, it } from "vitest";
import { matchFailedExit, parseJsonLines, runInProcess } from "../../../test/in-process.ts";

const { at } = createFolderForEach();

describe("rulesets list", () => {
  it("lists every preset with its versions, each of which is a name of --ruleset", async () => {
    const { code, out } = await runInProcess(["rulesets", "list"]);
    expect(code).toBe(0);
    const listed = parseJsonLines(out).flatMap(({ name, versions }) =>
      (versions as number[]).map((version) => `${name}@${version}`),
    );
    const inForce = new Set(parseJsonLines(out).map(({ name }) => name));
    const published = presetVersions().filter(({ name }) => inForce.has(name));
    expect(listed.sort()).toEqual(published.map(({ name, version }) => `${name}@${version}`).sort());
    expect(listed.length).toBeGreaterThan(20);
  });

  it("is what a message falls back on: a preset without its prefix, or misspelt, is named", async () => {
    const { out } = await runInProcess(["rulesets", "list"]);
    for (const { name } of parseJsonLines(out)) {
      const bare = String(name).replace("preset.", "");
      for (const typed of [bare, `preset/${bare}`, `${bare}s`]) {
        const { code, err } = await runInProcess(["lint", "--ruleset", typed, "--data", at()]);
        expect({ code, err }).toEqual(matchFailedExit(3, `no such file; did you mean the preset ${name}?`));
      }
    }
    const { err } = await runInProcess(["lint", "my-policy", "--data", at()]);
    expect(err).not.toContain("did you mean");
  });
});

it("lint takes its ruleset as FILE or as --ruleset, and not as both", async () => {
  for (const [args, message] of [
    [["preset.mining", "--ruleset", "preset.eudr"], "found both FILE and --ruleset"],
    [[], "found neither FILE nor --ruleset"],
  ] as const) {
    const { code, err } = await runInProcess(["lint", ...args, "--data", at()]);
    expect({ code, err }).toEqual(matchFailedExit(2, message));
  }
});
