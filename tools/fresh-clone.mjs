// Makes a fresh clone run, whatever Node started npm: installs what is missing, the pinned Node among it. Its messages
// go to standard error, and it reads no input.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The oldest Node that the set-up runs on; everything else runs on the one that it installs. */
const OLDEST_FOR_SETUP = 20;

export const root = fileURLToPath(new URL("..", import.meta.url));
const { packageManager, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const [major, minor] = process.versions.node.split(".").map(Number);

/** Installs what the lockfile asks for. Ends the process where that fails, and on a Node that is too old for it. */
export async function installDependencies() {
  if (major < OLDEST_FOR_SETUP) refuseNode(`Node ${OLDEST_FOR_SETUP} or newer`);
  // The digest after it is for Corepack: npx knows none.
  const pnpm = packageManager.split("+")[0];
  const args = ["--yes", "--prefer-offline", pnpm, "install", "--frozen-lockfile"];
  const code = await runProgram("npx", args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (code !== 0) {
    console.error(`groundrule: the set-up failed (exit code ${code})`);
    process.exit(4);
  }
}

/** Builds the web page where its sources have changed. Ends the process where that fails. */
export async function buildConsole() {
  const code = await runProgram(findPinnedNode(), [join(root, "apps/console/build.ts")], {
    stdio: ["ignore", 2, 2],
  });
  if (code !== 0) process.exit(4);
}

/** True if the installed packages match the lockfile; pnpm keeps a copy of the one it installed. */
export function isSetUp() {
  try {
    const installed = readFileSync(join(root, "node_modules/.pnpm/lock.yaml"));
    return installed.equals(readFileSync(join(root, "pnpm-lock.yaml")));
  } catch {
    return false;
  }
}

/** The installed Node, or this one where the platform has no build of it and this one is new enough. */
export function findPinnedNode() {
  const pinned = join(root, "node_modules/.bin", process.platform === "win32" ? "node.cmd" : "node");
  if (existsSync(pinned)) return pinned;
  const oldest = engines.node.replace(">=", "");
  const [oldestMajor, oldestMinor] = oldest.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return process.execPath;
  refuseNode(`Node ${oldest} or newer, because none was installed for this platform`);
}

function refuseNode(expected) {
  console.error(
    `groundrule: found Node ${process.versions.node} at ${process.execPath}, expected ${expected}: install one, say from https://nodejs.org, and start this with it`,
  );
  process.exit(4);
}

/** Sets up what is missing, then runs a script to its end on the installed Node. */
export async function runScript(args) {
  if (!isSetUp()) await installDependencies();
  await buildConsole();
  process.exitCode = await runProgram(findPinnedNode(), args, { stdio: "inherit" });
}

/** Runs a program to its end; signals meant for this process reach it. Resolves to its exit code. */
export function runProgram(program, args, options) {
  return new Promise((resolve) => {
    const child = spawn(program, args, options);
    // A terminal sends SIGINT to the child as well: waiting for it is all there is to do.
    const wait = () => {};
    const forward = () => child.kill("SIGTERM");
    process.on("SIGINT", wait);
    process.on("SIGTERM", forward);
    const finish = (code) => {
      process.off("SIGINT", wait);
      process.off("SIGTERM", forward);
      resolve(code);
    };
    child.on("error", (error) => {
      console.error(`groundrule: cannot start ${program}: ${error.message}`);
      finish(4);
    });
    child.on("exit", (code, signal) => finish(code ?? 128 + constants.signals[signal]));
  });
}
