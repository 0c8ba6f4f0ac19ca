import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "groundrule-clone-"));
  cpSync(new URL("run.mjs", import.meta.url), join(clone, "tools/run.mjs"));
  writeFileSync(
    join(clone, "package.json"),
    JSON.stringify({
      type: "module",
      packageManager: "pnpm@1.2.3+sha512.0123abcd",
      engines: { node: ">=24.11" },
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

  it("runs nothing when the set-up fails, and says so", () => {
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
