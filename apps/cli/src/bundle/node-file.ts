import { createReadStream } from "node:fs";
import { InputFileError, toReadError } from "../files/input-file.ts";
import { isNewEnough, OLDEST_NODE_TEXT } from "../node-version.ts";
import type { BundleFile } from "./bundle-file.ts";
import type { BundledNode } from "./describe-bundle.ts";

/** A Node as a file of a bundle. */
export interface NodeFile {
  readonly file: BundleFile;
  readonly described: BundledNode;
}

/** The running Node as a file of a bundle. */
export function getOwnNode(): NodeFile {
  return createNodeFile(process.execPath, process.versions.node, `${process.platform}-${process.arch}`);
}

/**
 * A Node that may be for another platform: it is read, never run. One piece at a time is in memory.
 *
 * Fails: {@link InputFileError} if the file cannot be read, is not a program of a known platform, or names no release.
 */
export async function readNodeFile(path: string): Promise<NodeFile> {
  let rest = Buffer.alloc(0);
  let platform: string | undefined;
  let version: string | undefined;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
      const piece = Buffer.concat([rest, chunk]);
      if (platform === undefined) platform = detectPlatform(piece) ?? "";
      if (platform === "") break;
      [, version] = RELEASE.exec(piece.toString("latin1")) ?? [];
      if (version !== undefined) break;
      rest = piece.subarray(-LONGEST_RELEASE);
    }
  } catch (error) {
    throw toReadError(error, path);
  }
  if (!platform) {
    throw new InputFileError(
      `${path} is not a program for ${Object.keys(PLATFORMS).join(", ")}; expected the file bin/node of a release of Node`,
    );
  }
  if (version === undefined) {
    throw new InputFileError(
      `${path} does not name its release, expected the file bin/node of a release of Node`,
    );
  }
  if (!isNewEnough(version)) {
    throw new InputFileError(`found Node ${version} in ${path}, expected ${OLDEST_NODE_TEXT} or newer`);
  }
  return createNodeFile(path, version, platform);
}

const PIECE_BYTES = 1 << 20;
/** The URL of a release; every build of one contains this text. */
const RELEASE = /\/node-v(\d{1,3}\.\d{1,3}\.\d{1,3})\.tar\.gz/;
const LONGEST_RELEASE = "/node-v000.000.000.tar.gz".length;

/** First bytes of programs: ELF with the machine at byte 18, Mach-O with the processor at byte 4. */
const PLATFORMS: Readonly<Record<string, (head: Buffer) => boolean>> = {
  "linux-x64": (head) => isElf(head) && head.readUInt16LE(18) === 62,
  "linux-arm64": (head) => isElf(head) && head.readUInt16LE(18) === 183,
  "darwin-x64": (head) => isMachO(head) && head.readUInt32LE(4) === 0x01000007,
  "darwin-arm64": (head) => isMachO(head) && head.readUInt32LE(4) === 0x0100000c,
};

function detectPlatform(head: Buffer): string | undefined {
  if (head.length < 20) return undefined;
  return Object.keys(PLATFORMS).find((platform) => PLATFORMS[platform]!(head));
}

/** 64 bits, little-endian. */
function isElf(head: Buffer): boolean {
  return head.toString("latin1", 0, 4) === "\x7fELF" && head[4] === 2 && head[5] === 1;
}

function isMachO(head: Buffer): boolean {
  return head.readUInt32LE(0) === 0xfeedfacf;
}

function createNodeFile(path: string, version: string, platform: string): NodeFile {
  return {
    file: { path: "node", isExecutable: true, from: { file: path } },
    described: { version, platform },
  };
}
