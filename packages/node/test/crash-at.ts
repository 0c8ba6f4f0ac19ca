import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** What changes a folder. Each call is a step at which a process may die. */
const CHANGES = [
  "openSync",
  "writeSync",
  "fsyncSync",
  "renameSync",
  "rmSync",
  "rmdirSync",
  "mkdirSync",
] as const;

/** What is thrown at the step, and at every step after it: a dead process changes nothing any more. */
export class Crash extends Error {}

/**
 * Lets this process change files `steps` times, and then dies as `die` does; a write dies halfway.
 *
 * @returns counts the steps taken, and gives files back
 */
export function crashAt(steps: number, die: () => never): { taken(): number; restore(): void } {
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
