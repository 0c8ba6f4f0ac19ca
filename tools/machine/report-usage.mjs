// Loaded before a program that is measured (node --import): writes at its end to file 3 what it used.
import { writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    const main = process.threadCpuUsage();
    const usage = {
      cpuMs: (user + system) / 1000,
      mainMs: (main.user + main.system) / 1000,
      elapsedMs: performance.now(),
      peakBytes: process.resourceUsage().maxRSS * 1024,
    };
    writeSync(3, JSON.stringify(usage));
  });
}
