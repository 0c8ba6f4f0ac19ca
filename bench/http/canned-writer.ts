import { parentPort } from "node:worker_threads";

// A thread that says of every settlement in a group that it was charged, and writes nothing.
parentPort!.on("message", ({ group, charged }: { group: readonly unknown[]; charged: unknown }) => {
  parentPort!.postMessage(group.map(() => charged));
});
