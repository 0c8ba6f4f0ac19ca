import { parseRecord, type VerdictRecord } from "@groundrule/engine/records";
import type { PortfolioVerdict } from "@groundrule/report";
import { InputFileError, readJsonFile } from "../input-file.ts";
import type { LineError } from "../line-error.ts";
import { readLineValues, recordLine } from "../record-file.ts";

/** A plot of a file of verdicts: its record, its verdict alone, or why it has none. */
export type VerdictLine = { readonly id: string | number } & (
  | { readonly record: VerdictRecord }
  | { readonly verdict: PortfolioVerdict }
  | { readonly error: LineError }
);

/**
 * Reads what `report` takes: records, stored decisions, and the results of `screen` and `evaluate` as JSON lines.
 *
 * Fails: {@link InputFileError} for results that do not tell the checks; a line that is none of these is an error of
 * its own.
 */
export async function* readVerdicts(path: string): AsyncGenerator<VerdictLine, void, undefined> {
  let number = 0;
  for await (const value of readLineValues(path)) {
    number++;
    yield resultLine(value, number, path) ?? recordLine(value, number);
  }
}

/** A line of results; undefined for any other. */
function resultLine(value: unknown, number: number, path: string): VerdictLine | undefined {
  const { id, verdict, error, checks, request } = Object(value) as Readonly<Record<string, unknown>>;
  if (request !== undefined || (typeof id !== "string" && typeof id !== "number")) return undefined;
  if (typeof verdict === "string" && typeof checks === "string") {
    throw new InputFileError(
      `${path}: record ${number} is a compact result, which does not name its checks; screen with --format ndjson, or with --record`,
    );
  }
  if (isError(error)) return { id, error };
  if (!isVerdict(verdict)) return undefined;
  return { id, verdict };
}

function isError(value: unknown): value is LineError {
  const { code, message } = Object(value) as Readonly<Record<string, unknown>>;
  return typeof code === "string" && typeof message === "string";
}

const STATUSES = ["COMPLIANT", "WARNING", "NON_COMPLIANT", "DEGRADED"];

/** As far as a portfolio reads it. */
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
 * The record of an answer of `/v1/evaluate` and the body that asked for it.
 *
 * Fails: {@link InputFileError} for what is no answer with a verdict, and for a request without its ruleset.
 */
export function recordOfAnswer(responsePath: string, requestPath: string): VerdictRecord {
  const response = readJsonFile(responsePath, { exact: false });
  const request = readJsonFile(requestPath, { exact: false });
  const { code, title, data } = Object(response) as Readonly<Record<string, unknown>>;
  if (data === undefined && typeof code === "string") {
    throw new InputFileError(
      `${responsePath} is a refusal (${code}${typeof title === "string" ? `: ${title}` : ""}), expected an answer of /v1/evaluate`,
    );
  }
  if (!isVerdict(data)) {
    throw new InputFileError(
      `${responsePath} holds no verdict at "/data", expected an answer of /v1/evaluate`,
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
