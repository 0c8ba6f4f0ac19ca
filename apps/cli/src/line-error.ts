import { EngineError, type Fault } from "@groundrule/engine";
import { PoolError } from "@groundrule/node";
import { EXIT, type ExitCode } from "./exit-code.ts";

/** The `error` member of a result line: why one plot has no answer. */
export interface LineError {
  readonly code: string;
  readonly message: string;
  readonly faults?: readonly Fault[];
}

/** What an error says on a result line. Rethrows what is no answer to an input, but a bug. */
export function lineError(error: unknown): LineError {
  if (error instanceof EngineError) {
    const { faults } = error.details;
    return { code: error.code, message: error.message, ...(faults !== undefined && { faults }) };
  }
  if (error instanceof PoolError) return { code: error.code, message: error.message };
  throw error;
}

/** The exit code after results with errors among them: a service that failed outranks bad input. */
export function exitCodeFor(error: LineError): ExitCode {
  return error.code === "EVALUATION_ABORTED" || error.code === "OVERLOADED"
    ? EXIT.unavailable
    : EXIT.badInput;
}
