import type { OutcomeReason } from "./outcome.ts";

/** What an error says of one source. Even a bug that one source meets must not stop the others. */
export function reasonOf(error: unknown): OutcomeReason {
  const { code, message, details } = error as { code?: unknown; message?: unknown; details?: unknown };
  if (typeof code === "string") {
    return { code, message: String(message), ...(details !== undefined && { details }) };
  }
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: "INTERNAL_ERROR", message: `internal error, please report it: ${told}` };
}
