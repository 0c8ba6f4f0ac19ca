/**
 * The Python package against the command: its own tests, then a handle on the Node of the wheel, and a standalone cluster
 * of Spark, whose workers, executors and children are killed at random. Each table must equal what `groundrule screen`
 * writes.
 *
 * GROUNDRULE_FULL=1 asks about 200,000 plots with ten kills; without it 4,000 and one. `--cost` also tells what Spark
 * costs beside the command. Needs Python, PyPI and Java, and says so where they are missing.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { installPython, PythonMissing } from "./machine/python.ts";
import { measureProgramUsage } from "./machine/usage.ts";
import { prepareTestData, writePlotLines } from "./test-spark/world.ts";

const isFull = process.env.GROUNDRULE_FULL === "1";
const { values } = parseArgs({
  options: {
    plots: { type: "string", default: isFull ? "200000" : "4000" },
    kills: { type: "string", default: isFull ? "10" : "1" },
    cost: { type: "boolean", default: isFull },
    seed: { type: "string", default: "20261122" },
  },
});
const NOW = "2026-11-22T12:00:00Z";
/** Exit codes: an error is an answer of its plot. */
const ANSWERED = [0, 3];
const PACKAGE = join(import.meta.dirname, "../apps/python");
const MAIN = join(import.meta.dirname, "../apps/cli/src/main.ts");

const REQUIREMENTS = join(import.meta.dirname, "test-spark/requirements.txt");

const python = findPython();
// A folder with a space: paths are never taken apart.
const workshop = mkdtempSync(join(tmpdir(), "groundrule spark "));
try {
  await runSparkTests();
} finally {
  rmSync(workshop, { recursive: true, force: true });
}

/** A Python with everything that the tests need. Ends the process, with a word, where this machine lacks one. */
function findPython(): string {
  try {
    const { status, stdout, stderr } = spawnSync("java", ["-version"], { encoding: "utf8" });
    const release = /version "([0-9]+)/.exec(`${stdout}${stderr}`)?.[1];
    if (status !== 0 || Number(release) < 17) throw new PythonMissing("Java 17");
    return installPython(readFileSync(REQUIREMENTS, "utf8").trim().split("\n"), 10)("python");
  } catch (error) {
    if (!(error instanceof PythonMissing)) throw error;
    console.log(`Not tested with Spark: this machine lacks ${error.message}.`);
    process.exit(0);
  }
}

async function runSparkTests(): Promise<void> {
  runProgram(python, ["-m", "ruff", "check", "."], { cwd: PACKAGE });
  runProgram(python, ["-m", "ruff", "format", "--check", "."], { cwd: PACKAGE });
  runProgram(python, ["-m", "mypy"], { cwd: PACKAGE });
  const data = join(workshop, "data");
  const ruleset = join(workshop, "ruleset.json");
  const plots = join(workshop, "plots.ndjson");
  const world = await prepareTestData(data);
  writeFileSync(ruleset, JSON.stringify(world.ruleset));
  writePlotLines(plots, world.features, Number(values.plots));
  const archives = join(workshop, "archives");
  mkdirSync(archives);
  runGroundrule(["bundle", "--ruleset", ruleset, "--data", data, "--output", archives]);
  const archive = join(archives, readdirSync(archives)[0]!);
  const env = { GROUNDRULE_TEST_ARCHIVE: archive, XDG_CACHE_HOME: join(workshop, "cache") };
  if (process.env.SKIP_UNIT === undefined)
    runProgram(python, ["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "tests/spark"], {
      cwd: PACKAGE,
      env,
    });

  const expected = join(workshop, "expected.parquet");
  const screen = ["screen", "--ruleset", ruleset, "--data", data, "--now", NOW];
  const { cpuMs, elapsedMs } = measureProgramUsage(
    MAIN,
    [...screen, "--format", "parquet", "--output", expected, plots],
    ANSWERED,
  );
  const spent = { seconds: elapsedMs / 1000, cpu_seconds: cpuMs / 1000 };
  const task = { plots, expected, archive, data, ruleset, now: NOW, ...spent };
  const config = join(workshop, "cluster.json");
  writeFileSync(
    config,
    JSON.stringify({
      ...task,
      is_measured: values.cost,
      folder: workshop,
      kills: Number(values.kills),
      seed: Number(values.seed),
    }),
  );
  runProgram(python, [join(import.meta.dirname, "test-spark/cluster.py"), config], { env });
}

function runGroundrule(args: readonly string[]): void {
  runProgram(process.execPath, [MAIN, ...args], { output: "ignore", codes: ANSWERED });
}

interface Running {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly output?: "ignore" | "inherit";
  readonly codes?: readonly number[];
}

function runProgram(program: string, args: readonly string[], running: Running = {}): void {
  const { cwd, env, output = "inherit", codes = [0] } = running;
  const { status, error } = spawnSync(program, args, {
    stdio: ["ignore", output, "inherit"],
    env: { ...process.env, PYTHONPATH: join(PACKAGE, "src"), PYTHONDONTWRITEBYTECODE: "1", ...env },
    ...(cwd !== undefined && { cwd }),
  });
  if (error !== undefined) throw error;
  if (status === null || !codes.includes(status)) {
    throw new Error(`${program} ${args.slice(0, 3).join(" ")} ended with ${status}`);
  }
}
