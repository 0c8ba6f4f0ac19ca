import { devNull } from "node:os";
import { isObject } from "@groundrule/engine/internal/json";
import { openData } from "@groundrule/node";
import type { Schema } from "apache-arrow";
import { type Arguments, parseArguments, UsageError } from "../../command-line/arguments.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import { getDataFolder } from "../../data/data-folder.ts";
import { openLiveAreas } from "../../data/live-areas.ts";
import { InputFileError, readInputBytes } from "../../files/input-file.ts";
import { readNextStream } from "../../screening/stdio/batch-stream.ts";
import { StreamBytes } from "../../screening/stdio/message-stream.ts";
import { OutputStream } from "../../screening/stdio/output-stream.ts";
import { addSettingsToArguments, CONFIG_VARIABLE } from "../../settings/with-settings.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { VERSION } from "../../version.ts";
import { type Answering, OPERATIONS, type Session } from "./operations.ts";

/** The member of a call's metadata that holds its words. */
const CALL = "call";

/**
 * Answers the calls on standard input in their order, each by one Arrow stream, until standard input ends. A call that
 * is refused as a whole is answered by a stream without columns, whose metadata has the `error`.
 *
 * Fails: as opening the data folder; `FormatError` for bytes that are no stream of a call, after which nothing can be
 * read.
 */
export async function answerCalls(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const data = openData(getDataFolder(args));
  const live = await openLiveAreas(data.current.live, terminal);
  const session: Session = { data, live, terminal, policies: new Map() };
  const bytes = new StreamBytes(readInputBytes(undefined, terminal));
  try {
    while (!(await bytes.isEnded())) {
      const { schema, batches } = await readNextStream(bytes);
      const answering = await openCall(schema, session);
      await terminal.write(answering.output.head);
      if (answering.first !== undefined) await terminal.write(answering.first);
      for await (const batch of batches) {
        // The batches of a refused call are read, and dropped.
        if (answering.answer !== undefined) await terminal.write(await answering.answer(batch));
      }
      await terminal.write(answering.output.end);
    }
  } finally {
    await live.close();
  }
  return EXIT.done;
}

/** Reads a call, and prepares its answer. */
async function openCall(schema: Schema, session: Session): Promise<Answering> {
  try {
    const words = readCallWords(schema);
    const name = [...OPERATIONS.keys()].find((each) => `${words.join(" ")} `.startsWith(`${each} `));
    const operation = name === undefined ? undefined : OPERATIONS.get(name);
    if (operation === undefined) {
      const expected = [...OPERATIONS.keys()].join(", ");
      throw new UsageError(`found the call ${JSON.stringify(words[0])}, expected one of ${expected}`);
    }
    const command = await operation.load();
    const parsed = parseArguments(command, words.slice(name!.split(" ").length));
    for (const option of ["data", "config", "help"]) {
      if (parsed.has(option) || parsed.flag(option))
        throw new UsageError(`--${option} cannot be set by a call; it belongs to the command stdio`);
    }
    if (parsed.operands.length > 0)
      throw new UsageError(`found the operand "${parsed.operands[0]}" in a call, expected none`);
    // A call says everything itself: neither the environment nor a file completes it.
    const args = await addSettingsToArguments(command, parsed, { [CONFIG_VARIABLE]: devNull });
    return await operation.open(args, schema, session);
  } catch (error) {
    const described = describeRefusal(error);
    const metadata = [
      ["groundrule.version", VERSION],
      ["error", JSON.stringify(described)],
    ] as const;
    return { output: new OutputStream([], new Map(metadata)) };
  }
}

/** Fails: {@link UsageError}. */
function readCallWords(schema: Schema): readonly string[] {
  const text = schema.metadata.get(CALL);
  const refuse = (found: string): never => {
    throw new UsageError(
      `found ${found} as "${CALL}" in the metadata of a schema, expected an array of words`,
    );
  };
  if (text === undefined) return refuse("nothing");
  let words: unknown;
  try {
    words = JSON.parse(text);
  } catch {
    return refuse("no JSON");
  }
  if (!Array.isArray(words) || words.some((word) => typeof word !== "string")) return refuse("other JSON");
  return words as readonly string[];
}

/** The reason why a whole call is refused. */
interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details?: object;
}

/** Describes a failure that answers a call. Rethrows a bug. */
function describeRefusal(error: unknown): Refusal {
  if (error instanceof UsageError) return { code: "CALL_INVALID", message: error.message };
  if (error instanceof InputFileError) return { code: "INPUT_UNREADABLE", message: error.message };
  const { code, details, message } = error as Error & { readonly code?: unknown; readonly details?: unknown };
  if (!(error instanceof Error) || typeof code !== "string" || !/^[A-Z]+(_[A-Z]+)+$/.test(code)) throw error;
  return { code, message, ...(isObject(details) && { details }) };
}
