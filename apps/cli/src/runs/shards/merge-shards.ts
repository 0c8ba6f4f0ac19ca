import { setImmediate } from "node:timers/promises";
import { createResultFormat } from "../../screening/results/result-format.ts";
import { EMPTY_TALLY, VERDICTS } from "../../screening/results/tally.ts";
import { type Attribute, mergeAttributeLists } from "../../tables/attributes.ts";
import { AsideFile, type FileState, readDurableState } from "../aside-file.ts";
import { removeJournal } from "../journal.ts";
import { placeRunFiles } from "../place-run.ts";
import type { RunIdentity } from "../run.ts";
import { addDescriptionDigest, type RunDescription, selectRunIdentity } from "../run-description.ts";
import { getRelativeName, type RunPaths } from "../run-paths.ts";
import { shardDamagedError } from "./check-shards.ts";
import type { FoundShard } from "./find-shards.ts";
import { ShardReader } from "./shard-reader.ts";

/** Options of a merge. */
export interface MergeOptions {
  /** All shards of a run, in their order. */
  readonly shards: readonly FoundShard[];
  readonly paths: RunPaths;
  readonly signal: AbortSignal;
  /** Called with the number of merged plots, periodically. */
  readonly progress: (plots: number) => void;
}

/** Total read-ahead of all shards. */
const READ_AHEAD_BYTES = 32 * 1024 * 1024;
const LEAST_CHUNK = 16 * 1024;
const MOST_CHUNK = 1024 * 1024;

/**
 * Merges the results of shards as one run would have written them, byte for byte. Memory is constant, whatever the
 * number of shards and plots. The output appears once it is complete and every shard matched its description.
 *
 * @returns the description of the whole
 *
 * Fails: `SHARD_DAMAGED`, `OUTPUT_UNWRITABLE`, `InputFileError`.
 */
export async function mergeShards(options: MergeOptions): Promise<RunDescription> {
  const { shards, paths, signal } = options;
  removeJournal(paths.journal);
  const { format: name, ruleset, now } = shards[0]!.description;
  const attributes = mergeShardAttributes(shards);
  const format = createResultFormat(name, { checks: ruleset.checks, now, attributes });
  const results = AsideFile.create(format.finish === undefined ? paths.part : paths.rows);
  const refused = paths.errorsPart === undefined ? undefined : AsideFile.create(paths.errorsPart);
  try {
    await interleaveResults(options, results, refused);
    await Promise.all([results.sync(), refused?.sync()]);
    await format.finish?.(paths.rows, paths.part);
    const output = format.finish === undefined ? results.state : await readDurableState(paths.part, signal);
    const description = describeMergedRun(options, { output, refused: refused?.state, attributes });
    const { read, plots } = description;
    placeRunFiles(
      paths,
      {
        identity: selectRunIdentity(description),
        errors: description.errors_output?.file ?? null,
        position: { read, plots, tally: EMPTY_TALLY },
        results: results.state,
        refused: refused?.state ?? null,
        isComplete: true,
      },
      description,
    );
    return description;
  } finally {
    results.close();
    refused?.close();
  }
}

/** Attributes of the plots of all shards; undefined if the format has no columns for them. */
function mergeShardAttributes(shards: readonly FoundShard[]): readonly Attribute[] | undefined {
  const each = shards.map(({ description }) => description.attributes);
  return each[0] === undefined ? undefined : mergeAttributeLists(each.map((attributes) => attributes ?? []));
}

async function interleaveResults(
  { shards, paths, signal, progress }: MergeOptions,
  results: AsideFile,
  refused: AsideFile | undefined,
): Promise<void> {
  const chunkBytes = Math.max(
    LEAST_CHUNK,
    Math.min(MOST_CHUNK, Math.floor(READ_AHEAD_BYTES / shards.length / 2)),
  );
  const readers: ShardReader[] = [];
  try {
    for (const shard of shards) {
      readers.push(await ShardReader.open(shard, { chunkBytes, scratch: paths.output, signal }));
    }
    const { format, read } = shards[0]!.description;
    const [lines, errors] = [new LineBuffer(results), refused && new LineBuffer(refused)];
    if (format === "csv") lines.append(requireSharedHeader(readers, shards));
    for (let number = 0; number < read; number++) {
      const { bytes, isError } = readers[number % readers.length]!.line(number);
      const isFull = (isError ? errors! : lines).append(bytes);
      if (!isFull) continue;
      progress(number);
      await setImmediate(undefined, { signal }); // the user may abort
    }
    lines.flush();
    errors?.flush();
    for (const reader of readers) reader.finish();
  } finally {
    for (const reader of readers) reader.close();
  }
}

function requireSharedHeader(readers: readonly ShardReader[], shards: readonly FoundShard[]): Uint8Array {
  const [first, ...others] = readers.map((reader) => Buffer.from(reader.header()));
  const at = others.findIndex((other) => !other.equals(first!));
  if (at !== -1) throw shardDamagedError(shards[at + 1]!.path, "its results begin with another header");
  return first!;
}

/** A buffer of lines to be written to a file. */
class LineBuffer {
  readonly #file: AsideFile;
  readonly #buffer = Buffer.allocUnsafe(MOST_CHUNK);
  #length = 0;

  constructor(file: AsideFile) {
    this.#file = file;
  }

  /** @returns true if the lines before were written to the file */
  append(line: Uint8Array): boolean {
    const isFull = this.#length + line.byteLength > this.#buffer.length;
    if (isFull) this.flush();
    if (line.byteLength > this.#buffer.length) this.#file.append(line);
    else {
      this.#buffer.set(line, this.#length);
      this.#length += line.byteLength;
    }
    return isFull;
  }

  flush(): void {
    this.#file.append(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
  }
}

function describeMergedRun(
  { shards, paths }: MergeOptions,
  {
    output,
    refused,
    attributes,
  }: {
    readonly output: FileState;
    readonly refused: FileState | undefined;
    readonly attributes: readonly Attribute[] | undefined;
  },
): RunDescription {
  const all = shards.map(({ description }) => description);
  const sum = (count: (each: RunDescription) => number): number =>
    all.reduce((total, each) => total + count(each), 0);
  const counts = VERDICTS.map((name) => [name, sum((each) => each.counts[name] ?? 0)] as const);
  return addDescriptionDigest({
    run: 1,
    ...buildWholeIdentity(all),
    plots: sum(({ plots }) => plots),
    read: all[0]!.read,
    counts: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    errors: sum(({ errors }) => errors),
    output: { file: getRelativeName(paths.output, paths.output), ...output },
    ...(attributes !== undefined && { attributes }),
    ...(refused && { errors_output: { file: getRelativeName(paths.output, paths.errors!), ...refused } }),
  });
}

/**
 * The run that the shards are parts of. Each may have read its own copy of the input, with its own modification time.
 */
function buildWholeIdentity(all: readonly RunDescription[]): RunIdentity {
  const identity = selectRunIdentity(all[0]!);
  const { modified, ...input } = identity.input;
  const isOne = all.every((each) => each.input.modified === modified);
  return {
    ...identity,
    input: isOne && modified !== undefined ? { ...input, modified } : input,
    shard: { index: 0, of: 1 },
  };
}
