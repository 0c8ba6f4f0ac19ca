import type { LintFinding } from "@groundrule/engine/rulesets";
import { printable, type Terminal } from "../terminal/terminal.ts";

const STYLES = { error: "red", warning: "yellow", info: "cyan" } as const;

/** Findings in the form for people, two or three lines each. */
export function lintText(findings: readonly LintFinding[], terminal: Terminal): string[] {
  return findings.flatMap(({ severity, code, pointer, message, certain, hint }) => [
    `${terminal.style(STYLES[severity], certain ? `certain ${severity}` : severity)}  ${code}  ${printable(pointer || "the top level")}`,
    `  ${printable(message)}`,
    ...(hint === undefined ? [] : [`  ${printable(hint)}`]),
  ]);
}
