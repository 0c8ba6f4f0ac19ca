import { spawnSync } from "node:child_process";
import { cpSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { REPOSITORY } from "../machine/repository.ts";

/** The sources of the Python package. */
export const PYTHON_PACKAGE: string = join(REPOSITORY, "apps/python");

/** A wheel, and the sources that it was built from. */
export interface Wheel {
  readonly file: string;
  /** The folder with the package's modules, and the program among them. */
  readonly modules: string;
}

/**
 * Builds the wheel of the Python package, with the command as plain JavaScript and the notices of all that it bundles.
 *
 * @param python a Python with `build` and the build backend of the package's pyproject.toml
 * @param folder an empty folder, in which the sources are laid out and the wheel is written
 *
 * Fails: if building does.
 */
export function buildWheel(python: string, folder: string): Wheel {
  const source = join(folder, "source");
  const isShipped = (path: string): boolean => !/^(?:\..*|__pycache__|tests)$/.test(basename(path));
  cpSync(PYTHON_PACKAGE, source, { recursive: true, filter: isShipped });
  const modules = join(source, "src");
  const program = join(modules, "groundrule/program");
  run(process.execPath, [join(REPOSITORY, "tools/program/build.mjs"), program]);
  cpSync(join(program, "THIRD-PARTY-NOTICES.txt"), join(source, "THIRD-PARTY-NOTICES.txt"));
  run(python, ["-m", "build", "--wheel", "--no-isolation", "--outdir", folder, source]);
  const file = readdirSync(folder).find((name) => name.endsWith(".whl"));
  if (file === undefined) throw new Error(`found no wheel in ${folder}`);
  return { file: join(folder, file), modules };
}

function run(program: string, args: readonly string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}: ${stdout}${stderr}`);
}
