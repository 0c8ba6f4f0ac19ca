import { type Arguments, UsageError } from "../command-line/arguments.ts";
import { SETTINGS, type SettingName } from "./settings.ts";

/** The value of a setting with a default in the table. Fails: {@link UsageError} for one that is not a choice. */
export function getTextSetting(args: Arguments, name: SettingName): string {
  const value = findTextSetting(args, name);
  if (value === undefined) throw new Error(`${name} has no default`);
  return value;
}

/** The value of a setting, or its default if the table has one. */
export function findTextSetting(args: Arguments, name: SettingName): string | undefined {
  const { option, kind, fallback } = SETTINGS[name];
  const value = args.find(option) ?? fallback?.toString();
  if (kind.type === "choice" && value !== undefined && !kind.choices.includes(value)) {
    throw new UsageError(
      `found ${args.placeOf(option)} "${value}", expected one of ${kind.choices.join(", ")}`,
    );
  }
  return value;
}

/** The value of a setting with a default in the table. Fails: {@link UsageError} for one outside of its range. */
export function getNumberSetting(args: Arguments, name: SettingName): number {
  const value = findNumberSetting(args, name);
  if (value === undefined) throw new Error(`${name} has no default`);
  return value;
}

/** The value of a setting, or its default if the table has one. Fails: {@link UsageError} outside of its range. */
export function findNumberSetting(args: Arguments, name: SettingName): number | undefined {
  const { option, kind, fallback, variable } = SETTINGS[name];
  if (kind.type !== "number") throw new Error(`${name} is not a number`);
  const fromKubernetes = args.fallback(option);
  if (fromKubernetes?.from === "environment" && /^(tcp|udp|sctp):\/\//.test(fromKubernetes.text)) {
    throw new UsageError(
      `found ${variable} "${fromKubernetes.text}", which Kubernetes sets for a Service of this name, expected a number; set enableServiceLinks: false in the Pod`,
    );
  }
  const value = kind.whole
    ? args.findInteger(option, kind.least, kind.most)
    : args.findNumber(option, kind.least, kind.most);
  return value ?? (fallback as number | undefined);
}
