import { FairQueue } from "@groundrule/node/internal";
import type { MiddlewareHandler } from "hono";
import type { ApiEnv } from "../exchange/env.ts";
import type { Ticket } from "../exchange/ticket.ts";
import { BodyRoom, type BodyRoomLimits, DEFAULT_BODY_ROOM } from "./body-room.ts";
import { createOverloadedRefusal } from "./overloaded.ts";
import type { RefusalPace } from "./refusal-pace.ts";

export interface Admission {
  /** Maximum requests in progress. */
  readonly places: number;
  /** Maximum requests in progress of one organization. */
  readonly placesOfOrganization: number;
  /** Maximum expected work in progress of one organization, milliseconds; a single request is admitted anyway. */
  readonly workMsOfOrganization: number;
  /** Maximum waiting requests; the next one is refused. */
  readonly waiting: number;
  /** How long a request waits before it is refused. */
  readonly waitMs: number;
  /** Limits for bodies, from their first byte until their request is answered. */
  readonly bodies: BodyRoomLimits;
}

/**
 * The places allow several groups of charges, so that a disk that is slow to flush delays few requests. A waiting
 * request has arrived completely and costs some 120 kB with its connection; it waits no longer than a caller would.
 */
export const DEFAULT_ADMISSION: Admission = {
  places: 256,
  placesOfOrganization: 192,
  workMsOfOrganization: 2_000,
  waiting: 4_096,
  waitMs: 2_000,
  bodies: DEFAULT_BODY_ROOM,
};

/**
 * Limits for tiles, which are charged to nobody: places of their own, so that tiles never take a place from a question.
 * They are few, because a worker cuts one at a time and tiles wait behind questions.
 */
export const TILE_ADMISSION: Admission = {
  ...DEFAULT_ADMISSION,
  places: 16,
  placesOfOrganization: 12,
  waiting: 1_024,
};

/**
 * Limits for reads whose duration grows with the stored data, such as lists: places of their own, as many as the store
 * has threads for them, and one per organization. An organization that reads without end takes one of them, and no
 * place from a question.
 */
export const READ_ADMISSION: Admission = {
  ...DEFAULT_ADMISSION,
  places: 2,
  placesOfOrganization: 1,
  waiting: 1_024,
};

interface Waiting {
  take(): void;
  refuse(): void;
}

export interface LoadShedding {
  readonly gate: MiddlewareHandler<ApiEnv>;
  /** Number of requests in progress. */
  running(): number;
  /** Number of waiting requests. */
  waiting(): number;
  /** Bytes of bodies in memory. */
  bodyBytes(): number;
}

/**
 * The third gate: it refuses requests that cannot be answered in time, so that accepted requests are answered at the
 * usual speed. Organizations take turns: one that sends more than fits delays only itself. A request takes a place only
 * once its body has arrived, so a caller that announces a body and does not send it delays nobody.
 *
 * Refuses: `OVERLOADED`.
 *
 * @param steadyMs steady clock, milliseconds; it is never set
 * @param expectedMs expected duration of an organization's request; default: zero
 */
export function createLoadShedding(
  admission: Admission,
  steadyMs: () => number,
  pace: RefusalPace,
  expectedMs: (organization: string) => number = () => 0,
): LoadShedding {
  let taken = 0;
  const takenBy = new Map<string, number>();
  const queue = new FairQueue<Waiting>();
  const room = new BodyRoom(admission.bodies, admission.waitMs, steadyMs);

  const hasPlace = (organization: string): boolean => {
    if (taken >= admission.places) return false;
    const own = takenBy.get(organization) ?? 0;
    return (
      own < admission.placesOfOrganization && own * expectedMs(organization) <= admission.workMsOfOrganization
    );
  };
  const take = (organization: string): void => {
    taken++;
    takenBy.set(organization, (takenBy.get(organization) ?? 0) + 1);
  };
  const leave = (organization: string): void => {
    taken--;
    const left = takenBy.get(organization)! - 1;
    if (left === 0) takenBy.delete(organization);
    else takenBy.set(organization, left);
    letIn();
  };
  const letIn = (): void => {
    while (taken < admission.places) {
      const next = queue.shift(hasPlace);
      if (next === undefined) return;
      next.take();
    }
  };
  const enter = async (organization: string): Promise<void> => {
    if (queue.sizeOf(organization) === 0 && hasPlace(organization)) {
      take(organization);
      return;
    }
    if (queue.size >= admission.waiting) {
      // When the queue is full, the organization with the longest queue gives up its last request.
      const crowding = queue.popLongest(queue.sizeOf(organization) + 1);
      if (crowding === undefined) throw createOverloadedRefusal();
      crowding.refuse();
    }
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        take: () => {
          clearTimeout(timer);
          take(organization);
          resolve();
        },
        refuse: () => {
          clearTimeout(timer);
          reject(createOverloadedRefusal());
        },
      };
      const timer = setTimeout(() => {
        queue.delete(organization, waiting);
        waiting.refuse();
      }, admission.waitMs);
      queue.push(organization, waiting);
    });
  };
  const isFullFor = (organization: string): boolean =>
    queue.size >= admission.waiting &&
    queue.longest() <= queue.sizeOf(organization) + 1 &&
    !hasPlace(organization);

  return {
    running: () => taken,
    waiting: () => queue.size,
    bodyBytes: () => room.bytes,
    gate: async (c, next) => {
      const { organization } = c.get("caller");
      // An organization whose clients do not read their answers gets no more.
      if (c.env?.outbox?.isCrowdedBy(organization) === true || isFullFor(organization)) {
        await pace.hold(organization);
        throw createOverloadedRefusal();
      }
      let isIn = false;
      let entered: Promise<void> | undefined;
      const enterOnce = async (): Promise<void> => {
        await enter(organization);
        isIn = true;
        // Skips requests whose client has disconnected.
        if (c.env?.outgoing?.destroyed === true) throw createOverloadedRefusal();
      };
      const ticket: Ticket = {
        body: room.hold(organization),
        // Entering twice would take two places and release only one.
        enter: () => (entered ??= enterOnce()),
      };
      c.set("ticket", ticket);
      try {
        if (c.req.method !== "POST") await ticket.enter();
        await next();
      } finally {
        ticket.body.release();
        if (isIn) leave(organization);
      }
    },
  };
}
