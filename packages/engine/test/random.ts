/** A seeded generator (mulberry32); the same sequence on every host. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform in [low, high). */
  between(low: number, high: number): number;
  /** Uniform integer in [0, count). */
  integer(count: number): number;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const word = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  const next = (): number => (word() * 2097152 + (word() >>> 11)) / 9007199254740992;
  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    integer: (count) => Math.floor(next() * count),
  };
}
