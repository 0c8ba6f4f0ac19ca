import { closeSync, createReadStream, mkdirSync, openSync, readdirSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { EngineError } from "@groundrule/engine";
import { MalformedJson, parseStrictJson, type StrictJsonOptions } from "@groundrule/engine/internal/json";
import { parseRecord, type VerdictRecord } from "@groundrule/engine/records";
import { type LineError, toLineError } from "../terminal/line-error.ts";
import { InputFileError, readJsonFile, toReadError } from "./input-file.ts";

/** Destination of records, one per line. */
export interface RecordSink {
  /** @param record as JSON */
  write(record: string): void;
  close(): void;
}

/** Writes records to one file, replacing its content. */
export function openRecordFile(path: string): RecordSink {
  return createRecordSink(openSync(path, "w"));
}

/** Records per file of a folder. */
const RECORDS_PER_FILE = 10_000;

/**
 * Writes records to a folder, in files of 10,000: `records-00001.ndjson` and so on.
 *
 * Fails: {@link InputFileError} if a file exists already: a record is never overwritten.
 */
export function openRecordFolder(dir: string): RecordSink {
  mkdirSync(dir, { recursive: true });
  let sink: RecordSink | undefined;
  let written = 0;
  return {
    write(record) {
      if (written % RECORDS_PER_FILE === 0) {
        sink?.close();
        const number = String(written / RECORDS_PER_FILE + 1).padStart(5, "0");
        sink = createRecordSink(openNewFile(join(dir, `records-${number}.ndjson`)));
      }
      sink!.write(record);
      written++;
    },
    close: () => sink?.close(),
  };
}

function openNewFile(path: string): number {
  try {
    return openSync(path, "wx");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new InputFileError(
      `${path} already exists, and a record never overwrites a file; name another file`,
    );
  }
}

function createRecordSink(file: number): RecordSink {
  return {
    write: (record) => void writeSync(file, `${record}\n`),
    close: () => closeSync(file),
  };
}

/** A plot without a verdict, and the reason: its line among records and results. */
export interface Refusal {
  readonly id: string | number;
  readonly error: LineError;
}

/** The line of such a plot among records, so that no evaluated plot is missing there. */
export function formatRefusalLine({ id, error }: Refusal): string {
  return JSON.stringify({ id, error });
}

/** A parsed record, the error of a plot without a verdict, or the reason why the line is neither. */
export type RecordLine = {
  /** Name in messages: the plot's id, otherwise its place among the records. */
  readonly id: string | number;
} & ({ readonly record: VerdictRecord } | { readonly refusal: LineError } | { readonly error: LineError });

/**
 * Reads records as a stream: one per line, or one JSON document; of a folder, its `*.ndjson` files in order, as `screen
 * --record` wrote them. A plot without a verdict yields its {@link Refusal}, and a line that is neither yields an
 * error.
 *
 * Fails: {@link InputFileError}.
 */
export async function* readRecordLines(path: string): AsyncGenerator<RecordLine, void, undefined> {
  let number = 0;
  for await (const value of readLineValues(path)) {
    number++;
    yield parseRecordLine(value, number);
  }
}

/** The JSON values that {@link readRecordLines} reads records from; a malformed line yields a `MalformedJson`. */
export async function* readLineValues(path: string): AsyncGenerator<unknown, void, undefined> {
  for (const file of listRecordFiles(path)) yield* readJsonValues(file);
}

function listRecordFiles(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => name.endsWith(".ndjson"));
    if (names.length === 0) throw new InputFileError(`${path} contains no *.ndjson file of records`);
    return names.sort().map((name) => join(path, name));
  } catch (error) {
    throw toReadError(error, path);
  }
}

/** The JSON values of a file; a malformed line yields an error. */
async function* readJsonValues(path: string): AsyncGenerator<unknown, void, undefined> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  let first = true;
  try {
    for await (const line of lines) {
      if (line.trim() === "") continue;
      const value = parseJsonLine(line);
      if (first && value instanceof MalformedJson && value.code === "SYNTAX_INVALID") {
        yield readJsonFile(path, AS_WRITTEN);
        return;
      }
      first = false;
      yield value;
    }
  } catch (error) {
    throw toReadError(error, path);
  } finally {
    lines.close();
  }
}

function parseJsonLine(line: string): unknown {
  try {
    return parseStrictJson(new TextEncoder().encode(line), AS_WRITTEN);
  } catch (error) {
    if (error instanceof MalformedJson) return error;
    throw error;
  }
}

/** A library may have evaluated a value that HTTP would not accept: a threshold beyond 2⁵³, for example. */
const AS_WRITTEN: StrictJsonOptions = { exact: false };

/**
 * Parses a record, or the one in a stored decision.
 *
 * @param number its place among the values, from 1
 */
export function parseRecordLine(value: unknown, number: number): RecordLine {
  if (value instanceof MalformedJson) {
    const message = `record ${number} is not valid JSON at "${value.pointer}": ${value.message}`;
    return { id: number, error: { code: "MALFORMED_JSON", message } };
  }
  const refused = parseRefusalLine(value);
  if (refused !== undefined) return { id: refused.id, refusal: refused.error };
  try {
    const record = parseRecord(unwrapStoredDecision(value));
    return { id: record.id ?? number, record };
  } catch (error) {
    return { id: number, error: toLineError(error) };
  }
}

/** Parses the line of a plot without a verdict. */
export function parseRefusalLine(value: unknown): Refusal | undefined {
  const { id, error, request } = Object(value) as Readonly<Record<string, unknown>>;
  if (request !== undefined || (typeof id !== "string" && typeof id !== "number")) return undefined;
  return isError(error) ? { id, error } : undefined;
}

function isError(value: unknown): value is LineError {
  const { code, message } = Object(value) as Readonly<Record<string, unknown>>;
  return typeof code === "string" && typeof message === "string";
}

/**
 * Returns the record in a stored decision, as `GET /v1/decisions/{id}` answers; any other value unchanged.
 *
 * Fails: {@link EngineError} `VALIDATION_FAILED` for a decision without a verdict.
 */
function unwrapStoredDecision(value: unknown): unknown {
  const { data } = Object(value) as { readonly data?: unknown };
  const { decision_id, route, media_type, record } = Object(data) as Readonly<Record<string, unknown>>;
  if (typeof decision_id !== "string" || record === undefined) return value;
  const refuse = (found: string): never => {
    throw new EngineError("VALIDATION_FAILED", `decision ${decision_id} ${found}`, {});
  };
  if (record === null) {
    refuse(
      "contains neither its request nor its answer: they were erased, or their retention period is over",
    );
  }
  if (route !== "/v1/evaluate") refuse(`answers ${String(route)}, expected a verdict of /v1/evaluate`);
  if (media_type !== undefined && media_type !== "application/json") {
    refuse(`has an answer of type ${String(media_type)}, expected application/json`);
  }
  return record;
}
