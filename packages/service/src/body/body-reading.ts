import type { Limits } from "@groundrule/contract";
import type { WrittenJson } from "@groundrule/engine/records";
import type { SentBody } from "../task/body-task.ts";

/** A body's value, which nothing changes, and how to write it. */
export interface ReadBody {
  /** The JSON value. */
  readonly value: unknown;
  /** What has been written of the value so far. */
  readonly written: WrittenJson;
}

/** Reads the bodies of requests. */
export interface BodyReading {
  /**
   * The value of a body.
   *
   * Fails: with a refusal, `MALFORMED_JSON` with the fault's place; `VALIDATION_FAILED` for texts that not every store can
   * hold.
   */
  read(body: SentBody, limits: Pick<Limits, "jsonDepth">): ReadBody;
}
