import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { installEdition } from "@groundrule/node";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createBoxSource } from "@groundrule/testing/small-sources";
import { createSquarePlot } from "@groundrule/testing/small-world";
import { beforeAll, describe, expect, it } from "vitest";
import { splitCommandWords } from "../../test/in-process.ts";
import { formatNdjson } from "../../test/plot-texts.ts";

const MAIN = new URL("../main.ts", import.meta.url).pathname;
const NOW = "2026-11-22T00:00:00Z";
/** The environment of a job: no home, and no program of ours except Node. */
const WITH_NODE = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: "/nonexistent" };
const call = promisify(execFile);

const { at, write } = createSharedFolder();
let archive: string;

/** Makes a bundle. @returns the path of its archive */
async function makeBundle(output: string, options: readonly string[] = [], env = {}): Promise<string> {
  const command = splitCommandWords`bundle --data ${at("data")} --ruleset ${at("ruleset.json")} --output ${at(output)} --json`;
  const { stdout } = await call(process.execPath, [MAIN, ...command, ...options], {
    cwd: at(),
    env: { ...process.env, ...env },
  });
  return JSON.parse(stdout).archive;
}

beforeAll(async () => {
  await installEdition(at("data"), createBoxSource("a:parks", { p: [0, 0, 0.1, 0.1] }));
  await installEdition(at("data"), createBoxSource("a:mines", { m: [1, 1, 1.1, 1.1] }));
  const check = { id: "park", set: "parks", measure: "overlap_ratio", value: 0.1, outcome: "NON_COMPLIANT" };
  const ruleset = { name: "policy", sets: { parks: { sources: ["a:parks"] } }, checks: [check] };
  write("ruleset.json", ruleset);
  const plots = Array.from({ length: 300 }, (_, i) => ({
    type: "Feature",
    id: `plot-${i}`,
    properties: {},
    geometry: createSquarePlot(0.001 * i, 0.05),
  }));
  write("plots.ndjson", formatNdjson(...plots));
  archive = await makeBundle("first", ["--no-node"]);
});

/** Unpacks an archive into a folder. @returns its command */
function unpack(archive: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["xzf", archive, "-C", folder]);
  return join(folder, "bin/groundrule");
}

describe("groundrule bundle", () => {
  it("gives the same bytes twice, and those of the bundle that the program in it makes", async () => {
    const again = await makeBundle("again", ["--no-node"], { TZ: "Asia/Tokyo", LANG: "pt_BR.UTF-8" });
    expect(readFileSync(again).equals(readFileSync(archive))).toBe(true);
    const words = ["bundle", "--no-node", "--output", at("copy"), "--json"];
    const { stdout } = await call(unpack(archive, at("itself")), words, { env: WITH_NODE });
    expect(readFileSync(JSON.parse(stdout).archive).equals(readFileSync(archive))).toBe(true);
  });

  it("runs in any folder, on its own data, and on other data by an option", async () => {
    const place = at("a place", "it's $HOME");
    unpack(archive, place);
    expect(readdirSync(place).sort()).toEqual(["bin", "bundle.json", "data", "program", "ruleset.json"]);
    expect(readdirSync(join(place, "data/editions"))).toEqual(["a_parks"]);
    execFileSync("chmod", ["-R", "a-w", place]);

    // Runs through a relative link to a link, from another folder, in a foreign environment.
    mkdirSync(at("links"));
    symlinkSync("../a place/it's $HOME/bin/groundrule", at("links/first"));
    symlinkSync("first", at("links/groundrule"));
    const env = { ...WITH_NODE, GROUNDRULE_DATA: "/nowhere", GROUNDRULE_RULESET: "/nowhere.json" };
    const run = (...words: string[]) => call(at("links/groundrule"), words, { cwd: at(), env });
    const screening = ["screen", "--now", NOW, "--workers", "2", "plots.ndjson"];
    const command = ["--data", at("data"), "--ruleset", at("ruleset.json")];
    const expected = await call(process.execPath, [MAIN, ...screening, ...command], { cwd: at() });
    expect((await run(...screening)).stdout).toBe(expected.stdout);
    expect(expected.stdout).toContain('"NON_COMPLIANT"');
    expect((await run("sources", "list", "--data", at("data"))).stdout).toContain("a:mines");
    execFileSync("chmod", ["-R", "u+w", place]);
  });

  it("refuses a node that is too old, and no node at all", async () => {
    const command = unpack(archive, at("bare"));
    const run = (path: string) => call(command, ["--version"], { env: { PATH: path } });
    mkdirSync(at("old"));
    // A fake Node that always reports an old version and fails.
    const old = '#!/bin/sh\n[ "$1" = --version ] && echo v20.0.0 && exit 0\nexit 1\n';
    writeFileSync(at("old/node"), old, { mode: 0o755 });
    await expect(run(`${at("old")}:/usr/bin:/bin`)).rejects.toMatchObject({
      code: 4,
      stderr: expect.stringContaining("found v20.0.0"),
    });
    mkdirSync(at("tools"));
    for (const tool of ["sh", "dirname", "readlink"]) symlinkSync(`/usr/bin/${tool}`, at("tools", tool));
    await expect(run(at("tools"))).rejects.toMatchObject({
      code: 4,
      stderr: expect.stringContaining("found no node on the path"),
    });
  });

  it("takes its name only once it is whole, whenever its process is killed", async () => {
    const command = unpack(archive, at("killed"));
    mkdirSync(at("torn"));
    for (const delay of [150, 300, 450, 600]) {
      const child = spawn(command, ["bundle", "--no-node", "--output", at("torn")], {
        env: WITH_NODE,
        stdio: "ignore",
      });
      await new Promise((resolve) => setTimeout(resolve, delay));
      child.kill("SIGKILL");
      await once(child, "exit");
      for (const name of readdirSync(at("torn"))) {
        if (name.endsWith(".tar.gz"))
          expect(readFileSync(at("torn", name)).equals(readFileSync(archive))).toBe(true);
      }
    }
  });
});
