import { StoreError } from "@groundrule/api/state";
import { EngineError } from "@groundrule/engine";
import { FAULT_LIMIT } from "@groundrule/engine/internal/json";
import { FormatError } from "@groundrule/formats";
import { IngestError } from "@groundrule/ingest";
import { DataError, PoolError } from "@groundrule/node";
import type { YamlFileError } from "@groundrule/policy-tests";
import type { ProviderError } from "@groundrule/postgis";
import { SyncError } from "@groundrule/sync";
import { type Arguments, UnknownOptionError, UsageError } from "./command-line/arguments.ts";
import { EXIT, type ExitCode } from "./command-line/exit-code.ts";
import { COMMANDS } from "./commands.ts";
import { formatWithoutOptions, WITHOUT_OPTION } from "./data/command-data.ts";
import { formatNeededByCommand, quoteShellWord } from "./data/command-words.ts";
import { describeSystemError, InputFileError } from "./files/input-file.ts";
import { RunError } from "./runs/run-error.ts";
import { describeOtherPlaces, selectUnreportedFaults } from "./terminal/line-error.ts";
import { type Terminal, toPrintable } from "./terminal/terminal.ts";

/**
 * Reports a failure on standard error.
 *
 * @param args of the command; undefined if the command line could not be parsed
 * @param path the words that call the command; undefined if none was found
 * @returns the exit code for this kind of failure
 */
export async function printFailure(
  error: unknown,
  args: Arguments | undefined,
  terminal: Terminal,
  path?: string,
): Promise<ExitCode> {
  const say = (text: string) =>
    terminal.note(`${terminal.styleNote("red", "groundrule:")} ${toPrintable(maskUrlPasswords(text))}`);
  if (error instanceof UsageError) {
    say(error.message);
    const owners = error instanceof UnknownOptionError ? await findCommandsWith(error) : [];
    if (owners.length > 0)
      say(`  commands with --${(error as UnknownOptionError).option}: ${owners.join(", ")}`);
    terminal.note(
      path === undefined
        ? "Run groundrule --help for the commands, groundrule COMMAND --help for the options"
        : `Run groundrule ${path} --help for its options, groundrule --help for the commands`,
    );
    return EXIT.usage;
  }
  if (error instanceof FormatError) {
    say(`${error.message} (${error.code})`);
    return EXIT.badInput;
  }
  if (error instanceof EngineError || error instanceof IngestError) {
    say(`${error.message} (${error.code})`);
    for (const fault of selectUnreportedFaults(error.message, error.details.faults))
      say(`  at ${fault.pointer || "the top level"}: ${fault.message}`);
    if (error instanceof EngineError) {
      for (const place of describeOtherPlaces(error)) say(`  ${place}`);
      if (isSourceMissingError(error))
        for (const line of [...formatNeededByHints(args), ...formatWithoutHint(error, args)]) say(line);
    }
    return EXIT.badInput;
  }
  if (error instanceof Error && error.name === "YamlFileError") {
    for (const { line, column, message } of (error as YamlFileError).faults)
      say(`${(error as YamlFileError).path}:${line}:${column}: ${message}`);
    return EXIT.badInput;
  }
  if (error instanceof InputFileError) {
    say(error.message);
    return EXIT.badInput;
  }
  if (error instanceof DataError || error instanceof PoolError) {
    say(`${error.message} (${error.code})`);
    if (error.code === "DATA_FOLDER_MISSING") for (const line of formatNeededByHints(args)) say(line);
    return REFUSALS.has(error.code) ? EXIT.badInput : EXIT.unavailable;
  }
  if (error instanceof SyncError) {
    say(`${error.message} (${error.code})`);
    return error.code === "SYNC_RUNNING" ? EXIT.unavailable : EXIT.badInput;
  }
  if (error instanceof Error && error.name === "ProviderError") {
    const { code } = error as ProviderError;
    say(`${error.message} (${code})`);
    return code === "PROVIDER_INVALID" ? EXIT.badInput : EXIT.unavailable;
  }
  if (error instanceof StoreError) {
    say(`${error.message} (${error.code})`);
    return STORE_OUTAGES.has(error.code) ? EXIT.unavailable : EXIT.badInput;
  }
  if (error instanceof RunError) {
    say(`${error.message} (${error.code})`);
    return RUN_OUTAGES.has(error.code) ? EXIT.unavailable : EXIT.badInput;
  }
  if (isSystemError(error)) {
    say(
      error.syscall === "listen" || isHostUnknown(error, args)
        ? describeListenError(error, args)
        : describeSystemError(error),
    );
    return EXIT.unavailable;
  }
  const bug = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.note(`groundrule: internal error, please report it: ${maskUrlPasswords(bug)}`);
  return EXIT.unavailable;
}

/** The commands that have an option, if few do and the message does not explain it. */
async function findCommandsWith({ option, isExplained }: UnknownOptionError): Promise<readonly string[]> {
  if (isExplained) return [];
  const all = await Promise.all(COMMANDS.map(({ load }) => load()));
  const owners = all.filter(({ options }) => options.some(({ name }) => name === option));
  return owners.length > MOST_OWNERS ? [] : owners.map(({ path }) => path);
}

/** More commands than these do not explain what an option is for. */
const MOST_OWNERS = 8;

/** True if a named source or group is missing. */
function isSourceMissingError({ code, details }: EngineError): boolean {
  return code === "SOURCE_UNKNOWN" || Array.isArray(details.unknown_sources);
}

/** Options that name rulesets. */
const RULESETS = ["ruleset", "old", "new"];

/** The commands that list the sources the command's rulesets need, and how to install them. */
function formatNeededByHints(args: Arguments | undefined): string[] {
  return RULESETS.flatMap((option) => args?.find(option) ?? []).map(
    (name) => `  what it needs, and what brings that: ${formatNeededByCommand(name, args!)}`,
  );
}

/** The options that let an evaluation leave out the missing sources, and only those. */
function formatWithoutHint({ code, details }: EngineError, args: Arguments | undefined): string[] {
  const { unknown_sources: unknown } = details;
  if (code !== "SOURCE_UNKNOWN" || !Array.isArray(unknown) || args?.accepts(WITHOUT_OPTION.name) !== true)
    return [];
  const words = formatWithoutOptions(unknown.map(String)).map(quoteShellWord).join(" ");
  const more = unknown.length >= FAULT_LIMIT ? ", and others" : "";
  return [
    `  to evaluate without ${unknown.length === 1 ? "it" : "them"}, so that checks ${unknown.length === 1 ? "it" : "they"} could change stay open, add: ${words}${more}`,
  ];
}

/** A URL given where none belongs is printed without its password. */
function maskUrlPasswords(text: string): string {
  return text.replace(/(\w:\/\/[^\s:/@]*):\S*@/g, "$1:***@");
}

/** Errors of a data folder that reject the input, rather than report a fault of the folder. */
const REFUSALS: ReadonlySet<string> = new Set([
  "EDITION_AMBIGUOUS",
  "EDITION_IN_USE",
  "EDITION_UNEXPECTED",
  "GROUP_INVALID",
  "KIND_CHANGED",
  "SOURCE_LIVE",
  "SOURCE_MISSING",
  "SOURCE_NAME_CLASH",
]);

/** Errors of a store that is unavailable, rather than of one that refuses. */
const STORE_OUTAGES: ReadonlySet<string> = new Set([
  "CLOCK_UNTRUSTED",
  "OUTCOME_UNKNOWN",
  "PEPPER_MISMATCH",
  "PEPPER_MISSING",
  "SCHEMA_TOO_NEW",
  "STORAGE_UNAVAILABLE",
  "STORE_FILE_SHARED",
  "STORE_IN_USE",
  "STORE_MISSING",
]);

/** Errors that prevent a run from writing anything. */
const RUN_OUTAGES: ReadonlySet<string> = new Set(["OUTPUT_LOCKED", "OUTPUT_UNWRITABLE"]);

/** An error of the operating system: a full disk, a folder that may not be written to. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === "string";
}

/** True if the name to listen on has no address; other look-ups of names are those of a store. */
function isHostUnknown(error: NodeJS.ErrnoException, args: Arguments | undefined): boolean {
  const { hostname } = error as { hostname?: string };
  return error.syscall === "getaddrinfo" && hostname !== undefined && hostname === args?.find("host");
}

/** The reason why a server cannot listen, and the option to change. */
function describeListenError(error: NodeJS.ErrnoException, args: Arguments | undefined): string {
  const { code, message } = error;
  const { address, port, hostname } = error as { address?: string; port?: number; hostname?: string };
  const [host, portOption] = ["host", "port"].map((name) => args?.placeOf(name) ?? `--${name}`);
  switch (code) {
    case "EADDRINUSE":
      return `port ${port} of ${address} is taken by another process (${portOption}); name another with --port N, or 0 for any free one`;
    case "EACCES":
      return `port ${port} of ${address} is reserved for the system (${portOption}); name one from 1024 with --port N`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `found no address ${address ?? hostname} on this machine (${host}), expected one of its own, such as --host 127.0.0.1, or 0.0.0.0 for all`;
    default:
      return message;
  }
}
