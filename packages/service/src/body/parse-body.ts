import type { Limits } from "@groundrule/contract";
import { parseRequest, textFaults, unstorableTexts } from "@groundrule/contract";
import {
  formatJsonPointer,
  MalformedJson,
  parseStrictJson,
  type StrictJsonOptions,
} from "@groundrule/engine/internal/json";
import type { ZodType } from "zod";
import { Refusal, refuseFaults } from "../task/refusal.ts";

/**
 * Parses a body's JSON. Refuses: `MALFORMED_JSON` with the fault's place; `VALIDATION_FAILED` for texts anywhere in it
 * that not every store can keep.
 */
export function parseJsonBody(
  bytes: Uint8Array,
  { jsonDepth }: Pick<Limits, "jsonDepth">,
  { maxMembers = MEMBERS_MAX, decode }: Pick<StrictJsonOptions, "maxMembers" | "decode"> = {},
): unknown {
  try {
    const value = parseStrictJson(bytes, {
      maxDepth: jsonDepth,
      maxMembers,
      ...(decode !== undefined && { decode }),
    });
    if (mayHoldNul(bytes)) refuseUnstorableTexts(value);
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

/**
 * Maximum members of all objects together. Checking that names are unique costs far more than reading them, and neither
 * a plot nor a ruleset has nearly as many.
 */
export const MEMBERS_MAX = 100_000;

/** The only way to write U+0000 in JSON. Lone surrogates, the other unstorable texts, are refused by the parser. */
function mayHoldNul(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(BACKSLASH); at >= 0; at = bytes.indexOf(BACKSLASH, at + 1)) {
    if (NUL_ESCAPE.every((byte, i) => bytes[at + 1 + i] === byte)) return true;
  }
  return false;
}

const BACKSLASH = 0x5c;
/** `u0000` */
const NUL_ESCAPE = [0x75, 0x30, 0x30, 0x30, 0x30] as const;

function refuseUnstorableTexts(value: unknown): void {
  const [first, ...others] = textFaults(unstorableTexts(value), formatJsonPointer);
  if (first !== undefined) refuseFaults([first, ...others], "body");
}

/** Checks a body against the schema of its route. Refuses: `VALIDATION_FAILED` with every fault. */
export function checkBody<Request>(schema: ZodType<Request, unknown>, body: unknown): Request {
  const parsed = parseRequest(schema, body);
  return "value" in parsed ? parsed.value : refuseFaults(parsed.faults, "body");
}
