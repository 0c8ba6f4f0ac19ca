import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, utimesSync } from "node:fs";
import { createFolderForEach } from "@groundrule/testing/folder";
import { describe, expect, it } from "vitest";
import { type BundleFile, computeFileSizeAndDigest, createTextFile } from "./bundle-file.ts";
import { writeTarArchive } from "./write-archive.ts";

const LONG = `data/editions/${"s".repeat(64)}/${"0".repeat(64)}.snapshot`;
const GOES_ON = new AbortController().signal;

const { at, write: writeFile } = createFolderForEach();

function makeStoredFile(path: string, content: string): BundleFile {
  return { path, from: { file: writeFile("stored", content) } };
}

async function write(name: string, files: readonly BundleFile[]): Promise<Buffer> {
  await writeTarArchive(at(name), await Promise.all(files.map(computeFileSizeAndDigest)), GOES_ON);
  return readFileSync(at(name));
}

describe("writeArchive", () => {
  it("gives the same bytes for the same content, whenever its files were written", async () => {
    const files = () => [
      createTextFile("bin/run", "#!/bin/sh\n", true),
      makeStoredFile(LONG, "x".repeat(700_000)),
    ];
    const first = await write("a.tar.gz", files());
    const again = files();
    utimesSync(at("stored"), 5, 5);
    expect((await write("b.tar.gz", again)).equals(first)).toBe(true);
  });

  it("is read by tar, names of any length, empty files and the right to run included", async () => {
    await write("a.tar.gz", [
      createTextFile("bin/run", "#!/bin/sh\necho ran\n", true),
      createTextFile("empty", ""),
      makeStoredFile(LONG, "y".repeat(300_000)),
    ]);
    execFileSync("tar", ["xzf", "a.tar.gz"], { cwd: at() });
    expect(readFileSync(at(LONG), "utf8")).toBe("y".repeat(300_000));
    expect(readFileSync(at("empty"), "utf8")).toBe("");
    expect(execFileSync(at("bin/run"), { encoding: "utf8" })).toBe("ran\n");
  });

  it.each([
    ["longer", "zz"],
    ["shorter", ""],
    ["another", "b"],
  ])("refuses a file that became %s since it was counted, and leaves nothing", async (_, later) => {
    const counted = await computeFileSizeAndDigest(makeStoredFile("data/x", "a"));
    writeFile("stored", later);
    await expect(writeTarArchive(at("a.tar.gz"), [counted], GOES_ON)).rejects.toThrow(
      "data/x changed while the bundle was written",
    );
    expect(readdirSync(at())).toEqual(["stored"]);
  });

  it("leaves nothing where it is interrupted, or its folder is missing", async () => {
    const counted = await computeFileSizeAndDigest(makeStoredFile("data/x", "a".repeat(3_000_000)));
    const stop = AbortSignal.abort(new Error("stopped"));
    await expect(writeTarArchive(at("a.tar.gz"), [counted], stop)).rejects.toThrow();
    await expect(writeTarArchive(at("no/a.tar.gz"), [counted], GOES_ON)).rejects.toThrow("ENOENT");
    expect(readdirSync(at())).toEqual(["stored"]);
  });
});
