import type { Clock } from "../src/ledger/clock.ts";

/** A clock that stands still until it is moved. */
export class VirtualClock implements Clock {
  ms: number;

  constructor(start: string | number) {
    this.ms = typeof start === "number" ? start : Date.parse(start);
  }

  now(): number {
    return this.ms;
  }

  advance(milliseconds: number): void {
    this.ms += milliseconds;
  }
}
