import { formatSettingHelp, type Setting } from "../settings/setting.ts";
import { SETTINGS, type SettingName } from "../settings/settings.ts";

/** An option of a command, written `--name VALUE`; without `value` it is a flag. */
export interface OptionSpec {
  readonly name: string;
  /** The placeholder of the value in the help text; absent: a flag. */
  readonly value?: string;
  readonly multiple?: true;
  readonly required?: true;
  readonly help: string;
  /** The setting of this option, which the environment and groundrule.yaml can provide too. */
  readonly setting?: Setting;
}

/**
 * Declares an option.
 *
 * @param usage the text after its dashes, e.g. `limit N`; for a flag, its name alone
 */
export function defineOption(
  usage: string,
  help: string,
  also: Pick<OptionSpec, "multiple" | "required"> = {},
): OptionSpec {
  const [name = "", value] = usage.split(" ");
  return { name, ...(value !== undefined && { value }), ...also, help };
}

/** The option that sets a setting. */
export function createSettingOption(name: SettingName): OptionSpec {
  const setting = SETTINGS[name];
  return { name: setting.option, value: setting.placeholder, help: formatSettingHelp(setting), setting };
}

/** The options and operands that a command takes. */
export interface CommandLine {
  /** Its operands as the usage line shows them, e.g. `[FILE]`. */
  readonly operands: string;
  /** Minimum and maximum number of operands; by default, the number that `operands` shows. */
  readonly operandCount: readonly [least: number, most: number];
  readonly options: readonly OptionSpec[];
}

/** Options that every command takes. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  createSettingOption("data"),
  defineOption(
    "config FILE",
    "file of settings (default: GROUNDRULE_CONFIG, else ./groundrule.yaml if it exists)",
  ),
  defineOption("json", "print JSON, one value per line, even on a terminal"),
  defineOption("help", "show this page"),
];
