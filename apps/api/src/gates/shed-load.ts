import type { MiddlewareHandler } from "hono";
import type { ApiEnv } from "../env.ts";
import { Refusal } from "../refusal.ts";

export interface Admission {
  /** Requests that are worked on at a time. */
  readonly running: number;
  /** Requests that wait for their turn; the next one is refused. */
  readonly waiting: number;
  /** How long one waits before it is refused. */
  readonly waitMs: number;
}

/** Two groups of charges, one that is flushed and one that gathers; the rest waits no longer than a caller would. */
export const DEFAULT_ADMISSION: Admission = { running: 128, waiting: 256, waitMs: 2_000 };

export interface LoadShedding {
  readonly gate: MiddlewareHandler<ApiEnv>;
  running(): number;
  waiting(): number;
}

/**
 * The third gate: what cannot be answered in time is refused at once, while it costs next to nothing,
 * so that what is accepted is answered as fast as ever.
 *
 * Refuses: `OVERLOADED`.
 */
export function shedLoad(admission: Admission): LoadShedding {
  let running = 0;
  const queue = new Set<() => void>();

  const enter = async (): Promise<void> => {
    if (running < admission.running) {
      running++;
      return;
    }
    if (queue.size >= admission.waiting) throw overloaded();
    await new Promise<void>((resolve, reject) => {
      const turn = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.delete(turn);
        reject(overloaded());
      }, admission.waitMs);
      queue.add(turn);
    });
  };
  /** Hands its place on, where somebody waits. */
  const leave = (): void => {
    const [turn] = queue;
    if (turn === undefined) {
      running--;
      return;
    }
    queue.delete(turn);
    turn();
  };
  return {
    running: () => running,
    waiting: () => queue.size,
    gate: async (_c, next) => {
      await enter();
      try {
        await next();
      } finally {
        leave();
      }
    },
  };
}

function overloaded(): Refusal {
  return new Refusal("OVERLOADED", "More requests wait than can be answered in time; nothing was executed.");
}
