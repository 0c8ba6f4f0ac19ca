import type { LiveExcess } from "@groundrule/engine";

/** Reasons why a table returned no areas. */
export const PROVIDER_ERROR_CODES = [
  /** The provider member is invalid, or names something that the database does not have. */
  "PROVIDER_INVALID",
  /** The database was not reached, closed the connection, or is not PostgreSQL. */
  "PROVIDER_UNAVAILABLE",
  /** There was no answer within the deadline, and none to a short query either. */
  "PROVIDER_TIMEOUT",
  /** There was no answer within the deadline, though the database answers short queries. */
  "PROVIDER_TOO_SLOW",
  /** The client has disconnected. */
  "PROVIDER_CANCELLED",
  /** More areas near the plot than an answer may hold: the question's fault. */
  "PROVIDER_TOO_MANY",
] as const;

/** One of {@link PROVIDER_ERROR_CODES}. */
export type ProviderErrorCode = (typeof PROVIDER_ERROR_CODES)[number];

/** Thrown when a table returns no areas. The message is for people: it contains no address and no secret. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly code: ProviderErrorCode;

  constructor(code: ProviderErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** More areas than an answer may hold: the question is at fault. */
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

/** True if the database is at fault, rather than the question or the configuration: the breaker counts these. */
export function isOutage(error: unknown): boolean {
  return !(error instanceof ProviderError && NO_OUTAGES.has(error.code));
}

const NO_OUTAGES: ReadonlySet<ProviderErrorCode> = new Set([
  "PROVIDER_CANCELLED",
  "PROVIDER_INVALID",
  "PROVIDER_TOO_MANY",
  "PROVIDER_TOO_SLOW",
]);
