import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSharedFolder } from "@groundrule/testing/folder";
import { describe, expect, it } from "vitest";
import { isNewEnough, OLDEST_NODE_TEXT } from "../node-version.ts";
import { getOwnNode, readNodeFile } from "./node-file.ts";

const { at } = createSharedFolder();

/** A file that begins like a program, with a text far inside. */
function writeProgram(head: readonly number[], said: string): string {
  const path = at("program");
  writeFileSync(
    path,
    Buffer.concat([Buffer.from(head), Buffer.alloc(20), Buffer.alloc(1_048_560, "x"), Buffer.from(said)]),
  );
  return path;
}

const ELF_ARM64 = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 183, 0];
const MACH_ARM64 = [0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1];

it("needs one Node, which every package.json, README and guide names", () => {
  const root = fileURLToPath(new URL("../../../..", import.meta.url));
  const read = (pattern: string) =>
    globSync(pattern, { cwd: root }).map((path) => readFileSync(join(root, path), "utf8"));
  const pages = ["README.md", "{packages,apps}/*/README.md", "docs/guides/*.md"].flatMap(read).join();
  const named = [...pages.matchAll(/\bNode (2[3-9]\.\d+)/g)].map(([, version]) => version);
  expect(named.length).toBeGreaterThan(3);
  const manifests = ["package.json", "{packages,apps}/*/package.json"].flatMap(read).join();
  const needed = [...manifests.matchAll(/"node": ">=(2[3-9]\.\d+)"/g)].map(([, version]) => version);
  expect(needed.length).toBeGreaterThan(3);
  expect(new Set([...named, ...needed])).toEqual(new Set([OLDEST_NODE_TEXT]));
  const own = JSON.parse(readFileSync(join(root, "apps/cli/package.json"), "utf8"));
  expect(own.engines.node).toBe(`>=${OLDEST_NODE_TEXT}`);
  expect(["24.15.0", "24.16.1", "26.0.0"].map(isNewEnough)).toEqual([true, true, true]);
  expect(["18.20.8", "20.19.5", "24.14.9"].map(isNewEnough)).toEqual([false, false, false]);
});

describe("nodeOfFile", () => {
  it("finds release and platform of the Node that runs this, as it reports them", async () => {
    expect(await readNodeFile(process.execPath)).toEqual(getOwnNode());
  });

  it.each([
    [ELF_ARM64, "linux-arm64"],
    [MACH_ARM64, "darwin-arm64"],
  ])("finds those of another platform, wherever the release stands", async (head, platform) => {
    const path = writeProgram(head, "https://nodejs.org/download/release/v26.1.2/node-v26.1.2.tar.gz");
    expect((await readNodeFile(path)).described).toEqual({ version: "26.1.2", platform });
  });

  it.each([
    ["no program", [0x23, 0x21], "/node-v26.1.2.tar.gz", "is not a program for linux-x64, linux-arm64"],
    ["another program", ELF_ARM64, "GNU coreutils", "does not name its release"],
    ["a Node that is too old", MACH_ARM64, "/node-v24.10.0.tar.gz", "found Node 24.10.0"],
  ])("refuses %s", async (_, head, said, message) => {
    await expect(readNodeFile(writeProgram(head, said))).rejects.toThrow(message);
  });

  it("refuses what is empty, a folder, or not there", async () => {
    const empty = at("empty");
    writeFileSync(empty, "");
    await expect(readNodeFile(empty)).rejects.toThrow("is not a program");
    await expect(readNodeFile(at())).rejects.toMatchObject({ name: "InputFileError" });
    await expect(readNodeFile(at("gone"))).rejects.toMatchObject({ name: "InputFileError" });
  });
});
