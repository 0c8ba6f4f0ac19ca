import { closeSync, openSync, readSync, statSync } from "node:fs";
import { parseRecord, type VerdictRecord } from "@groundrule/engine/records";
import type { PortfolioVerdict } from "@groundrule/report";
import { InputFileError, readJsonFile } from "../files/input-file.ts";
import { parseRecordLine, parseRefusalLine, readLineValues } from "../files/record-file.ts";
import type { LineError } from "../terminal/line-error.ts";

/** A plot in a file of verdicts: its record, its verdict alone, or the reason why it has none. */
export type VerdictLine = { readonly id: string | number } & (
  | { readonly record: VerdictRecord }
  | { readonly verdict: PortfolioVerdict }
  | { readonly refusal: LineError }
  | { readonly error: LineError }
);

/**
 * Reads the inputs of `report`: records, stored decisions, the results of `screen` and `evaluate` as JSON lines, and
 * those of a job.
 *
 * Fails: {@link InputFileError} for results without their checks; a line that is none of these yields an error.
 */
export async function* readVerdictLines(path: string): AsyncGenerator<VerdictLine, void, undefined> {
  refuseTableFile(path);
  let number = 0;
  for await (const value of readLineValues(path)) {
    number++;
    yield parseJobLine(value) ?? parseResultLine(value, number, path) ?? parseRecordLine(value, number);
  }
}

/** Formats of results that lack some of the checks; they are not read at all. */
const TABLES = [
  ["PAR1", "parquet"],
  ["id,verdict,", "csv"],
] as const;

function refuseTableFile(path: string): void {
  const table = TABLES.find(([head]) => fileBeginsWith(path, head));
  if (table === undefined) return;
  throw new InputFileError(
    `${path} has results as ${table[1]}, which leave out details of the checks; screen with --format ndjson, or with --record`,
  );
}

/** False if it is not a file: the reader reports that. */
function fileBeginsWith(path: string, head: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const bytes = Buffer.alloc(head.length);
  const file = openSync(path, "r");
  try {
    readSync(file, bytes);
  } finally {
    closeSync(file);
  }
  return bytes.toString("latin1") === head;
}

/** Errors for plots of a job that have neither answer nor error. */
const UNANSWERED: Readonly<Record<string, LineError>> = {
  cancelled: { code: "CANCELLED", message: "the job was cancelled before this plot's turn" },
  erased: { code: "ERASED", message: "the answer has been erased" },
};

/** Parses a line of a job's results; undefined for any other. */
function parseJobLine(value: unknown): VerdictLine | undefined {
  const { number, id, status, response, error } = Object(value) as Readonly<Record<string, unknown>>;
  if (typeof number !== "number" || typeof status !== "string") return undefined;
  const named = typeof id === "string" || typeof id === "number" ? id : number + 1;
  const verdict = Object(response).data;
  if (isVerdict(verdict)) return { id: named, verdict };
  const refused = parseRefusalLine({ id: named, error: error ?? UNANSWERED[status] });
  return refused === undefined ? undefined : { id: named, refusal: refused.error };
}

/** Parses a line of results; undefined for any other. */
function parseResultLine(value: unknown, number: number, path: string): VerdictLine | undefined {
  const { id, verdict, at_least, request } = Object(value) as Readonly<Record<string, unknown>>;
  if (request !== undefined || (typeof id !== "string" && typeof id !== "number")) return undefined;
  if (typeof verdict === "string" && typeof at_least === "string") {
    throw new InputFileError(
      `${path}: record ${number} is a compact result, which leaves out details of the checks; screen with --format ndjson, or with --record`,
    );
  }
  if (!isVerdict(verdict)) return undefined;
  return { id, verdict };
}

const STATUSES = ["COMPLIANT", "WARNING", "NON_COMPLIANT", "DEGRADED"];

/** Checks only the members that a portfolio reads. */
function isVerdict(value: unknown): value is PortfolioVerdict {
  const {
    verdict,
    evaluated_at,
    at_least,
    checks,
    sources = [],
  } = Object(value) as Readonly<Record<string, unknown>>;
  return (
    STATUSES.includes(verdict as string) &&
    STATUSES.includes(at_least as string) &&
    typeof evaluated_at === "string" &&
    Array.isArray(checks) &&
    checks.every(
      (check) => typeof Object(check).id === "string" && typeof Object(check).status === "string",
    ) &&
    Array.isArray(sources) &&
    sources.every((source) => typeof Object(source).source_name === "string")
  );
}

/**
 * The record of an answer of `/v1/evaluate` and its request body.
 *
 * Fails: {@link InputFileError} for anything but an answer with a verdict, and for a request without its ruleset.
 */
export function toRecord(responsePath: string, requestPath: string): VerdictRecord {
  const response = readJsonFile(responsePath, { exact: false });
  const request = readJsonFile(requestPath, { exact: false });
  const { code, title, data } = Object(response) as Readonly<Record<string, unknown>>;
  if (data === undefined && typeof code === "string") {
    throw new InputFileError(
      `${responsePath} is a refusal (${code}${typeof title === "string" ? `: ${title}` : ""}), expected a response of /v1/evaluate`,
    );
  }
  if (!isVerdict(data)) {
    throw new InputFileError(
      `${responsePath} has no verdict at "/data", expected a response of /v1/evaluate`,
    );
  }
  const { ruleset, ruleset_id } = Object(request) as Readonly<Record<string, unknown>>;
  if (ruleset === undefined && ruleset_id !== undefined) {
    throw new InputFileError(
      `${requestPath} names the ruleset ${JSON.stringify(ruleset_id)}, expected it in full at "/ruleset"; fetch the decision instead (GET /v1/decisions/{id}), which holds it`,
    );
  }
  return parseRecord({ request, response });
}
