import type { Guard, InstallResult } from "@groundrule/node";
import { GUARDS } from "@groundrule/node/internal";
import { printable, type Terminal } from "../terminal/terminal.ts";
import { diffSummary, shortEdition } from "../words/edition-text.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { type OptionSpec, option } from "./command-line.ts";

export const ALLOW_OPTION: OptionSpec = option(
  "allow GUARDS",
  `guards to skip: ${GUARDS.join(", ")}, comma-separated`,
);

/** What the guards are about, for the details of a command that installs editions. */
export const GUARD_DETAILS =
  "An edition is stored but does not become current if it is empty (empty), leaves out more than 1 % of its file (left-out), has more than 1 % of identifiers that their scheme excludes (malformed), has fewer than half of the areas, records or square metres of the current edition (shrunk), loses declared coverage, a column or most of the values of a column (narrowed), or if its manifest leaves a group (regrouped). The exit code is then 1. --allow names the guards to skip.";

/** Fails: {@link UsageError} for what is no guard. */
export function allowedGuards(args: Arguments): Guard[] {
  const words = args.find("allow")?.split(",") ?? [];
  return words.map((word) => {
    const guard = GUARDS.find((each) => each === word.trim());
    if (guard !== undefined) return guard;
    throw new UsageError(`found "${word}" in --allow, expected ${GUARDS.join(", ")}, comma-separated`);
  });
}

/** Tells on standard error why an edition was stored and is not current. */
export function noteNotCurrent(result: InstallResult, terminal: Terminal): void {
  const { meta, findings, pinned, diff } = result;
  const name = meta.manifest.source_name;
  const say = (line: string) =>
    terminal.note(`${terminal.styleNote("yellow", "groundrule:")} ${printable(line)}`);
  say(`edition ${meta.edition} of ${name} is stored, but did not become current`);
  for (const { guard, message } of findings) say(`  ${guard}: ${message}`);
  if (diff !== undefined) for (const line of diffSummary(diff)) say(`  ${line}`);
  if (findings.length > 0) {
    const guards = [...new Set(findings.map(({ guard }) => guard))].join(",");
    say(
      `  if the change is intended: --allow ${guards}, or groundrule sources use ${name} ${shortEdition(meta.edition)}`,
    );
  }
  if (pinned !== undefined) {
    say(`  the source is pinned to ${pinned}; groundrule sources release ${name} makes this one current`);
  }
}
