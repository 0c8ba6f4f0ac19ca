// Loaded before a command that is measured (node --import): tells at its end what it used.
import { writeFileSync } from "node:fs";
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
    writeFileSync(process.env.GROUNDRULE_BENCH_USAGE, JSON.stringify(usage));
  });
}
