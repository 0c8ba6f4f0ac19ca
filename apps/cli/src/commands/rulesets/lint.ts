import { type LintFinding, lintRuleset } from "@groundrule/engine/rulesets";
import { openData } from "@groundrule/node";
import { UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { createSettingOption, defineOption } from "../../command-line/command-line.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import { readCompileOptions, WITHOUT_OPTION } from "../../data/command-data.ts";
import { formatNeededByCommand } from "../../data/command-words.ts";
import { getDataFolder } from "../../data/data-folder.ts";
import { RULESET_OPTION, readRuleset } from "../../files/ruleset-file.ts";
import { formatLintFindings } from "../../words/lint-text.ts";

export const lintCommand: Command = {
  summary: "Find likely mistakes in a ruleset, given what the sources contain",
  examples: ["policy.json"],
  operands: "[FILE]",
  options: [
    createSettingOption("ruleset"),
    defineOption(
      "fail-on SEVERITY",
      "exit with 1 when there is a finding of at least this severity: warning or info",
    ),
    WITHOUT_OPTION,
  ],
  details: [
    'Prints one line per finding: {"code": …, "severity": …, "pointer": …, "message": …, "hint": …}. Exits with 3 when a finding is an error, because the ruleset then does not compile.',
  ],
  async run(args, terminal) {
    const failOn = args.findChoice("fail-on", ["warning", "info"]);
    const path = args.operands[0] ?? args.find(RULESET_OPTION.name);
    const isTwice = args.operands.length > 0 && args.all(RULESET_OPTION.name).length > 0;
    if (path === undefined || isTwice) {
      throw new UsageError(
        `${isTwice ? "found both FILE and" : "found neither FILE nor"} --ruleset, expected one of them`,
      );
    }
    const ruleset = readRuleset(path);
    const hint = `what it needs, and what brings that: ${formatNeededByCommand(path, args)}`;
    const { engine } = openData(getDataFolder(args));
    const findings = lintRuleset(engine, ruleset, readCompileOptions(args)).map((finding) =>
      finding.code === "SOURCE_UNKNOWN" ? { ...finding, hint } : finding,
    );
    if (!terminal.human || args.flag("json")) {
      for (const finding of findings) await terminal.printJson(finding);
    } else {
      const lines = findings.length === 0 ? ["no findings"] : formatLintFindings(findings, terminal);
      for (const line of lines) await terminal.print(line);
    }
    return computeExitCode(findings, failOn);
  },
};

function computeExitCode(findings: readonly LintFinding[], failOn: "warning" | "info" | undefined): ExitCode {
  const severities = new Set(findings.map(({ severity }) => severity));
  if (severities.has("error")) return EXIT.badInput;
  const fails = severities.has("warning") || (failOn === "info" && severities.has("info"));
  return failOn !== undefined && fails ? EXIT.failOn : EXIT.done;
}
