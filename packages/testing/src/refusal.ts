import { EngineError } from "@groundrule/engine";

/** The error that the engine refuses with; what else is thrown is thrown on, and an answer fails the test. */
export function refusalOf(ask: () => unknown): EngineError {
  try {
    ask();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error("expected a refusal, and got an answer");
}
