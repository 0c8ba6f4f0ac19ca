import { mulberry32 } from "@groundrule/data/random";

export { mulberry32 };

/** Random numbers that a seed fixes; the same on every host. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform in [low, high). */
  between(low: number, high: number): number;
  /** Uniform integer in [0, count). */
  integer(count: number): number;
}

/** Every bit of `next` is random: each takes two draws of {@link mulberry32}. */
export function createSeededRandom(seed: number): Random {
  const draw = mulberry32(seed);
  return toRandom(() => draw() + Math.floor(draw() * 2 ** 21) / 2 ** 53);
}

/** A text of so many pieces, each one of these. */
export function drawText(random: Random, pieces: ArrayLike<string>, count: number): string {
  return Array.from({ length: count }, () => pieces[random.integer(pieces.length)]!).join("");
}

/** @param next uniform in [0, 1) */
export function toRandom(next: () => number): Random {
  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    integer: (count) => Math.floor(next() * count),
  };
}
