/**
 * Loaded into a serving process with `--import`: measures how long its HTTP thread was kept from its
 * work, and how much memory the process held, and tells its parent when asked.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** Since the last time it was asked. */
export interface Watched {
  /** The longest the event loop took for a turn, milliseconds. */
  readonly maxDelayMs: number;
  readonly p99DelayMs: number;
  /** The most CPU that its thread took in one turn of the event loop, milliseconds. */
  readonly maxTurnCpuMs: number;
  /** Most resident memory, and what it was at the beginning; bytes. */
  readonly peakBytes: number;
  readonly startBytes: number;
  /** CPU of all threads, microseconds. */
  readonly cpuMicroseconds: number;
}

const RESOLUTION_MS = 1;
const MEMORY_EVERY_MS = 4;

if (isMainThread && process.send !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let startBytes = process.memoryUsage.rss();
  let peakBytes = startBytes;
  const look = (): void => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  };
  setInterval(look, MEMORY_EVERY_MS).unref();
  let turnBefore = process.threadCpuUsage();
  let maxTurnCpuMs = 0;
  // Timers run once a turn: between two of them lies one turn that was long, or a millisecond of short ones.
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(turnBefore);
    turnBefore = process.threadCpuUsage();
    maxTurnCpuMs = Math.max(maxTurnCpuMs, (user + system) / 1_000);
  }, RESOLUTION_MS).unref();
  let cpuBefore = process.cpuUsage();
  process.on("message", () => {
    look();
    const { user, system } = process.cpuUsage(cpuBefore);
    cpuBefore = process.cpuUsage();
    process.send?.({
      maxDelayMs: delay.max / 1e6,
      p99DelayMs: delay.percentile(99) / 1e6,
      maxTurnCpuMs,
      peakBytes,
      startBytes,
      cpuMicroseconds: user + system,
    } satisfies Watched);
    delay.reset();
    maxTurnCpuMs = 0;
    startBytes = process.memoryUsage.rss();
    peakBytes = startBytes;
  });
  // The process that started it is gone, and can no longer end it.
  process.on("disconnect", () => process.exit());
  // Listening to its parent keeps no server running that was told to stop.
  process.channel?.unref();
}
