import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArguments } from "../../apps/cli/src/command-line/arguments.ts";
import { COMMON_OPTIONS } from "../../apps/cli/src/command-line/command-line.ts";
import { COMMANDS } from "../../apps/cli/src/commands.ts";

import { getEffectiveNumber } from "../../apps/cli/src/settings/effective-setting.ts";
import { findTextSetting } from "../../apps/cli/src/settings/read-setting.ts";
import { SETTINGS, type SettingName } from "../../apps/cli/src/settings/settings.ts";
import {
  addSettingsToArguments,
  CONFIG_VARIABLE,
  type Environment,
} from "../../apps/cli/src/settings/with-settings.ts";

/**
 * Faults of a command line of ours and its variables: an unknown command, option or setting, or a value that it does
 * not accept.
 *
 * @param words after `groundrule`
 * @param configs the texts of the files of settings that are there, by path
 */
export async function checkCommandLine(
  words: readonly string[],
  environment: Environment,
  configs: ReadonlyMap<string, string>,
): Promise<{ readonly faults: readonly string[]; readonly settings: ReadonlyMap<SettingName, string> }> {
  const listed = COMMANDS.find(({ path }) => path === words[0] || path === words.slice(0, 2).join(" "));
  if (listed === undefined)
    return { faults: [`there is no command "${words.slice(0, 2).join(" ")}"`], settings: new Map() };
  const folder = mkdtempSync(join(tmpdir(), "groundrule-deploy-"));
  try {
    const faults: string[] = listUnknownVariables(environment);
    const command = await listed.load();
    const rest = words.slice(listed.path.split(" ").length);
    // A file of settings lies elsewhere here than there.
    const named = parseArguments(command, rest).find("config") ?? environment[CONFIG_VARIABLE];
    if (named !== undefined && !configs.has(named))
      faults.push(`nothing is mounted at ${named}, the file of settings`);
    const config = named === undefined ? undefined : configs.get(named);
    const path = join(folder, "groundrule.yaml");
    if (config !== undefined) writeFileSync(path, config, { mode: 0o600 });
    const args = await addSettingsToArguments(command, parseArguments(command, withoutConfig(rest)), {
      ...environment,
      [CONFIG_VARIABLE]: config === undefined ? undefined : path,
    });
    const settings = new Map<SettingName, string>();
    for (const { setting } of [...command.options, ...COMMON_OPTIONS]) {
      if (setting === undefined) continue;
      const name = setting.name as SettingName;
      const isNumber = setting.kind.type === "number";
      const value = isNumber ? getEffectiveNumber(args, name) : findTextSetting(args, name);
      if (value !== undefined) settings.set(name, String(value));
    }
    return { faults, settings };
  } catch (error) {
    return { faults: [(error as Error).message.replaceAll(folder, "")], settings: new Map() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function listUnknownVariables(environment: Environment): string[] {
  const known = new Set([CONFIG_VARIABLE, ...Object.values(SETTINGS).map(({ variable }) => variable)]);
  return Object.keys(environment)
    .filter((name) => name.startsWith("GROUNDRULE_") && !known.has(name))
    .map((name) => `the variable ${name} is not a setting`);
}

function withoutConfig(words: readonly string[]): string[] {
  const i = words.indexOf("--config");
  return i === -1 ? [...words] : [...words.slice(0, i), ...words.slice(i + 2)];
}
