import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { EngineError } from "@groundrule/engine";
import { verifySnapshot } from "@groundrule/engine/build";
import type { Command } from "../../command-line/command.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import { listSnapshotPaths, readSnapshotBytes } from "../../data/snapshot-files.ts";
import { InputFileError } from "../../files/input-file.ts";
import { toPrintable } from "../../terminal/terminal.ts";

export const snapshotVerifyCommand: Command = {
  summary: "Check all bytes of snapshots against the digest that names the edition",
  operands: "[FILE|SOURCE]…",
  operandCount: [0, 1024],
  details: [
    "Without an operand, checks every current edition in the data folder. Exits with 3 when a snapshot is damaged.",
  ],
  async run(args, terminal) {
    let exit: ExitCode = EXIT.done;
    for (const { label, path } of listSnapshotPaths(args)) {
      const found = verifySnapshotFile(path, label);
      if ("error" in found) exit = EXIT.badInput;
      if (args.flag("json") || !terminal.human) {
        await terminal.printJson({ snapshot: label, status: "error" in found ? "damaged" : "ok", ...found });
      } else if ("error" in found) {
        await terminal.print(
          `${terminal.style("red", "damaged")}  ${label}: ${toPrintable(found.error.message)}`,
        );
      } else {
        await terminal.print(`${terminal.style("green", "ok")}       ${label}  ${found.edition}`);
      }
    }
    return exit;
  },
};

function verifySnapshotFile(
  path: string,
  name: string,
): { readonly edition: string } | { readonly error: { readonly code: string; readonly message: string } } {
  try {
    const sha256 = () => createHash("sha256");
    return { edition: verifySnapshot(readSnapshotBytes(path), { name, crc32, sha256 }).meta.edition };
  } catch (error) {
    if (error instanceof EngineError) return { error: { code: error.code, message: error.message } };
    if (error instanceof InputFileError)
      return { error: { code: "SNAPSHOT_CORRUPT", message: error.message } };
    throw error;
  }
}
