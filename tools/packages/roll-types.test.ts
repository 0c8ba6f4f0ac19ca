import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
// @ts-expect-error a script, whose types are nowhere
import { gatherTypes, rollUpTypes } from "./roll-types.mjs";

const folder = mkdtempSync(join(tmpdir(), "groundrule-types-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Result for a file of types next to others. */
function rollFiles(files: Readonly<Record<string, string>>, entry = "entry.d.ts"): string {
  const place = mkdtempSync(join(folder, "files-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(place, name, ".."), { recursive: true });
    writeFileSync(join(place, name), text);
  }
  rollUpTypes(join(place, entry));
  return readFileSync(join(place, entry), "utf8").replaceAll(/\n+/g, "\n").trim();
}

describe("rolled types", () => {
  it("hold what they are made of, with its words, and nothing else", () => {
    const text = rollFiles({
      "entry.d.ts": 'export type { Verdict } from "./inner/index.ts";',
      "inner/index.d.ts": 'export * from "./verdict.ts";',
      "inner/verdict.d.ts": `import { type Check as One } from "../check.ts";
/** The answer. */
export interface Verdict extends Base { readonly checks: readonly One[]; readonly of: import("../check.ts").Of<typeof one> }
interface Base { readonly Unused: string }
declare const one: { readonly a: 1 };
export interface Unused { readonly b: string }`,
      "check.d.ts": "export type Check = { id: string };\nexport type Of<T> = keyof T;",
    });
    expect(text).toBe(`/** The answer. */
interface Verdict extends Base { readonly checks: readonly Check[]; readonly of: Of<typeof one> }
interface Base { readonly Unused: string }
type Check = { id: string };
type Of<T> = keyof T;
declare const one: { readonly a: 1 };
export type { Verdict };`);
  });

  it("keep two apart that have one name", () => {
    const text = rollFiles({
      "entry.d.ts": 'export type { Plot, Other } from "./plots.ts";',
      "plots.d.ts":
        'import type { Plot as Inner } from "./plot.ts";\nexport interface Plot extends Inner {}\nexport type Other = Inner;',
      "plot.d.ts": "export interface Plot { readonly next: Plot }",
    });
    expect(text).toBe(`interface Plot extends Plot2 {}
type Other = Plot2;
interface Plot2 { readonly next: Plot2 }
export type { Plot, Other };`);
  });

  it("have for every member the docstring of its shape, also for members that are taken over", () => {
    const text = rollFiles(
      {
        "dist/entry.d.ts": 'export type { Area } from "./area.ts";',
        "dist/area.d.ts": `declare const members: { name: S<string>; inner: S<{ name: S<1>; }>; };
export interface Area extends Described<typeof members> {}`,
        "src/area.ts": `const named = { name: describedAs(text(), "Its \\"name\\"") };
const members = { ...named, inner: optional(objectOf({ name: describedAs(number(), "One.") }), "What is in it") };`,
      },
      "dist/entry.d.ts",
    );
    expect(text).toBe(`interface Area extends Described<typeof members> {}
declare const members: { /** Its "name". */ name: S<string>; /** What is in it. */ inner: S<{ /** One. */ name: S<1>; }>; };
export type { Area };`);
  });

  it("are refused where an installation would need another package", () => {
    const entry = 'export type { A } from "./a.ts";';
    const text = 'import type * as z from "zod";\nimport type { Z } from "zod";\nexport type A = Z;';
    expect(() => rollFiles({ "entry.d.ts": entry, "a.d.ts": text })).toThrow("is made of zod");
    expect(() => rollFiles({ "entry.d.ts": entry, "a.d.ts": "export type B = 1;" })).toThrow("exports no A");
  });

  it("are gathered in one file that all others of the package name", () => {
    const place = mkdtempSync(join(folder, "gathered-"));
    const imported = 'import type { ErrorCode } from "@groundrule/contract";';
    writeFileSync(join(place, "call.d.ts"), imported);
    mkdirSync(join(place, "wire"));
    writeFileSync(
      join(place, "wire/index.d.ts"),
      'export type {\n  ErrorCode as Code,\n} from "@groundrule/contract";',
    );
    const gather = () => gatherTypes(place, join(place, "wire/held.d.ts"));
    gather();
    expect(readFileSync(join(place, "call.d.ts"), "utf8")).toBe(
      'import type { ErrorCode } from "./wire/held.ts";',
    );
    expect(readFileSync(join(place, "wire/index.d.ts"), "utf8")).toBe(
      'export type { Code } from "./held.ts";',
    );
    expect(readFileSync(join(place, "wire/held.d.ts"), "utf8")).toBe(
      'export type { ErrorCode as Code } from "@groundrule/contract";\nexport type { ErrorCode as ErrorCode } from "@groundrule/contract";',
    );
    writeFileSync(join(place, "call.d.ts"), 'import { ERRORS } from "@groundrule/contract";');
    expect(gather).toThrow("other than by name as a type");
  });
});
