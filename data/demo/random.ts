/**
 * Numbers in [0, 1), of 32 random bits each, that a seed fixes: the same on every host.
 * Source: mulberry32, Tommy Ettinger, public domain.
 */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Draws of a seeded stream: the same seed gives the same demo data everywhere. */
export class Random {
  /** In [0, 1). */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = mulberry32(seed);
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Log-uniform: as many small as large orders of magnitude. */
  logBetween(low: number, high: number): number {
    return low * (high / low) ** this.next();
  }

  integer(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.next() * choices.length)] as T;
  }
}
