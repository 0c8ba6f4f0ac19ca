import { dirname, isAbsolute, join } from "node:path";
import { checkYamlFile } from "@groundrule/policy-tests";
import type { Fallback } from "../command-line/arguments.ts";
import { readYamlFile } from "../files/yaml-file.ts";
import { createConfigShape } from "./config-shape.ts";
import type { Setting, SettingValue } from "./setting.ts";
import { SETTINGS, type SettingName } from "./settings.ts";

/** A parsed file of settings. */
export interface ConfigFile {
  readonly path: string;
  /** Its value of a setting. */
  find(name: string): Fallback | undefined;
}

/**
 * Reads a file of settings.
 *
 * Fails: `YamlFileError` with every fault and its place; `InputFileError` for a file that cannot be read.
 */
export function readConfigFile(path: string): ConfigFile {
  const yaml = readYamlFile(path);
  // A file with only comments is an object without members.
  const values: Readonly<Record<string, SettingValue | undefined>> =
    yaml.value === null ? {} : checkYamlFile(createConfigShape(), yaml);
  return {
    path,
    find: (name) => {
      const value = values[name];
      if (value === undefined) return undefined;
      const { line } = yaml.placeOf(`/${name}`, "name");
      const text = toOptionText(SETTINGS[name as SettingName], value, dirname(path));
      return { text, from: "file", place: `${name} in ${path}:${line}`, path };
    },
  };
}

/** A value in the form of its option: paths are relative to the folder of the file. */
function toOptionText({ kind }: Setting, value: SettingValue, folder: string): string {
  const text = String(value);
  switch (kind.type) {
    case "path":
      return resolveAgainstFolder(folder, text);
    case "ruleset":
      return text.startsWith("preset.") && !text.endsWith(".json")
        ? text
        : resolveAgainstFolder(folder, text);
    case "store": {
      const [, path] = /^sqlite:(?!:memory:$)(.*)$/s.exec(text) ?? [];
      return path === undefined ? text : `sqlite:${resolveAgainstFolder(folder, path)}`;
    }
    default:
      return text;
  }
}

function resolveAgainstFolder(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}
