import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createCharging } from "../../src/charging/charging.ts";
import type { Scope } from "../../src/ledger/scope.ts";
import { openStore } from "../../src/store/open-store.ts";
import { makeCompleteExecution } from "../settlement.ts";
import type { Degraded } from "../simulation/world.ts";
import type { Order } from "./target.ts";

/** Messages to the charging process, and messages from it. */
export type ToProcess = { readonly id: number; readonly order: Order } | "stop";
export type FromProcess =
  | "ready"
  | { readonly id: number; readonly outcome?: unknown; readonly error?: string };

/** Points that are passed only where somebody manages the store. */
const KEPT: ReadonlySet<string> = new Set(["run freeze", "run rotateApiKey"]);

/** A point and how often it is passed before the process dies there, as `name:count`. */
const [killPoint, killCount] = (process.env.KILL_AT ?? ":0").split(":");
let passed = 0;

/** The process dies here when it is this point's turn. */
function dieAtPoint(name: string): void {
  if (name === killPoint && ++passed >= Number(killCount)) process.kill(process.pid, "SIGKILL");
}

const store = await openStore(process.env.STORE ?? "", {
  role: "serve",
  // One that dies as it makes the store leaves it to the next.
  absent: "make",
  ...(killPoint !== "" && { sqlite: { onStep: dieAtPoint } }),
});
const charging = createCharging(
  {
    store,
    mintDecisionId: () => `dec_${randomUUID()}`,
    sleep: (milliseconds) => sleep(milliseconds, undefined, { ref: false }),
  },
  // Soon enough that counts are written while charges are.
  { countDelayMs: 5 },
);
let executions = 0;
let isKept = !KEPT.has(killPoint!);

/** The operator's work during the charges, for kill points inside of it. */
async function repeatOperatorWork(scope: Scope): Promise<void> {
  for (let i = 0; ; i++) {
    await sleep(3);
    if (killPoint === "run freeze") {
      await store.freeze({ scope, reason: i % 2 === 0 ? "an experiment" : null });
    } else if (i === 0) {
      await store.createApiKey({ ...makeStoredKey(i), ...scope, name: "kept", scopes: ["evaluate"] });
    } else {
      await store.rotateApiKey({
        id: makeStoredKey(i - 1).id,
        successor: makeStoredKey(i),
        overlapMs: 60_000,
      });
    }
  }
}

function makeStoredKey(no: number) {
  return { id: `key_${no}`, digest: `digest ${no}`, pepperVersion: 1, hint: "gr_live_", lifetimeMs: null };
}

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
  if (!isKept) void repeatOperatorWork(order.request.scope);
  isKept = true;
  try {
    dieAtPoint("received");
    const outcome = await charging.charge<Degraded>(order.request, async () => {
      dieAtPoint("execute");
      // Apart, so that they are settled in several groups.
      await sleep((id * 7) % 30);
      dieAtPoint("executed");
      if (order.degrades) return { kind: "uncharged", answer: "degraded" };
      return makeCompleteExecution(`${order.request.fingerprint} ${process.pid} ${++executions}`);
    });
    dieAtPoint("settled");
    send({ id, outcome });
    dieAtPoint("answered");
  } catch (error) {
    send({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
send("ready");
