import { execFile, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { followService } from "../../apps/api/test/followed-service.ts";
import { NEWER_NODE } from "../../apps/cli/src/node-version.ts";
import { checkPromise } from "../machine/promises.ts";
import type { PackedPackage } from "./pack.ts";

/** Where the command is tried, and on what. */
export interface Trial {
  /** A folder that is not there yet. */
  readonly place: string;
  /** Versions of Node to their programs, on which the command answers. */
  readonly answering: ReadonlyMap<string, string>;
  /** Those on which it also serves from a store in a file. */
  readonly serving: ReadonlyMap<string, string>;
  /** Those on which it only says that it needs a newer one. */
  readonly tooOld: ReadonlyMap<string, string>;
  /** The demo's data folder. */
  readonly data: string;
}

const call = promisify(execFile);

/**
 * Installs the command as `npm install --global` does, into a folder of its own and without any network, takes the
 * right to write there away, and uses it.
 */
export async function tryInstalledCommand(cli: PackedPackage, trial: Trial): Promise<void> {
  const { place, data } = trial;
  mkdirSync(place);
  const prefix = join(place, "prefix");
  const command = join(prefix, "bin/groundrule");
  const isInstalled = await checkPromise(
    "npm install --global --offline @groundrule/cli gives groundrule",
    async () => {
      const installing = ["install", "--global", "--offline", "--prefix", prefix, "--no-audit", "--no-fund"];
      await call("npm", [...installing, "--silent", cli.tarball], { cwd: place });
      const installed = readdirSync(join(prefix, "lib/node_modules"), { recursive: true, encoding: "utf8" });
      const others = installed.filter((path) => path.includes("node_modules"));
      if (others.length > 0) throw new Error(`it brought ${others.slice(0, 3).join(", ")}`);
      for (const path of installed) chmodSync(join(prefix, "lib/node_modules", path), 0o555);
    },
  );
  if (!isInstalled) return;
  writeSamplePlots(place);
  for (const [version, node] of trial.answering) {
    const run = createCommandRunner(command, node, place);
    await checkPromise(`groundrule answers on Node ${version}`, async () => {
      expectMatch(await run("--version"), /^\d+\.\d+\.\d+/, "version");
      const asking = [
        "--data",
        data,
        "--ruleset",
        "ruleset.json",
        "plots.ndjson",
        "--now",
        "2026-11-22T00:00:00Z",
      ];
      const evaluated = await run("evaluate", ...asking, "--json");
      expectMatch(evaluated, /"verdict":"(?:NON_)?COMPLIANT"/, "verdict");
      const screened = await run("screen", ...asking, "--workers", "2");
      if (screened !== evaluated) throw new Error(`screen printed ${screened}, evaluate ${evaluated}`);
      const parquet = ["--format", "parquet", "--output", `verdicts-${version}.parquet`];
      await run("screen", ...asking, "--workers", "2", ...parquet);
      const written = readFileSync(join(place, `verdicts-${version}.parquet`));
      expectMatch(written.toString("latin1", 0, 4), /^PAR1$/, "Parquet file");
      expectMatch(await run("sources", "list", "--data", data), /"demo:parks"/, "sources");
      await run("lint", "preset.indigenous-lands", "--data", data);
    });
  }
  for (const [version, node] of trial.tooOld) {
    await checkPromise(`groundrule says on Node ${version} in one line what it needs`, async () => {
      const { status, stdout, stderr } = spawnSync(command, ["--version"], {
        env: buildNodeEnvironment(node),
        encoding: "utf8",
      });
      const said = /^groundrule: found Node [\d.]+ at \S+, expected Node 24\.15 or newer: (.*)\n$/.exec(
        stderr,
      );
      if (status !== 4 || stdout !== "" || said?.[1] !== NEWER_NODE) {
        throw new Error(`it ended with ${status} and said ${JSON.stringify(stdout + stderr)}`);
      }
    });
  }
  for (const [version, node] of trial.serving) {
    const run = createCommandRunner(command, node, place);
    await checkPromise(`groundrule demo builds, serves and answers on Node ${version}`, async () => {
      await run("demo", "--once", "--data", `demo-${version}`);
    });
    await checkPromise(`groundrule serve shows its documentation on Node ${version}`, async () => {
      const folder = ["--data", `demo-${version}`];
      const words = ["serve", ...folder, "--init", "--port", "0"];
      const service = await followService(
        spawn(command, words, { cwd: place, env: buildNodeEnvironment(node) }),
      );
      try {
        for (const path of [
          "/healthz",
          "/openapi.json",
          "/docs",
          "/docs/docs.css",
          "/docs/guides",
          "/console/",
          "/docs/errors",
        ]) {
          const { status } = await fetch(service.url + path);
          if (status !== 200) throw new Error(`${path} answered ${status}`);
        }
      } finally {
        await service.stop("SIGTERM");
      }
    });
  }
}

function createCommandRunner(
  command: string,
  node: string,
  cwd: string,
): (...words: string[]) => Promise<string> {
  return async (...words) => {
    const { stdout } = await call(command, words, { cwd, env: buildNodeEnvironment(node), timeout: 120_000 });
    return stdout;
  };
}

/** The shebang asks for the first node on the path. */
function buildNodeEnvironment(node: string): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${join(node, "..")}:${process.env.PATH}` };
}

function expectMatch(printed: string, pattern: RegExp, what: string): void {
  if (!pattern.test(printed))
    throw new Error(`it printed no ${what}: ${JSON.stringify(printed.slice(0, 400))}`);
}

function writeSamplePlots(folder: string): void {
  const ring = [
    [-59.6, -10.6],
    [-59.5, -10.6],
    [-59.5, -10.5],
    [-59.6, -10.5],
    [-59.6, -10.6],
  ];
  const geometry = { type: "Polygon", coordinates: [ring] };
  const plots = ["p", "q", "r"].map((id) => ({ type: "Feature", id, properties: {}, geometry }));
  writeFileSync(join(folder, "plots.ndjson"), plots.map((plot) => `${JSON.stringify(plot)}\n`).join(""));
  const overlap = { id: "overlap", set: "protected", measure: "overlap_ratio", value: 0.001 };
  const ruleset = {
    sets: { protected: { sources: ["demo:parks", "demo:indigenous"] } },
    checks: [{ ...overlap, outcome: "NON_COMPLIANT" }],
  };
  writeFileSync(join(folder, "ruleset.json"), JSON.stringify(ruleset));
}
