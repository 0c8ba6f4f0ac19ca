import { FairQueue } from "../threads/fair-queue.ts";
import { PoolError } from "../threads/worker-pool.ts";

/** Limits on concurrent and waiting questions to a live source. */
export interface LiveLimits {
  /** Maximum questions of one caller that wait for a place at one source; the next one is refused. */
  readonly waitingOfLane: number;
  /** Maximum wait, milliseconds. */
  readonly waitMs: number;
}

/** The wait is as long as that of a request for its turn. */
export const DEFAULT_LIVE_LIMITS: LiveLimits = { waitingOfLane: 32, waitMs: 2_000 };

/** The asker of a live source. */
export interface LiveAsker {
  /** The asker's lane: lanes take turns. Absent: the asker may use all places, and limits its own waiting questions. */
  readonly lane?: string | undefined;
  /** True to wait behind every other question, without a time limit. The asker limits their number. */
  readonly inBackground?: boolean | undefined;
  /** Aborted when the client has disconnected. */
  readonly signal?: AbortSignal | undefined;
}

interface Waiting {
  begin(): void;
}

/**
 * The places at one live source, as many as it has connections. Lanes take turns, and if there are several places no
 * lane gets all of them: however slow the answers to one lane, a place is left for the others.
 */
export class LivePlaces {
  readonly #sourceName: string;
  readonly #size: number;
  readonly #limits: LiveLimits;
  readonly #queue = new FairQueue<Waiting>();
  readonly #background = new FairQueue<Waiting>();
  #taken = 0;
  readonly #takenBy = new Map<string, number>();

  /**
   * @param sourceName for errors
   * @param size number of places
   */
  constructor(sourceName: string, size: number, limits: LiveLimits) {
    this.#sourceName = sourceName;
    this.#size = size;
    this.#limits = limits;
  }

  /**
   * Waits for a place, which must be released by {@link leave}.
   *
   * @returns false if the client has disconnected
   *
   * Fails: with a {@link PoolError}, `OVERLOADED`, if too many questions of the lane wait, or this one waited too long.
   */
  async take({ lane, inBackground = false, signal }: LiveAsker): Promise<boolean> {
    if (signal?.aborted === true) return false;
    const isBounded = lane !== undefined && !inBackground;
    const queue = inBackground ? this.#background : this.#queue;
    const own = lane ?? NOBODY;
    if (isBounded && queue.sizeOf(own) >= this.#limits.waitingOfLane) throw this.#overloaded();
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      let hasBegun: boolean = false;
      const waiting: Waiting = {
        begin: () => {
          hasBegun = true;
          end();
          this.#count(own, 1);
          resolve(true);
        },
      };
      const onAbort = (): void => {
        queue.delete(own, waiting);
        end();
        resolve(false);
      };
      queue.push(own, waiting);
      this.#letIn();
      if (hasBegun) return;
      signal?.addEventListener("abort", onAbort, { once: true });
      if (!isBounded) return;
      timer = setTimeout(() => {
        queue.delete(own, waiting);
        end();
        reject(this.#overloaded());
      }, this.#limits.waitMs);
    });
  }

  /**
   * Releases a place.
   *
   * @param lane that took it; absent: an asker without a lane
   */
  leave(lane: string = NOBODY): void {
    this.#count(lane, -1);
    this.#letIn();
  }

  #letIn(): void {
    while (this.#taken < this.#size) {
      const next = this.#queue.shift(this.#mayTake) ?? this.#background.shift(this.#mayTake);
      if (next === undefined) return;
      next.begin();
    }
  }

  readonly #mayTake = (lane: string): boolean => {
    const most = lane === NOBODY ? this.#size : Math.max(1, this.#size - 1);
    return (this.#takenBy.get(lane) ?? 0) < most;
  };

  #count(lane: string, change: number): void {
    this.#taken += change;
    const left = (this.#takenBy.get(lane) ?? 0) + change;
    if (left === 0) this.#takenBy.delete(lane);
    else this.#takenBy.set(lane, left);
  }

  #overloaded(): PoolError {
    const { waitingOfLane, waitMs } = this.#limits;
    return new PoolError(
      "OVERLOADED",
      `questions to the live source ${this.#sourceName} wait, at most ${waitingOfLane} of one caller for at most ${waitMs} ms; wait and retry`,
      { source_name: this.#sourceName, waiting: waitingOfLane },
    );
  }
}

/** The lane of askers without one. */
const NOBODY = "";
