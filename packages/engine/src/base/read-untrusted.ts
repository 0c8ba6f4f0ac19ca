import { EngineError } from "./errors.ts";

/**
 * Reads a value that a caller passed in. An error thrown because the value is not plain data (a getter, a proxy, a
 * cycle) is a fault of the value; any other error is rethrown.
 *
 * @param pointer JSON pointer of the value
 *
 * Fails: `VALIDATION_FAILED` for a value that cannot be read; as `read` does.
 */
export function readUntrusted<Value>(input: unknown, pointer: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof EngineError || isPlain(input)) throw error;
    throw mismatchError(pointer, "found a value that cannot be read, expected plain data");
  }
}

/** Refuses a promise, which has no members of the value that it stands for: `VALIDATION_FAILED`. */
export function refusePromise(value: unknown, pointer: string): void {
  if (isPromise(value)) throw mismatchError(pointer, "found a Promise; await it");
}

/** True for a promise, for example from a call that reads a file and was not awaited. */
export function isPromise(value: unknown): boolean {
  try {
    return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
  } catch {
    return false; // a value that cannot be read is refused as such
  }
}

/** The refusal of one value that is none of what is expected; its one fault has the code. */
export function mismatchError(pointer: string, message: string, code = "TYPE_MISMATCH"): EngineError {
  return new EngineError("VALIDATION_FAILED", message, { faults: [{ pointer, code, message }] });
}

function isPlain(input: unknown): boolean {
  try {
    JSON.stringify(input);
    return true;
  } catch {
    return false;
  }
}
