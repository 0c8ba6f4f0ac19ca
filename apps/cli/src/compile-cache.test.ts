import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compileCacheFolder } from "./compile-cache.ts";

const MAIN = new URL("./main.ts", import.meta.url).pathname;
const OTHER_USER = 65_534;
const user = process.getuid?.() ?? -1;
const isRoot = user === 0;

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "groundrule-home-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** The first steps of the command, and a module to compile: the real command has a hundred times as many. */
const BEGINNING = `
  const { keepCompiledCode } = await import("${new URL("./compile-cache.ts", import.meta.url)}");
  keepCompiledCode();
  await import("${new URL("./terminal/table.ts", import.meta.url)}");
`;

/** Runs Node with its own home folder, like the victim of a planted cache. */
function runIn(environment: Record<string, string>, args = ["--input-type=module", "-e", BEGINNING]): void {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  execFileSync(process.execPath, args, { env: { ...env, HOME: home, ...environment } });
}

describe.skipIf(process.platform === "win32")("the folder of compiled code", () => {
  it("is the user's own, under XDG_CACHE_HOME or .cache, and is used", () => {
    expect(compileCacheFolder(undefined, home, user)).toBe(join(home, ".cache/groundrule/compiled"));
    expect(compileCacheFolder("not/absolute", home, user)).toBe(join(home, ".cache/groundrule/compiled"));
    expect(compileCacheFolder(join(home, "xdg"), home, user)).toBe(join(home, "xdg/groundrule/compiled"));
    for (const path of [".cache", "xdg", "xdg/groundrule", "xdg/groundrule/compiled"]) {
      expect(statSync(join(home, path)).mode & 0o777, path).toBe(0o700);
    }
    for (const args of [undefined, [MAIN, "--version"]]) {
      runIn({ XDG_CACHE_HOME: join(home, "xdg") }, args);
      expect(readdirSync(join(home, "xdg/groundrule/compiled"))).not.toEqual([]);
      rmSync(join(home, "xdg"), { recursive: true });
    }
  });

  it.each<[what: string, plant: () => void]>([
    [
      "others may write to it",
      () => mkdirSync(join(home, ".cache/groundrule/compiled"), { recursive: true }),
    ],
    [
      "others may write to the folder above it",
      () => mkdirSync(join(home, ".cache/groundrule"), { recursive: true }),
    ],
    [
      "it is a link",
      () => {
        mkdirSync(join(home, ".cache/groundrule"), { recursive: true });
        mkdirSync(join(home, "planted"));
        symlinkSync(join(home, "planted"), join(home, ".cache/groundrule/compiled"));
      },
    ],
    [
      "the folder above it is a link",
      () => {
        mkdirSync(join(home, ".cache"));
        mkdirSync(join(home, "planted"));
        symlinkSync(join(home, "planted"), join(home, ".cache/groundrule"));
      },
    ],
    ["others may rename what leads to it", () => chmodSync(home, 0o777)],
    ["it cannot be made", () => chmodSync(home, 0o777) ?? symlinkSync("/dev/null", join(home, ".cache"))],
  ])("is not used where %s", (what, plant) => {
    const umask = process.umask(0);
    try {
      plant();
    } finally {
      process.umask(umask);
    }
    if (what.includes("above it") && existsSync(join(home, ".cache/groundrule")))
      chmodSync(join(home, ".cache/groundrule"), 0o777);
    expect(compileCacheFolder(undefined, home, user)).toBeUndefined();
    runIn({ XDG_CACHE_HOME: "" });
    for (const path of [".cache/groundrule/compiled", "planted", "planted/compiled"]) {
      if (existsSync(join(home, path))) {
        expect(
          readdirSync(join(home, path)).filter((name) => name !== "compiled"),
          path,
        ).toEqual([]);
      }
    }
  });

  it("is used in a folder where others make names but change none of ours, such as /tmp", () => {
    chmodSync(home, 0o1777);
    expect(compileCacheFolder(undefined, home, user)).toBe(join(home, ".cache/groundrule/compiled"));
  });

  it("is not used where another user planted it, or owns what leads to it", ({ skip }) => {
    skip(!isRoot, "needs root, to make a cache of another user");
    const planted = join(home, ".cache/groundrule/compiled");
    mkdirSync(planted, { recursive: true, mode: 0o700 });
    for (const path of [planted, join(home, ".cache/groundrule"), join(home, ".cache"), home]) {
      chownSync(path, OTHER_USER, OTHER_USER);
      expect(compileCacheFolder(undefined, home, user), path).toBeUndefined();
      runIn({ XDG_CACHE_HOME: "" });
      expect(readdirSync(planted), path).toEqual([]);
      chownSync(path, 0, 0);
    }
    expect(compileCacheFolder(undefined, home, user)).toBe(planted);
  });
});
