import type { LintFinding } from "@groundrule/engine/rulesets";
import { type Terminal, toPrintable } from "../terminal/terminal.ts";

const STYLES = { error: "red", warning: "yellow", info: "cyan" } as const;

/** Findings in the form for people, two or three lines each. */
export function formatLintFindings(findings: readonly LintFinding[], terminal: Terminal): string[] {
  return findings.flatMap(({ severity, code, pointer, message, certain, hint }) => [
    `${terminal.style(STYLES[severity], certain ? `certain ${severity}` : severity)}  ${code}  ${toPrintable(pointer || "the top level")}`,
    `  ${toPrintable(message)}`,
    ...(hint === undefined ? [] : [`  ${toPrintable(hint)}`]),
  ]);
}
