import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  type BundleFile,
  type CountedFile,
  computeFileSizeAndDigest,
  createTextFile,
} from "../../bundle/bundle-file.ts";
import { createDescriptionFile, describeBundle } from "../../bundle/describe-bundle.ts";
import { LAUNCHER } from "../../bundle/launcher.ts";
import { getOwnNode, type NodeFile, readNodeFile } from "../../bundle/node-file.ts";
import { collectPinnedData } from "../../bundle/pinned-data.ts";
import { collectProgramFiles } from "../../bundle/program-files.ts";
import { writeTarArchive } from "../../bundle/write-archive.ts";
import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { readCompileOptions } from "../../data/command-data.ts";
import { getDataFolder } from "../../data/data-folder.ts";
import { RULESET_OPTION, readRuleset } from "../../files/ruleset-file.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { figures } from "../../words/figures.ts";

/** Digits of the digest in the name of the archive. */
const NAME_DIGITS = 16;

export const bundleCommand: Command = {
  summary: "Write Node, groundrule, a ruleset and its snapshots as one archive",
  options: [
    RULESET_OPTION,
    defineOption(
      "node FILE",
      "the Node to include, which may be for another platform (default: the one that runs this command)",
    ),
    defineOption("no-node", "leave Node out: the archive then uses the node on the PATH"),
    defineOption(
      "without NAME",
      "leave out this source or group; the archive then answers with the same --without",
      {
        multiple: true,
      },
    ),
    defineOption("output DIR", "folder of the archive (default: the current one)"),
  ],
  details: [
    "The archive is groundrule-DIGEST.tar.gz, named by the digest of its content: the same program, ruleset and editions give the same bytes. Unpack it anywhere: its bin/groundrule runs every command, with the data and the ruleset of the archive unless options name others. It holds the current editions of the sources that the ruleset names.",
    "Prints the path of the archive, its digest and its editions.",
  ],
  async run(args, terminal) {
    const output = args.find("output") ?? ".";
    const ruleset = readRuleset(args.get("ruleset"));
    const data = collectPinnedData(
      getDataFolder(args),
      ruleset,
      new Date().toISOString(),
      readCompileOptions(args),
    );
    for (const name of data.overdue) {
      terminal.note(
        `groundrule: "${name}" is older than its refresh_interval_days; the bundle keeps it as it is`,
      );
    }
    const node = await chooseNodeFile(args);
    makeArchiveFolder(output);
    const program = await collectProgramFiles();
    try {
      const counted = await countFiles(
        [
          createTextFile("bin/groundrule", LAUNCHER, true),
          ...(node === undefined ? [] : [node.file]),
          createTextFile("ruleset.json", `${JSON.stringify(ruleset, undefined, 2)}\n`),
          ...data.files,
          ...program.files,
        ],
        terminal,
      );
      const description = describeBundle(data, node?.described, counted);
      const { digest } = description;
      const path = join(output, `groundrule-${digest.slice(0, NAME_DIGITS)}.tar.gz`);
      await writeTarArchive(
        path,
        [await computeFileSizeAndDigest(createDescriptionFile(description)), ...counted],
        terminal.signal,
      );
      const { files, ...summary } = description;
      const bytes = counted.reduce((sum, file) => sum + file.bytes, 0);
      if (terminal.human && !args.flag("json")) {
        await terminal.print(path);
        terminal.note(`${files.length} files, ${figures.decimal(bytes / 1e6, 1)} MB unpacked`);
      } else await terminal.printJson({ archive: path, ...summary });
    } finally {
      await program.discard();
    }
    return EXIT.done;
  },
};

/** Makes the folder of the archive where only it is missing: before the work, not after it. */
function makeArchiveFolder(path: string): void {
  // Not with `recursive`, which never ends below /proc.
  if (!existsSync(path)) mkdirSync(path);
}

async function chooseNodeFile(args: Arguments): Promise<NodeFile | undefined> {
  const path = args.find("node");
  if (!args.flag("no-node")) return path === undefined ? getOwnNode() : readNodeFile(path);
  if (path !== undefined) throw new UsageError("found --node and --no-node, expected one of them");
  return undefined;
}

/** The files in the order of their paths, with sizes and digests. */
async function countFiles(files: readonly BundleFile[], terminal: Terminal): Promise<CountedFile[]> {
  const counted: CountedFile[] = [];
  for (const file of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    terminal.progress(() => `reading ${file.path}`);
    terminal.signal.throwIfAborted();
    counted.push(await computeFileSizeAndDigest(file));
  }
  return counted;
}
