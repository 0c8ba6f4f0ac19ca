import { constants, existsSync, lstatSync, statSync } from "node:fs";
import { devNull } from "node:os";
import { type Arguments, type Fallback, UsageError } from "../command-line/arguments.ts";
import { COMMON_OPTIONS, type CommandLine } from "../command-line/command-line.ts";
import type { ConfigFile } from "./config-file.ts";
import type { Setting } from "./setting.ts";
import { SETTINGS, type SettingName } from "./settings.ts";

const { S_IFLNK, S_IFMT } = constants;

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that names the file of settings. */
export const CONFIG_VARIABLE = "GROUNDRULE_CONFIG";
/** The default file of settings, in the working folder. */
const CONFIG_NAME = "groundrule.yaml";

/**
 * The arguments of a call, completed from the environment and the file of settings: an option takes precedence over its
 * variable, and that over the file. An empty variable counts as absent.
 *
 * Fails: {@link UsageError} if a required option is missing, a place sets one thing twice, a variable has space around
 * its value, or others could have written an implicit file; `YamlFileError` and `InputFileError` for the file.
 */
export async function addSettingsToArguments(
  command: CommandLine,
  args: Arguments,
  environment: Environment,
): Promise<Arguments> {
  const options = [...command.options, ...COMMON_OPTIONS];
  const file = await findConfigFile(args, environment);
  const fallbacks = new Map<string, Fallback>();
  for (const { setting } of options) {
    const fallback = setting && findSettingFallback(setting, args, environment, file);
    if (fallback !== undefined) fallbacks.set(setting!.option, fallback);
  }
  const completed = args.with(fallbacks);
  for (const { required, setting } of command.options) {
    if (!required || setting === undefined || completed.find(setting.option) !== undefined) continue;
    const presets = setting === SETTINGS.ruleset ? "; groundrule rulesets list lists the presets" : "";
    throw new UsageError(
      `--${setting.option} ${setting.placeholder} is required, or ${setting.variable}, or ${setting.name} in ${CONFIG_NAME}${presets}`,
    );
  }
  return completed;
}

/** The file of settings of a call, if there is one; the null device counts as none. Fails: as reading it does. */
async function findConfigFile(args: Arguments, environment: Environment): Promise<ConfigFile | undefined> {
  const named = args.find("config") ?? (environment[CONFIG_VARIABLE] || undefined);
  if (named === devNull || (named === undefined && !existsSync(CONFIG_NAME))) return undefined;
  if (named === undefined) assertTrustedConfigFile(CONFIG_NAME);
  // The YAML reader is loaded only if there is a file.
  const { readConfigFile } = await import("./config-file.ts");
  return readConfigFile(named ?? CONFIG_NAME);
}

/**
 * Refuses an implicit file that another user could have put there: it decides which store is served, and which pepper
 * protects its keys. A link is judged by its own owner, who chose its target.
 *
 * Fails: {@link UsageError}.
 */
function assertTrustedConfigFile(path: string): void {
  const user = process.geteuid?.();
  if (user === undefined) return; // Windows has no such owners
  for (const { uid, mode } of [lstatSync(path), statSync(path)]) {
    const isOthers = uid !== user && uid !== 0;
    const isWritable = (mode & 0o002) !== 0 && (mode & S_IFMT) !== S_IFLNK;
    if (!isOthers && !isWritable) continue;
    const why = isOthers ? `which belongs to the user ${uid}` : "which every user may write to";
    throw new UsageError(
      `found ${path} in this folder, ${why}; name it with --config ${path} if you trust it, or ignore it with --config ${devNull}`,
    );
  }
}

type Place = (setting: Setting) => Fallback | undefined;

/** The fallback of a setting's option: from the first place that sets it or its alternative. */
function findSettingFallback(
  setting: Setting,
  args: Arguments,
  environment: Environment,
  file: ConfigFile | undefined,
): Fallback | undefined {
  const rival = setting.rival === undefined ? undefined : SETTINGS[setting.rival as SettingName];
  const places: readonly Place[] = [
    ({ option }) => findFallbackInOptions(args, option),
    ({ variable }) => findFallbackInEnvironment(environment, variable),
    ({ name }) => file?.find(name),
  ];
  for (const [i, place] of places.entries()) {
    const own = place(setting);
    const other = rival && place(rival);
    if (own !== undefined && other !== undefined) {
      throw new UsageError(`found both ${own.place} and ${other.place}, expected one of them`);
    }
    if (own !== undefined) return i === 0 ? undefined : own;
    if (other !== undefined) return undefined;
  }
  return undefined;
}

/** A given option as a fallback; it takes precedence over all others. */
function findFallbackInOptions(args: Arguments, option: string): Fallback | undefined {
  const text = args.find(option);
  return text === undefined ? undefined : { text, from: "environment", place: `--${option}` };
}

function findFallbackInEnvironment(environment: Environment, variable: string): Fallback | undefined {
  const text = environment[variable];
  if (text === undefined || text === "") return undefined;
  // The space may come from a file's last line break, or a quoted line of a unit: it would name another host, folder or
  // database.
  if (text.trim() !== text) {
    throw new UsageError(`found a space or a line break around the value of ${variable}, expected none`);
  }
  return { text, from: "environment", place: variable };
}
