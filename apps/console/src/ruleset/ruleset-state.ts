import { type Signal, signal } from "@preact/signals";
import {
  type Answerer,
  AnswerProblem,
  type NamedRuleset,
  type RulesetFinding,
} from "../answering/answerer.ts";
import { pointerInRuleset } from "./pointer-in-ruleset.ts";
import type { TextRange } from "./ruleset-text.ts";

/** A finding and where it stands in the text. */
export interface Found extends RulesetFinding, TextRange {}

/** What was found in a text, and the ruleset in it; undefined where it is no JSON object. */
export interface CheckedText {
  readonly body: object | undefined;
  readonly findings: readonly Found[];
}

/** The rulesets that can be chosen from who answers now. */
export const rulesetChoices: Signal<readonly NamedRuleset[]> = signal([]);

/**
 * What is wrong with a ruleset's text: first whether it is JSON, then what the engine says, each at its place.
 *
 * @param answerer who knows the sources; without one only the JSON is checked
 *
 * Fails: as {@link Answerer.checkRuleset}.
 */
export async function checkText(text: string, answerer: Answerer | undefined): Promise<CheckedText> {
  // The grammar comes with the editor, whose text this is: the page starts without it.
  const { rangeOf, syntaxFault, treeOf } = await import("./editor.ts");
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
    if (error instanceof AnswerProblem && error.faults.length > 0) return error.faults.map(asFinding);
    throw error;
  });
  const findings = found.map(({ pointer: full, ...each }): Found => {
    const pointer = pointerInRuleset(full);
    return { ...each, pointer, ...rangeOf(text, tree, pointer, each.message) };
  });
  return { body: value, findings };
}

/** What the service refuses before the engine sees it is an error like the others. */
function asFinding({ pointer = "", code = "", message }: AnswerProblem["faults"][number]): RulesetFinding {
  return { severity: "error", code, pointer, message };
}

/** A ruleset's JSON as people write it: what comes from a catalog has its members in the order of the alphabet. */
export function textOf(body: object): string {
  return `${JSON.stringify(inReadingOrder(body), undefined, 2)}\n`;
}

/** Members that people look for first; the others follow as they come. */
const FIRST =
  "name description not_examined facts sources registers union intersection difference where id title fact set measure of on op value outcome all any sets checks".split(
    " ",
  );

/** Members in the order that people read them in, down to the checks and sets; filters stay as they are. */
function inReadingOrder(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > 3) return value;
  if (Array.isArray(value)) return value.map((each) => inReadingOrder(each, depth + 1));
  const rank = (name: string): number => FIRST.indexOf(name) + 1 || FIRST.length + 1;
  // Names of sets are the author's own, and stay in their order.
  const isSets = depth === 1 && !("id" in value);
  const members = Object.entries(value).map(
    ([name, each]) => [name, inReadingOrder(each, depth + 1)] as const,
  );
  return Object.fromEntries(isSets ? members : members.toSorted(([a], [b]) => rank(a) - rank(b)));
}

/** A ruleset to begin with. */
export const NEW_RULESET: object = {
  description: "",
  sets: { areas: { sources: [] } },
  checks: [{ id: "overlap", set: "areas", outcome: "WARNING" }],
};
