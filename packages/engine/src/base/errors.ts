/** Every code an {@link EngineError} can carry. Stable: programs match on it; `docs/errors.md` explains each. */
export const ENGINE_ERROR_CODES = [
  "CRS_MISMATCH",
  "CRS_UNKNOWN",
  "GEOMETRY_INVALID",
  "GEOMETRY_TOO_COMPLEX",
  "INPUT_INCOMPLETE",
  "PATTERN_TOO_COMPLEX",
  "RESULT_TOO_LARGE",
  "RULESET_INVALID",
  "SCHEME_UNSUPPORTED",
  "SNAPSHOT_CORRUPT",
  "SNAPSHOT_VERSION_UNSUPPORTED",
  "SOURCE_UNKNOWN",
  "VALIDATION_FAILED",
] as const;

/** One of {@link ENGINE_ERROR_CODES}. */
export type EngineErrorCode = (typeof ENGINE_ERROR_CODES)[number];

/** Most faults an error carries. */
export const FAULT_LIMIT = 100;

/** One fault inside an input. An error carries every fault found (at most {@link FAULT_LIMIT}), not only the first. */
export interface Fault {
  /** JSON pointer (RFC 6901) into the value that was passed in. */
  readonly pointer: string;
  /** Stable UPPER_SNAKE name of the kind of fault, e.g. `RING_NOT_CLOSED`. */
  readonly code: string;
  /** One sentence that states what was found and what was expected. */
  readonly message: string;
}

/**
 * The error that the engine throws when it cannot answer an input. A bug is an assertion, not an EngineError; a
 * negative verdict is an answer.
 */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly code: EngineErrorCode;
  /** Facts behind the message as data: what was found, what was expected, limits, faults. */
  readonly details: Readonly<Record<string, unknown>> & { readonly faults?: readonly Fault[] };

  constructor(
    code: EngineErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> & { readonly faults?: readonly Fault[] } = {},
  ) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/**
 * The message of an error with several faults: the first one, its place, and how many more there are.
 *
 * @param faults at least one
 * @param count of all faults, where `faults` does not contain them all
 */
export function formatFaultsMessage(faults: readonly Fault[], count: number = faults.length): string {
  const { pointer, message } = faults[0]!;
  const notes = pointer === "" ? [] : [`at "${pointer}"`];
  if (count > 1) notes.push(`and ${count - 1} more`);
  return notes.length === 0 ? message : `${message} (${notes.join(", ")})`;
}
