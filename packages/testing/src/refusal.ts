import { EngineError } from "@groundrule/engine";

/** Returns the engine's refusal; any other error is rethrown, and an answer fails the test. */
export function catchRefusal(ask: () => unknown): EngineError {
  try {
    ask();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error("expected a refusal, and got an answer");
}
