import { existsSync } from "node:fs";
import { PRESET_PREFIX, presetVersions } from "@groundrule/data/rulesets";
import { findNearestName, isObject } from "@groundrule/engine/internal/json";
import { canonicalJson } from "@groundrule/engine/records";
import { createSettingOption, type OptionSpec } from "../command-line/command-line.ts";
import { InputFileError, readJsonFile } from "./input-file.ts";

export const RULESET_OPTION: OptionSpec = { ...createSettingOption("ruleset"), required: true };

/**
 * Reads a ruleset from its file, or a preset by name; the engine validates it.
 *
 * Fails: {@link InputFileError}.
 */
export function readRuleset(path: string): object {
  if (path.startsWith(PRESET_PREFIX) && !path.endsWith(".json")) return getPreset(path);
  if (!path.endsWith(".json") && !existsSync(path)) refuseNearPreset(path);
  const ruleset = requireRulesetForm(readRulesetJson(path), path);
  return findIdenticalPreset(ruleset) ?? ruleset;
}

const EXPECTED = "expected a JSON object with sets and checks, or a preset: groundrule rulesets list";

function readRulesetJson(path: string): unknown {
  try {
    return readJsonFile(path);
  } catch (error) {
    if (!(error instanceof InputFileError) || !existsSync(path)) throw error;
    throw new InputFileError(`${error.message}; ${EXPECTED}`);
  }
}

/** Fails: {@link InputFileError} for a preset's name without its prefix, or misspelt. */
function refuseNearPreset(path: string): void {
  const names = presetVersions().flatMap(({ name, version }) => [name, `${name}@${version}`]);
  const meant = findNearestName(`${PRESET_PREFIX}${path.replace(/^presets?[./-]/, "")}`, names);
  if (meant === undefined) return;
  throw new InputFileError(`cannot read ${path}: no such file; did you mean the preset ${meant}?`);
}

/** The preset that a file contains word for word, as in a bundle; undefined for any other ruleset. */
function findIdenticalPreset(ruleset: object): object | undefined {
  if (!("name" in ruleset && typeof ruleset.name === "string" && ruleset.name.startsWith(PRESET_PREFIX))) {
    return undefined;
  }
  const text = canonicalJson(ruleset);
  return presetVersions().find((each) => each.name === ruleset.name && canonicalJson(each.ruleset) === text)
    ?.ruleset;
}

/** Checks that a value has the outer form of a ruleset. Fails: {@link InputFileError}. */
export function requireRulesetForm(value: unknown, name: string): object {
  const isGeoJson = isObject(value) && typeof value.type === "string" && !("sets" in value);
  if (isObject(value) && !isGeoJson) return value;
  const found = isGeoJson ? `: found "type": "${value.type}", as GeoJSON has` : "";
  throw new InputFileError(`${name} does not contain a ruleset${found}; ${EXPECTED}`);
}

/** The preset of a name. Fails: {@link InputFileError}. */
function getPreset(name: string): object {
  const all = presetVersions();
  const found = all.findLast((each) => name === each.name || name === `${each.name}@${each.version}`);
  if (found !== undefined) return found.ruleset;
  const names = [...new Set(all.map((each) => each.name))];
  const versions = all.filter((each) => name.startsWith(`${each.name}@`)).map(({ version }) => version);
  const nearest = findNearestName(name, names);
  const hint =
    versions.length > 0
      ? `; its versions are ${versions.join(", ")}`
      : nearest === undefined
        ? `; the presets are ${names.join(", ")}`
        : `; did you mean ${nearest}?`;
  throw new InputFileError(`there is no preset "${name}"${hint}`);
}
