import type { Limits } from "@groundrule/contract";
import { parseRequest, textFaults, unstorableTexts } from "@groundrule/contract";
import { jsonPointer, MalformedJson, parseStrictJson } from "@groundrule/engine/json";
import type { ZodType } from "zod";
import type { SentBody } from "../task/body-task.ts";
import { Refusal } from "../task/refusal.ts";
import { refuseFaults } from "../task/refuse-faults.ts";

/**
 * A body's JSON. Refuses: `MALFORMED_JSON` with the fault's place; `VALIDATION_FAILED` for texts that not
 * every store can hold, wherever they are.
 */
export function parseJsonBody(
  bytes: Buffer,
  { jsonDepth }: Pick<Limits, "jsonDepth">,
  maxMembers: number = MEMBERS_MAX,
): unknown {
  try {
    const value = parseStrictJson(bytes, { maxDepth: jsonDepth, maxMembers, decode });
    if (bytes.includes(NUL_ESCAPE)) refuseUnstorable(value);
    return value;
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    const { code, pointer, message, offset } = error;
    throw new Refusal("MALFORMED_JSON", `The body is not acceptable JSON: ${message}.`, {
      errors: [{ pointer, code, message }],
      details: { offset },
    });
  }
}

/** The bytes of a body, in place where they are shared. */
export function bytesOf(body: SentBody): Buffer {
  return typeof body === "string"
    ? Buffer.from(body, "latin1")
    : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/**
 * Most members of all objects together. Checking that names are unique costs far more than reading them, and neither a
 * plot nor a ruleset has anywhere near as many.
 */
export const MEMBERS_MAX = 100_000;

/** ASCII bytes are read as Latin-1, which is decoded faster. */
function decode(bytes: Uint8Array, isAscii: boolean): string {
  const { buffer, byteOffset, byteLength } = bytes;
  return Buffer.from(buffer, byteOffset, byteLength).toString(isAscii ? "latin1" : "utf8");
}

/** The only way to write U+0000 in JSON. Lone surrogates, the other unstorable texts, are refused by the parser. */
const NUL_ESCAPE = "\\u0000";

function refuseUnstorable(value: unknown): void {
  const [first, ...others] = textFaults(unstorableTexts(value), jsonPointer);
  if (first !== undefined) refuseFaults([first, ...others], "body");
}

/** Checks a body against the schema of its route. Refuses: `VALIDATION_FAILED` with every fault. */
export function checkBody<Request>(schema: ZodType<Request, unknown>, body: unknown): Request {
  const parsed = parseRequest(schema, body);
  return "value" in parsed ? parsed.value : refuseFaults(parsed.faults, "body");
}
