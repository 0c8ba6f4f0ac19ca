import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import { type OptionSpec, option } from "../../command-line/command-line.ts";

export const STDIO_OPTION: OptionSpec = option(
  "stdio",
  "read plots as an Arrow IPC stream on standard input, and write one batch of results for each to standard output",
);

/** What a stream of batches leaves to whoever writes and reads it. */
const OTHERS = [
  "as-submitted",
  "decimal",
  "encoding",
  "errors",
  "fail-on",
  "format",
  "id",
  "latitude",
  "layer",
  "longitude",
  "output",
  "record",
  "shard",
  "wkt",
  "workers",
];

const OTHER_FLAGS = ["resume", "swap-axes"];

/** Fails: {@link UsageError} for an option that `--stdio` would have to ignore. */
export function refuseOtherOptions(args: Arguments): void {
  if (args.operands.length > 0) {
    throw new UsageError(`found the file "${args.operands[0]}" beside --stdio, which reads standard input`);
  }
  const other =
    OTHERS.find((name) => args.find(name) !== undefined) ?? OTHER_FLAGS.find((name) => args.flag(name));
  if (other !== undefined || args.all("column").length > 0) {
    throw new UsageError(
      `found --${other ?? "column"} beside --stdio, which answers each batch on standard output`,
    );
  }
}
