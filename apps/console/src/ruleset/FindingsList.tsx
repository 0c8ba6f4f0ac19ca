import type { JSX } from "preact";
import { words } from "../languages/language.ts";
import type { Found } from "./ruleset-state.ts";
import type { TextRange } from "./ruleset-text.ts";

/** Errors and likely mistakes, each with a link to its place. */
export function FindingsList({
  findings,
  lineOf,
  onGo,
}: {
  readonly findings: readonly Found[] | undefined;
  /** @returns the number of the line of a place in the text, from 1 */
  readonly lineOf: (place: number) => number;
  readonly onGo: (range: TextRange) => void;
}): JSX.Element {
  const say = words.value;
  if (findings === undefined) return <p class="rules-quiet">{say.verdictAsking}</p>;
  if (findings.length === 0) return <p class="rules-quiet">{say.rulesetFlawless}</p>;
  return (
    <ul class="rules-findings">
      {findings.map((found) => (
        <li key={`${found.pointer} ${found.code} ${found.from}`} data-severity={found.severity}>
          <button type="button" onClick={() => onGo(found)}>
            <span class="rules-severity">{formatSeverity(found)}</span>
            <span>{formatSentence(found.message)}</span>
            {found.hint !== undefined && <span class="rules-hint">{formatSentence(found.hint)}</span>}
            <span class="rules-go">{say.rulesetGo(lineOf(found.from))}</span>
            <code>{found.pointer === "" ? "/" : found.pointer}</code>
          </button>
        </li>
      ))}
    </ul>
  );
}

function formatSeverity({ severity, certain }: Found): string {
  const say = words.value;
  if (severity === "error") return say.rulesetError;
  return certain ? say.rulesetCertain : say.rulesetWarning;
}

/** Makes a sentence of a program's message: with a capital and a full stop. */
function formatSentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
