import { readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { toReadError } from "../../files/input-file.ts";
import { type RunDescription, readRunDescription } from "../run-description.ts";
import { RunError } from "../run-error.ts";
import { getDescriptionPath } from "../run-paths.ts";

/** A finished shard. */
export interface FoundShard {
  /** Path of its description. */
  readonly path: string;
  readonly description: RunDescription;
}

const DESCRIPTION = ".run.json";

/**
 * The shards that operands name: descriptions, outputs with a description next to them, or folders with all their
 * descriptions.
 *
 * @param output of the merge, whose description is not a shard
 *
 * Fails: `SHARD_MISSING` if a description does not exist, `SHARD_DAMAGED` if it is invalid; `InputFileError`.
 */
export function findShards(operands: readonly string[], output: string): FoundShard[] {
  const own = resolve(getDescriptionPath(output));
  return operands
    .flatMap((operand) =>
      isFolder(operand) ? listShardPathsInFolder(operand, own) : [toDescriptionPath(operand)],
    )
    .map(readShard);
}

/** Path of a file that a shard's description names. */
export function getShardFilePath({ path }: FoundShard, name: string): string {
  return join(dirname(path), name);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function listShardPathsInFolder(folder: string, own: string): string[] {
  const names = listFileNames(folder);
  const described = names
    .filter((name) => name.endsWith(DESCRIPTION))
    .map((name) => join(folder, name))
    .filter((path) => resolve(path) !== own)
    .sort();
  if (described.length > 0) return described;
  throw new RunError("SHARD_MISSING", `${folder} contains no *${DESCRIPTION} of a finished run`);
}

function listFileNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw toReadError(error, folder);
  }
}

function toDescriptionPath(operand: string): string {
  return operand.endsWith(DESCRIPTION) ? operand : getDescriptionPath(operand);
}

function readShard(path: string): FoundShard {
  const read = readShardDescription(path);
  if (read === undefined) {
    const why = "the run has not ended, or was not written with --output";
    throw new RunError("SHARD_MISSING", `there is no ${path}: ${why}`);
  }
  if (read.fault !== undefined) {
    throw new RunError("SHARD_DAMAGED", `${path} does not describe a run: ${read.fault}`);
  }
  return { path, description: read.description };
}

function readShardDescription(path: string): ReturnType<typeof readRunDescription> {
  try {
    return readRunDescription(path);
  } catch (error) {
    throw toReadError(error, path);
  }
}
