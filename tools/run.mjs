// Runs the groundrule command from a fresh clone, with whatever Node started npm: installs what is
// missing, then hands over to the pinned Node. What the set-up says goes to standard error and it
// reads nothing, so standard output and input belong to the command alone.
import { join } from "node:path";
import {
  buildConsole,
  findPinnedNode,
  installDependencies,
  isSetUp,
  root,
  runProgram,
} from "./fresh-clone.mjs";

if (!isSetUp()) await installDependencies();

// Built where its sources have changed, by those who serve it.
if (["demo", "serve"].includes(process.argv[2])) await buildConsole();

const main = join(root, "apps/cli/src/main.ts");
const cwd = process.env.INIT_CWD ?? process.cwd();
process.exitCode = await runProgram(findPinnedNode(), [main, ...process.argv.slice(2)], {
  cwd,
  stdio: "inherit",
});
