import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { PRESET_PREFIX } from "@groundrule/data/rulesets";
import type { EvaluationInput } from "@groundrule/engine";
import { openPath } from "@groundrule/formats";
import { ENGINE_OPTIONS } from "@groundrule/node";
import { readPlotFile } from "@groundrule/plot-files";
import {
  type PlotFixture,
  type PreparedTests,
  parseTestFile,
  prepareTests,
  refuseTestFile,
  type TestedRuleset,
  type TestFile,
  type TestFileFaults,
  type TestSurroundings,
} from "@groundrule/policy-tests";
import { toReadError } from "../files/input-file.ts";
import { readRuleset } from "../files/ruleset-file.ts";
import { readYamlFile } from "../files/yaml-file.ts";
import { toPlotLine } from "../plots/plots.ts";

/** Values that a test file may leave to the command. */
export type TestDefaults = Pick<TestSurroundings, "now" | "openData" | "strictCoverage">;

const SUFFIX = /\.test\.ya?ml$/;
/** Maximum bytes of a file of plots: a test needs few. */
const PLOT_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Reads a test file, with its rulesets and plots from its folder.
 *
 * Fails: `YamlFileError` with every fault of a part; `InputFileError` for a file that cannot be read.
 */
export async function openTestFile(path: string, defaults: TestDefaults): Promise<PreparedTests> {
  const file = parseTestFile(readYamlFile(path));
  return prepareTests(file, {
    ...defaults,
    host: ENGINE_OPTIONS,
    rulesetOf: readTestedRuleset,
    plotsOf: readFixturePlots,
  });
}

function readTestedRuleset(file: TestFile): TestedRuleset {
  const path = getRulesetPath(file);
  if (!path.startsWith(PRESET_PREFIX) && !isFile(path)) {
    const named = file.tests.ruleset === undefined ? "; name another as ruleset" : "";
    refuseTestFile(file, "/ruleset", `found no file ${path}, expected the ruleset under test${named}`);
  }
  return { path, name: basename(path), ruleset: readRuleset(path) };
}

function getRulesetPath({ yaml: { path }, tests: { ruleset } }: TestFile): string {
  if (ruleset === undefined) return path.replace(SUFFIX, ".json");
  if (ruleset.startsWith(PRESET_PREFIX) && !ruleset.endsWith(".json")) return ruleset;
  return join(dirname(path), ruleset);
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** The plot with an id, or the only one, of a file in the test file's folder. Its own identifiers are kept. */
async function readFixturePlots(
  { yaml }: TestFile,
  { file = "", id }: PlotFixture,
  pointer: string,
  faults: TestFileFaults,
): Promise<readonly EvaluationInput[]> {
  const path = join(dirname(yaml.path), file);
  const found: EvaluationInput[] = [];
  if (!isFile(path)) faults.addAt(`${pointer}/file`, `found no file ${path}, expected a file of plots`);
  else if (statSync(path).size > PLOT_FILE_BYTES) {
    faults.addAt(`${pointer}/file`, `found more than ${PLOT_FILE_BYTES} bytes in ${path}, expected fewer`);
  } else {
    try {
      const opened = await openPath(path);
      for await (const read of readPlotFile(opened)) {
        const plot = toPlotLine(read);
        if (id !== undefined && String(plot.id) !== String(id)) continue;
        if ("error" in plot) faults.addAt(`${pointer}/file`, `${path}: ${plot.error.message}`);
        else found.push(plot.input);
      }
      await opened.close();
    } catch (error) {
      throw toReadError(error, path);
    }
    if (found.length !== 1) {
      const which = id === undefined ? "one plot, or the id of one" : `one plot with the id ${id}`;
      faults.addAt(pointer, `found ${found.length} in ${path}, expected ${which}`);
    }
  }
  return found;
}
