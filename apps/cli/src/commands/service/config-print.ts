import type { Arguments } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { createSettingOption } from "../../command-line/command-line.ts";
import { getPepperFile, readStoreUrl } from "../../data/state.ts";
import { withoutStorePassword } from "../../files/store-password.ts";
import { getEffectiveNumber } from "../../settings/effective-setting.ts";
import { findTextSetting } from "../../settings/read-setting.ts";
import type { Setting } from "../../settings/setting.ts";
import { SETTINGS, type SettingName } from "../../settings/settings.ts";
import { printValues } from "../../words/show-value.ts";

export const configPrintCommand: Command = {
  summary: "Show every setting, its value, and where the value comes from",
  options: (Object.keys(SETTINGS) as SettingName[])
    .filter((name) => name !== "data")
    .map(createSettingOption),
  details: [
    "An option overrides its environment variable, which overrides the file of settings, which overrides the default. A variable has the name of the setting in capitals after GROUNDRULE_, such as GROUNDRULE_RATE_LIMIT for rate_limit; an empty one is ignored. Relative paths in the file start from its folder. Passwords are not shown.",
  ],
  async run(args, terminal) {
    const rows = (Object.keys(SETTINGS) as SettingName[]).map((name) => getEffectiveSetting(args, name));
    const columns = [{ title: "setting", cutLast: true }, { title: "value" }, { title: "from" }] as const;
    return printValues(rows, args, terminal, columns, ({ name, value, from, place }) => [
      ...[name, String(value ?? ""), place ?? from],
    ]);
  },
};

/** A setting as it is printed. */
interface EffectiveSetting {
  readonly name: SettingName;
  /** Null if nothing is set. */
  readonly value: string | number | null;
  readonly from: "option" | "environment" | "file" | "default";
  /** The place of the value: the option, the variable, or the member of a file with its line. */
  readonly place?: string;
  readonly option: string;
  readonly variable: string;
}

function getEffectiveSetting(args: Arguments, name: SettingName): EffectiveSetting {
  const setting = SETTINGS[name];
  const { option, variable } = setting;
  const isDefault = !args.has(option);
  const origin = isDefault
    ? { from: "default" as const }
    : { from: args.fallback(option)?.from ?? ("option" as const), place: args.placeOf(option) };
  return { name, value: getShownValue(args, name, setting), ...origin, option: `--${option}`, variable };
}

function getShownValue(
  args: Arguments,
  name: SettingName,
  { kind, secret }: Setting,
): string | number | null {
  if (kind.type === "number") return getEffectiveNumber(args, name);
  const value = findTextSetting(args, name) ?? computeSettingDefault(args, name);
  return secret && value !== null ? withoutStorePassword(value) : value;
}

/** The defaults that depend on the location of the state. */
function computeSettingDefault(args: Arguments, name: SettingName): string | null {
  // The content of a store file is not shown: it is kept in a file to stay secret.
  if (name === "store") return args.has(SETTINGS.store_file.option) ? null : readStoreUrl(args);
  return name === "pepper_file" ? getPepperFile(args) : null;
}
