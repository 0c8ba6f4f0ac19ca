import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { devNull, tmpdir } from "node:os";
import { createFolderForEach } from "@groundrule/testing/folder";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { matchFailedExit, type Printed, runInProcess, splitCommandWords } from "../../test/in-process.ts";
import { withSettingsTable } from "../../test/settings-table.ts";
import { COMMON_OPTIONS } from "../command-line/command-line.ts";
import { COMMANDS } from "../commands.ts";
import { createConfigJsonSchema } from "./config-shape.ts";
import { SETTINGS, type SettingName } from "./settings.ts";

/** Content of a file that is then made longer. */
const HUGE = "port: 1";
const SECRET = "s3cret-of-the-store";

const { at } = createFolderForEach();
let environment: NodeJS.ProcessEnv;
beforeEach(() => {
  process.chdir(at());
  environment = process.env;
  process.env = { PATH: environment.PATH, HOME: at() };
});
afterEach(() => {
  process.env = environment;
  process.chdir(tmpdir());
});

/** Runs `config print`, and checks that its output contains no secret. */
async function print(args: readonly string[] = [], variables: Record<string, string> = {}): Promise<Printed> {
  Object.assign(process.env, variables);
  const printed = await runInProcess(["config", "print", ...args]);
  expect(printed.out + printed.err).not.toContain(SECRET);
  return printed;
}

async function printSetting(
  name: SettingName,
  args: readonly string[] = [],
  variables: Record<string, string> = {},
) {
  const { code, lines, err } = await print(args, variables);
  expect(err).toBe("");
  expect(code).toBe(0);
  const { value, from, place } = lines.find((line) => line.name === name)!;
  return [value, from, ...(place === undefined ? [] : [place])];
}

const writeConfig = (content: string | Uint8Array, mode = 0o600, name = "groundrule.yaml") => {
  writeFileSync(name, content, { mode });
  return name;
};

describe("settings", () => {
  it("come from the option, else the variable, else the file, else the default", async () => {
    expect(await printSetting("port")).toEqual([8080, "default"]);
    writeConfig("# the service\n\nport: 1\n");
    expect(await printSetting("port")).toEqual([1, "file", "port in groundrule.yaml:3"]);
    const empty = await printSetting("port", [], { GROUNDRULE_PORT: "" });
    expect(empty).toEqual([1, "file", "port in groundrule.yaml:3"]);
    const set = await printSetting("port", [], { GROUNDRULE_PORT: "2" });
    expect(set).toEqual([2, "environment", "GROUNDRULE_PORT"]);
    expect(await printSetting("port", ["--port", "3"])).toEqual([3, "option", "--port"]);
  });

  it("take the file that --config names, else GROUNDRULE_CONFIG, else the one in the working folder", async () => {
    writeConfig("port: 1");
    mkdirSync("etc");
    writeConfig("port: 2\ndata: lots\nstore: sqlite:state.db\nruleset: preset.eudr", 0o600, "etc/two.yaml");
    writeConfig("port: 3", 0o600, "three.yaml");
    const named = await printSetting("port", [], { GROUNDRULE_CONFIG: "etc/two.yaml" });
    expect(named).toEqual([2, "file", "port in etc/two.yaml:1"]);
    // Paths in it are relative to its folder.
    expect((await printSetting("data"))[0]).toBe("etc/lots");
    expect((await printSetting("store"))[0]).toBe("sqlite:etc/state.db");
    expect(await printSetting("pepper_file")).toEqual(["etc/state.db.pepper", "default"]);
    expect((await printSetting("ruleset"))[0]).toBe("preset.eudr");
    expect(await printSetting("port", ["--config", "three.yaml"])).toEqual([
      3,
      "file",
      "port in three.yaml:1",
    ]);
    expect(await printSetting("port", ["--config", devNull])).toEqual([8080, "default"]);
    expect(await print(["--config", "none.yaml"])).toMatchObject(
      matchFailedExit(3, "cannot read none.yaml: no such file"),
    );
  });

  it("are one table: each is an option of a command, a variable and a member of the schema", async () => {
    const commands = await Promise.all(COMMANDS.map(({ load }) => load()));
    const options = [...commands, { options: COMMON_OPTIONS }].flatMap((command) => command.options);
    const offered = new Set(options.map(({ setting }) => setting?.name));
    const schema = createConfigJsonSchema().properties as Record<string, { description: string }>;
    expect(Object.keys(schema)).toEqual(Object.keys(SETTINGS));
    for (const [name, { variable, option }] of Object.entries(SETTINGS)) {
      expect(offered).toContain(name);
      expect(schema[name]!.description).toContain(`Also --${option} and ${variable}.`);
    }
    const published = new URL("../../schema/config.json", import.meta.url);
    expect(JSON.parse(readFileSync(published, "utf8")), "npm run tool -- write-schemas writes it").toEqual(
      JSON.parse(JSON.stringify(createConfigJsonSchema())),
    );
  });

  it("stand in the operator's guide as the code has them", () => {
    const page = readFileSync(new URL("../../../../docs/guides/settings.md", import.meta.url), "utf8");
    expect(page, "npm run tool -- write-settings writes it").toBe(withSettingsTable(page));
  });

  it("fit 80 columns as a table, with their places", async () => {
    writeConfig("requests_in_progress: 64\n");
    const { out, code } = await runInProcess(["config", "print", "--burst", "7"], { columns: 80 });
    expect(code).toBe(0);
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(90); // with the title's style
    expect(out).toMatch(/^burst +7 +--burst$/m);
    expect(out).toMatch(/^requests_of_organization +48 +default$/m);
  });

  it.each<[string, string | Uint8Array, string]>([
    [
      "a name that is none",
      "port: 1\nprot: 2",
      'groundrule.yaml:2:1: prot: unknown member "prot"; did you mean "port"?',
    ],
    ["the pepper itself", `pepper: ${SECRET}`, 'unknown member "pepper"; expected one of "data"'],
    ["a number as text", 'port: "8080"', 'groundrule.yaml:1:7: port: found "8080", expected a whole number'],
    ["a number that is none", "port: 8O80", 'found "8O80", expected a whole number'],
    [
      "a number out of range",
      "port: 65536",
      "groundrule.yaml:1:7: port: found 65536, expected at most 65535",
    ],
    ["nothing", "port:", "groundrule.yaml:1:1: port: found null, expected a whole number"],
    ["a name twice", "port: 1\nport: 2", 'groundrule.yaml:2:1: found the name "port" twice'],
    ["another choice", "log: all", 'found "all", expected one of requests, notes'],
    ["a list", "- port", "expected settings such as port: 8080"],
    ["two documents", "port: 1\n---\nport: 2", "found a second document"],
    ["UTF-16", Buffer.from("\ufeffport: 1\n", "utf16le"), "found bytes that are not UTF-8"],
    ["UTF-16 without its mark", Buffer.from("port: 1\n", "utf16le"), "groundrule.yaml:1:1:"],
    ["a tag", "port: !!int 1", "found the tag"],
    ["100 MB", HUGE, "found 104857600 bytes, expected at most 1048576"],
    [
      "a bomb",
      `a: &a [x,x]\n${"bcdefghijklmnopq".replace(/./g, (c) => `${c}: &${c} [*${String.fromCharCode(c.charCodeAt(0) - 1)},*${String.fromCharCode(c.charCodeAt(0) - 1)}]\n`)}`,
      "groundrule.yaml:",
    ],
  ])("refuse a file with %s, at its place", async (_what, content, message) => {
    writeConfig(content);
    if (content === HUGE) truncateSync("groundrule.yaml", 100 << 20);
    expect(await print()).toMatchObject({ code: 3, err: expect.stringContaining(message), out: "" });
    // Every command reads the same file, and prints the same message.
    expect((await runInProcess(["usage", "--org", "x"])).err).toContain(message);
  });

  it("refuse a file that nobody named and that others may have written", async () => {
    writeConfig("port: 1");
    chmodSync("groundrule.yaml", 0o666);
    const { code, err } = await print();
    expect({ code, err }).toEqual(
      matchFailedExit(2, "found groundrule.yaml in this folder, which every user may write to"),
    );
    expect(await printSetting("port", ["--config", "groundrule.yaml"])).toContain(1);
    expect(await printSetting("port", ["--config", devNull])).toContain("default");
    chmodSync("groundrule.yaml", 0o664);
    expect(await printSetting("port")).toContain(1);
  });

  it.skipIf(process.geteuid?.() !== 0)(
    "refuse a file of another user, and a link that is one's",
    async () => {
      writeConfig("port: 1");
      chownSync("groundrule.yaml", 54_321, 54_321);
      expect((await print()).err).toContain("which belongs to the user 54321");
      chownSync("groundrule.yaml", 0, 0);
      renameSync("groundrule.yaml", "real.yaml");
      symlinkSync("real.yaml", "groundrule.yaml");
      expect(await printSetting("port")).toContain(1);
      lchownSync("groundrule.yaml", 54_321, 54_321);
      expect((await print()).err).toContain("which belongs to the user 54321");
    },
  );

  it("refuse a folder, and report every fault at once in the order of the lines", async () => {
    mkdirSync("conf");
    expect((await print(["--config", "conf"])).err).toContain(
      "conf:1:1: found something other than a regular file",
    );
    writeConfig("zzz: 1\nport: 99999\nburst: no\n");
    expect((await print()).err.match(/yaml:\d/g)).toEqual(["yaml:1", "yaml:2", "yaml:3"]);
  });

  it.each<[string, Record<string, string>, string]>([
    [
      "a variable that is no number",
      { GROUNDRULE_PORT: "http" },
      'found GROUNDRULE_PORT "http", expected a number from 0 to 65535',
    ],
    [
      "a variable that is no choice",
      { GROUNDRULE_LOG: "all" },
      'found GROUNDRULE_LOG "all", expected one of requests, notes',
    ],
    [
      "two places of the store",
      { GROUNDRULE_STORE: "sqlite:a", GROUNDRULE_STORE_FILE: "b" },
      "found both GROUNDRULE_STORE and GROUNDRULE_STORE_FILE, expected one of them",
    ],
    ["a variable with a line break", { GROUNDRULE_HOST: "0.0.0.0\n" }, "around the value of GROUNDRULE_HOST"],
    [
      "a secret with a space, which is not told",
      { GROUNDRULE_STORE: ` postgres://a:${SECRET}@h/d` },
      "found a space or a line break around the value of GROUNDRULE_STORE, expected none",
    ],
    [
      "what Kubernetes sets for a Service",
      { GROUNDRULE_PORT: "tcp://10.0.0.7:80" },
      "set enableServiceLinks: false",
    ],
  ])("refuse %s", async (_what, variables, message) => {
    expect(await print([], variables)).toMatchObject(matchFailedExit(2, message));
  });

  it("report a variable whose name is nearly that of a setting, and no other", async () => {
    const { err } = await print([], {
      GROUNDRULE_PROT: "1",
      GROUNDRULE_SERVICE_HOST: "10.0.0.7",
      GROUNDRULE_BRUST: "",
      GROUNDRULE_PEPPER: SECRET,
    });
    expect(err).toBe(
      "groundrule: the variable GROUNDRULE_PROT is not a setting; did you mean GROUNDRULE_PORT?\n" +
        "groundrule: the variable GROUNDRULE_PEPPER is not a setting; did you mean GROUNDRULE_PEPPER_FILE?\n",
    );
  });

  it("stand in for a required option", async () => {
    expect(await runInProcess(["evaluate"])).toMatchObject(
      matchFailedExit(2, "--ruleset FILE is required, or GROUNDRULE_RULESET, or ruleset in groundrule.yaml"),
    );
    process.env.GROUNDRULE_RULESET = "none.json";
    expect((await runInProcess(["evaluate"])).err).toContain("none.json");
  });
});

describe("secrets", () => {
  it.each([
    ["in the environment", () => ({ GROUNDRULE_STORE: `postgres://a:${SECRET}@h/d` })],
    ["that is not escaped", () => ({ GROUNDRULE_STORE: `postgres://a:${SECRET}/@${SECRET}@h/d` })],
    ["in a parameter", () => ({ GROUNDRULE_STORE: `postgres://h/d?sslmode=require&password=${SECRET}` })],
    ["in a parameter that is escaped", () => ({ GROUNDRULE_STORE: `postgres://h/d?pass%77ord=${SECRET}` })],
    ["among words", () => ({ GROUNDRULE_STORE: `host=h user=u password = ${SECRET}` })],
    ["in a URL that is cut off", () => ({ GROUNDRULE_STORE: `postgres://a:${SECRET}` })],
    ["in a malformed URL", () => ({ GROUNDRULE_STORE: `postgres:a:${SECRET}@h` })],
    ["in the file", () => ({ GROUNDRULE_CONFIG: writeConfig(`store: postgres://a:${SECRET}@h/d`) })],
  ])("are masked: a password %s", async (_where, variables) => {
    const [value] = await printSetting("store", [], variables());
    expect(value).toContain("***");
  });

  it.each([
    "postgres://a@h:5432/d?sslmode=require",
    "postgres://h:5432",
    "postgres://h:5432,i:5433/d",
    "postgres://[::1]:5432/d",
    "postgres:///d?host=/run/postgresql",
  ])("are not seen where there are none: %s", async (url) => {
    expect(await printSetting("store", ["--store", url])).toEqual([url, "option", "--store"]);
  });

  it("are not in a file of settings that others may read", async () => {
    writeConfig(`store: postgres://a:${SECRET}@h/d`);
    chmodSync("groundrule.yaml", 0o644);
    const { code, err } = await runInProcess(["usage", "--org", "x"]);
    expect(err).toContain(
      "found mode 644 on groundrule.yaml, which contains the password of the store, expected 600",
    );
    expect([code, err.includes(SECRET)]).toEqual([3, false]);
    // A URL without a password is not secret.
    writeConfig("store: sqlite:x.db");
    expect((await runInProcess(["usage", "--org", "x"])).err).toContain("STORE_MISSING");
  });

  it("of a file are distinguished from a pepper that others may read, where a setting names it", async () => {
    await runInProcess(["org", "create", "Plots", "--quota", "9", "--data", at()]);
    const pepper = at("state.db.pepper");
    chmodSync(pepper, 0o644);
    process.env.GROUNDRULE_PEPPER_FILE = pepper;
    expect(
      (await runInProcess(["key", "create", "--org", "Plots", "--mode", "live", "--data", at()])).err,
    ).toContain(`found mode 644 on ${pepper}, which contains the pepper, expected 600`);
  });

  it.each<[string, string | Uint8Array, string]>([
    ["nothing", "\n", "found nothing"],
    ["two lines", `${SECRET}\n${SECRET}\n`, "found 2 lines"],
    ["an old Mac's lines", `${SECRET}\r${SECRET}`, "found 2 lines"],
    ["UTF-16", Buffer.from(`\ufeff${SECRET}`, "utf16le"), "found bytes that are not UTF-8"],
    ["a zero byte", `${SECRET}\0`, "found a control character"],
    ["100 MB", HUGE, "found more than 16384 bytes"],
  ])("of a file are one line of text, not %s", async (_what, content, message) => {
    writeFileSync("password", content, { mode: 0o600 });
    if (content === HUGE) truncateSync("password", 100 << 20);
    const { code, err } = await runInProcess([
      ..."usage --org x --store postgres://a@127.0.0.1:1/d --store-password-file password".split(" "),
    ]);
    expect({ code, err }).toEqual(matchFailedExit(3, message));
    expect(err).not.toContain(SECRET);
  });

  it("are taken once: not from the URL and from a file", async () => {
    writeFileSync("password", SECRET, { mode: 0o600 });
    const url = `postgres://a:${SECRET}@127.0.0.1:1/d`;
    const { code, err } = await runInProcess(
      splitCommandWords`usage --org x --store ${url} --store-password-file password`,
    );
    expect({ code, err }).toEqual(
      matchFailedExit(3, "found a password in the store's URL and the file password"),
    );
    // A SQLite file has no password, even if the environment has one for a service.
    process.env.GROUNDRULE_STORE_PASSWORD_FILE = "password";
    expect((await runInProcess(["usage", "--org", "x", "--store", "sqlite:none.db"])).err).toContain(
      "STORE_MISSING",
    );
  });

  it("come from a folder, a missing file and a pipe with a word about each", async () => {
    const usage = (file: string) => runInProcess(["usage", "--org", "x", "--store-file", file]);
    expect((await usage(at())).err).toMatch(/found mode|it is a folder/);
    expect((await usage("none")).err).toContain("cannot read none: no such file");
    expect((await usage("/dev/zero")).err).toContain("found mode");
  });
});

describe("a user without a home", () => {
  it.skipIf(process.platform === "win32" || process.geteuid?.() !== 0)(
    "runs the command, as a container's number that is in no list does",
    () => {
      const main = new URL("../main.ts", import.meta.url).pathname;
      const script = `process.setgid(54321); process.setuid(54321); delete process.env.HOME; process.argv.splice(1, 1, ${JSON.stringify(main)}); await import(${JSON.stringify(main)})`;
      chmodSync(at(), 0o777);
      const run = (...args: string[]) =>
        execFileSync(process.execPath, ["--input-type=module", "-e", script, "-", ...args], {
          encoding: "utf8",
          cwd: at(),
          env: {},
        });
      expect(run("config", "print")).toContain('"port"');
    },
  );
});
