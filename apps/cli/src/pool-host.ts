import { type EngineHost, type EngineQuestions, Refusal } from "@groundrule/api";
import { type EnginePool, type OpenData, PoolError } from "@groundrule/node";

/**
 * Answers the service's questions on worker threads: one that runs away is ended at its deadline and
 * holds up no other. What the pool gives up on is refused as 503.
 */
export function hostOnPool(data: OpenData, pool: EnginePool): EngineHost {
  const questions: EngineQuestions = {
    intersections: (...question) => refusing(pool.intersections(...question)),
    distance: (...question) => refusing(pool.distance(...question)),
    subjects: (...question) => refusing(pool.subjects(...question)),
    evaluate: (...question) => refusing(pool.evaluate(...question)),
  };
  return { ...questions, sources: () => data.engine.sources(), failures: () => data.engine.failures() };
}

async function refusing<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof PoolError)) throw error;
    // A pool closes when the server stops: to its caller that is a service with no room.
    throw new Refusal(error.code === "POOL_CLOSED" ? "OVERLOADED" : error.code, error.message);
  }
}
