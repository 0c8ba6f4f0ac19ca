import { UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { chooseOutputFormat } from "../../command-line/output-format.ts";
import { lockOutputFiles } from "../../runs/output-lock.ts";
import { assertOutputReplaceable } from "../../runs/run-output.ts";
import { resolveRunPaths } from "../../runs/run-paths.ts";
import { checkShardsOfOneRun } from "../../runs/shards/check-shards.ts";
import { findShards, getShardFilePath } from "../../runs/shards/find-shards.ts";
import { mergeShards } from "../../runs/shards/merge-shards.ts";
import { FORMATS_BY_ENDING } from "../../screening/format-names.ts";
import { formatCount } from "../../words/change-tally.ts";
import { figures } from "../../words/figures.ts";

export const mergeCommand: Command = {
  summary: "Merge the shards of a screening run into the output of a single run",
  examples: ["shards --output verdicts.parquet"],
  operands: "DIR|FILE...",
  options: [
    defineOption("output FILE", "the file to write", { required: true }),
    defineOption("errors FILE", "the file for error lines, if the shards were run with --errors"),
  ],
  details: [
    "Names the outputs of screen --shard I/N --output FILE, their descriptions (FILE.run.json), or a folder with all of them. Every shard must be present once, and all must have the same input, ruleset, editions, instant and options; every file must match its description. Otherwise nothing is written. Memory use is constant.",
    "The output has a description of its own, FILE.run.json, as if one run had written it.",
  ],
  async run(args, terminal) {
    const shards = checkShardsOfOneRun(findShards(args.operands, args.get("output")));
    const { format } = shards[0]!.description;
    chooseOutputFormat({ option: "output", path: args.get("output"), named: format }, FORMATS_BY_ENDING);
    const errors = args.find("errors");
    const apart = shards[0]!.description.errors_output !== undefined;
    if (apart && errors === undefined) {
      throw new UsageError("the shards have files of error lines: name the merged file with --errors FILE");
    }
    if (!apart && errors !== undefined) {
      throw new UsageError("found --errors, but the shards have their error lines in their results");
    }
    const inputs = shards.flatMap((shard) => {
      const { output, errors_output } = shard.description;
      return [
        shard.path,
        getShardFilePath(shard, output.file),
        ...(errors_output ? [getShardFilePath(shard, errors_output.file)] : []),
      ];
    });
    const paths = resolveRunPaths(args.get("output"), errors, inputs);
    const lock = await lockOutputFiles(paths.locks);
    try {
      assertOutputReplaceable(paths);
      const { plots, errors: refused } = await mergeShards({
        shards,
        paths,
        signal: terminal.signal,
        progress: (done) => terminal.progress(() => `${figures.decimal(done, 0)} plots merged`),
      });
      terminal.note(
        `${formatCount(plots, "plot")} of ${formatCount(shards.length, "shard")}, ${figures.decimal(refused, 0)} of them errors: ${args.get("output")}`,
      );
      return EXIT.done;
    } finally {
      lock.release();
    }
  },
};
