import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createCharging } from "../../src/charging/charging.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Degraded } from "../simulation/world.ts";
import type { Order } from "./target.ts";

/** What the process that asks sends, and what it is sent. */
export type ToProcess = { readonly id: number; readonly order: Order } | "stop";
export type FromProcess =
  | "ready"
  | { readonly id: number; readonly outcome?: unknown; readonly error?: string };

/** A point and how often it is passed before the process dies there, as `name:count`. */
const [killPoint, killCount] = (process.env.KILL_AT ?? ":0").split(":");
let passed = 0;

/** The process dies here when it is this point's turn. */
function point(name: string): void {
  if (name === killPoint && ++passed >= Number(killCount)) process.kill(process.pid, "SIGKILL");
}

const store = await openStore(process.env.STORE ?? "", {
  sqlite: { role: "serve", ...(killPoint === "" ? {} : { onStep: point }) },
});
const charging = createCharging({
  store,
  mintDecisionId: () => `dec_${randomUUID()}`,
  sleep: (milliseconds) => sleep(milliseconds, undefined, { ref: false }),
});
let executions = 0;

const send = (message: FromProcess): void => {
  process.send?.(message);
};

process.on("message", async (message: ToProcess) => {
  if (message === "stop") {
    await charging.flush();
    await store.close();
    process.disconnect?.();
    return;
  }
  const { id, order } = message;
  try {
    point("received");
    const outcome = await charging.charge<Degraded>(order.request, async () => {
      point("execute");
      // Apart, so that they are settled in several groups.
      await sleep((id * 7) % 30);
      point("executed");
      if (order.degrades) return { kind: "uncharged", answer: "degraded" };
      const response = `${order.request.fingerprint} ${process.pid} ${++executions}`;
      return {
        kind: "complete",
        request: "{}",
        response,
        mediaType: "application/json",
        digests: "{}",
        referenceId: null,
      };
    });
    point("settled");
    send({ id, outcome });
    point("answered");
  } catch (error) {
    send({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
send("ready");
