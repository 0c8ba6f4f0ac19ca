import type { Limits } from "@groundrule/contract";
import { parseRequest } from "@groundrule/contract";
import type { ZodType } from "zod";
import { Refusal } from "../refusal.ts";
import { refuseFaults } from "../request-faults.ts";
import type { SentBody } from "./body-task.ts";
import { MalformedJson, parseStrictJson } from "./strict-json.ts";

/** A body's JSON. Refuses: `MALFORMED_JSON` with the fault's place. */
export function parseJsonBody(body: SentBody, { jsonDepth }: Pick<Limits, "jsonDepth">): unknown {
  const bytes = typeof body === "string" ? Buffer.from(body, "latin1") : body;
  try {
    return parseStrictJson(bytes, jsonDepth);
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    const { code, pointer, message, offset } = error;
    throw new Refusal("MALFORMED_JSON", `The body is refused: ${message}.`, {
      errors: [{ pointer, code, message }],
      details: { offset },
    });
  }
}

/** A body of a route's shape. Refuses: `VALIDATION_FAILED` with every fault. */
export function checkBody<Request>(schema: ZodType<Request, unknown>, body: unknown): Request {
  const parsed = parseRequest(schema, body);
  return "value" in parsed ? parsed.value : refuseFaults(parsed.faults, "body");
}
