/** How much work makes a lane heavy, in units of counted work. */
export interface WorkLimits {
  /** A task that takes more is heavy; what lighter ones take weighs nothing, however many they are. */
  readonly heavyTask: number;
  /** Work of heavy tasks that a lane may take at once without being heavy itself. */
  readonly burst: number;
  /** Work of heavy tasks a second that it may take for ever. */
  readonly perSecond: number;
  /** Units of a millisecond of CPU, about. */
  readonly perMillisecond: number;
}

interface Lane {
  /** When what it may take at once would be whole again: the one number of the generic cell rate algorithm. */
  wholeAgainMs: number;
  /** Units of its tasks, the last ones weighing most. */
  mean: number;
  seenMs: number;
}

/** How much the last task weighs in the mean. */
const LAST = 1 / 8;
/** A lane is heavy at most so long after its last heavy task, and is forgotten as long after its last one. */
const MEMORY_MS = 60_000;

/**
 * What the tasks of each lane took, as their answers counted it: which lanes take so much that their next task has to
 * be taken for a heavy one before it begins.
 */
export class LaneWork {
  readonly #limits: WorkLimits;
  readonly #steadyMs: () => number;
  readonly #lanes = new Map<string, Lane>();
  #sweptMs: number;

  /** @param steadyMs milliseconds of a clock that is never set */
  constructor(limits: WorkLimits, steadyMs: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#steadyMs = steadyMs;
    this.#sweptMs = steadyMs();
  }

  /**
   * Counts the work of a task that is answered.
   *
   * @param lane whose task it was
   * @param units that it took
   */
  count(lane: string, units: number): void {
    const nowMs = this.#steadyMs();
    this.#sweep(nowMs);
    const { heavyTask, perSecond } = this.#limits;
    const known = this.#lanes.get(lane);
    const counted = known ?? { wholeAgainMs: nowMs, mean: 0, seenMs: nowMs };
    if (known === undefined) this.#lanes.set(lane, counted);
    counted.seenMs = nowMs;
    counted.mean += LAST * (units - counted.mean);
    if (units <= heavyTask) return;
    const wholeAgainMs = Math.max(counted.wholeAgainMs, nowMs) + (1_000 * units) / perSecond;
    counted.wholeAgainMs = Math.min(wholeAgainMs, nowMs + this.#burstMs() + MEMORY_MS);
  }

  /**
   * Units of a task that was stopped before it could count.
   *
   * @param milliseconds of CPU that it took
   */
  unitsIn(milliseconds: number): number {
    return milliseconds * this.#limits.perMillisecond;
  }

  /**
   * Whether a task has to be taken for a heavy one.
   *
   * @param lane whose task it is
   * @param known units that it is known to take
   */
  isHeavy(lane: string, known: number): boolean {
    if (known > this.#limits.heavyTask) return true;
    const counted = this.#lanes.get(lane);
    return counted !== undefined && counted.wholeAgainMs - this.#steadyMs() > this.#burstMs();
  }

  /**
   * Milliseconds of CPU that the next task of a lane is expected to take, by what its last ones counted.
   *
   * @param lane whose task it is
   */
  expectedMs(lane: string): number {
    return (this.#lanes.get(lane)?.mean ?? 0) / this.#limits.perMillisecond;
  }

  #burstMs(): number {
    return (1_000 * this.#limits.burst) / this.#limits.perSecond;
  }

  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptMs < MEMORY_MS) return;
    this.#sweptMs = nowMs;
    for (const [lane, { wholeAgainMs, seenMs }] of this.#lanes) {
      if (wholeAgainMs <= nowMs && nowMs - seenMs >= MEMORY_MS) this.#lanes.delete(lane);
    }
  }
}
