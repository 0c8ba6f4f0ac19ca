import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Functions that change a folder. Each call is a step at which a process may die. */
const CHANGES = [
  "openSync",
  "writeSync",
  "fsyncSync",
  "renameSync",
  "rmSync",
  "rmdirSync",
  "mkdirSync",
] as const;

/** Thrown at the step, and at every later one: a dead process changes nothing any more. */
export class Crash extends Error {}

/**
 * Lets this process change files `steps` times, and then ends it by `die`; a write is cut in half.
 *
 * @returns a counter of steps, and a function that restores the file system
 */
export function crashAfterSteps(steps: number, die: () => never): { taken(): number; restore(): void } {
  let taken = 0;
  const originals = new Map(CHANGES.map((name) => [name, fs[name]] as const));
  for (const [name, original] of originals) {
    const call = original as (...args: unknown[]) => unknown;
    const changed = (...args: unknown[]): unknown => {
      if (name === "openSync" && args[1] !== "w") return call(...args);
      if (taken >= steps) {
        if (name === "writeSync" && taken === steps) {
          const bytes = args[1] as Uint8Array;
          call(args[0], bytes.subarray(0, bytes.byteLength >> 1));
        }
        taken++;
        die();
      }
      taken++;
      return call(...args);
    };
    Object.assign(fs, { [name]: changed });
  }
  syncBuiltinESMExports();
  return {
    taken: () => taken,
    restore() {
      for (const [name, original] of originals) Object.assign(fs, { [name]: original });
      syncBuiltinESMExports();
    },
  };
}
