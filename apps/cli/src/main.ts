#!/usr/bin/env node
import { isNewEnough, NEWER_NODE, OLDEST_NODE_TEXT } from "./node-version.ts";

// Nothing else is imported before this: an older Node lacks names that the next module imports.
if (!isNewEnough(process.versions.node)) {
  const found = `found Node ${process.versions.node} at ${process.execPath}`;
  console.error(`groundrule: ${found}, expected Node ${OLDEST_NODE_TEXT} or newer: ${NEWER_NODE}`);
  process.exit(4);
}
// Before anything large is loaded: this cuts the start to a third of the time.
const { keepCompiledCode } = await import("./compile-cache.ts");
keepCompiledCode();
const { runCommand } = await import("./run-command.ts");
const { Terminal } = await import("./terminal/terminal.ts");

/** Exit codes that a shell reports for a process ended by a signal: 128 and the signal's number. */
const ENDED_BY = { SIGINT: 130, SIGPIPE: 141, SIGTERM: 143 } as const;

/** Same as for every unavailable resource: for example a full disk that takes no results. */
const UNWRITABLE = 4;

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // Only once: a second signal ends the process as usual.
  process.once(signal, () => stop.abort(ENDED_BY[signal]));
}
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(ENDED_BY.SIGPIPE); // the reader has seen enough, as of `head`
    if (stream === process.stdout) {
      process.stderr.write(`groundrule: standard output cannot be written: ${error.message}\n`);
    }
    process.exit(UNWRITABLE);
  });
}

const terminal = new Terminal(process.stdin, process.stdout, process.stderr, stop.signal);
const code = await runCommand(process.argv.slice(2), terminal);
// Standard input may still be open; printed output is flushed first.
process.stdout.write("", () => process.exit(code));
