import { EngineError } from "@groundrule/engine";
import { openSnapshot } from "@groundrule/engine/build";
import { HOST } from "../host.ts";
import { readShared } from "../read-shared.ts";

/**
 * The sum of the square metres of an edition's areas; what two areas share is counted twice.
 *
 * @param path of its snapshot file
 * @returns undefined for a register, and where the file is missing or damaged
 */
export function squareMetersOf(path: string): number | undefined {
  try {
    const snapshot = openSnapshot(readShared(path), { name: path, crc32: HOST.crc32 });
    return snapshot.kind === "leaf" ? sumOf(snapshot.layer.areaSquareMeters) : undefined;
  } catch (error) {
    if (error instanceof EngineError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** In the order of the values. */
export function sumOf(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
