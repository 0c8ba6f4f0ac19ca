import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The oldest Node that the packages support, and one between it and the pinned one. */
export const OTHER_NODES: readonly string[] = ["22.13.0", "24.15.0"];

/** Releases that people still have and on which nothing runs: the command says so in one line. */
export const TOO_OLD_NODES: readonly string[] = ["18.20.8", "20.19.5"];

/** A host that is not Node. */
export interface OtherHost {
  readonly name: string;
  readonly version: string;
  /** The arguments before the file of a program, to run it with the packages in `node_modules`. */
  readonly run: readonly string[];
}

export const OTHER_HOSTS: readonly OtherHost[] = [
  { name: "bun", version: "1.4.5", run: ["run"] },
  { name: "deno", version: "2.9.6", run: ["run", "--allow-all", "--node-modules-dir=manual"] },
];

const cache = join(import.meta.dirname, "../../node_modules/.cache/groundrule");

/** The program of a Node release, from the npm package `node`; kept for the next run. */
export function installNode(version: string): string {
  return installProgram("node", version);
}

/** The program of another host. Where it cannot be installed as a package, says so and returns undefined. */
export function findHostProgram({ name, version }: OtherHost): string | undefined {
  try {
    const program = installProgram(name, version);
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return program;
  } catch (error) {
    console.log(`NOT RUN ${name} ${version}: it cannot be installed here (${(error as Error).message})`);
    return undefined;
  }
}

function installProgram(name: string, version: string): string {
  const folder = join(cache, `${name}-${version}`);
  const program = join(folder, "node_modules/.bin", name);
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), `${JSON.stringify({ private: true })}\n`);
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent", `${name}@${version}`], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  return program;
}
