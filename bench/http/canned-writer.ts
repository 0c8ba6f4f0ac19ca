import { parentPort } from "node:worker_threads";
import type { Settlement } from "../../apps/api/src/ledger/arbitrate.ts";
import type { Charged } from "./canned.ts";

// A thread that says of every settlement in a group that it was charged, and writes nothing.
parentPort!.on("message", ({ group, charged }: { group: readonly Settlement[]; charged: Charged }) => {
  parentPort!.postMessage(group.map(() => charged));
});
