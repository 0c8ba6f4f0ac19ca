import { presets, presetVersions } from "@groundrule/data/rulesets";
import { parseRuleset } from "@groundrule/engine/rulesets";
import type { Command } from "../../command-line/command.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { indentAndWrapText } from "../../terminal/indented.ts";
import { formatCount } from "../../words/change-tally.ts";

export const rulesetsListCommand: Command = {
  summary: "List the presets: the rulesets that come with the command",
  options: [],
  details: [
    "evaluate --ruleset and the other commands take one by its name, preset.NAME, or an earlier version of it as preset.NAME@VERSION. sources list --needed-by preset.NAME lists the sources that it needs.",
    "The words presets and rulesets presets call this command too.",
    "A pipe gets one JSON line for each: name, version, versions, checks and description.",
  ],
  async run(args, terminal) {
    const versions = Map.groupBy(presetVersions(), ({ name }) => name);
    for (const [name, ruleset] of presets()) {
      const { description = "", checks } = parseRuleset(ruleset);
      const all = (versions.get(name) ?? []).map((each) => each.version);
      if (!terminal.human || args.flag("json")) {
        await terminal.printJson({
          ...{
            name,
            version: all.at(-1),
            versions: all,
            checks: checks.map(({ id }) => id),
            description,
          },
        });
        continue;
      }
      await terminal.print(
        `${terminal.style("bold", name)}  version ${all.at(-1)}, ${formatCount(checks.length, "check")}`,
      );
      for (const line of indentAndWrapText(extractFirstSentence(description), terminal.columns))
        await terminal.print(line);
    }
    return EXIT.done;
  },
};

function extractFirstSentence(text: string): string {
  return /^.*?[.?!](?= [A-Z]|$)/.exec(text)?.[0] ?? text;
}
