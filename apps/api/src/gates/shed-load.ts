import { DEFAULT_LIMITS } from "@groundrule/contract";
import { FairQueue } from "@groundrule/node";
import type { Context, MiddlewareHandler } from "hono";
import type { ApiEnv } from "../env.ts";
import { Refusal } from "../refusal.ts";

export interface Admission {
  /** Places of those that are worked on: a request takes one, and one more for every 256 KiB of its body. */
  readonly places: number;
  /** Requests that wait for their turn; the next one is refused. */
  readonly waiting: number;
  /** How long one waits before it is refused. */
  readonly waitMs: number;
}

/**
 * Several groups of charges, so that a disk that is slow to flush holds up few; the rest waits no longer
 * than a caller would. Bodies that are worked on take 64 MiB together.
 */
export const DEFAULT_ADMISSION: Admission = { places: 256, waiting: 256, waitMs: 2_000 };

const PLACE_BYTES = 256 * 1_024;

interface Waiting {
  readonly places: number;
  take(): void;
  refuse(): void;
}

export interface LoadShedding {
  readonly gate: MiddlewareHandler<ApiEnv>;
  /** Requests that are worked on. */
  running(): number;
  /** Requests that wait for their turn. */
  waiting(): number;
}

/**
 * The third gate: what cannot be answered in time is refused at once, while it costs next to nothing,
 * so that what is accepted is answered as fast as ever. Organizations take turns: one that asks for
 * more than there is room for waits for itself.
 *
 * Refuses: `OVERLOADED`.
 *
 * @param bodyBytes of the largest body that is read; one of unknown length counts as that
 */
export function shedLoad(admission: Admission, bodyBytes: number = DEFAULT_LIMITS.bodyBytes): LoadShedding {
  let running = 0;
  let taken = 0;
  const queue = new FairQueue<Waiting>();

  const enter = async (organization: string, places: number): Promise<void> => {
    if (queue.size === 0 && taken + places <= admission.places) {
      taken += places;
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
        places,
        take: () => end(resolve),
        refuse: () => end(() => reject(overloaded())),
      };
      const timer = setTimeout(() => {
        queue.delete(organization, waiting);
        waiting.refuse();
        letIn();
      }, admission.waitMs);
      queue.push(organization, waiting);
    });
  };
  /** Gives places to those whose turn it is. One that needs many is waited for, so that it is not passed by. */
  const letIn = (): void => {
    for (let next = queue.peek(); next !== undefined; next = queue.peek()) {
      if (taken + next.places > admission.places) return;
      taken += next.places;
      queue.shift();
      next.take();
    }
  };
  return {
    running: () => running,
    waiting: () => queue.size,
    gate: async (c, next) => {
      const { organization } = c.get("caller");
      // Who does not read what it has asked for is given no more.
      if (c.env?.outbox?.isCrowdedBy(organization) === true) throw overloaded();
      const places = Math.min(placesOf(c, bodyBytes), admission.places);
      await enter(organization, places);
      running++;
      try {
        await next();
      } finally {
        running--;
        taken -= places;
        letIn();
      }
    },
  };
}

function placesOf(c: Context<ApiEnv>, bodyBytes: number): number {
  const unknown = c.req.header("Transfer-Encoding") === undefined ? 0 : bodyBytes;
  const length = Math.min(Number(c.req.header("Content-Length") ?? unknown), bodyBytes);
  return 1 + Math.floor(length / PLACE_BYTES);
}

function overloaded(): Refusal {
  return new Refusal("OVERLOADED", "More requests wait than can be answered in time; nothing was executed.");
}
