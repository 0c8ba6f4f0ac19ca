import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { computeShortKey } from "../short-key.ts";
import { buildEmptyModule, disableFunctions, removeConstraints, shortenKeys } from "../without-unused.ts";

const packages = join(import.meta.dirname, "../../../packages");
const folderOf = (user: string, library: string): string =>
  dirname(createRequire(join(packages, user, "package.json")).resolve(library));
const zod = join(folderOf("contract", "zod"), "v4/core");

describe("libraries in the page", () => {
  it.each([
    join(zod, "json-schema-processors.js"),
    join(zod, "to-json-schema.js"),
    join(packages, "client/src/jobs.ts"),
    join(packages, "client/src/screen.ts"),
  ])("find all that they import of %s", async (path) => {
    const whole = await import(path);
    const text = buildEmptyModule(readFileSync(path, "utf8"));
    const empty = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    expect(Object.keys(whole).length).toBeGreaterThan(0);
    expect(Object.keys(empty).sort()).toEqual(Object.keys(whole).sort());
  });

  it("leave in the schema of rulesets what an editor proposes", () => {
    const text =
      '{"$schema":"x","properties":{"min":{"type":"number","minimum":0,"description":"d"}},"required":["min"]}';
    expect(removeConstraints(text)).toBe('{"properties":{"min":{"type":"number","description":"d"}}}');
  });

  it.each(["pt", "es"])("have texts of presets in %s by hashes of the English ones", async (tag) => {
    const path = join(packages, "words/src", tag, "presets.ts");
    const { presets } = (await import(path)) as { presets: Readonly<Record<string, string>> };
    const short = shortenKeys(readFileSync(path, "utf8")).replace(/: Readonly<.*> = /, " = ");
    const { presets: found } = await import(`data:text/javascript,${encodeURIComponent(short)}`);
    expect(found).toEqual(
      Object.fromEntries(Object.entries(presets).map(([text, own]) => [computeShortKey(text), own])),
    );
  });

  it("lose the functions that nobody calls, and no other", () => {
    const text = "function one(a) {\n\tif (a) {\n\t}\n}\nfunction two() {\n\treturn 2;\n}\n";
    expect(disableFunctions(text, ["one"])).toBe(
      'function one() { throw new Error("left out of the page"); }\nfunction two() {\n\treturn 2;\n}\n',
    );
    expect(disableFunctions("var arrow = (a) => {\n\treturn a;\n};\nvar other = 1;\n", ["arrow"])).toBe(
      'function arrow() { throw new Error("left out of the page"); }\nvar other = 1;\n',
    );
    expect(() => disableFunctions(text, ["three"])).toThrow("three");
  });
});
