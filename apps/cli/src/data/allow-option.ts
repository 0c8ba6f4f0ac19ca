import { BUILD_ALLOWANCES, type BuildAllowance } from "@groundrule/engine/internal";
import type { Guard, GuardFinding, InstallResult } from "@groundrule/node";
import { GUARDS } from "@groundrule/node/internal";
import { type Arguments, UsageError } from "../command-line/arguments.ts";
import { defineOption, type OptionSpec } from "../command-line/command-line.ts";
import { type Terminal, toPrintable } from "../terminal/terminal.ts";
import { formatDiffSummary, shortenEdition } from "../words/edition-text.ts";

const ALLOWED = [...new Set([...GUARDS, ...BUILD_ALLOWANCES.filter((word) => word !== "left_out")])];

export const ALLOW_OPTION: OptionSpec = defineOption(
  "allow WORDS",
  `what to allow: ${ALLOWED.join(", ")}, comma-separated`,
);

/** Describes the guards, for the details of a command that installs editions. */
export const GUARD_DETAILS =
  "An edition is stored but does not become current if it is empty (empty), leaves out more than 1 % of its file (left-out), has more than 1 % of identifiers that their scheme excludes (malformed), has fewer than half of the areas, records or square metres of the current edition (shrunk), loses declared coverage, a column or most of the values of a column (narrowed), or if its manifest leaves a group (regrouped). The exit code is then 1. --allow names the guards to skip.";

/** Describes the words of `--allow` for builds, for the details of a command that builds editions. */
export const BUILD_DETAILS =
  "A build stops if features are left out whose geometry does not tell how far they reach (left_out), or if a repair leaves out more than a tenth of another reading of an area (repaired). A source that ends before the cut-off of a preset's group is refused as its member (before_cutoff). --allow with these words allows it, and the manifest of the edition keeps them.";

/** Fails: {@link UsageError} for a word that is neither a guard nor a build allowance. */
export function readAllowedGuards(args: Arguments): Guard[] {
  return readAllowedWords(args).flatMap(
    (word) => GUARDS.find((guard) => guard.replace("-", "_") === word) ?? [],
  );
}

/** Fails: {@link UsageError} for a word that is neither a guard nor a build allowance. */
export function readBuildAllowances(args: Arguments): BuildAllowance[] {
  return readAllowedWords(args).flatMap((word) => BUILD_ALLOWANCES.find((each) => each === word) ?? []);
}

/** A guard and a build allowance may have the same name, with a hyphen or an underscore: then both apply. */
function readAllowedWords(args: Arguments): string[] {
  const known = new Set<string>([...GUARDS.map((guard) => guard.replace("-", "_")), ...BUILD_ALLOWANCES]);
  return (args.find("allow")?.split(",") ?? []).map((word) => {
    const found = word.trim().replace("-", "_");
    if (known.has(found)) return found;
    throw new UsageError(`found "${word}" in --allow, expected ${ALLOWED.join(", ")}, comma-separated`);
  });
}

/** Prints on standard error why an edition was stored and is not current. */
export function noteNotCurrent(result: InstallResult, terminal: Terminal): void {
  const { meta, findings, pinned, diff } = result;
  const name = meta.manifest.source_name;
  const say = (line: string) =>
    terminal.note(`${terminal.styleNote("yellow", "groundrule:")} ${toPrintable(line)}`);
  say(`edition ${meta.edition} of ${name} is stored, but did not become current`);
  for (const { guard, message } of findings) say(`  ${guard}: ${message}`);
  if (diff !== undefined) for (const line of formatDiffSummary(diff)) say(`  ${line}`);
  if (findings.length > 0) {
    const guards = [...new Set(findings.map(({ guard }) => guard))].join(",");
    say(
      `  if the change is intended: --allow ${guards}, or groundrule sources use ${name} ${shortenEdition(meta.edition)}`,
    );
  }
  if (pinned !== undefined) {
    say(`  the source is pinned to ${pinned}; groundrule sources release ${name} makes this one current`);
  }
}

/** Prints on standard error why a pin stays. */
export function noteNotReleased(
  name: string,
  edition: string,
  findings: readonly GuardFinding[],
  terminal: Terminal,
): void {
  const say = (line: string) =>
    terminal.note(`${terminal.styleNote("yellow", "groundrule:")} ${toPrintable(line)}`);
  say(`the edition that waits did not become current in place of the one in use, and ${name} stays pinned`);
  for (const { guard, message } of findings) say(`  ${guard}: ${message}`);
  const guards = [...new Set(findings.map(({ guard }) => guard))].join(",");
  say(`  to see the difference: groundrule sources diff ${name}`);
  say(`  if the change is intended: groundrule sources release ${name} --allow ${guards}`);
  say(
    `  to stay on the edition in use without the pin: groundrule sources use --no-pin ${name} ${shortenEdition(edition)}`,
  );
}
