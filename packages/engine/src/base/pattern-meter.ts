import { EngineError } from "./errors.ts";

/**
 * Units of work that one look-up of a pattern may take, in all its registers together. A unit is what takes about
 * 3 ns, so a pattern is answered, or refused, in about 15 ms. No record holds such a look-up.
 */
const PATTERN_WORK = 5_000_000;

/** Counts the work of one look-up, in steps and never in time, so that a refusal is as reproducible as an answer. */
export class PatternMeter {
  counted = 0;
  readonly allowed: number;

  constructor(allowed: number = PATTERN_WORK) {
    this.allowed = allowed;
  }

  /** Fails: `PATTERN_TOO_COMPLEX` with `counted` and `allowed` once the limit is passed. */
  add(units: number): void {
    this.counted += units;
    if (this.counted <= this.allowed) return;
    const { counted, allowed } = this;
    const message = `the look-up needs more than ${allowed} units of work, which is the limit: too many identifiers contain a part of the pattern but do not match; use a longer run of characters without wildcards, or query a single register`;
    throw new EngineError("PATTERN_TOO_COMPLEX", message, {
      counted,
      allowed,
      faults: [{ pointer: "/scheme/value", code: "PATTERN_TOO_COMPLEX", message }],
    });
  }
}
