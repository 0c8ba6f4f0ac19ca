import { type Signal, signal } from "@preact/signals";
import {
  type Answerer,
  AnswerProblem,
  type NamedRuleset,
  type RulesetFinding,
} from "../answering/answerer.ts";
import { toRulesetPointer } from "./pointer-in-ruleset.ts";
import type { TextRange } from "./ruleset-text.ts";

/** A finding with its range in the text. */
export interface Found extends RulesetFinding, TextRange {}

/** The findings of a text, and the ruleset in it; undefined if it is no JSON object. */
export interface CheckedText {
  readonly body: object | undefined;
  readonly findings: readonly Found[];
}

/** The rulesets that the current answerer offers. */
export const rulesetChoices: Signal<readonly NamedRuleset[]> = signal([]);

/**
 * Checks a ruleset's text: first the JSON syntax, then by the engine; each finding has its place.
 *
 * @param answerer has the sources; without one only the JSON is checked
 *
 * Fails: as {@link Answerer.checkRuleset}.
 */
export async function checkRulesetText(text: string, answerer: Answerer | undefined): Promise<CheckedText> {
  // The grammar is loaded with the editor of this text: the page starts without it.
  const {
    findPointerRange: rangeOf,
    findSyntaxFault: syntaxFault,
    parseSyntaxTree: treeOf,
  } = await import("./editor.ts");
  const fault = syntaxFault(text);
  if (fault !== undefined) {
    const finding: Found = { ...fault, severity: "error", code: "MALFORMED_JSON", pointer: "" };
    return { body: undefined, findings: [finding] };
  }
  const value: unknown = JSON.parse(text);
  const tree = treeOf(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const message = 'expected an object with "sets" and "checks"';
    const range = rangeOf(text, tree, "");
    return {
      body: undefined,
      findings: [{ ...range, severity: "error", code: "TYPE_MISMATCH", pointer: "", message }],
    };
  }
  if (answerer === undefined) return { body: value, findings: [] };
  const found = await answerer.checkRuleset(value).catch((error: unknown) => {
    if (error instanceof AnswerProblem && error.faults.length > 0) return error.faults.map(toRulesetFinding);
    throw error;
  });
  const findings = found.map(({ pointer: full, ...each }): Found => {
    const pointer = toRulesetPointer(full);
    return { ...each, pointer, ...rangeOf(text, tree, pointer, each.message) };
  });
  return { body: value, findings };
}

/** A fault that the service finds before the engine is an error like the others. */
function toRulesetFinding({
  pointer = "",
  code = "",
  message,
}: AnswerProblem["faults"][number]): RulesetFinding {
  return { severity: "error", code, pointer, message };
}

/** Formats a ruleset's JSON in the usual order of members: a catalog returns them in alphabetical order. */
export function formatRuleset(body: object): string {
  return `${JSON.stringify(inReadingOrder(body), undefined, 2)}\n`;
}

/** Members that come first; the others follow in their own order. */
const FIRST =
  "name description not_examined facts sources registers union intersection difference where id title titles fact set measure of on op value outcome all any sets checks".split(
    " ",
  );

/** Sorts members in reading order, down to the checks and sets; filters are unchanged. */
function inReadingOrder(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > 3) return value;
  if (Array.isArray(value)) return value.map((each) => inReadingOrder(each, depth + 1));
  const rank = (name: string): number => FIRST.indexOf(name) + 1 || FIRST.length + 1;
  // Names of sets are chosen by the author, and stay in their order.
  const isSets = depth === 1 && !("id" in value);
  const members = Object.entries(value).map(
    ([name, each]) => [name, inReadingOrder(each, depth + 1)] as const,
  );
  return Object.fromEntries(isSets ? members : members.toSorted(([a], [b]) => rank(a) - rank(b)));
}

/** The template of a new ruleset. */
export const NEW_RULESET: object = {
  description: "",
  sets: { areas: { sources: [] } },
  checks: [{ id: "overlap", set: "areas", outcome: "WARNING" }],
};
