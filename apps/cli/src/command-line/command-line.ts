import { helpOf, type Setting } from "../settings/setting.ts";
import { SETTINGS, type SettingName } from "../settings/settings.ts";

/** An option of a command, written `--name VALUE`; a flag where it has no `value`. */
export interface OptionSpec {
  readonly name: string;
  /** What stands for the value in the help text; absent: a flag. */
  readonly value?: string;
  readonly multiple?: true;
  readonly required?: true;
  readonly help: string;
  /** What it sets, which the environment and groundrule.yaml can set too. */
  readonly setting?: Setting;
}

/**
 * An option.
 *
 * @param usage how it is written after its dashes, e.g. `limit N`; a flag is its name alone
 */
export function option(
  usage: string,
  help: string,
  also: Pick<OptionSpec, "multiple" | "required"> = {},
): OptionSpec {
  const [name = "", value] = usage.split(" ");
  return { name, ...(value !== undefined && { value }), ...also, help };
}

/** The option of a setting. */
export function settingOption(name: SettingName): OptionSpec {
  const setting = SETTINGS[name];
  return { name: setting.option, value: setting.placeholder, help: helpOf(setting), setting };
}

/** What a command takes after its own words. */
export interface CommandLine {
  /** Its operands as the usage line shows them, e.g. `[FILE]`. */
  readonly operands: string;
  /** Least and most operands; of a command that does not say, as many as `operands` shows. */
  readonly operandCount: readonly [least: number, most: number];
  readonly options: readonly OptionSpec[];
}

/** Options that every command takes. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  settingOption("data"),
  option("config FILE", "file of settings (default: GROUNDRULE_CONFIG, else ./groundrule.yaml if it exists)"),
  option("json", "print JSON, one value per line, even on a terminal"),
  option("help", "show this page"),
];
