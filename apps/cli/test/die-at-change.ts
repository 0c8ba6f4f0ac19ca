import { isMainThread } from "node:worker_threads";
import { failAfterSteps } from "./failing-disk.ts";

// Preloaded before the command: kills its process at a change of a file, with a write half done.
const { DIE_AT, DIE_WRITING } = process.env;
if (isMainThread && DIE_AT !== undefined) {
  failAfterSteps(Number(DIE_AT), DIE_WRITING!, () => {
    process.kill(process.pid, "SIGKILL");
    throw new Error("killed");
  });
}
