import { EngineError, type Fault, type RegisteredElsewhere } from "@groundrule/engine";
import { PoolError } from "@groundrule/node";
import { EXIT, type ExitCode } from "../command-line/exit-code.ts";

/** The `error` member of a result line: the reason why one plot has no answer. */
export interface LineError {
  readonly code: string;
  readonly message: string;
  readonly faults?: readonly Fault[];
}

/**
 * Converts an error to the form of a result line. Rethrows anything that is a bug rather than an answer to an input.
 */
export function toLineError(error: unknown): LineError {
  if (error instanceof EngineError) {
    const { faults } = error.details;
    const { code } = error;
    const known = code === "SOURCE_UNKNOWN" ? ["the sources that are here: groundrule sources list"] : [];
    const message = [error.message, ...known, ...describeOptions(faults), ...describeOtherPlaces(error)].join(
      "; ",
    );
    return { code, message, ...(faults !== undefined && { faults }) };
  }
  if (error instanceof PoolError) return { code: error.code, message: error.message };
  throw error;
}

/** Adds the options that give plots what they lack to the reason why one could not be read. */
export function addOptions(error: LineError): LineError {
  return { ...error, message: [error.message, ...describeOptions(error.faults)].join("; ") };
}

/** The option that gives plots what they lack by the first fault, which is the one in the message. */
function describeOptions([first]: readonly Fault[] = []): string[] {
  if (first === undefined) return [];
  const { code, pointer } = first;
  const isLacking = code === "INPUT_INCOMPLETE" || pointer.startsWith("/properties/");
  const option = isLacking ? OPTIONS.get(pointer) : undefined;
  return option === undefined ? [] : [option];
}

const OF_COLUMN = "on the command line, from a column, e.g. --identifier br:cnpj:owner=COLUMN";
const OPTIONS: ReadonlyMap<string, string> = new Map([
  ["/area_ha", "on the command line, by the feature's property Area or by --point-area-ha N"],
  ["/scheme", OF_COLUMN],
  ["/properties/scheme", OF_COLUMN],
]);

/**
 * Notes that the value of a refused identifier exists under another type, one text per place. The user of the command
 * owns the registers; over HTTP this is not revealed.
 */
export function describeOtherPlaces({ details }: EngineError): string[] {
  const places = Array.isArray(details.held) ? (details.held as readonly RegisteredElsewhere[]) : [];
  return places.map(
    ({ source_name, type, asked: wanted }) =>
      `"${source_name}" has this value under the type "${type}": look it up with that type, or map the type to "${wanted}" in the manifest of the register`,
  );
}

/**
 * The faults that a message does not contain yet: empty if its only fault is in it, with its place unless it is about
 * something absent.
 */
export function selectUnreportedFaults(message: string, faults: readonly Fault[] = []): readonly Fault[] {
  const [only] = faults;
  if (only === undefined || faults.length > 1) return faults;
  const [, property] = /^\/properties\/([^/]+)$/.exec(only.pointer) ?? [];
  const isPlaced = only.code === "INPUT_INCOMPLETE" || message.includes(property ?? only.pointer);
  return isPlaced && message.includes(only.message) ? [] : faults;
}

/** The exit code for results with errors: a failed service outranks bad input. */
export function toExitCode(code: string): ExitCode {
  return code === "EVALUATION_ABORTED" || code === "OVERLOADED" ? EXIT.unavailable : EXIT.badInput;
}
