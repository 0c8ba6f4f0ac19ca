import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseTestFile, YamlFileError } from "@groundrule/policy-tests";
import { createSharedFolder } from "@groundrule/testing/folder";
import { describe, expect, it } from "vitest";
import { readYamlFile } from "./yaml-file.ts";

const { at } = createSharedFolder();

const read = (text: string | Uint8Array) => {
  const path = at("a.test.yaml");
  writeFileSync(path, text);
  return readYamlFile(path);
};
const refused = (text: string | Uint8Array): YamlFileError["faults"] => {
  try {
    read(text);
  } catch (error) {
    if (error instanceof YamlFileError) return error.faults;
    throw error;
  }
  throw new Error("it was read");
};

describe("readYamlFile", () => {
  it("reads YAML as 1.2 has it: days, yes and no are texts, and JSON is itself", () => {
    const text =
      "day: 2026-06-30\nnorway: no\nyes: yes\nid: 11.222.333/0001-81\nnothing: ~\n7: [1, -2.5e3, true]\n";
    expect(read(text).value).toEqual({
      day: "2026-06-30",
      norway: "no",
      yes: "yes",
      id: "11.222.333/0001-81",
      nothing: null,
      7: [1, -2500, true],
    });
    const json = { a: [{ "b/~": "c", __proto__: 1 }], n: -0.5 };
    expect(read(JSON.stringify(json)).value).toEqual(json);
    expect(Object.keys(read("__proto__: {a: 1}").value as object)).toEqual(["__proto__"]);
  });

  it("finds the place of every member, through aliases, or of the nearest one", () => {
    const file = read("a: &x\n  b: [1, {c/~: 2}]\nd: *x\nempty:\n");
    expect(file.placeOf("/a/b/1/c~1~0")).toEqual({ line: 2, column: 16 });
    expect(file.placeOf("/a/b/1/c~1~0", "name")).toEqual({ line: 2, column: 11 });
    expect(file.placeOf("/d/b/0")).toEqual({ line: 2, column: 7 });
    expect(file.placeOf("/a/b/7/e")).toEqual({ line: 2, column: 6 });
    expect(file.placeOf("/empty")).toEqual({ line: 4, column: 1 });
    expect(file.placeOf("")).toEqual({ line: 1, column: 1 });
  });

  it.each([
    "007",
    "+1",
    "0x1F",
    "0o17",
    "1.",
    ".5",
    "1_000",
    "12345678901234567890",
    "1e999",
    ".inf",
    ".nan",
  ])("reads %s as a text or refuses it, and never takes it for another number", (text) => {
    const path = at("number.test.yaml");
    writeFileSync(path, `a: ${text}\n`);
    let value: unknown;
    try {
      ({ value } = readYamlFile(path));
    } catch (error) {
      expect((error as Error).message).toContain(`1:4: found ${text}, which YAML takes for the number`);
      return;
    }
    expect(value).toEqual({ a: text });
  });

  it("refuses what no test file is, each at its place", () => {
    const said = (text: string | Uint8Array) =>
      refused(text).map(({ line, column, message }) => [line, column, message]);
    expect(said("a: [1\n")).toEqual([[2, 1, expect.stringContaining("expected YAML 1.2")]]);
    expect(said("a: 1\nb: 2\na: 3\na: 4\n")).toEqual([
      [3, 1, 'found the name "a" twice, expected it once'],
      [4, 1, 'found the name "a" twice, expected it once'],
    ]);
    expect(said("? [a]\n: 1\n")).toEqual([[1, 3, "found a name that is no text, expected one"]]);
    expect(said(Uint8Array.of(0x61, 0xff))).toEqual([
      [1, 1, "found bytes that are not UTF-8, expected text"],
    ]);
    expect(said(" ".repeat(1024 * 1024 + 1))[0]![2]).toMatch(
      /^found 1048577 bytes, expected at most 1048576/,
    );
    expect(() => readYamlFile(at())).toThrow("found something other than a regular file");
  });

  it("ends with a refusal, soon and without the process, on what is made to exhaust it", () => {
    const rep = (text: string) => text.repeat(Math.floor(10_000 / text.length));
    const nested = "found more than 64 levels";
    for (const text of [
      rep("["),
      `${rep("[")}${rep("]")}`,
      rep("{a: "),
      rep("- "),
      rep("? "),
      Array.from({ length: 200 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"),
      "a: &a [*a]",
      "a: &a {b: &b [*a, *b]}",
    ]) {
      expect(refused(text)[0]!.message, text.slice(0, 20)).toContain(nested);
    }
    const laughs = Array.from(
      { length: 30 },
      (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`)}]`,
    );
    expect(refused(`a0: &a0 [x]\n${laughs.join("\n")}`)[0]!.message).toContain(
      "found more than 200000 values",
    );
    // Thousands of names are compared by a table, not each with every other.
    const names = Array.from({ length: 5_000 }, (_, i) => `k${i}: ${i}`).join("\n");
    expect(Object.keys(read(names).value as object)).toHaveLength(5_000);
    const path = at("many.test.yaml");
    writeFileSync(path, `cases:\n${"- {}\n".repeat(3_000)}`);
    expect(() => parseTestFile(readYamlFile(path))).toThrow(
      "found an array of length 3000, expected at most 1000 entries",
    );
  });

  it("keeps the process from V8's end, which no error handler sees", () => {
    // Parsing this without checking its depth first exhausts the stack inside a regular expression.
    const path = at("deep.test.yaml");
    writeFileSync(path, `${"[".repeat(30_000)}${"]".repeat(30_000)}`);
    const module = new URL("./yaml-file.ts", import.meta.url).href;
    const script = `import {readYamlFile} from ${JSON.stringify(module)}; try { readYamlFile(${JSON.stringify(path)}) } catch (e) { console.log(e.name) }`;
    expect(execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" })).toBe(
      "YamlFileError\n",
    );
  });
});
