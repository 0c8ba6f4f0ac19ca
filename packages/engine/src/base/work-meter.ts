import { EngineError } from "./errors.ts";

/**
 * Units of work an answer may take, from the check of its geometry to the last overlap it draws; part
 * of the semantics version. A unit is what takes about 3 ns: `npm run bench -- work` shows how long
 * units of every kind take. So an answer is given, or refused, in about a tenth of a second.
 */
export const ANSWER_WORK = 28_000_000;

/**
 * Receives the meter of each answer as the answer begins; its `counted` is the work of the answer once that is done.
 */
export type MeterListener = (meter: Readonly<Pick<WorkMeter, "counted">>) => void;

/** The meter of an answer, passed to the listener if there is one. */
export function startWorkMeter(onMeter: MeterListener | undefined, allowed: number = ANSWER_WORK): WorkMeter {
  const meter = new WorkMeter(allowed);
  onMeter?.(meter);
  return meter;
}

/**
 * Counts the work of one answer and refuses beyond a limit. Work is counted in steps of the
 * algorithms, never in time, and as though nothing were kept from earlier answers, so that a refusal
 * is as reproducible as an answer.
 */
export class WorkMeter {
  /** Units done so far. */
  counted = 0;
  /** Units that may be done. */
  readonly allowed: number;

  /** @param allowed units; `Infinity` for no limit */
  constructor(allowed: number = ANSWER_WORK) {
    this.allowed = allowed;
  }

  /** Units that may still be done. */
  get left(): number {
    return this.allowed - this.counted;
  }

  /**
   * Counts work that is about to be done.
   *
   * @param units of work
   *
   * Fails: `GEOMETRY_TOO_COMPLEX` with `counted` and `allowed` once the limit is passed.
   */
  add(units: number): void {
    this.counted += units;
    if (this.counted > this.allowed) {
      throw new EngineError(
        "GEOMETRY_TOO_COMPLEX",
        `the answer needs more than ${this.allowed} units of work, which is the limit: the geometry's edges meet too many other edges, or too many areas are near it; simplify the geometry, send it in parts, or query fewer sources or a smaller distance`,
        { counted: this.counted, allowed: this.allowed },
      );
    }
  }
}
