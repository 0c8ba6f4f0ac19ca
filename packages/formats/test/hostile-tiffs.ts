import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";

/**
 * Reads `count` mutated GeoTIFFs from the seed `from` on in a process of its own: lying sizes, places and types, bombs in
 * each codec, directories that lead back, 46,341 cells a side. Each is read or refused, within a second of CPU time and 512 MiB.
 */
export function expectHostileTiffsRefused(from: number, count: number): void {
  const script = join(import.meta.dirname, "read-hostile-tiffs.ts");
  const output = execFileSync(process.execPath, [script, String(from), String(count)], { encoding: "utf8" });
  const { outcomes, worstSeconds, worstSeed, megabytes } = JSON.parse(output.trim().split("\n").at(-1)!);
  const { read = 0, FILE_DAMAGED: damaged = 0, ...others } = outcomes as Record<string, number>;
  for (const outcome of Object.keys(others))
    expect([
      "FORMAT_UNSUPPORTED",
      "UNPACKED_TOO_LARGE",
      "CRS_UNSUPPORTED",
      "PLACE_UNSUPPORTED",
      "LAYER_AMBIGUOUS",
    ]).toContain(outcome);
  expect(damaged).toBeGreaterThan(count / 2);
  expect(read).toBeLessThan(count / 3);
  expect(worstSeconds, `seed ${worstSeed}`).toBeLessThan(1);
  expect(megabytes).toBeLessThan(512);
}
