import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { followService } from "../../apps/api/test/followed-service.ts";
import { runInProcess } from "../../apps/cli/test/in-process.ts";
import { buildListedRegister } from "../../apps/cli/test/listed.ts";
import { checkCommandLine } from "./check-command-line.ts";
import { REPOSITORY } from "./manifests.ts";

const MAIN = join(REPOSITORY, "apps/cli/src/main.ts");
const unit = readFileSync(join(REPOSITORY, "deploy/systemd/groundrule.service"), "utf8");
const config = readFileSync(join(REPOSITORY, "deploy/groundrule.yaml"), "utf8");
const directive = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)![1]!;
const [program, ...words] = directive("ExecStart").split(" ");

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "groundrule-unit-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("groundrule.service", () => {
  it("names a command line and settings that there are, and waits for the drain", async () => {
    expect(program).toMatch(/\/groundrule$/);
    const configs = new Map([["/etc/groundrule/groundrule.yaml", config]]);
    const { faults, settings } = await checkCommandLine(words, {}, configs);
    expect(faults).toEqual([]);
    const drain = Number(settings.get("drain_delay_seconds")) + Number(settings.get("drain_timeout_seconds"));
    expect(Number(directive("TimeoutStopSec"))).toBeGreaterThanOrEqual(drain + 3);
    const state = `/var/lib/${directive("StateDirectory")}`;
    expect([settings.get("data"), settings.get("store")]).toEqual([state, `sqlite:${state}/state.db`]);
    // Settings that are commented out are valid as well.
    const postgres = config
      .replace(/^store: .*$/m, "")
      .replace(/^# (store|store_password_file|pepper_file): /gm, "$1: ");
    expect(
      (await checkCommandLine(words, {}, new Map([["/etc/groundrule/groundrule.yaml", postgres]]))).faults,
    ).toEqual([]);
    const variables = /^#Environment=(.*)$/m
      .exec(unit)![1]!
      .split(" ")
      .map((pair) => pair.split("="));
    expect((await checkCommandLine(words, Object.fromEntries(variables), configs)).faults).toEqual([]);
  });

  it("starts what it names, with the settings it names, and ends in time", async () => {
    await buildListedRegister(dir);
    const data = join(dir, ".groundrule");
    const settings = config
      .replaceAll("/var/lib/groundrule", data)
      .replace("port: 8080", "port: 0\nworkers: 1\nlog: notes");
    const file = join(dir, "groundrule.yaml");
    writeFileSync(file, settings);
    expect((await runInProcess(["org", "create", "First", "--quota", "9", "--config", file])).code).toBe(0);
    const own = words.map((word) => word.replace("/etc/groundrule/groundrule.yaml", file));
    const service = await followService(spawn(process.execPath, [MAIN, ...own], { cwd: dir, env: {} }));
    // Settings are read once: what is written into the file meanwhile waits for the next start.
    writeFileSync(file, "prot: 1");
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    // At once for ^C; SIGTERM would first wait for the proxy, which serve's own tests do.
    expect(await service.stop()).toBe(0);
    expect(service.log(), "log: notes leaves requests out").not.toContain("/readyz");
  });

  const analyze = spawnSync("systemd-analyze", ["--version"]);
  it.skipIf(analyze.status !== 0)(
    "is what systemd takes, and little is open to it (needs systemd-analyze)",
    () => {
      const path = join(dir, "groundrule.service");
      writeFileSync(path, unit.replace(program!, "/bin/true"));
      const run = (...args: string[]) =>
        execFileSync("systemd-analyze", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
      expect(run("verify", path)).toBe("");
      // From 0, which is safe, to 100. Of an unknown directive or value, verify says something.
      expect(() => run("security", "--offline=yes", "--threshold=15", path)).not.toThrow();
      writeFileSync(
        path,
        unit.replace("ProtectSystem=strict", "ProtectSystem=stricter").replace(program!, "/bin/true"),
      );
      expect(spawnSync("systemd-analyze", ["verify", path], { encoding: "utf8" }).stderr).toContain(
        "stricter",
      );
    },
  );
});
