import { statSync } from "node:fs";
import type { RunIdentity } from "../run.ts";
import { type DescribedFile, type RunDescription, selectRunIdentity } from "../run-description.ts";
import { RunError } from "../run-error.ts";
import { formatDifferences, listRunDifferences } from "../run-identity-differences.ts";
import { type FoundShard, getShardFilePath } from "./find-shards.ts";

/**
 * Checks that shards belong to one run: each once, none missing, with consistent descriptions.
 *
 * @returns them in their order
 *
 * Fails: `SHARD_DIFFERS`, `SHARD_DUPLICATE`, `SHARD_MISSING`, `SHARD_DAMAGED`.
 */
export function checkShardsOfOneRun(found: readonly FoundShard[]): FoundShard[] {
  const first = found[0]!;
  for (const shard of found.slice(1)) assertSameRunAsFirst(shard, first);
  const { of } = first.description.shard;
  const placed = new Map<number, FoundShard>();
  for (const shard of found) {
    const { index } = shard.description.shard;
    const other = placed.get(index);
    if (other !== undefined) {
      throw new RunError("SHARD_DUPLICATE", `shard ${index}/${of} is both ${other.path} and ${shard.path}`);
    }
    placed.set(index, shard);
    assertShardSound(shard);
  }
  assertNoShardMissing(placed, of);
  return [...placed.values()].sort((a, b) => a.description.shard.index - b.description.shard.index);
}

/**
 * Members of a description that all shards share. The input's name and time may differ: each machine may have its own
 * copy.
 */
const SHARED = [
  "ruleset",
  "editions",
  "now",
  "format",
  "evidence",
  "options",
  "semantics",
  "engine_version",
] as const satisfies readonly (keyof RunIdentity)[];

function assertSameRunAsFirst(shard: FoundShard, first: FoundShard): void {
  const [its, firsts] = [shard.description, first.description];
  const different = listRunDifferences(selectRunIdentity(its), selectRunIdentity(firsts), SHARED);
  const counted = [
    ["shard.of", its.shard.of, firsts.shard.of],
    ["input.bytes", its.input.bytes, firsts.input.bytes],
    ["read", its.read, firsts.read],
    ["errors_output", describeFilePresence(its.errors_output), describeFilePresence(firsts.errors_output)],
  ] as const;
  for (const [member, is, was] of counted) {
    if (is !== was) different.push({ member, found: String(is ?? "none"), expected: String(was ?? "none") });
  }
  if (different.length === 0) return;
  throw new RunError(
    "SHARD_DIFFERS",
    `${shard.path} belongs to another run than ${first.path}: ${formatDifferences(different)}`,
  );
}

function describeFilePresence(file: DescribedFile | undefined): string {
  return file === undefined ? "none" : "a file";
}

function assertNoShardMissing(placed: ReadonlyMap<number, FoundShard>, of: number): void {
  const missing: number[] = [];
  let count = 0;
  for (let index = 0; index < of; index++) {
    if (placed.has(index)) continue;
    count++;
    if (missing.length < LISTED) missing.push(index);
  }
  if (count === 0) return;
  const more = count > LISTED ? ` and ${count - LISTED} more` : "";
  throw new RunError(
    "SHARD_MISSING",
    `found ${placed.size} of ${of} shards; missing: ${missing.join(", ")}${more}`,
  );
}

/** Maximum missing shards listed in a message. */
const LISTED = 20;

/** Checks that a description is consistent, and that its files have the described size. */
function assertShardSound(shard: FoundShard): void {
  const { description, path } = shard;
  const { index, of } = description.shard;
  if (index >= of) throw shardDamagedError(path, `found shard ${index} of ${of}`);
  const expected = countShardPlots(description);
  if (description.plots !== expected) {
    throw shardDamagedError(
      path,
      `found ${description.plots} plots, expected ${expected} of ${description.read}`,
    );
  }
  const counted = Object.values(description.counts).reduce((sum, count) => sum + count, description.errors);
  if (counted !== description.plots) {
    throw shardDamagedError(path, `its counts add up to ${counted}, expected ${description.plots}`);
  }
  for (const file of [description.output, description.errors_output]) {
    if (file !== undefined) assertShardFileSize(shard, file);
  }
}

/** Number of the input's plots that belong to a shard. */
function countShardPlots({ read, shard }: RunDescription): number {
  return read <= shard.index ? 0 : Math.floor((read - shard.index - 1) / shard.of) + 1;
}

function assertShardFileSize(shard: FoundShard, { file, bytes }: DescribedFile): void {
  const path = getShardFilePath(shard, file);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined)
    throw new RunError("SHARD_MISSING", `there is no ${path}, which ${shard.path} describes`);
  if (size !== bytes)
    throw shardDamagedError(path, `found ${size} bytes, expected ${bytes} as ${shard.path} says`);
}

/** The error for a file of a shard that differs from its description. */
export function shardDamagedError(path: string, how: string): RunError {
  return new RunError("SHARD_DAMAGED", `${path} is damaged: ${how}`);
}
