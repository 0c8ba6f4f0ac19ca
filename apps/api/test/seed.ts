import { mulberry32 } from "@groundrule/testing/random";

/**
 * The seed of a random test: `SEED` of the environment where a failure is to be seen again, else the
 * one given, so that runs are alike. Failures print it.
 */
export function readSeed(fallback: number): number {
  const seed = process.env.SEED;
  return seed === undefined ? fallback : Number(seed);
}

/** A number from the environment, for the long form of a test. */
export function readSizeVariable(name: string, fallback: number): number {
  const size = process.env[name];
  return size === undefined ? fallback : Number(size);
}

/** Runs one seeded experiment; what it throws says by which seed it can be seen again. */
export async function withSeed<Result>(
  seed: number,
  run: (random: () => number) => Promise<Result>,
): Promise<Result> {
  try {
    return await run(mulberry32(seed));
  } catch (error) {
    throw new Error(`SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
