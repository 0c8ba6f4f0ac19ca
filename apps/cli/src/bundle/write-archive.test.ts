import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type BundleFile, countFile, textFile } from "./bundle-file.ts";
import { writeArchive } from "./write-archive.ts";

const LONG = `data/editions/${"s".repeat(64)}/${"0".repeat(64)}.snapshot`;
const GOES_ON = new AbortController().signal;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "groundrule-archive-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function stored(path: string, content: string): BundleFile {
  const file = join(dir, "stored");
  writeFileSync(file, content);
  return { path, from: { file } };
}

async function write(name: string, files: readonly BundleFile[]): Promise<Buffer> {
  await writeArchive(join(dir, name), await Promise.all(files.map(countFile)), GOES_ON);
  return readFileSync(join(dir, name));
}

describe("writeArchive", () => {
  it("gives the same bytes for the same content, whenever its files were written", async () => {
    const files = () => [textFile("bin/run", "#!/bin/sh\n", true), stored(LONG, "x".repeat(700_000))];
    const first = await write("a.tar.gz", files());
    const again = files();
    utimesSync(join(dir, "stored"), 5, 5);
    expect((await write("b.tar.gz", again)).equals(first)).toBe(true);
  });

  it("is read by tar, names of any length, empty files and the right to run included", async () => {
    await write("a.tar.gz", [
      textFile("bin/run", "#!/bin/sh\necho ran\n", true),
      textFile("empty", ""),
      stored(LONG, "y".repeat(300_000)),
    ]);
    execFileSync("tar", ["xzf", "a.tar.gz"], { cwd: dir });
    expect(readFileSync(join(dir, LONG), "utf8")).toBe("y".repeat(300_000));
    expect(readFileSync(join(dir, "empty"), "utf8")).toBe("");
    expect(execFileSync(join(dir, "bin/run"), { encoding: "utf8" })).toBe("ran\n");
  });

  it.each([
    ["longer", "zz"],
    ["shorter", ""],
    ["another", "b"],
  ])("refuses a file that became %s since it was counted, and leaves nothing", async (_, later) => {
    const counted = await countFile(stored("data/x", "a"));
    writeFileSync(join(dir, "stored"), later);
    await expect(writeArchive(join(dir, "a.tar.gz"), [counted], GOES_ON)).rejects.toThrow(
      "data/x changed while the bundle was written",
    );
    expect(readdirSync(dir)).toEqual(["stored"]);
  });

  it("leaves nothing where it is interrupted, or its folder is missing", async () => {
    const counted = await countFile(stored("data/x", "a".repeat(3_000_000)));
    const stop = AbortSignal.abort(new Error("stopped"));
    await expect(writeArchive(join(dir, "a.tar.gz"), [counted], stop)).rejects.toThrow();
    await expect(writeArchive(join(dir, "no/a.tar.gz"), [counted], GOES_ON)).rejects.toThrow("ENOENT");
    expect(readdirSync(dir)).toEqual(["stored"]);
  });
});
