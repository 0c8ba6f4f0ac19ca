import type { LiveExcess } from "@groundrule/engine";

/** Whose fault it is that a table gave no areas. */
export const PROVIDER_ERROR_CODES = [
  /** The provider member cannot be used as it is written, or names what the database does not hold. */
  "PROVIDER_INVALID",
  /** The database was not reached, ended the connection, or answered something else than PostgreSQL does. */
  "PROVIDER_UNAVAILABLE",
  /** No answer came within the deadline, and none to a short question either. */
  "PROVIDER_TIMEOUT",
  /** No answer came within the deadline from a database that answers others. */
  "PROVIDER_TOO_SLOW",
  /** Whoever asked does not wait any more. */
  "PROVIDER_CANCELLED",
  /** More areas near the plot than an answer may hold: the question's fault. */
  "PROVIDER_TOO_MANY",
] as const;

/** One of {@link PROVIDER_ERROR_CODES}. */
export type ProviderErrorCode = (typeof PROVIDER_ERROR_CODES)[number];

/** Why a table gave no areas. The message is for people: it holds no address and no secret. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly code: ProviderErrorCode;

  constructor(code: ProviderErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** More areas than an answer may hold: nobody's fault but the question's. */
export class TooManyAreas extends ProviderError {
  readonly excess: LiveExcess;

  constructor(excess: LiveExcess) {
    const { unit, allowed } = excess;
    super(
      "PROVIDER_TOO_MANY",
      `found more than ${allowed} ${unit} near the plot, expected at most ${allowed}`,
    );
    this.excess = excess;
  }
}

/** Whether the database, rather than the question or the configuration, is at fault: what a breaker counts. */
export function isOutage(error: unknown): boolean {
  return !(error instanceof ProviderError && NO_OUTAGES.has(error.code));
}

const NO_OUTAGES: ReadonlySet<ProviderErrorCode> = new Set([
  "PROVIDER_CANCELLED",
  "PROVIDER_INVALID",
  "PROVIDER_TOO_MANY",
  "PROVIDER_TOO_SLOW",
]);
