import { EngineError } from "../errors.ts";

/**
 * Counts the work an operation does and refuses beyond a limit. Work is counted in steps of the
 * algorithm, never in time, so that a refusal is as reproducible as an answer.
 */
export class WorkMeter {
  counted = 0;
  readonly allowed: number;

  /** @param allowed steps; `Infinity` for no limit */
  constructor(allowed: number) {
    this.allowed = allowed;
  }

  /** Fails: `GEOMETRY_TOO_COMPLEX` with `counted` and `allowed` once the limit is passed. */
  add(steps: number): void {
    this.counted += steps;
    if (this.counted > this.allowed) {
      throw new EngineError(
        "GEOMETRY_TOO_COMPLEX",
        `checking the geometry takes more than ${this.allowed} steps: too many of its edges cross or its rings touch or nest; simplify it or send it in parts`,
        { counted: this.counted, allowed: this.allowed },
      );
    }
  }
}
