import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { createSharedFolder } from "@groundrule/testing/folder";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runGroundrule, startGroundrule } from "../../../test/groundrule.ts";
import { matchFailedExit } from "../../../test/in-process.ts";
import { buildListedRegister, LISTED } from "../../../test/listed.ts";

// Commands that create a store, commands that refuse to, and messages about a faulty store.

const { at: root } = createSharedFolder();
let dir: string;
let cases = 0;
const run = (...args: string[]) => runGroundrule(args, dir);
const state = (name = "") => join(dir, ".groundrule", `state.db${name}`);

beforeAll(() => buildListedRegister(root()));
beforeEach(() => {
  dir = root(`${++cases}`);
  mkdirSync(dir);
});

/** Serves one source over the store of this case. */
async function serve(...more: string[]) {
  const places = ["--data", root(".groundrule"), "--store", `sqlite:${state()}`];
  const child = startGroundrule(["serve", "--port", "0", "--workers", "1", ...places, ...more], dir);
  let log = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const [line] = await once(createInterface({ input: child.stdout! }), "line");
  const url = /http:\S+/.exec(String(line))![0];
  return {
    child,
    log: () => log,
    ready: async () => {
      const response = await fetch(`${url}/readyz`);
      const { status, reasons } = (await response.json()) as { status: string; reasons: string[] };
      return { code: response.status, status, reasons };
    },
    ask: async (key: unknown) => {
      const response = await fetch(`${url}/v1/subjects`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ input: { scheme: LISTED } }),
      });
      const { code = "" } = (await response.json()) as { code?: string };
      return `${response.status} ${code}`.trim();
    },
    stop: async () => {
      child.kill("SIGINT");
      expect((await once(child, "exit"))[0]).toBe(0);
    },
  };
}

async function makeKey(): Promise<unknown> {
  expect(await run("org", "create", "Bank", "--quota", "100")).toMatchObject({ code: 0 });
  return (await run("key", "create", "--org", "Bank")).lines[0]!.key;
}

const READS = [["usage", "--org", "Bank"], ["key", "list", "--org", "Bank"], ["backup", "b.db"], ["doctor"]];
const WRITES = [
  ["serve", "--port", "0"],
  ["key", "create", "--org", "Bank"],
  ["key", "revoke", "key_1"],
  ["quota", "set", "--org", "Bank", "1"],
  ["subscription", "suspend", "--org", "Bank"],
  ["decisions", "erase", "--org", "Bank", "--before", "2026-01-01T00:00:00Z"],
  ["ledger", "release", "--org", "Bank"],
];
const UNREADY = { code: 503, status: "unready", reasons: ["STORAGE_UNAVAILABLE"] };
/** Runs each command and expects it to be refused with this message. */
async function expectRefused(commands: readonly string[][], code: number, message: RegExp): Promise<void> {
  for (const args of commands) {
    expect(await run(...args), args.join(" ")).toMatchObject({ code, err: expect.stringMatching(message) });
  }
}
const SERVE = ["serve", "--port", "0"];
const MAKE_KEY = ["key", "create", "--org", "Bank"];
const MAKE_ORG = ["org", "create", "B", "--quota", "1"];

describe("a store that is not there", () => {
  it("is missed by every command that does not make one, and nothing is made", async () => {
    for (const args of [...READS, ...WRITES]) {
      await expectRefused([args], 4, /STORE_MISSING/);
      expect(readdirSync(dir), args.join(" ")).toEqual([]);
    }
  });

  it("is made by org create and serve --init, and the latter refuses where there is one", async () => {
    const served = await serve("--init");
    expect(await served.ready()).toEqual({ code: 200, status: "ready", reasons: [] });
    await served.stop();
    expect(statSync(state()).mode & 0o777).toBe(0o600);
    expect(statSync(state(".pepper")).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir, ".groundrule")).mode & 0o777).toBe(0o700);
    expect(await run("serve", "--init", "--port", "0")).toMatchObject(matchFailedExit(3, "STORE_NOT_EMPTY"));
    expect((await run("doctor")).lines[0]).toMatchObject({ ok: true, files: [], pepper: null });
  });

  it("is not made anew beside its pepper, whether it was moved or emptied, and is restored there", async () => {
    const key = await makeKey();
    await run("backup", "backup.db");
    for (const lose of [
      () => renameSync(state(), join(dir, "elsewhere.db")),
      () => writeFileSync(state(), ""),
    ]) {
      lose();
      const before = readdirSync(join(dir, ".groundrule")).sort();
      const message = /its pepper is at .*put it back, or restore a backup.*STORE_MISSING/;
      await expectRefused([...WRITES, MAKE_ORG, ["serve", "--init"]], 4, message);
      expect(readdirSync(join(dir, ".groundrule")).sort()).toEqual(before);
      expect(await run("restore", "backup.db")).toMatchObject({ code: 0, err: "" });
    }
    const served = await serve();
    expect(await served.ask(key)).toBe("200");
    await served.stop();
  });

  it("is written to nowhere by commands that read", async () => {
    await makeKey();
    const folder = join(dir, ".groundrule");
    const times = () => readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mtimeMs]);
    const before = times();
    for (const args of READS) expect(await run(...args), args.join(" ")).toMatchObject({ code: 0, err: "" });
    expect(times()).toEqual(before);
    expect(statSync(join(dir, "b.db")).mode & 0o777).toBe(0o600);
  });
});

describe("the pepper of a store", () => {
  it("is refused where it is another's, missed where it is not there, and made anew where it is declared lost", async () => {
    const key = await makeKey();
    const kept = state(".pepper.kept");
    renameSync(state(".pepper"), kept);
    const missing = /there is no pepper at .*--new-pepper.*PEPPER_MISSING/;
    await expectRefused([SERVE, MAKE_KEY, MAKE_ORG], 4, missing);
    writeFileSync(state(".pepper"), `${"ab".repeat(32)}\n`, { mode: 0o600 });
    const another = /is not the pepper of this store.*PEPPER_MISMATCH/;
    await expectRefused([SERVE, [...MAKE_KEY, "--new-pepper"]], 4, another);
    const examined = await run("doctor");
    expect(examined).toMatchObject({ code: 4 });
    expect(examined.lines[0]).toMatchObject({ ok: false, pepper: expect.stringContaining("not the pepper") });
    // Commands that need no pepper still work.
    expect(await run("usage", "--org", "Bank")).toMatchObject({ code: 0 });

    rmSync(state(".pepper"));
    const anew = (await run("key", "create", "--org", "Bank", "--new-pepper")).lines[0]!.key;
    const served = await serve();
    expect(await served.ask(anew)).toBe("200");
    expect(await served.ask(key)).toBe("401 API_KEY_INVALID");
    await served.stop();
    copyFileSync(kept, state(".pepper"));
    expect(await run("serve", "--port", "0")).toMatchObject({ code: 4 });
  });

  it.skipIf(process.platform === "win32").each<[string, file: "" | ".pepper", mode: number, mend: string]>([
    ["others may read it", ".pepper", 0o604, "chmod 600 .*pepper"],
    ["its group may read it", ".pepper", 0o640, "chmod 600 .*pepper"],
    ["others may write it", ".pepper", 0o602, "chmod 600 .*pepper"],
    ["every user may put another in its place", "", 0o777, "chmod go-w .*groundrule"],
  ])("is refused where %s, until that is mended", async (_, file, mode, mend) => {
    await makeKey();
    const path = file === "" ? join(dir, ".groundrule") : state(file);
    const sound = statSync(path).mode;
    chmodSync(path, mode);
    const message = new RegExp(
      `found mode ${mode.toString(8)} on .* the pepper.*; run ${mend}.*VALUE_INVALID`,
    );
    await expectRefused([SERVE, [...SERVE, "--pepper", state(".pepper")], MAKE_KEY, MAKE_ORG], 3, message);
    const { code, lines } = await run("doctor");
    expect(code).toBe(4);
    expect(lines[0]).toMatchObject({ pepper: expect.stringContaining("; run chmod"), files: [{ path }] });
    // Commands that need no pepper still work.
    expect(await run("usage", "--org", "Bank")).toMatchObject({ code: 0 });
    chmodSync(path, sound & 0o777);
    expect(await run("key", "create", "--org", "Bank")).toMatchObject({ code: 0 });
  });
});

describe("a store under a service", () => {
  it("states why it is not ready when its file is taken away, and refuses everybody until it is started again", async () => {
    const key = await makeKey();
    const served = await serve();
    expect(await served.ask(key)).toBe("200");
    renameSync(state(), join(dir, "moved.db"));
    // The fault is known already, or found by this charge.
    expect(await served.ask(key)).toMatch(/^503 (STORAGE_UNAVAILABLE|OUTCOME_UNKNOWN)$/);
    expect(await served.ask(key)).toBe("503 STORAGE_UNAVAILABLE");
    expect(await served.ready()).toMatchObject(UNREADY);
    await expect.poll(served.log).toMatch(/not ready: .*state\.db was removed or renamed/);
    renameSync(join(dir, "moved.db"), state());
    expect(await served.ask(key)).toBe("503 STORAGE_UNAVAILABLE");
    expect(await served.ready()).toMatchObject({ code: 503, status: "unready" });
    await served.stop();
    const again = await serve();
    expect(await again.ready()).toMatchObject({ code: 200, status: "ready" });
    expect(await again.ask(key)).toBe("200");
    linkSync(state(), join(dir, "second.db"));
    const second = ["serve", "--port", "0", "--store", `sqlite:${join(dir, "second.db")}`];
    expect(await run(...second)).toMatchObject(matchFailedExit(4, "STORE_FILE_SHARED"));
    await again.stop();
    const [usage] = (await run("usage", "--org", "Bank")).lines;
    // A charge of unknown outcome is counted if the file was put back, and no other is.
    expect([2, 3]).toContain(usage!.used);
  });

  it("charges nothing by a clock 40 days past its last service, replays meanwhile, and goes on with --trust-clock", async () => {
    const key = await makeKey();
    const first = await serve();
    expect(await first.ask(key)).toBe("200");
    await first.stop();
    const database = new DatabaseSync(state());
    database.exec(`UPDATE served SET last_ms = last_ms - ${40 * 86_400_000}`);
    database.close();
    const far = await serve();
    expect(await far.ready()).toMatchObject(UNREADY);
    await expect
      .poll(far.log)
      .toMatch(/not ready: .*40\.0 days after the store was last served .*--trust-clock/);
    expect(await far.ask(key)).toBe("503 STORAGE_UNAVAILABLE");
    await far.stop();
    expect(await run("quota", "set", "--org", "Bank", "5")).toMatchObject(
      matchFailedExit(4, "CLOCK_UNTRUSTED"),
    );
    const trusting = await serve("--trust-clock");
    expect(await trusting.ready()).toMatchObject({ code: 200 });
    expect(await trusting.ask(key)).toBe("200");
    await trusting.stop();
    expect(await run("quota", "set", "--org", "Bank", "5")).toMatchObject({ code: 0 });
  });
});
