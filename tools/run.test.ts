import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NEWER_NODE } from "../apps/cli/src/node-version.ts";

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "groundrule-clone-"));
  for (const file of ["run.mjs", "set-up.mjs", "fresh-clone.mjs"])
    cpSync(new URL(file, import.meta.url), join(clone, "tools", file));
  writeFileSync(
    join(clone, "package.json"),
    JSON.stringify({
      type: "module",
      packageManager: "pnpm@1.2.3+sha512.0123abcd",
      engines: { node: ">=24.15" },
    }),
  );
  writeFileSync(join(clone, "pnpm-lock.yaml"), "lockfileVersion: 9\n");
  mkdirSync(join(clone, "apps/cli/src"), { recursive: true });
  writeFileSync(
    join(clone, "apps/cli/src/main.ts"),
    `import { readFileSync } from "node:fs";
     const input: string = readFileSync(0, "utf8");
     console.log(JSON.stringify({ input, cwd: process.cwd(), args: process.argv.slice(2) }));
     process.exitCode = 3;`,
  );
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

/** Stands for npx: noisy, hungry for input, and it installs nothing but pnpm's copy of the lockfile. */
function putNpx(exitCode = 0): void {
  mkdirSync(join(clone, "bin"));
  const script = `#!/bin/sh
cat
echo "set-up noise: $*"
mkdir -p node_modules/.pnpm node_modules/.bin
cp pnpm-lock.yaml node_modules/.pnpm/lock.yaml
ln -s ${process.execPath} node_modules/.bin/node
exit ${exitCode}
`;
  writeFileSync(join(clone, "bin/npx"), script, { mode: 0o755 });
}

function launch(args: string[], input: string) {
  const path = `${join(clone, "bin")}:${process.env.PATH}`;
  const env = { ...process.env, PATH: path, INIT_CWD: join(clone, "apps") };
  return spawnSync(process.execPath, [join(clone, "tools/run.mjs"), ...args], {
    input,
    env,
    encoding: "utf8",
  });
}

describe("set-up.mjs", () => {
  function setUp(versions?: string, ...script: string[]) {
    const says = `Object.defineProperty(process.versions, "node", { value: "${versions}" });`;
    writeFileSync(join(clone, "says.mjs"), versions === undefined ? "" : says);
    const path = `${join(clone, "bin")}:${process.env.PATH}`;
    return spawnSync(
      process.execPath,
      ["--import", join(clone, "says.mjs"), join(clone, "tools/set-up.mjs"), ...script],
      {
        cwd: clone,
        env: { ...process.env, PATH: path },
        encoding: "utf8",
      },
    );
  }

  function putPage(): void {
    mkdirSync(join(clone, "apps/console"), { recursive: true });
    writeFileSync(
      join(clone, "apps/console/build.ts"),
      'console.error("built with", process.argv0 as string);',
    );
  }

  it("installs, and builds the web page with the Node that it installed", () => {
    putNpx();
    putPage();
    const { stdout, stderr, status } = setUp();
    expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
    expect(stderr).toContain("set-up noise: --yes --prefer-offline pnpm@1.2.3 install --frozen-lockfile");
    expect(stderr).toContain(`built with ${join(clone, "node_modules/.bin/node")}`);
  });

  it("then runs the script that follows, on the Node that it installed, and ends as the script does", () => {
    putNpx();
    putPage();
    writeFileSync(
      join(clone, "script.ts"),
      "console.log(process.argv0 as string, process.argv[2]); process.exitCode = 5;",
    );
    const first = setUp(undefined, "script.ts", "--all");
    const node = join(clone, "node_modules/.bin/node");
    expect(first).toMatchObject({ stdout: `${node} --all\n`, status: 5 });
    expect(first.stderr).toContain("set-up noise");
    expect(setUp(undefined, "script.ts", "--all")).toMatchObject({
      stderr: `built with ${node}\n`,
      status: 5,
    });
  });

  it.each([
    ["19.9.0", "Node 20 or newer"],
    ["20.20.2", "Node 24.15 or newer, because none was installed for this platform"],
  ])("states in one line on Node %s, and where none was installed, what it needs", (version, expected) => {
    putNpx();
    writeFileSync(join(clone, "bin/npx"), "#!/bin/sh\n", { mode: 0o755 });
    expect(setUp(version)).toMatchObject({
      stdout: "",
      stderr: `groundrule: found Node ${version} at ${process.execPath}, expected ${expected}: ${NEWER_NODE}\n`,
      status: 4,
    });
  });
});

describe("run.mjs", () => {
  const expected = () => ({ input: "the plots", cwd: join(clone, "apps"), args: ["screen", "--x", "a b"] });

  it("installs first, and leaves standard output and input to the command", () => {
    putNpx();
    const { stdout, stderr, status } = launch(["screen", "--x", "a b"], "the plots");
    expect(JSON.parse(stdout)).toEqual(expected());
    expect(stderr).toContain("set-up noise: --yes --prefer-offline pnpm@1.2.3 install --frozen-lockfile");
    expect(status).toBe(3);
  });

  it("installs once, and again when the lockfile has changed", () => {
    putNpx();
    launch([], "");
    expect(launch(["screen", "--x", "a b"], "the plots")).toMatchObject({ stderr: "", status: 3 });
    rmSync(join(clone, "node_modules/.bin/node"));
    writeFileSync(join(clone, "pnpm-lock.yaml"), "lockfileVersion: 9 # newer\n");
    expect(launch([], "").stderr).toContain("set-up noise");
  });

  it("runs nothing when the set-up fails, and reports it", () => {
    putNpx(1);
    expect(launch([], "")).toMatchObject({ stdout: "", status: 4 });
  });

  it("passes the end by a signal on as a shell would report it", () => {
    putNpx();
    launch([], "");
    writeFileSync(join(clone, "apps/cli/src/main.ts"), 'process.kill(process.pid, "SIGKILL");');
    expect(launch([], "").status).toBe(128 + 9);
  });
});
