import type { OptionSpec } from "./command.ts";
import { InputFileError, readJsonFile } from "./input-file.ts";

export const RULESET_OPTION: OptionSpec = {
  name: "ruleset",
  value: "FILE",
  required: true,
  help: "the ruleset, a JSON file",
};

/** A ruleset as it stands in its file; the engine judges it. Fails: {@link InputFileError}. */
export function readRuleset(path: string): object {
  const ruleset = readJsonFile(path);
  if (typeof ruleset === "object" && ruleset !== null && !Array.isArray(ruleset)) return ruleset;
  throw new InputFileError(`${path} holds no ruleset, expected an object with sets and checks`);
}
