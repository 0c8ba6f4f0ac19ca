import { FairQueue } from "@groundrule/node";
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

interface Waiting {
  take(): void;
  refuse(): void;
}

export interface LoadShedding {
  readonly gate: MiddlewareHandler<ApiEnv>;
  running(): number;
  waiting(): number;
}

/**
 * The third gate: what cannot be answered in time is refused at once, while it costs next to nothing,
 * so that what is accepted is answered as fast as ever. Organizations take turns: one that asks for
 * more than there is room for waits for itself.
 *
 * Refuses: `OVERLOADED`.
 */
export function shedLoad(admission: Admission): LoadShedding {
  let running = 0;
  const queue = new FairQueue<Waiting>();

  const enter = async (organization: string): Promise<void> => {
    if (running < admission.running) {
      running++;
      return;
    }
    if (queue.size >= admission.waiting) {
      // Who waits with many makes room for who waits with fewer.
      const crowding = queue.popLongest(queue.sizeOf(organization) + 1);
      if (crowding === undefined) throw overloaded();
      crowding.refuse();
    }
    await new Promise<void>((resolve, reject) => {
      const end = (how: () => void): void => {
        clearTimeout(timer);
        how();
      };
      const waiting: Waiting = {
        take: () => end(resolve),
        refuse: () => end(() => reject(overloaded())),
      };
      const timer = setTimeout(() => {
        queue.delete(organization, waiting);
        waiting.refuse();
      }, admission.waitMs);
      queue.push(organization, waiting);
    });
  };
  /** Hands its place on, where somebody waits. */
  const leave = (): void => {
    const next = queue.shift();
    if (next === undefined) running--;
    else next.take();
  };
  return {
    running: () => running,
    waiting: () => queue.size,
    gate: async (c, next) => {
      await enter(c.get("caller").organization);
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
