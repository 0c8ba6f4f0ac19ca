import { readFileSync } from "node:fs";

/** The rulesets that stand in `docs/semantics/rulesets.md`, by the heading above each. */
export function readPageExamples(): ReadonlyMap<string, unknown> {
  const page = readFileSync(new URL("../../../docs/semantics/rulesets.md", import.meta.url), "utf8");
  const examples = new Map<string, unknown>();
  let heading = "";
  for (const [part, title, json] of page.matchAll(/^#+ (.+)$|^```json\n((?:.*\n)*?)^```$/gm)) {
    if (title !== undefined) heading = title;
    else if (json !== undefined && !examples.has(heading)) examples.set(heading, JSON.parse(json));
    else throw new Error(`two examples under "${heading}": ${part}`);
  }
  return examples;
}
