import type { CheckPort } from "../watch-findings.ts";
import type { CheckMessage, CheckReply } from "./check-protocol.ts";

/** Opens a worker that checks plots. */
export function checkInWorker(onReply: (reply: CheckReply) => void): CheckPort {
  const worker = new Worker(new URL("./check-worker.ts", import.meta.url), {
    type: "module",
    name: "checks",
  });
  worker.addEventListener("message", ({ data }: MessageEvent<CheckReply>) => onReply(data));
  // If the browser cannot load it, plots have no findings.
  worker.addEventListener("error", (event) => event.preventDefault());
  return { tell: (message: CheckMessage) => worker.postMessage(message) };
}
