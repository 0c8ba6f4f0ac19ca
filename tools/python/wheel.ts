/** Builds the wheel of the Python package into dist/python, and prints the line that installs it. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { installPython } from "../machine/python.ts";
import { REPOSITORY } from "../machine/repository.ts";
import { buildWheel } from "./build-wheel.ts";
import { BUILD_REQUIREMENTS } from "./requirements.ts";

const workshop = mkdtempSync(join(tmpdir(), "groundrule-wheel-"));
try {
  const { file } = buildWheel(installPython(BUILD_REQUIREMENTS, 10)("python"), workshop);
  const folder = join(REPOSITORY, "dist/python");
  mkdirSync(folder, { recursive: true });
  const target = join(folder, basename(file));
  copyFileSync(file, target);
  console.log(`pip install ${relative(process.cwd(), target)}`);
} finally {
  rmSync(workshop, { recursive: true, force: true });
}
