import { readFileSync, statSync } from "node:fs";
import { parseYaml, YAML_BYTE_LIMIT, type YamlFile, YamlFileError } from "@groundrule/policy-tests";
import { toReadError } from "./input-file.ts";

/**
 * Reads a YAML file; see {@link parseYaml}.
 *
 * Fails: {@link YamlFileError} with places; `InputFileError` for a file that cannot be read.
 */
export function readYamlFile(path: string): YamlFile {
  return parseYaml(path, readYamlText(path));
}

function readYamlText(path: string): string {
  const refuse = (message: string) => new YamlFileError(path, [{ line: 1, column: 1, pointer: "", message }]);
  try {
    const stat = statSync(path);
    if (!stat.isFile()) throw refuse("found something other than a regular file, expected a file");
    if (stat.size > YAML_BYTE_LIMIT)
      throw refuse(`found ${stat.size} bytes, expected at most ${YAML_BYTE_LIMIT}; split the file`);
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof TypeError) throw refuse("found bytes that are not UTF-8, expected text");
    throw toReadError(error, path);
  }
}
