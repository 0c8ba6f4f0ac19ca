/// <reference types="vite/client" />
import { presetVersionsOf } from "@groundrule/data/rulesets/versions";
import type { PublishedRuleset } from "./local-catalog.ts";

const inForce = import.meta.glob<object>("../../../../data/rulesets/*.json", {
  eager: true,
  import: "default",
});
const earlier = import.meta.glob<object>("../../../../data/rulesets/earlier/*.json", {
  eager: true,
  import: "default",
});

/** Every version of every preset, as the service has them. */
export function presetRulesets(): readonly PublishedRuleset[] {
  return presetVersionsOf(named(earlier), named(inForce)).map(({ name, version, ruleset }) => {
    const { name: _, ...body } = ruleset as Record<string, unknown>;
    return { name, version, body };
  });
}

function named(files: Readonly<Record<string, object>>): { file: string; ruleset: object }[] {
  return Object.entries(files)
    .map(([path, ruleset]) => ({ file: path.slice(path.lastIndexOf("/") + 1, -".json".length), ruleset }))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}
