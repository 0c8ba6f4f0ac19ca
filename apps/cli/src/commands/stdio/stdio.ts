import { UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { answerCalls } from "./answer-calls.ts";
import { OPERATIONS } from "./operations.ts";

export const stdioCommand: Command = {
  summary: "Answer calls of another program on standard input, each an Arrow stream, until it ends",
  options: [],
  details: [
    `A call is one Arrow IPC stream, whose schema has the words of a command line, as a JSON array, under "call" in its metadata. Each call is answered by one stream, before the next call is read; the data folder stays open in between. The Python package calls the command so.`,
    `Commands that can be called: ${[...OPERATIONS.keys()].join(", ")}. Their options are those of the command line.`,
  ],
  run(args, terminal) {
    if (terminal.human) throw new UsageError("stdio writes Arrow streams: pipe standard output to a program");
    return answerCalls(args, terminal);
  },
};
