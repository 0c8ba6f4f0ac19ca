import { loadavg } from "node:os";

/** CPU microseconds of all threads of this process. */
export function cpuMicros(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}

/** One-minute load average. */
export function loadNow(): number {
  return loadavg()[0]!;
}
