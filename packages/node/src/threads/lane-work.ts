/** The amount of work that makes a lane heavy, in units of counted work. */
export interface WorkLimits {
  /** A task with more units is heavy; lighter tasks never count, however many there are. */
  readonly heavyTask: number;
  /** Work of heavy tasks that a lane may do at once without being heavy itself. */
  readonly burst: number;
  /** Sustained work of heavy tasks per second. */
  readonly perSecond: number;
  /** Approximate units per millisecond of CPU. */
  readonly perMillisecond: number;
}

interface Lane {
  /** When the full burst is available again: the one number of the generic cell rate algorithm. */
  wholeAgainMs: number;
  /** Mean units of its tasks, weighted towards the last ones. */
  mean: number;
  seenMs: number;
}

/** Weight of the last task in the mean. */
const LAST = 1 / 8;
/** A lane is heavy at most this long after its last heavy task, and is dropped as long after its last task. */
const MEMORY_MS = 60_000;

/**
 * The work of each lane's tasks, as counted by their answers: it shows which lanes do so much work that their next task
 * must be treated as heavy before it begins.
 */
export class LaneWork {
  readonly #limits: WorkLimits;
  readonly #steadyMs: () => number;
  readonly #lanes = new Map<string, Lane>();
  #sweptMs: number;

  /** @param steadyMs steady clock, milliseconds; it is never set */
  constructor(limits: WorkLimits, steadyMs: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#steadyMs = steadyMs;
    this.#sweptMs = steadyMs();
  }

  /**
   * Counts the work of an answered task.
   *
   * @param lane of the task
   * @param units of its work
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
   * Units of a task that was stopped before it was counted.
   *
   * @param milliseconds of CPU that it used
   */
  unitsIn(milliseconds: number): number {
    return milliseconds * this.#limits.perMillisecond;
  }

  /**
   * True if a task must be treated as heavy.
   *
   * @param lane of the task
   * @param known units known in advance
   */
  isHeavy(lane: string, known: number): boolean {
    if (known > this.#limits.heavyTask) return true;
    const counted = this.#lanes.get(lane);
    return counted !== undefined && counted.wholeAgainMs - this.#steadyMs() > this.#burstMs();
  }

  /**
   * Expected CPU milliseconds of a lane's next task, from the counts of its last ones.
   *
   * @param lane of the task
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
