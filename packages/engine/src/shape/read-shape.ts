import { EngineError, type Fault, formatFaultsMessage } from "../base/errors.ts";
import { refusePromise } from "../base/read-untrusted.ts";
import { checkShape } from "./check-shape.ts";
import type { Shape } from "./shape.ts";

/**
 * Checks a value that a caller passed in, and copies it.
 *
 * @param value the value, of any kind
 * @param place what errors call it, such as `sources[1]`, with its JSON pointer
 * Fails: `VALIDATION_FAILED` with every fault, at most 100. For an unknown member the message suggests the
 *   known name most like it.
 */
export function readShape<Value>(
  shape: Shape<Value>,
  value: unknown,
  place: {
    /** Name of the value in errors. */
    readonly name?: string;
    readonly pointer?: string;
  } = {},
): Value {
  refusePromise(value, place.pointer ?? "");
  const checked = checkShape(shape, value);
  if (checked.faults === undefined) return checked.value;
  // An unknown name comes first: the other faults often follow from it.
  const faults = checked.faults.toSorted((a, b) => Number(isUnknown(b)) - Number(isUnknown(a)));
  const placed = faults.map(({ pointer, code, message }) => ({
    pointer: `${place.pointer ?? ""}${pointer}`,
    code,
    message: place.name === undefined ? message : `${place.name}: ${message}`,
  }));
  throw new EngineError("VALIDATION_FAILED", formatFaultsMessage(placed), { faults: placed });
}

function isUnknown({ code }: Fault): boolean {
  return code === "MEMBER_UNKNOWN";
}
