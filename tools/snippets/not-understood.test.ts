import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evaluationInputShape } from "../../packages/engine/src/ruleset/compile/evaluation-input.ts";
import { toJsonSchema } from "../../packages/engine/src/shape/json-schema.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/semantics/not-understood.md"), "utf8");

/** The names in the first column of a section's table. */
function listNames(section: string): ReadonlySet<string> {
  const rows = page.split(`## ${section}\n`)[1]!.split("\n## ")[0]!.split("\n");
  const cells = rows.filter((row) => row.startsWith("| `")).map((row) => row.split("|")[1]!);
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)));
}

/** The names of every member that a JSON Schema knows, at any depth. */
function listSchemaMembers(schema: unknown): Set<string> {
  if (typeof schema !== "object" || schema === null) return new Set();
  const { properties = {}, ...others } = schema as { readonly properties?: object };
  const parts = [...Object.values(properties), ...Object.values(others)];
  return new Set([...Object.keys(properties), ...parts.flatMap((part) => [...listSchemaMembers(part)])]);
}

const readSchema = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"));

describe("the page of what a verdict can rest on that was not understood", () => {
  it.each([
    ["Rulesets", readSchema("packages/engine/schema/ruleset.schema.json")],
    ["Manifests", readSchema("packages/ingest/schema/manifest.schema.json")],
    ["Inputs", toJsonSchema(evaluationInputShape)],
  ])("has a row for every member of %s, and for no other", (section, schema) => {
    const members = [...listSchemaMembers(schema)].sort();
    expect(members.length).toBeGreaterThan(6);
    expect([...listNames(section)].sort()).toEqual(members);
  });

  it("names tests that are there", () => {
    const tests = [...page.matchAll(/`((?:packages|apps|data|tools)\/[^`]+)`/g)].map(([, path]) => path!);
    expect(tests.length).toBeGreaterThan(30);
    expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
