import { FairQueue } from "../threads/fair-queue.ts";
import { PoolError } from "../threads/worker-pool.ts";

/** How many questions a live source is asked at once, and how many wait. */
export interface LiveLimits {
  /** Questions of one caller that may wait for a place at one source; the next one is refused. */
  readonly waitingOfLane: number;
  /** Milliseconds that one waits before it is refused. */
  readonly waitMs: number;
}

/** Waits as long as a request waits for its turn. */
export const DEFAULT_LIVE_LIMITS: LiveLimits = { waitingOfLane: 32, waitMs: 2_000 };

/** Who asks a live source. */
export interface LiveAsker {
  /** Whose question it is: lanes take turns. Absent: whoever asks has all places, and bounds itself what waits. */
  readonly lane?: string | undefined;
  /** Whether it waits behind every other question, for as long as that takes. Whoever asks bounds how many do. */
  readonly inBackground?: boolean | undefined;
  /** Whoever asked is gone. */
  readonly signal?: AbortSignal | undefined;
}

interface Waiting {
  begin(): void;
}

/**
 * The places at one live source, as many as it has connections. Lanes take turns, and where there are several places
 * none takes all of them: what one lane asks, however slowly it is answered, leaves a place to the others.
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
   * @param size how many places there are
   */
  constructor(sourceName: string, size: number, limits: LiveLimits) {
    this.#sourceName = sourceName;
    this.#size = size;
    this.#limits = limits;
  }

  /**
   * Waits for a place, which is to be given back by {@link leave}.
   *
   * @returns whether there is one: none for whoever is gone
   *
   * Fails: with a {@link PoolError}, `OVERLOADED`, where too many questions of the lane wait, or this one for too long.
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
   * Gives a place back.
   *
   * @param lane who took it; absent: whoever bounds itself
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

/** The lane of whoever bounds itself. */
const NOBODY = "";
